//! Where the particles would go without elastic forces: `sim_kernels::substep` predicts so, here in double precision.

use glam::{DVec3, Vec3};
use sim_api::World;
use weft_core::state::col;

use super::Rods;
use weft_core::state::State;
use weft_engine::elastic::System;

/// x~ = x + h v~ [m], one row per particle; `time` [s] is that at the start of the step.
pub(super) fn positions(state: &State, system: &System, world: &World, h: f64, time: f32) -> Vec<DVec3> {
    let gravity = Vec3::from_array(world.gravity).as_dvec3();
    let coefficient = f64::from(world.wind.coefficient);
    let keep = 1.0 / (1.0 + h * f64::from(world.air_damping));
    let air = |i: usize| sim_kernels::forces::air(&world.wind, time, system.x[i].as_vec3()).as_dvec3();
    let normals = if coefficient > 0.0 { area_normals(state, system, air) } else { Vec::new() };
    let mut target = system.x.clone();
    for &i in &system.free_particles {
        let i = i as usize;
        let mut v = system.v[i] * keep + gravity * h;
        if coefficient > 0.0 {
            // Implicit in the velocity along the normal, as `sim_kernels::forces::Push::advance`.
            let (normal, area) = normals[i];
            let rate = h * coefficient * area / system.mass[i];
            v += normal * (normal.dot(air(i) - v) * rate / (1.0 + rate));
        }
        target[i] += v * h;
    }
    target
}

/// Unit normal and area [m2] of each particle: a third of the triangles around it; of strands, what they show to the air.
fn area_normals(state: &State, system: &System, air: impl Fn(usize) -> DVec3) -> Vec<(DVec3, f64)> {
    let x = &system.x;
    let mut rows = vec![(DVec3::ZERO, 0.0); x.len()];
    for idx in state.get(col::triangle::idx) {
        let [a, b, c] = idx.map(|i| x[i as usize]);
        let doubled = (b - a).cross(c - a);
        for &i in idx {
            let (normal, area) = &mut rows[i as usize];
            *normal += doubled;
            *area += doubled.length() / 6.0;
        }
    }
    rows.iter_mut().for_each(|(normal, _)| *normal = normal.normalize_or_zero());
    // Across a strand into the slip, as `sim_kernels::strands::face_the_wind`.
    let area = state.get(col::particle::area);
    let mut ways = vec![DVec3::ZERO; x.len()];
    for segment in Rods::of(state).map_or_else(Vec::new, |rods| rods.segments) {
        let [a, b] = segment.ends.map(|end| end as usize);
        let way = x[b] - x[a];
        (ways[a], ways[b]) = (ways[a] + way, ways[b] + way);
    }
    for (i, way) in ways.into_iter().enumerate().skip(state.first_of_strands()) {
        let (tangent, slip) = (way.normalize_or_zero(), air(i) - system.v[i]);
        rows[i] = ((slip - tangent * tangent.dot(slip)).normalize_or_zero(), area[i].into());
    }
    rows
}
