//! Roots on cloth: they go and turn with a triangle, and the strand pulls back at its corners.
//!
//! ```text
//!  x0 ─────── x1     place  r = sum of b x        frame  that of x1 - x0 and of the normal
//!    \   r   /       mass   1 / w,  w = sum of |b| crowd / m, what the corners have for this root
//!     \  │  /        solve  the strand moves r as one of its own particles, of that mass, and so feels how heavy cloth is
//!       x2           pull   p = -sum of m (x - x before) over the strand;   corner: x += sum of b p / m
//! ```
//! The mass of a corner is divided among all roots around it (Tonge, Benevolenski, Voroshilov: Mass Splitting for Jitter-Free
//! Parallel Rigid Body Simulation, 2012): however many strands hang there, and however heavy they are, together they never pull
//! it beyond where one alone would. What a strand gives to its root the corners get, so momentum is kept.
//!
//! Only while a solver runs do roots have that mass: before and after they are held, as others are. Solvers that do not take the
//! table `root` leave the pull out: cloth carries strands then and does not feel them.
//!
//! It does not give back the moment of a clamp: the couple that bends the first joint turns no triangle, and the angular momentum of
//! cloth and strands together grows by it (`tests/tests/topics/clamp_couple.rs` has how much that is). As a force on the corners it
//! would come a substep late, on a triangle that is lighter than what turns it; it takes the frame of the seat as an unknown.

use sim_api::{Mapped, Par, SharedMut};

use super::{
    each, frame, groups,
    mounts::{self, Mass},
    rotation::Rotation,
};
use crate::{
    lanes::V3,
    sim::Sim,
    state::{Mount, Root, Strand},
};

/// Puts roots to where their triangles are now, with what mass they have there, and ends on bodies likewise.
pub fn hold(sim: &mut Sim) {
    hold_with(sim, Mass::Particle);
}

/// The same for a solver that takes the mass along a strand and that across it apart.
pub fn hold_blocks(sim: &mut Sim) {
    hold_with(sim, Mass::Block);
}

fn hold_with(sim: &mut Sim, mass: Mass) {
    let heavy = sim.takes(Root::TABLE.name.as_str());
    place(sim, heavy);
    let heavy = sim.takes(Mount::TABLE.name.as_str());
    mounts::place(sim, if heavy { mass } else { Mass::None });
}

/// Roots of the substep in hand while a solver moves cloth and strands in turns; borrows nothing else of the particles.
#[doc(hidden)]
#[macro_export]
macro_rules! roots {
    ($state:expr) => {
        $crate::strands::roots::Following {
            root: &mut $state.root,
            strand: &$state.strand,
            stretch: $state.segment.stretch,
            inertial: &*$state.particle.inertial,
        }
    };
}
pub use roots;

/// See [`roots!`].
pub struct Following<'a, 'b> {
    pub root: &'a mut Root<'b>,
    pub strand: &'a Strand<'b>,
    pub stretch: &'a [f32],
    pub inertial: &'a [[f32; 4]],
}

impl Following<'_, '_> {
    /// Moves roots by what their triangles moved since they were held, or since the last time: else strands were solved for cloth that is
    /// not where they think, and pulled at it ever harder.
    pub fn follow(&mut self, par: &Par, position: &mut [[f32; 4]]) {
        let base = position.len() - self.stretch.len();
        let position = SharedMut::new(position);
        let (of, corners, weights) = (self.root.strand, self.root.corners, self.root.weights);
        par.rows(self.root.carried, |start, carried| {
            for (row, carried) in (start..).zip(carried) {
                let [first, stride, _] = self.strand.span[of[row] as usize].mapped(|number| number as usize);
                let root = if self.stretch[first - base] == 0.0 { first + stride } else { first };
                // SAFETY: corners are particles of cloth, which nobody writes here; each strand has a root of its own.
                unsafe {
                    let corners = corners[row].mapped(|corner| position.get(corner as usize));
                    let way = in_triangle(corners, weights[row]) - V3::from_row(self.inertial[root]);
                    // With the stub before it.
                    for particle in (first..=root).step_by(stride) {
                        let x = position.get(particle);
                        let to = V3::from_row(x) + (way - V3::from_row(*carried));
                        position.set(particle, [to.x, to.y, to.z, x[3]]);
                    }
                    *carried = [way.x, way.y, way.z, 0.0];
                }
            }
        });
    }
}

