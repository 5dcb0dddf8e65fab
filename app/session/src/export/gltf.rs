//! glTF 2.0, binary: the objects of the first frame, of which every further one is a morph target; an animation puts its weight
//! to 1 in the moment of its frame, and between two of them mixes both (Khronos, glTF 2.0, 3.7.2.2 and 3.11).
//!
//! ```text
//! header 12 B | JSON | BIN: indices, texture coordinates, per frame positions and normals, per object times and weights; textures
//! ```
//! Positions are single precision about a whole number of metres near the object, which its node gives back.

use serde_json::{Value, json};

use super::{Object, Paint, Surface};

/// Kinds of numbers, by the standard's constants.
const U32: u32 = 5125;
const F32: u32 = 5126;
/// Kinds of primitives.
const LINES: u32 = 1;
const TRIANGLES: u32 = 4;

/// `frames` is not empty, and all have the same particles.
pub(super) fn bytes(frames: &[Surface], rate: f64) -> Vec<u8> {
    let mut file = File::default();
    let last = &frames[frames.len() - 1];
    for i in 0..last.objects.len() {
        file.object(&frames.iter().map(|surface| &surface.objects[i]).collect::<Vec<_>>(), rate);
    }
    file.finish(&last.title)
}

#[derive(Default)]
struct File {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    materials: Vec<Value>,
    images: Vec<Value>,
    textures: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl File {
    /// One object in all frames.
    fn object(&mut self, frames: &[&Object], rate: f64) {
        let (first, last) = (frames[0], frames[frames.len() - 1]);
        let middle = first.positions.first().map_or([0.0; 3], |x| x.map(f64::round));
        let place = |object: &Object| -> Vec<[f32; 3]> {
            object
                .positions
                .iter()
                .map(|x| std::array::from_fn(|axis| (x[axis] - middle[axis]) as f32))
                .collect()
        };
        let (start, is_mesh) = (place(first), first.lines.is_empty());
        let normals = if is_mesh { first.normals() } else { Vec::new() };
        let mut attributes = json!({ "POSITION": self.vectors(&start) });
        if is_mesh {
            attributes["NORMAL"] = self.vectors(&normals).into();
            let [across, along] = last.paint.repeats;
            let uvs: Vec<[f32; 2]> = last.uvs.iter().map(|[u, v]| [u * across, v * along]).collect();
            attributes["TEXCOORD_0"] = self.numbers("VEC2", &uvs).into();
        }
        let targets: Vec<Value> = frames[1..]
            .iter()
            .map(|object| {
                let moved = differences(&place(object), &start);
                let mut target = json!({ "POSITION": self.vectors(&moved) });
                if is_mesh {
                    let turned = differences(&object.normals(), &normals);
                    target["NORMAL"] = self.vectors(&turned).into();
                }
                target
            })
            .collect();
        let (mode, rows) = if is_mesh {
            (TRIANGLES, last.triangles.as_flattened().to_vec())
        } else {
            let pairs = last.lines.iter().flat_map(|line| line.windows(2));
            (LINES, pairs.flatten().copied().collect())
        };
        let indices = self.accessor("SCALAR", U32, rows.len(), bytemuck::cast_slice(&rows), None);
        let material = self.material(&last.id, &last.paint);
        let mut primitive =
            json!({ "attributes": attributes, "indices": indices, "mode": mode, "material": material });
        let mut mesh = json!({ "name": last.id });
        if !targets.is_empty() {
            mesh["weights"] = vec![0; targets.len()].into();
            self.animate(targets.len(), rate);
            primitive["targets"] = targets.into();
        }
        mesh["primitives"] = json!([primitive]);
        self.nodes.push(json!({ "name": last.id, "mesh": self.meshes.len(), "translation": middle }));
        self.meshes.push(mesh);
    }

    /// Of the object that is added: at the time of frame k its target has all the weight, the first frame has none.
    fn animate(&mut self, targets: usize, rate: f64) {
        let times: Vec<f32> = (0..=targets).map(|frame| (frame as f64 / rate) as f32).collect();
        let mut weights = vec![0.0_f32; (targets + 1) * targets];
        (0..targets).for_each(|target| weights[(target + 1) * targets + target] = 1.0);
        let ends = Some((json!([times[0]]), json!([times[targets]])));
        let input = self.accessor("SCALAR", F32, times.len(), bytemuck::cast_slice(&times), ends);
        let output = self.accessor("SCALAR", F32, weights.len(), bytemuck::cast_slice(&weights), None);
        let target = json!({ "node": self.nodes.len(), "path": "weights" });
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": target }));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
    }

    fn material(&mut self, id: &str, paint: &Paint) -> usize {
        let [r, g, b] = paint.color;
        let mut surface = json!({
            "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": paint.roughness
        });
        if let Some((mime, bytes)) = paint.texture.as_deref().and_then(picture) {
            let view = self.view(&bytes);
            surface["baseColorTexture"] = json!({ "index": self.textures.len() });
            self.textures.push(json!({ "source": self.images.len() }));
            self.images.push(json!({ "bufferView": view, "mimeType": mime }));
        }
        self.materials.push(json!({ "name": id, "pbrMetallicRoughness": surface, "doubleSided": true }));
        self.materials.len() - 1
    }

    /// With the bounds that the standard wants of positions.
    fn vectors(&mut self, rows: &[[f32; 3]]) -> usize {
        let end = |pick: fn(f32, f32) -> f32, start: f32| -> [f32; 3] {
            rows.iter().fold([start; 3], |end, row| std::array::from_fn(|axis| pick(end[axis], row[axis])))
        };
        let ends = (json!(end(f32::min, f32::INFINITY)), json!(end(f32::max, f32::NEG_INFINITY)));
        self.accessor("VEC3", F32, rows.len(), bytemuck::cast_slice(rows), Some(ends))
    }

    fn numbers<const N: usize>(&mut self, kind: &str, rows: &[[f32; N]]) -> usize {
        self.accessor(kind, F32, rows.len(), bytemuck::cast_slice(rows.as_flattened()), None)
    }

    fn accessor(
        &mut self,
        kind: &str,
        component: u32,
        count: usize,
        bytes: &[u8],
        ends: Option<(Value, Value)>,
    ) -> usize {
        let view = self.view(bytes);
        let mut accessor =
            json!({ "bufferView": view, "componentType": component, "count": count, "type": kind });
        if let Some((low, high)) = ends {
            (accessor["min"], accessor["max"]) = (low, high);
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }));
        self.views.len() - 1
    }

    fn finish(self, title: &str) -> Vec<u8> {
        let nodes: Vec<usize> = (0..self.nodes.len()).collect();
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "Weft" },
            "scene": 0,
            "scenes": [{ "name": title, "nodes": nodes }],
        });
        // The standard has no empty lists.
        for (name, list) in [
            ("nodes", self.nodes),
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("textures", self.textures),
            ("images", self.images),
            ("accessors", self.accessors),
            ("bufferViews", self.views),
        ] {
            if !list.is_empty() {
                document[name] = list.into();
            }
        }
        if !self.bin.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        }
        if !self.channels.is_empty() {
            document["animations"] =
                json!([{ "name": title, "channels": self.channels, "samplers": self.samplers }]);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + text.len() + 8 + self.bin.len();
        let mut bytes = Vec::with_capacity(length);
        bytes.extend(b"glTF");
        bytes.extend([2, length as u32].map(u32::to_le_bytes).as_flattened());
        for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &self.bin)] {
            bytes.extend((chunk.len() as u32).to_le_bytes());
            bytes.extend(kind);
            bytes.extend(chunk);
        }
        bytes
    }
}

fn differences(rows: &[[f32; 3]], start: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let pairs = rows.iter().zip(start);
    pairs.map(|(row, start)| std::array::from_fn(|axis| row[axis] - start[axis])).collect()
}

/// A picture as it lies on the disk, if it is of a kind that the standard knows.
fn picture(file: &std::path::Path) -> Option<(&'static str, Vec<u8>)> {
    let bytes = weft_core::files::read(file).ok()?;
    let mime = match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, ..] => "image/jpeg",
        _ => return None,
    };
    Some((mime, bytes))
}
