//! Normals of the drawn surface, one at each particle of cloth.

use glam::Vec3;

use weft_draw::Lines;

use super::{Overlay, Seen};

pub(super) const OVERLAY: Overlay = Overlay {
    name: "normals",
    doc: "normal of the cloth's front at each particle, one rest length long",
    draw,
};

const COLOR: u32 = 0x3d_e0d0;
const WIDTH: f32 = 1.0;

fn draw(seen: &Seen, lines: &mut Lines) {
    let cloths = seen.session.scene().cloths.len();
    for (i, object) in seen.session.objects().iter().enumerate().take(cloths) {
        let Some(rows) = seen.positions.get(object.particles.clone()) else { continue };
        let place = |corner: u32| rows.get(corner as usize).map(|x| Vec3::new(x[0], x[1], x[2]));
        let mut sums = vec![Vec3::ZERO; rows.len()];
        for corners in seen.session.setup().triangles(i) {
            let [Some(a), Some(b), Some(c)] = corners.map(place) else { continue };
            let area = (b - a).cross(c - a);
            corners.iter().for_each(|corner| sums[*corner as usize] += area);
        }
        for (row, sum) in (0..).zip(sums) {
            if let (Some(at), Some(normal)) = (place(row), sum.try_normalize()) {
                lines.add(at, at + normal * seen.spacing, COLOR, WIDTH);
            }
        }
    }
}
