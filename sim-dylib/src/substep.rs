//! The driver of a step: what every position-based solver shares, written once.
//!
//! ```text
//! normals and air, for the wind
//! repeat `substeps` times, h = dt / substeps:
//!   colliders  go to the end of the substep              (collide.rs)
//!   predict    v += h a;  previous = x;  inertial = x += h v     (gravity, wind, air damping)
//!   holds      what the hand holds moves on
//!   solve      the solver changes x
//!   contact    x leaves the colliders, friction acts      (collide.rs), then other cloth (self_collision.rs)
//!   velocity   v += (x - inertial) / h, restitution, internal damping
//! ```
//! The velocity pass is v = (x - previous) / h as every paper has it, but for round-off: x is stored in steps of ulp(x),
//! so the difference of two positions knows a velocity only to ulp(x)/h (0.007 m/s at 100 m and h = 1/1000 s), always
//! rounded the same way for the same gravity. What no constraint moves keeps its predicted velocity to the last bit.
//!
//! Macklin et al.: Small Steps in Physics Simulation, 2019, is why substeps come before iterations.

use glam::{Vec3, Vec4};
use sim_api::{Frame, Par, ParamDesc, ParamKind, SolverDesc};

use crate::{collide, damping, forces, normals, self_collision, state::State};

/// Parameter of all solvers that use [`run`].
pub const SUBSTEPS: ParamDesc = ParamDesc::count(
    "substeps",
    [1, 10, 500],
    "Steps a frame is cut into. More substeps: stiffer, less damped, more expensive.",
);

/// A way to advance the state by one frame.
pub struct Solver {
    pub description: SolverDesc,
    pub step: fn(&mut Sim),
}

/// A step at work: the bound tables, the solver's parameters and the substep in hand.
pub struct Sim<'a> {
    pub frame: &'a Frame,
    pub par: Par,
    pub state: State<'a>,
    solver: &'static Solver,
    /// Length of a substep [s].
    pub h: f32,
    /// Simulated time at the start of the substep [s].
    pub time: f32,
    /// The substep's place in the frame: its start and end, 0..=1.
    pub span: [f32; 2],
    /// What cloth did to cloth in this frame.
    pub tally: self_collision::Tally,
}

impl<'a> Sim<'a> {
    pub fn new(frame: &'a Frame, solver: &'static Solver, state: State<'a>) -> Self {
        let (h, time) = (frame.dt, frame.time);
        let tally = self_collision::Tally::default();
        Self { frame, par: frame.par, state, solver, h, time, span: [0.0, 1.0], tally }
    }

    /// Value of one of this solver's parameters, inside its declared range.
    ///
    /// # Panics
    /// If the solver does not list `param`.
    pub fn param(&self, param: &ParamDesc) -> f32 {
        let params = self.solver.description.params.as_slice();
        let index = params.iter().position(|p| p.name.as_str() == param.name.as_str());
        let index = index.unwrap_or_else(|| {
            panic!("solver {} does not list the parameter {}", self.solver.description.name, param.name)
        });
        param.clamp(self.frame.params().get(index).copied().unwrap_or(param.default))
    }

    /// A whole-number parameter.
    pub fn count(&self, param: &ParamDesc) -> usize {
        self.param(param) as usize
    }

    /// The name of the choice a parameter stands on.
    pub fn choice(&self, param: &ParamDesc) -> &'static str {
        debug_assert_eq!(param.kind, ParamKind::Choice);
        param.choices.as_str().split('|').nth(self.count(param)).unwrap_or_default()
    }

    /// Cuts the frame into `substeps` and calls `body` for each.
    #[inline(always)]
    pub fn substeps(&mut self, substeps: usize, mut body: impl FnMut(&mut Self)) {
        self.each_substep(substeps, &mut body);
    }

    fn each_substep(&mut self, substeps: usize, body: &mut dyn FnMut(&mut Self)) {
        self.h = self.frame.dt / substeps as f32;
        let collides = !self.state.collider.kind.is_empty();
        if collides {
            collide::plane::none(&mut self.state.particle);
        }
        for substep in 0..substeps {
            self.time = self.frame.time + substep as f32 * self.h;
            self.span = [substep as f32, (substep + 1) as f32].map(|s| s / substeps as f32);
            if collides {
                collide::advance(self);
            }
            body(self);
        }
    }
}

/// The whole step around a position-based `solve`.
#[inline(always)]
pub fn run(sim: &mut Sim, mut solve: impl FnMut(&mut Sim)) {
    let damped = damping::any(&sim.state.distance);
    steps(sim, damped, &mut solve);
}

