//! The gas in the first balloon of a scene.

use super::{Input, Reading};
use weft_core::state::col;
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
