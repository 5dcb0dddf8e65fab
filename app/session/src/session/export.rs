//! The present surface for other programs: Wavefront OBJ, in the scene's world and in metres.

use std::{fmt::Write as _, io::Write as _, path::Path};

use weft_core::files;

use super::Session;

impl Session {
    /// All cloths as meshes with their texture coordinates, and all strands as lines: one object each, by its id. Positions are
    /// those of the last [`Session::read`].
    pub fn obj(&self) -> String {
        let (scene, positions) = (self.scene(), self.positions());
        let origin = scene.origin.map(f64::from);
        let mut text = format!("# Weft: {}, frame {}, metres, y up\n", scene.title, self.run().frame);
        let mut first = 1;
        for (i, object) in self.objects().iter().enumerate() {
            let _ = writeln!(text, "o {}", object.id);
            let rows = positions.get(object.particles.clone()).unwrap_or_default();
            for x in rows {
                let [x, y, z] = [0, 1, 2].map(|axis| origin[axis] + f64::from(x[axis]));
                let _ = writeln!(text, "v {x:.7} {y:.7} {z:.7}");
            }
            // One for each position, so that both are counted alike: strands have none of their own.
            let flat = [0.0; 2];
            (0..rows.len()).for_each(|row| {
                let [u, v] = object.uvs.get(row).unwrap_or(&flat);
                let _ = writeln!(text, "vt {u:.6} {v:.6}");
            });
            if i < scene.cloths.len() {
                for corners in self.setup().triangles(i) {
                    let [a, b, c] = corners.map(|corner| first + corner as usize);
                    let _ = writeln!(text, "f {a}/{a} {b}/{b} {c}/{c}");
                }
            }
            for guide in &object.guides {
                let [start, stride, count] = guide.span;
                let points = (0..count).map(|k| (first + (start + stride * k) as usize).to_string());
                let _ = writeln!(text, "l {}", points.collect::<Vec<_>>().join(" "));
            }
            first += rows.len();
        }
        text
    }

    /// Writes that into a file.
    pub fn write_obj(&self, path: &Path) -> Result<(), String> {
        let written = files::create(path).and_then(|mut file| {
            file.write_all(self.obj().as_bytes())?;
            file.flush()
        });
        written.map_err(|why| format!("cannot write {}: {why}", path.display()))
    }
}
