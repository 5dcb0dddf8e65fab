//! Jacobi iterations on the equation of an implicit step, plain and with Chebyshev's acceleration:
//!
//! ```text
//! y        = x(k) + relaxation D⁻¹ r(x(k))               D: the blocks on the diagonal of the matrix
//! x(k + 1) = omega(k + 1) (y - x(k - 1)) + x(k - 1)      omega = 1, 2/(2 - rho²), 4/(4 - rho² omega(k)), …
//! ```
//! Wang: A Chebyshev Semi-Iterative Approach for Accelerating Projective and Position-based Dynamics, 2015, eq. 8 and 9.
//! rho 0 is plain Jacobi. The matrix is at most twice its blocks (`Energies::add_blocks`), so plain iterations go down.
//!
//! That is not enough for the substeps after each other: k iterations leave the share q = (1 - relaxation p)^k of the mode with
//! the eigenvalue p of D⁻¹ A, x(n + 1) = q (2 x(n) - x(n - 1)) from one substep to the next, which grows below q = -1/3.
//! With p up to 2 an odd k is safe up to the relaxation (1 + 3^(-1/k))/2: 2/3 for one iteration, 0.95 for eleven.

use std::cmp::Ordering;

use glam::Vec4;

use super::{Step, assemble, back_to_start, copy, go_to_inertial, residual, spectrum, times_block, total};
use crate::{
    elastic::At,
    lanes::{self, Kernel, Lanes, Point, Rows, V3, lost},
};

/// What the residual is divided by.
#[derive(Clone, Copy, PartialEq)]
pub enum Diagonal {
    /// Each particle's own 3 x 3 block of the matrix at the substep's start, every row a little stiff across as well; of plain
    /// iterations with strands, whose segments turn further in an iteration than that allows, anew in every one.
    Block,
    /// The block itself, anew in every iteration.
    Exact,
    /// m/h² + 4 k with the stiffest row's k, the constant of many courses: safe for four springs a particle, no more.
    Magic,
}

pub struct Settings {
    pub iterations: usize,
    pub diagonal: Diagonal,
    /// Share of a Jacobi step that is taken, 0..=1.
    pub relaxation: f32,
    /// Spectral radius of the iteration, 0 for plain Jacobi; `None`: estimated from the masses and blocks.
    pub rho: Option<f32>,
    /// `rho` is somebody's choice: whether a substep gains energy by it is looked at. An estimate is never too large, but where
    /// tethers act it is looked at as well: the residual does not see what is thrown to where they are slack, and hardly anything
    /// pulls it back.
    pub chosen: bool,
}

impl Settings {
    /// Beyond this rho errors live longer than the iterations last, and the acceleration only swings.
    fn useful(&self) -> f32 {
        1.0 - 4.0 / (self.iterations.max(3) as f32).powi(2)
    }
}

/// Most that is estimated where gas is projected after the solve: what that moves is no part of the system, and accelerated further
/// errors of light cloth grow from substep to substep.
const BESIDE_GAS: f32 = 0.8;

/// The largest relaxation with which so many plain iterations a substep do not gain energy, see above.
fn safe_relaxation(iterations: usize) -> f32 {
    if iterations.is_multiple_of(2) { 1.0 } else { 0.5 + 0.5 * 3.0_f32.powf(-1.0 / iterations as f32) }
}

/// What came out.
#[derive(Default)]
pub struct Outcome {
    /// Residual at the end as a share of that where inertia alone leads.
    pub residual: f64,
    pub rho: f32,
    /// The iteration at which the acceleration ran away and was given up.
    pub diverged: Option<usize>,
}

/// Growth of the residual over the best so far that counts as running away (of the squares).
const RUNAWAY: f64 = 100.0;

/// Accelerated iterations from one look at whether the positions are the best so far, and worth keeping, to the next.
const KEEP: usize = 16;

