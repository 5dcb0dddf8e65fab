//! What is exported of one frame.

use weft_scene::strands::build::Guide;

use crate::Session;

/// All objects of a scene in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    pub title: String,
    pub frame: u64,
    pub objects: Vec<Object>,
}

/// A cloth or a list of strands.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// As in the scene.
    pub id: String,
    /// World space [m]; one for each particle.
    pub positions: Vec<[f64; 3]>,
    /// 0..1, from the upper left corner of the texture; one for each particle, none of strands.
    pub uvs: Vec<[f32; 2]>,
    /// Rows of `positions`, counterclockwise as seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// Rows of `positions` along each strand, from its root; of one that is cut, along each piece.
    pub lines: Vec<Vec<u32>>,
    pub paint: Paint,
}

/// How an object looks, as far as other programs know it.
#[derive(Clone, Debug, PartialEq)]
pub struct Paint {
    /// Linear red, green, blue, 0..1; multiplies the texture.
    pub color: [f32; 3],
    /// 0..1, 1 is matt.
    pub roughness: f32,
    /// Repeats of the texture along u and v.
    pub repeats: [f32; 2],
    /// File of the texture.
    pub texture: Option<std::path::PathBuf>,
}

impl Surface {
    /// Whether both have the same objects, of as many particles.
    pub fn same_particles(&self, other: &Self) -> bool {
        let counts = |surface: &Self| -> Vec<usize> {
            surface.objects.iter().map(|object| object.positions.len()).collect()
        };
        counts(self) == counts(other)
    }
}

impl Object {
    /// Unit normals of the particles, each triangle weighted by its area; up where no triangle is.
    pub(super) fn normals(&self) -> Vec<[f32; 3]> {
        let mut sums = vec![glam::DVec3::ZERO; self.positions.len()];
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|row| glam::DVec3::from(self.positions[row as usize]));
            let normal = (b - a).cross(c - a);
            corners.iter().for_each(|&row| sums[row as usize] += normal);
        }
        sums.iter().map(|sum| sum.try_normalize().unwrap_or(glam::DVec3::Y).as_vec3().to_array()).collect()
    }
}

impl Session {
    /// Positions are those of the last [`Session::read`].
    pub fn surface(&self) -> Surface {
        let (scene, positions, setup) = (self.scene(), self.positions(), self.setup());
        let origin = scene.origin.map(f64::from);
        let world = |x: &[f32; 4]| std::array::from_fn(|axis| origin[axis] + f64::from(x[axis]));
        let objects = self.objects().iter().enumerate().map(|(i, object)| {
            let cloth = scene.cloths.get(i);
            let paint = cloth.map_or_else(
                || {
                    let look = &scene.strands[i - scene.cloths.len()].look;
                    Paint { color: look.tip, roughness: 0.5, repeats: [1.0; 2], texture: None }
                },
                |cloth| Paint {
                    color: cloth.look.front,
                    roughness: cloth.look.roughness,
                    repeats: cloth.look.uv_scale,
                    texture: Some(&cloth.look.texture)
                        .filter(|texture| !texture.is_empty())
                        .map(|texture| setup.folder().join(texture)),
                },
            );
            let cuts = setup.cuts(i);
            Object {
                id: object.id.clone(),
                positions: positions
                    .get(object.particles.clone())
                    .unwrap_or_default()
                    .iter()
                    .map(world)
                    .collect(),
                uvs: object.uvs.clone(),
                triangles: if cloth.is_some() { setup.triangles(i).to_vec() } else { Vec::new() },
                lines: object.guides.iter().flat_map(|guide| lines(guide, cuts)).collect(),
                paint,
            }
        });
        Surface { title: scene.title.clone(), frame: self.run().frame, objects: objects.collect() }
    }
}

/// Rows along a strand, in pieces where it is cut; one particle alone is no line. A ring ends with its first particle again.
fn lines(guide: &Guide, cuts: &[bool]) -> Vec<Vec<u32>> {
    let [start, stride, count] = guide.span;
    let row = |k: u32| start + stride * (k % count);
    let mut lines = vec![vec![start]];
    for k in 1..count + u32::from(guide.closed) {
        if cuts.get(row(k - 1) as usize).is_some_and(|cut| *cut) {
            lines.push(Vec::new());
        }
        lines.last_mut().expect("one line").push(row(k));
    }
    lines.retain(|line| line.len() > 1 || count == 1);
    lines
}