/// After a solve: what strands gave to their roots goes to the corners, to ends on bodies to these, and both are held again.
pub fn pull(sim: &mut Sim) {
    pull_by(sim, Told::Strand);
}

/// The same after one whose sweeps do not carry what a strand weighs to its root: what the root was moved by counts.
pub fn pull_as_moved(sim: &mut Sim) {
    pull_by(sim, Told::Root);
}

/// What the pull of a strand is told from.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    /// All that the solve gave to the strand, which nothing else can have given.
    Strand,
    /// What it moved the root by, times the mass that this has.
    Root,
}

fn pull_by(sim: &mut Sim, told: Told) {
    if !sim.state.root.strand.is_empty() {
        if sim.takes(Root::TABLE.name.as_str()) {
            gather(sim, told);
            give(sim);
        }
        place(sim, false);
    }
    if !sim.state.mount.end.is_empty() {
        if sim.takes(Mount::TABLE.name.as_str()) {
            mounts::pull(sim);
        }
        mounts::place(sim, Mass::None);
    }
}

fn place(sim: &mut Sim, heavy: bool) {
    let state = &mut sim.state;
    let base = state.particle.position.len() - state.segment.rest.len();
    let strand = &state.strand;
    let (rest, stretch) = (state.segment.rest, state.segment.stretch);
    let position = SharedMut::new(state.particle.position);
    let inertial = SharedMut::new(state.particle.inertial);
    let rotation = SharedMut::new(state.segment.rotation);
    state.root.carried.fill([0.0; 4]);
    let root = &state.root;
    each(&sim.par, root.strand.len(), |row| {
        let own = root.strand[row] as usize;
        let [first, stride, _] = strand.span[own].mapped(|number| number as usize);
        // SAFETY: corners are particles of cloth, which nobody writes here; each strand has particles and segments of its own.
        unsafe {
            let corners = root.corners[row].mapped(|corner| position.get(corner as usize));
            let place = in_triangle(corners, root.weights[row]);
            let mut inverse_mass = 0.0;
            for (k, corner) in corners.iter().enumerate() {
                inverse_mass += root.weights[row][k].abs() * root.crowd[row][k] * corner[3];
            }
            let put = |particle: usize, V3 { x, y, z }: V3<f32>, w: f32| {
                position.set(particle, [x, y, z, w]);
                inertial.set(particle, [x, y, z, w]);
            };
            let (segment, stub) = (first - base, stretch[first - base] == 0.0);
            if stub {
                // A triangle that has no area has no frame: the last one stays.
                let seat = of_triangle(corners.mapped(V3::from_row));
                let turned = seat.map_or(frame(rotation.get(segment)), |seat| {
                    seat.after(frame(strand.root_rotation[own])).unit()
                });
                rotation.set(segment, turned.lanes());
                put(first, place - turned.along() * rest[segment], 0.0);
            }
            put(if stub { first + stride } else { first }, place, if heavy { inverse_mass } else { 0.0 });
        }
    });
}

