//! What a ray hits first. Pure functions, both sides of a triangle count.

use glam::Vec3;

use super::{ClothView, Shape, Solid, StrandsView};
use weft_core::ray::{Ray, ray_triangle};

/// A point on a cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClothHit {
    /// Place in the slice of cloths.
    pub cloth: usize,
    /// Place in that cloth's triangles.
    pub triangle: usize,
    /// Weights of the triangle's corners, sum 1.
    pub barycentric: [f32; 3],
    /// Along the ray [m].
    pub distance: f32,
}

/// A point on a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidHit {
    /// Place in the slice of solids.
    pub solid: usize,
    /// Along the ray [m].
    pub distance: f32,
}

/// The nearest triangle of all cloths; triangles with indices out of range are skipped.
pub fn pick_cloth(ray: Ray, cloths: &[ClothView<'_>]) -> Option<ClothHit> {
    let mut nearest: Option<ClothHit> = None;
    for (cloth, view) in cloths.iter().enumerate() {
        for (triangle, indices) in view.triangles.iter().enumerate() {
            let corner =
                |k: usize| view.positions.get(indices[k] as usize).map(|p| Vec3::new(p[0], p[1], p[2]));
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else {
                continue;
            };
            let Some((distance, barycentric)) = ray_triangle(ray, a, b, c) else {
                continue;
            };
            if nearest.is_none_or(|hit| distance < hit.distance) {
                nearest = Some(ClothHit { cloth, triangle, barycentric, distance });
            }
        }
    }
    nearest
}

/// A point on a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandHit {
    /// Place in the slice of lists of strands.
    pub list: usize,
    /// Along the ray [m].
    pub distance: f32,
}

/// How far beside the ray a strand may be, by its distance: some pixels.
const BESIDE: f32 = 0.01;

