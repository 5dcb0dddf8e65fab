//! One substep's parts beside the sweep: stiffness of the rows, where to start, acceleration, and the forces at the end.

use sim_api::{Mapped, model::ConstraintTable};

use glam::Vec4;

use crate::substep::Sim;

/// 1/compliance [N/m], at most `stiffest` (per kg) for the lighter end; 0 between two pins.
#[inline(always)]
pub(super) fn limited(compliance: f32, wa: f32, wb: f32, stiffest: f32) -> f32 {
    let w = wa.max(wb);
    if w > 0.0 { (1.0 / compliance.max(f32::MIN_POSITIVE)).min(stiffest / w) } else { 0.0 }
}

/// Fills `incident.stiffness` of springs; `stiffest` [1/s2].
pub(super) fn stiffness(sim: &mut Sim, stiffest: f32) {
    let (position, incident) = (&*sim.state.particle.position, &mut sim.state.incident);
    let (idx, compliance) = (sim.state.distance.idx, sim.state.distance.compliance);
    let (table, row) = (incident.table, incident.row);
    sim.par.rows(incident.stiffness, |start, stiffness| {
        for (at, k) in (start..).zip(stiffness) {
            *k = 0.0;
            if table[at] == ConstraintTable::Distance as u32 {
                let [a, b] = idx[row[at] as usize].mapped(|particle| position[particle as usize][3]);
                *k = limited(compliance[row[at] as usize], a, b, stiffest);
            }
        }
    });
}

/// Chebyshev's semi-iterative method over whole sweeps (section 3.8): x = omega (x - x'') + x'', with x'' the iterate
/// before the last one. The first two sweeps have none, and their omega is 1.
pub(super) fn accelerate(sim: &mut Sim, omega: f32) {
    let particle = &mut sim.state.particle;
    let (x, last, before) =
        (&mut *particle.position, &mut *particle.implicit.iterate, &mut *particle.implicit.iterate_before);
    sim.par.rows3(x, last, before, |_, x, last, before| {
        for ((x, last), before) in x.iter_mut().zip(last).zip(before) {
            if omega > 1.0 {
                let old = Vec4::from_array(*before);
                let new = (Vec4::from_array(*x) - old) * omega + old;
                *x = [new.x, new.y, new.z, x[3]];
            }
            *before = *last;
            *last = *x;
        }
    });
}

/// Tension of each distance row [N].
pub(super) fn write_forces(sim: &mut Sim, stiffest: f32) {
    let (x, distance) = (&*sim.state.particle.position, &mut sim.state.distance);
    let (idx, rest, compliance) = (distance.idx, distance.rest, distance.compliance);
    sim.par.rows(distance.force, |start, force| {
        for (row, force) in (start..).zip(force) {
            let [a, b] = idx[row].mapped(|end| Vec4::from_array(x[end as usize]));
            let length = (b - a).truncate().length();
            *force = limited(compliance[row], a.w, b.w, stiffest) * (length - rest[row]);
        }
    });
}
