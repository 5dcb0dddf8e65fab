//! Stanford PLY, binary: one list of vertices, which no object divides; its id is a comment with its first vertex.

use std::fmt::Write as _;

use super::Surface;

pub(super) fn bytes(surface: &Surface) -> Vec<u8> {
    let objects = &surface.objects;
    let vertices: usize = objects.iter().map(|object| object.positions.len()).sum();
    let triangles: usize = objects.iter().map(|object| object.triangles.len()).sum();
    let edges: usize =
        objects.iter().flat_map(|object| &object.lines).map(|line| line.len().max(1) - 1).sum();
    let mut head = format!(
        "ply\nformat binary_little_endian 1.0\ncomment Weft: {}, frame {}, metres, y up\n",
        surface.title.replace(['\r', '\n'], " "),
        surface.frame
    );
    let mut first = 0;
    for object in objects {
        let _ = writeln!(head, "comment object {} from vertex {first}", object.id);
        first += object.positions.len();
    }
    let _ = writeln!(head, "element vertex {vertices}");
    for (kind, name) in
        [("double", "x"), ("double", "y"), ("double", "z"), ("float", "nx"), ("float", "ny"), ("float", "nz")]
            .into_iter()
            .chain([("float", "s"), ("float", "t")])
    {
        let _ = writeln!(head, "property {kind} {name}");
    }
    let _ = writeln!(head, "element face {triangles}\nproperty list uchar uint vertex_indices");
    if edges > 0 {
        let _ = writeln!(head, "element edge {edges}\nproperty int vertex1\nproperty int vertex2");
    }
    head.push_str("end_header\n");

    let mut bytes = head.into_bytes();
    for object in objects {
        for (row, (position, normal)) in object.positions.iter().zip(object.normals()).enumerate() {
            let [u, v] = object.uvs.get(row).map_or([0.0; 2], |[u, v]| [*u, 1.0 - v]);
            position.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
            normal.iter().chain(&[u, v]).for_each(|x| bytes.extend(x.to_le_bytes()));
        }
    }
    let mut first = 0;
    for object in objects {
        for corners in &object.triangles {
            bytes.push(3);
            corners.iter().for_each(|corner| bytes.extend((first + corner).to_le_bytes()));
        }
        first += object.positions.len() as u32;
    }
    let mut first = 0;
    for object in objects {
        for pair in object.lines.iter().flat_map(|line| line.windows(2)) {
            pair.iter().for_each(|row| bytes.extend((first + row).to_le_bytes()));
        }
        first += object.positions.len() as u32;
    }
    bytes
}