/// Growth of the residual over that of the kept positions from which the substep ends at these (of the squares). Below it is the
/// rounding of positions that goes up and down, and what soft modes have gained since would be lost: a cantilever sagged by 4 %
/// more where the smaller residual won.
const WORSE: f64 = 4.0;

/// Stiffness across a row that [`Diagonal::Block`] assumes at least, as a share of that along it: rows turn while the
/// iterations run, and a stale block without it overshoots by as much as the row is stiff. Less is slower to go astray
/// and sooner does: 0.1 failed at the corners of a hanging cloth.
const ACROSS: f32 = 0.3;

/// Energy that a substep may gain, as a share of what there was. An exact step only loses; a few iterations may leave
/// a little more.
const GAIN: f64 = 5e-3;

/// The same where the spectral radius is an estimate: what tethers that fall slack let go of is far more, and plain iterations in vain
/// take as long as those that are accelerated.
const THROWN: f64 = 0.1;

/// Brings the positions towards the minimum from where they are; `particle.inertial` is filled.
///
/// The acceleration is given up within the substep where the residual runs away, and after it where the cloth came out
/// with more energy than it went in with: errors that are only swung about, not made smaller, grow from step to step. By an
/// estimated `rho` they do not; there plain iterations win only where they come closer to the minimum.
pub fn solve(step: &mut Step, settings: &Settings) -> Outcome {
    let relaxation = settings.relaxation.min(safe_relaxation(settings.iterations));
    let (start, settings) = (residual(step), &Settings { relaxation, ..*settings });
    let mut outcome = Outcome { rho: settings.rho.unwrap_or(0.0), ..Outcome::default() };
    if start == 0.0 {
        return outcome;
    }
    fill_inverse(step, settings.diagonal);
    if settings.rho.is_none() {
        let estimate = spectrum::estimate_rho(step, settings.relaxation, settings.iterations);
        let most = if step.state.balloon.object.is_empty() { 1.0 } else { BESIDE_GAS };
        outcome.rho = estimate.min(settings.useful()).min(most);
    }
    let watched = settings.chosen || !step.state.tether.anchor.is_empty();
    let limit = if settings.chosen { GAIN } else { THROWN };
    let before = (watched && outcome.rho > 0.0).then(|| energy_before(step));
    let (mut left, diverged) = iterate(step, settings, start, outcome.rho);
    outcome.diverged = diverged;
    if diverged.is_none() && before.is_some_and(|before| gained(step, before, limit)) {
        let accelerated = (left, objective(step));
        keep(step);
        go_to_inertial(step);
        let again = residual(step);
        left = iterate(step, settings, again, 0.0).0;
        if settings.chosen || objective(step) < accelerated.1 {
            outcome.diverged = Some(settings.iterations);
        } else {
            go_to_kept(step);
            left = accelerated.0;
        }
    }
    outcome.residual = (left / start).sqrt();
    outcome
}