/// [`run`] for a solver that damps the springs itself.
#[inline(always)]
pub fn run_undamped(sim: &mut Sim, mut solve: impl FnMut(&mut Sim)) {
    steps(sim, false, &mut solve);
}

/// Not generic: an edit of one solver's closure would compile the loops here anew, for all of them.
fn steps(sim: &mut Sim, damped: bool, solve: &mut dyn FnMut(&mut Sim)) {
    // A solver that writes no forces must not leave those of another.
    sim.state.distance.force.fill(0.0);
    update_wind(sim);
    let substeps = sim.count(&SUBSTEPS);
    sim.substeps(substeps, |sim| {
        predict(sim);
        move_holds(sim);
        sim.frame.stage("predict");
        solve(sim);
        sim.frame.stage("solve");
        if !sim.state.collider.kind.is_empty() {
            collide::contact(sim);
        }
        sim.frame.stage("contact");
        self_collision::contact(sim);
        velocities_from_positions(sim);
        if !sim.state.collider.kind.is_empty() {
            collide::restitution(sim);
            collide::react(sim);
        }
        if damped {
            damping::springs(&sim.par, &mut sim.state.particle, &sim.state.distance, sim.h);
        }
        sim.frame.stage("velocity");
    });
}

/// Normals, areas and the air around the particles, once a step; only wind needs them.
pub fn update_wind(sim: &mut Sim) {
    let wind = &sim.frame.world.wind;
    if wind.coefficient > 0.0 {
        normals::update(&mut sim.state.particle, &sim.state.triangle);
        forces::update_air(&sim.par, &mut sim.state.particle, wind, sim.time);
    }
    sim.frame.stage("wind");
}

fn predict(sim: &mut Sim) {
    let (push, h) = (forces::Push::new(&sim.frame.world, sim.h), sim.h);
    let particle = &mut sim.state.particle;
    let (normal, air) = (&*particle.normal, &*particle.air);
    let (x, v) = (&mut *particle.position, &mut *particle.velocity);
    let (previous, inertial) = (&mut *particle.previous, &mut *particle.inertial);
    sim.par.rows4(x, v, previous, inertial, |start, x, v, previous, inertial| {
        let (normal, air) = (&normal[start..start + x.len()], &air[start..start + x.len()]);
        let rows = x.iter_mut().zip(v).zip(previous.iter_mut().zip(inertial));
        for (i, ((x, v), (previous, inertial))) in rows.enumerate() {
            *previous = *x;
            if x[3] > 0.0 {
                let (normal, air) = (Vec4::from_array(normal[i]), Vec4::from_array(air[i]));
                let moved = push.advance(x[3], Vec4::from_array(*v), normal, air);
                *v = moved.to_array();
                *x = (Vec4::from_array(*x) + moved * h).to_array();
            }
            *inertial = *x;
        }
    });
}

/// Held particles go along their way of this frame.
pub fn move_holds(sim: &mut Sim) {
    for hold in sim.frame.holds() {
        let at = Vec3::from(hold.begin).lerp(Vec3::from(hold.end), sim.span[1]);
        let particle = &mut sim.state.particle;
        if let Some(x) = particle.position.get_mut(hold.particle as usize) {
            *x = [at.x, at.y, at.z, x[3]];
            particle.inertial[hold.particle as usize] = *x;
        }
    }
}

fn velocities_from_positions(sim: &mut Sim) {
    let per_second = 1.0 / sim.h;
    let particle = &mut sim.state.particle;
    let (x, previous, inertial) = (&*particle.position, &*particle.previous, &*particle.inertial);
    // The predicted velocity is kept for the restitution of this substep.
    sim.par.rows2(particle.velocity, particle.predicted, |start, v, predicted| {
        let rows = start..start + v.len();
        let (x, previous, inertial) = (&x[rows.clone()], &previous[rows.clone()], &inertial[rows]);
        for (i, (v, predicted)) in v.iter_mut().zip(predicted).enumerate() {
            *predicted = *v;
            let here = Vec4::from_array(x[i]);
            // w, the inverse mass, is the same in all: it comes out as 0.
            let moved = if x[i][3] > 0.0 {
                Vec4::from_array(*v) + (here - Vec4::from_array(inertial[i])) * per_second
            } else {
                // What is held goes the way of the hand, and what is pinned none.
                (here - Vec4::from_array(previous[i])) * per_second
            };
            *v = moved.to_array();
        }
    });
}
