//! The gas in the first balloon of a scene.

use super::Reading;
use weft_scene::mesh::volume::volume;

use crate::lab::Lab;

pub const LIST: &[Reading] = &[
    Reading { name: "volume", unit: "m3", doc: "volume inside the first balloon", of: inside },
    Reading {
        name: "volume_ratio",
        unit: "1",
        doc: "volume inside the first balloon, by what its gas wants: pressure x rest volume x what has not leaked",
        of: |lab| {
            let state = &lab.run.state;
            let [wanted, rest, leaked] =
                ["pressure", "volume", "leaked"].map(|name| state.column::<f32>("balloon", name).first());
            let wanted = f64::from(*wanted?) * f64::from(*rest?) * (1.0 - f64::from(*leaked?));
            (wanted > 0.0).then(|| inside(lab)).flatten().map(|volume| volume / wanted)
        },
    },
];

fn inside(lab: &Lab) -> Option<f64> {
    // A balloon that tore is no row any more.
    let object = *lab.run.state.column::<u32>("balloon", "object").first()?;
    let object = lab.objects.get(object as usize)?;
    let positions = lab.positions().get(object.particles.clone())?;
    let positions: Vec<[f32; 3]> = positions.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
    Some(volume(&positions, &object.triangles))
}
