//! The gas in balloons.

use glam::DVec3;

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
    let positions: Vec<[f32; 3]> = positions.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
    Some(volume(&positions, &object.triangles))
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
    let (own, x) = (state.get(col::balloon::object)[row], state.get(col::particle::position));
    let place = |i: u32| {
        let [x, y, z, _] = x[i as usize].map(f64::from);
        DVec3::new(x, y, z)
    };
    let origin = place(state.get(col::balloon::particles)[row][0]);
    let triangles = state.get(col::triangle::idx).iter().zip(state.get(col::triangle::object));
    let six = triangles.filter(|(_, object)| **object == own).map(|(corners, _)| {
        let [a, b, c] = corners.map(|corner| place(corner) - origin);
        a.dot(b.cross(c))
    });
    six.sum::<f64>() / 6.0
}