/// All iterations, accelerated while that goes well. Returns the squared residual and where it did not.
///
/// The residual of accelerated iterations goes up and down, and once it is as small as the rounding of positions makes it, up:
/// so the best positions of every [`KEEP`]-th are kept in `particle.implicit.iterate`. There what ran away goes on, plainly, and there
/// the substep ends where its last iteration is clearly worse.
///
/// Plain iterations run away where rows stiffen on the way (StVK in tension): they start again with blocks of where they are.
fn iterate(step: &mut Step, settings: &Settings, start: f64, mut rho: f32) -> (f64, Option<usize>) {
    let (mut left, mut best, mut omega, mut diverged) = (start, start, 1.0, None);
    // What swings must at least halve the residual.
    let most = if rho > settings.useful() { 0.25 * start } else { start };
    let (mut k, mut diagonal, mut kept) = (0_usize, settings.diagonal, None);
    let strands = !step.state.strand.span.is_empty();
    // Not what only falls back to plain iterations.
    let plainly = settings.rho == Some(0.0);
    for iteration in 0..settings.iterations {
        let stale = diagonal == Diagonal::Block && rho == 0.0 && strands;
        if iteration > 0 && (stale || diagonal == Diagonal::Exact) {
            fill_inverse(step, diagonal);
        }
        omega = match k {
            0 => 1.0,
            1 => 2.0 / (2.0 - rho * rho),
            _ => 4.0 / (4.0 - rho * rho * omega),
        };
        if plainly {
            advance(step, settings.relaxation);
        } else {
            accelerate(step, settings.relaxation, omega, k == 0);
        }
        left = residual(step);
        k += 1;
        best = best.min(left);
        let last = iteration + 1 == settings.iterations;
        let limit = if last { most } else { RUNAWAY * best };
        let plain = rho == 0.0;
        let limit = if plain { RUNAWAY * start } else { limit };
        // Also true if the residual is not a number.
        let ran_away = !matches!(left.partial_cmp(&limit), Some(Ordering::Less | Ordering::Equal));
        if ran_away && (!plain || diagonal == Diagonal::Block) {
            diverged.get_or_insert(iteration + 1);
            if plain || kept.is_none() {
                go_to_inertial(step);
            } else {
                go_to_kept(step);
            }
            left = residual(step);
            if plain {
                diagonal = Diagonal::Exact;
            }
            (best, rho, k) = (left, 0.0, 0);
        } else if !plain && k.is_multiple_of(KEEP) && left < kept.unwrap_or(start) {
            keep(step);
            kept = Some(left);
        }
    }
    if kept.is_some_and(|kept| WORSE * kept < left) {
        go_to_kept(step);
        left = residual(step);
    }
    (left, diverged)
}

fn keep(step: &mut Step) {
    let particle = &mut step.state.particle;
    copy(&step.par, particle.implicit.iterate, particle.position);
}

fn go_to_kept(step: &mut Step) {
    let particle = &mut step.state.particle;
    copy(&step.par, particle.position, particle.implicit.iterate);
}

/// Kinetic energy of the predicted velocities and elastic energy at the substep's start [J]; positions are inertial.
fn energy_before(step: &mut Step) -> f64 {
    back_to_start(step);
    let elastic = elastic(step);
    go_to_inertial(step);
    kinetic(step) + elastic
}

/// Whether a substep ends with more energy than `before` [J], of [`energy_before`], by this share of it.
fn gained(step: &mut Step, before: f64, share: f64) -> bool {
    let after = elastic(step) + kinetic(step);
    // Also true if the energy is not a number.
    !matches!(after.partial_cmp(&(before + share * before.abs())), Some(Ordering::Less | Ordering::Equal))
}

/// What a substep makes small, at the present positions: |x - inertial|² m / (2 h²) + elastic energy [J].
fn objective(step: &mut Step) -> f64 {
    let elastic = elastic(step);
    half_squares(step, |off, _| off) * f64::from(step.h).powi(2).recip() + elastic
}

/// At the present positions [J].
fn elastic(step: &mut Step) -> f64 {
    let (particle, energies) = step.energies();
    energies.energy(At { x: particle.position, still: particle.inertial })
}

/// Of the velocities that follow from the present positions [J].
fn kinetic(step: &Step) -> f64 {
    let per_second = 1.0 / step.h;
    half_squares(step, |off, v| v + off * per_second)
}

/// Sum of m/2 |w|² over what moves, w of the way from where inertia leads [m] and the predicted velocity [m/s].
fn half_squares(step: &Step, of: impl Fn(Vec4, Vec4) -> Vec4 + Sync) -> f64 {
    let particle = &step.state.particle;
    let (x, inertial, v, mass) =
        (&*particle.position, &*particle.inertial, &*particle.velocity, particle.mass);
    step.par.sum(x.len(), |range| {
        let mut sum = 0.0;
        for i in range.filter(|&i| x[i][3] > 0.0) {
            let off = Vec4::from_array(x[i]) - Vec4::from_array(inertial[i]);
            let w = of(off, Vec4::from_array(v[i]));
            sum += 0.5 * f64::from(mass[i]) * total(w * w);
        }
        sum
    })
}

