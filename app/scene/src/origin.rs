//! The point that the positions of a run are relative to.
//!
//! ```text
//! world space = local + origin        scene files, panel, camera, readings | tables, bodies, hand, picking, drawing
//! ```
//! Single precision rounds a position to a part of its distance from zero: to 0.5 mm at 10 km, which is a twentieth of the
//! distance between two particles of a fine cloth. So cloth that a scene has far from zero is computed about a point in its
//! middle, a whole number of metres away: taking that off loses no bits, and a scene that was moved by whole metres gives the
//! same bits everywhere. Cloth near zero keeps zero, and a step costs what it did.
//!
//! Chosen when a scene is read, and kept while any of its cloth goes on; gusts are where the origin is. It does not follow
//! cloth that flies away, which is rounded to 1 um at 10 m, 8 um at 100 m. One for each cloth was rejected: contact between
//! cloths, with colliders and with the hand would have to cross from one to another in the innermost loops.

use super::{Cloth, Pin, Roots, Scene, Seat, Shape, Strands, Vec3, rotation};

/// Cloth whose middle is nearer to zero than this, along an axis, stays where it is [m].
const NEAR: f32 = 8.0;

impl Scene {
    /// Takes the middle of the cloths for the origin, or zero near that.
    pub fn choose_origin(&mut self) {
        let centres =
            || self.cloths.iter().map(centre).chain(self.strands.iter().map(|strands| self.root(strands)));
        self.origin = std::array::from_fn(|axis| {
            let low = centres().map(|x| x[axis]).fold(f32::INFINITY, f32::min);
            let high = centres().map(|x| x[axis]).fold(f32::NEG_INFINITY, f32::max);
            let middle = low + 0.5 * (high - low);
            if middle.abs() >= NEAR && middle.is_finite() { middle.round() } else { 0.0 }
        });
    }

    /// A place in world space [m], as seen from the origin.
    pub fn local(&self, at: Vec3) -> Vec3 {
        std::array::from_fn(|axis| at[axis] - self.origin[axis])
    }

    /// The same scene, moved so that its origin is zero.
    pub fn about_origin(&self) -> Self {
        let mut moved = self.clone();
        if self.origin == [0.0; 3] {
            return moved;
        }
        moved.cloths.iter_mut().for_each(|cloth| self.move_cloth(cloth));
        for strands in moved.strands.iter_mut().filter(|strands| strands.seat == Seat::World) {
            match &mut strands.roots {
                Roots::Points { at, .. } => at.iter_mut().for_each(|at| *at = self.local(*at)),
                Roots::Row { from, to, .. } => (*from, *to) = (self.local(*from), self.local(*to)),
                Roots::File { at, .. } => *at = self.local(*at),
                Roots::Cap { .. } | Roots::Edge { .. } | Roots::Surface { .. } => {}
            }
        }
        moved.colliders.iter_mut().for_each(|body| body.at = self.local(body.at));
        moved.camera.target = self.local(moved.camera.target);
        moved.origin = [0.0; 3];
        moved
    }

    /// One of its cloths, moved the same way.
    pub fn cloth_about_origin(&self, cloth: &Cloth) -> Cloth {
        let mut moved = cloth.clone();
        self.move_cloth(&mut moved);
        moved
    }

    fn move_cloth(&self, cloth: &mut Cloth) {
        cloth.at = self.local(cloth.at);
        let weights = cloth.weights.iter_mut().flat_map(|weight| &mut weight.on);
        let handles = cloth.handles.iter_mut().flat_map(|handle| &mut handle.pins);
        for pin in cloth.pins.iter_mut().chain(weights).chain(handles) {
            if let Pin::Within { at, .. } = pin {
                *at = self.local(*at);
            }
        }
    }
}

impl Scene {
    /// Where strands grow [m], world space.
    fn root(&self, strands: &Strands) -> Vec3 {
        if let Some((_, cloth)) = strands.cloth(self) {
            return centre(cloth);
        }
        match (strands.seat(self), &strands.roots) {
            (Some(seat), _) => self.colliders[seat].at,
            (None, Roots::Points { at, .. }) => at.first().copied().unwrap_or_default(),
            (None, Roots::Row { from, .. }) => *from,
            (None, Roots::File { at, .. }) => *at,
            (None, Roots::Cap { .. } | Roots::Edge { .. } | Roots::Surface { .. }) => [0.0; 3],
        }
    }
}

/// Middle of a cloth at the start [m], world space.
fn centre(cloth: &Cloth) -> Vec3 {
    let Shape::Mesh { surface: Some(Ok(surface)), scale, .. } = &cloth.shape else { return cloth.at };
    let axis = |axis: usize| {
        let all = || surface.positions.iter().map(|x| x[axis]);
        let (low, high) = (all().fold(f32::INFINITY, f32::min), all().fold(f32::NEG_INFINITY, f32::max));
        0.5 * scale * (low + high)
    };
    let middle = rotation::rotate(rotation::euler(cloth.rotation), std::array::from_fn(axis));
    std::array::from_fn(|axis| cloth.at[axis] + middle[axis])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(places: &[Vec3]) -> Scene {
        let cloth = |(index, at): (usize, &Vec3)| {
            let [x, y, z] = at;
            let pins = format!("pins: [Within(at: ({x}, {y}, {z}), radius: 0.5)]");
            format!("(id: \"cloth{index}\", at: ({x}, {y}, {z}), {pins}, shape: Disc(radius: 1.0, rings: 2))")
        };
        let cloths: Vec<String> = places.iter().enumerate().map(cloth).collect();
        let text = format!("(version: 1, cloths: [{}])", cloths.join(", "));
        crate::parse_text("test", &text, None, &crate::Vocabulary::default()).expect("a good scene").scene
    }

    #[test]
    fn the_origin_is_a_whole_number_of_metres_and_zero_near_zero() {
        assert_eq!(scene(&[[7.9, -7.9, 3.0]]).origin, [0.0; 3]);
        assert_eq!(scene(&[[9000.3, 1.5, -8.6]]).origin, [9000.0, 0.0, -9.0]);
        assert_eq!(scene(&[[100.0, 0.0, 0.0], [104.0, 0.0, 0.0]]).origin, [102.0, 0.0, 0.0]);
    }

    #[test]
    fn a_place_keeps_its_bits_and_all_of_a_cloth_is_moved() {
        let scene = scene(&[[9000.125, 1.5, 0.1]]);
        let moved = scene.about_origin();
        assert_eq!(moved.cloths[0].at, [0.125, 1.5, 0.1]);
        assert_eq!(moved.cloths[0].pins, [Pin::Within { at: [0.125, 1.5, 0.1], radius: 0.5 }]);
        assert_eq!(moved.camera.target, [-9000.0, 1.0, 0.0]);
        assert_eq!(moved.about_origin(), moved);
    }
}