/// Fills `root.pull`. Where a collider or a hand took part the strand tells nothing, and the root does.
fn gather(sim: &mut Sim, told: Told) {
    let state = &mut sim.state;
    let base = state.particle.position.len() - state.segment.rest.len();
    let meets = !state.collider.kind.is_empty();
    let (strand, stretch, mass) = (&state.strand, state.segment.stretch, state.particle.mass);
    let (x, before) = (&*state.particle.position, &*state.particle.inertial);
    let planes = &*state.particle.contact.plane_depth;
    let (of, carried) = (state.root.strand, &*state.root.carried);
    let moved = |particle: usize| V3::from_row(x[particle]) - V3::from_row(before[particle]);
    sim.par.rows(state.root.pull, |start, pull| {
        for (row, pull) in (start..).zip(pull) {
            let [first, stride, _] = strand.span[of[row] as usize].mapped(|number| number as usize);
            let own = usize::from(stretch[first - base] == 0.0);
            // A body may hold its tip.
            let tip = strand.borne[of[row] as usize][1] != u32::MAX;
            let (mut sum, mut touches) = (V3::zero(), tip || told == Told::Root);
            let hangs = groups::hanging(stretch, strand.span[of[row] as usize], base, own);
            for particle in hangs.map(|number| first + stride * number) {
                if x[particle][3] > 0.0 {
                    sum = sum - moved(particle) * mass[particle];
                }
                // What holds a particle gives to the strand as well.
                touches |= x[particle][3] == 0.0 || meets && planes[particle][1] >= 0.0;
            }
            let root = first + stride * own;
            let w = x[root][3];
            if touches {
                sum = (moved(root) - V3::from_row(carried[row])) * (1.0 / w);
            }
            // Of what is held nothing is told, or it has been.
            sum = sum.where_positive(w);
            *pull = [sum.x, sum.y, sum.z, 0.0];
        }
    });
}

/// Moves the corners by what was gathered. Their velocity gets it here, and `inertial` goes along: of a heavy corner a substep
/// moves the last digits of a position alone.
fn give(sim: &mut Sim) {
    let (state, per_second) = (&mut sim.state, 1.0 / sim.h);
    let (bearer, borne, root) = (&state.bearer, &state.borne, &state.root);
    let position = SharedMut::new(state.particle.position);
    let inertial = SharedMut::new(state.particle.inertial);
    let velocity = SharedMut::new(state.particle.velocity);
    each(&sim.par, bearer.particle.len(), |row| {
        let [first, count] = bearer.borne[row].mapped(|number| number as usize);
        let mut sum = V3::zero();
        for i in first..first + count {
            let of = borne.root[i] as usize;
            sum = sum + V3::from_row(root.pull[of]) * root.weights[of][borne.corner[i] as usize];
        }
        let particle = bearer.particle[row] as usize;
        // SAFETY: each row has a particle of its own.
        unsafe {
            let x = position.get(particle);
            if x[3] == 0.0 {
                return;
            }
            let moved = sum * x[3];
            let to = V3::from_row(x) + moved;
            let (led, v) =
                (V3::from_row(inertial.get(particle)) + (to - V3::from_row(x)), velocity.get(particle));
            let v = V3::from_row(v) + moved * per_second;
            position.set(particle, [to.x, to.y, to.z, x[3]]);
            inertial.set(particle, [led.x, led.y, led.z, x[3]]);
            velocity.set(particle, [v.x, v.y, v.z, 0.0]);
        }
    });
}

/// Where a root lies in its triangle, by what it takes of each corner.
fn in_triangle(corners: [[f32; 4]; 3], weights: [f32; 4]) -> V3<f32> {
    let mut place = V3::zero();
    for (corner, weight) in corners.into_iter().zip(weights) {
        place = place + V3::from_row(corner) * weight;
    }
    place
}

/// The frame of a triangle: e1 from its first corner to its second, e3 its normal. `None` where it has no area.
pub fn of_triangle([a, b, c]: [V3<f32>; 3]) -> Option<Rotation<f32>> {
    let (e1, e3) = (b - a, (b - a).cross(c - a));
    let [e1, e3] = [e1, e3].mapped(|way| way * (1.0 / way.dot(way).max(f32::MIN_POSITIVE).sqrt()));
    (e3.dot(e3) > 0.5).then(|| Rotation::of_axes([e1, e3.cross(e1), e3]))
}