fn fill_inverse(step: &mut Step, diagonal: Diagonal) {
    let across = if diagonal == Diagonal::Exact { 0.0 } else { ACROSS };
    if diagonal != Diagonal::Magic {
        assemble(step, true, across);
        return;
    }
    // The stiffest row of each particle, through a sweep that keeps the larger.
    let (par, h) = (step.par, step.h);
    let (particle, distance) = (&mut step.state.particle, &step.state.distance);
    particle.implicit.diagonal.fill([0.0; 4]);
    let kernel = Stiffest { stiffness: distance.stiffness };
    lanes::project(&par, distance.colors, distance.idx, particle.implicit.diagonal, &kernel);
    let (x, mass, per_h2) = (&*particle.position, particle.mass, 1.0 / (h * h));
    par.rows2(particle.implicit.diagonal, particle.implicit.off_diagonal, |start, diagonal, off| {
        for (i, (d, off)) in (start..).zip(diagonal.iter_mut().zip(off)) {
            let inverse = if x[i][3] > 0.0 { 1.0 / (mass[i] * per_h2 + 4.0 * d[0]) } else { 0.0 };
            (*d, *off) = ([inverse, inverse, inverse, 0.0], [0.0; 4]);
        }
    });
}

/// Raises x at both ends to the row's stiffness.
struct Stiffest<'a> {
    stiffness: &'a [f32],
}

impl Kernel<2> for Stiffest<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2]) -> [V3<L>; 2] {
        let (k, zero) = (rows.load::<L>(self.stiffness), L::from_f32(0.0));
        let (raise_a, raise_b) = ((k - a.x.x).max(zero), (k - b.x.x).max(zero));
        [V3 { x: raise_a, y: zero, z: zero }, V3 { x: raise_b, y: zero, z: zero }]
    }
}

/// One plain iteration. What the last place of a position loses of it goes with the next one: in a short substep an iteration asks for
/// less than that place, and all of them together for more (V24).
fn advance(step: &mut Step, relaxation: f32) {
    let within = lost::kept_within(step.h);
    let (par, particle) = (step.par, &mut step.state.particle);
    let (r, diagonal, off) =
        (&*particle.implicit.residual, &*particle.implicit.diagonal, &*particle.implicit.off_diagonal);
    par.rows2(particle.position, particle.lost, |start, position, lost| {
        let rows = (start..).zip(position.iter_mut().zip(lost));
        for (i, (x, lost)) in rows.filter(|(_, (x, _))| x[3] > 0.0) {
            let [dx, dy, dz] = (times_block(diagonal[i], off[i], r[i]) * relaxation).to_array();
            lost::go_row(x, V3::new(dx, dy, dz), lost, within);
        }
    });
}

/// One accelerated iteration; `particle.implicit.search` holds the iterate before the present one.
fn accelerate(step: &mut Step, relaxation: f32, omega: f32, first: bool) {
    let (par, particle) = (step.par, &mut step.state.particle);
    let (r, diagonal, off) =
        (&*particle.implicit.residual, &*particle.implicit.diagonal, &*particle.implicit.off_diagonal);
    par.rows2(particle.position, particle.implicit.search, |start, position, before| {
        for (i, (x, before)) in (start..).zip(position.iter_mut().zip(before)) {
            let present = *x;
            if x[3] > 0.0 {
                let here = Vec4::from_array(present);
                let wanted = here + times_block(diagonal[i], off[i], r[i]).extend(0.0) * relaxation;
                let from = if first { here } else { Vec4::from_array(*before) };
                *x = ((wanted - from) * omega + from).with_w(present[3]).to_array();
            }
            *before = present;
        }
    });
}