/// The nearest strand that the ray passes, as near as its hairs are drawn around it.
pub fn pick_strand(ray: Ray, lists: &[StrandsView<'_>]) -> Option<StrandHit> {
    let mut nearest: Option<StrandHit> = None;
    for (list, view) in lists.iter().enumerate() {
        let rows = view.guides.iter().flat_map(|guide| {
            let [first, stride, count] = guide.span;
            (0..count).map(move |i| (first + stride * i) as usize)
        });
        for &[x, y, z, _] in rows.filter_map(|row| view.positions.get(row)) {
            let way = Vec3::new(x, y, z) - ray.origin;
            let distance = way.dot(ray.direction);
            let beside = (way - ray.direction * distance).length();
            let hit = distance > 0.0 && beside < view.look.spread.max(BESIDE * distance);
            if hit && nearest.is_none_or(|hit| distance < hit.distance) {
                nearest = Some(StrandHit { list, distance });
            }
        }
    }
    nearest
}

/// The nearest solid in front of the ray's origin.
pub fn pick_solid(ray: Ray, solids: &[Solid]) -> Option<SolidHit> {
    let hits = solids
        .iter()
        .enumerate()
        .filter_map(|(solid, s)| Some(SolidHit { solid, distance: ray_solid(ray, s)? }));
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// Distance [m] to where the ray enters the solid; `None` if it misses or starts inside.
pub fn ray_solid(ray: Ray, solid: &Solid) -> Option<f32> {
    let turn = solid.rotation.inverse();
    let local = Ray { origin: turn * (ray.origin - solid.position), direction: turn * ray.direction };
    match solid.shape {
        Shape::Mesh { solid: ref mesh, scale } => {
            mesh.ray(local.origin / scale, local.direction).map(|t| t * scale)
        }
        Shape::Sphere { radius } => ray_sphere(local, Vec3::ZERO, radius),
        Shape::Box { half } => ray_box(local, half),
        Shape::Capsule { radius, half_height } => {
            let caps = [-half_height, half_height].map(|y| ray_sphere(local, Vec3::Y * y, radius));
            let side = ray_cylinder(local, radius).filter(|t| local.at(*t).y.abs() <= half_height);
            caps.into_iter().chain([side]).flatten().min_by(f32::total_cmp)
        }
    }
}

fn ray_sphere(ray: Ray, center: Vec3, radius: f32) -> Option<f32> {
    let from_center = ray.origin - center;
    first_root(1.0, from_center.dot(ray.direction), from_center.length_squared() - radius * radius)
}

/// Endless cylinder around y.
fn ray_cylinder(ray: Ray, radius: f32) -> Option<f32> {
    let flat = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
    let (origin, direction) = (flat(ray.origin), flat(ray.direction));
    first_root(direction.length_squared(), origin.dot(direction), origin.length_squared() - radius * radius)
}

/// The smaller root of a t² + 2 b t + c, if it is real and ahead.
fn first_root(a: f32, b: f32, c: f32) -> Option<f32> {
    let discriminant = b * b - a * c;
    let t = (-b - discriminant.sqrt()) / a;
    (discriminant >= 0.0 && t > 0.0).then_some(t)
}

fn ray_box(ray: Ray, half: Vec3) -> Option<f32> {
    let inverse = ray.direction.recip();
    let (one, other) = ((-half - ray.origin) * inverse, (half - ray.origin) * inverse);
    let enter = one.min(other).max_element();
    let leave = one.max(other).min_element();
    (enter <= leave && enter > 0.0).then_some(enter)
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use weft_scene::strands::build::Guide;

    use super::super::{ClothLook, StrandLook};
    use super::*;

    const DOWN: Ray = Ray { origin: Vec3::new(0.25, 5.0, 0.25), direction: Vec3::NEG_Y };

    fn solid(shape: Shape) -> Solid {
        Solid {
            shape,
            position: Vec3::new(0.25, 0.0, 0.25),
            rotation: Quat::IDENTITY,
            color: [1.0; 3],
            scalp: None,
            highlighted: false,
        }
    }

    #[test]
    fn the_upper_of_two_sheets_is_hit_from_both_sides() {
        let corners = |y: f32| vec![[0.0, y, 0.0, 0.0], [1.0, y, 0.0, 0.0], [0.0, y, 1.0, 0.0]];
        let (low, high) = (corners(0.0), corners(2.0));
        let view = |id, positions| ClothView {
            painted: None,
            shading: None,
            id,
            positions,
            surface: 0,
            triangles: &[[0, 1, 9], [0, 1, 2]],
            uvs: &[],
            look: ClothLook::default(),
        };
        let cloths = [view(0, &low), view(1, &high)];
        let hit = pick_cloth(DOWN, &cloths).expect("hits");
        assert_eq!((hit.cloth, hit.triangle, hit.distance, hit.barycentric), (1, 1, 3.0, [0.5, 0.25, 0.25]));
        let up = Ray { origin: Vec3::new(0.25, -1.0, 0.25), direction: Vec3::Y };
        assert_eq!(pick_cloth(up, &cloths).map(|hit| hit.cloth), Some(0));
    }

    #[test]
    fn the_nearest_strand_beside_the_ray_is_hit() {
        let hair = |x: f32| [1.0, 2.0, 3.0].map(|y| [x, y, 0.25, 0.0]);
        let (near, far) = (hair(0.255), hair(0.4));
        let guides = [
            Guide { span: [0, 1, 3], closed: false, held: false, aside: [1.0, 0.0, 0.0] },
            Guide { span: [0, 1, 9], closed: false, held: false, aside: [1.0, 0.0, 0.0] },
        ];
        let look = StrandLook {
            root: [0.0; 3],
            tip: [0.0; 3],
            children: 1,
            spread: 0.0,
            clump: 0.0,
            interpolation: 0.0,
            width: 1e-4,
            lobes: true,
            wet: 0.0,
        };
        let view = |positions, spread| StrandsView {
            id: 0,
            positions,
            painted: None,
            guides: &guides,
            neighbors: &[],
            cuts: &[],
            pieces: 0,
            turn: Quat::IDENTITY,
            look: StrandLook { spread, ..look },
            shading: None,
        };
        let hit = pick_strand(DOWN, &[view(&far, 0.0), view(&near, 0.0)]);
        assert_eq!(hit, Some(StrandHit { list: 1, distance: 2.0 }));
        assert_eq!(pick_strand(DOWN, &[view(&far, 0.0)]), None);
        assert!(pick_strand(DOWN, &[view(&far, 0.2)]).is_some(), "where its hairs are drawn");
    }

    #[test]
    fn solids_are_hit_where_they_begin() {
        let height = |shape| pick_solid(DOWN, &[solid(shape)]).map(|hit| 5.0 - hit.distance);
        assert_eq!(height(Shape::Sphere { radius: 1.5 }), Some(1.5));
        assert_eq!(height(Shape::Box { half: Vec3::new(1.0, 0.5, 1.0) }), Some(0.5));
        assert_eq!(height(Shape::Capsule { radius: 0.5, half_height: 1.0 }), Some(1.5));
        let side = Ray { origin: Vec3::new(9.25, 0.75, 0.25), direction: Vec3::NEG_X };
        assert_eq!(
            pick_solid(side, &[solid(Shape::Capsule { radius: 0.5, half_height: 1.0 })])
                .map(|hit| hit.distance),
            Some(8.5)
        );
        assert_eq!(pick_solid(side, &[solid(Shape::Box { half: Vec3::splat(0.5) })]), None);
    }
}
