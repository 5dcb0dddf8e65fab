//! The gas in balloons.

use super::{Input, Reading};
use weft_core::state::{State, col};
use weft_scene::mesh::volume::volume;

pub(super) const LIST: &[Reading] = &[
    Reading { name: "volume", unit: "m3", doc: "volume inside the first balloon", of: inside },
    Reading {
        name: "volume_ratio",
        unit: "1",
        doc: "volume inside the first balloon, by what its gas wants: pressure x rest volume x what has not leaked",
        of: |input| {
            let state = input.state;
            let [wanted, rest, leaked] = [col::balloon::pressure, col::balloon::volume, col::balloon::leaked]
                .map(|key| state.get(key).first());
            let wanted = f64::from(*wanted?) * f64::from(*rest?) * (1.0 - f64::from(*leaked?));
            (wanted > 0.0).then(|| inside(input)).flatten().map(|volume| volume / wanted)
        },
    },
];

fn inside(input: &Input) -> Option<f64> {
    // A balloon that tore is no row any more.
    let object = *input.state.get(col::balloon::object).first()?;
    let object = input.objects.get(object as usize)?;
    let positions = input.positions().get(object.particles.clone())?;
    Some(volume(&places(positions), &object.triangles))
}

/// C² / 2 alpha of all gas that gives way (`sim-dylib/kernels/gas.rs`) [J]; that of compliance 0 holds none.
pub(super) fn energy(state: &State) -> f64 {
    let [pressure, leaked, rest, compliance] =
        [col::balloon::pressure, col::balloon::leaked, col::balloon::volume, col::balloon::compliance]
            .map(|key| state.get(key));
    let soft = (0..compliance.len()).filter(|&row| compliance[row] > 0.0);
    let energy = |row: usize| {
        let rest = f64::from(rest[row]);
        let wanted = f64::from(pressure[row]) * (1.0 - f64::from(leaked[row])) * rest;
        let excess = volume_of(state, row) - wanted;
        0.5 * excess * excess / (f64::from(compliance[row]) * rest)
    };
    soft.map(energy).sum()
}

/// Inside a balloon [m3].
fn volume_of(state: &State, row: usize) -> f64 {
    let (own, [first, count]) =
        (state.get(col::balloon::object)[row], state.get(col::balloon::particles)[row]);
    let particles = first as usize..(first + count) as usize;
    let triangles = state.get(col::triangle::idx).iter().zip(state.get(col::triangle::object));
    let triangles = triangles.filter(|(_, object)| **object == own);
    let triangles: Vec<[u32; 3]> = triangles.map(|(corners, _)| corners.map(|i| i - first)).collect();
    volume(&places(&state.get(col::particle::position)[particles]), &triangles)
}

fn places(positions: &[[f32; 4]]) -> Vec<[f32; 3]> {
    positions.iter().map(|&[x, y, z, _]| [x, y, z]).collect()
}
