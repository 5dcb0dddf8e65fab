//! USD as text: meshes and linear curves, whose points have a time sample for each frame.

use std::fmt::{Display, Write as _};

use super::{Object, Surface};

/// `frames` is not empty, and all have the same particles.
pub(super) fn text(frames: &[Surface], rate: f64) -> String {
    let (first, last) = (&frames[0], &frames[frames.len() - 1]);
    let mut text = format!(
        "#usda 1.0\n(\n    defaultPrim = \"weft\"\n    doc = {}\n    startTimeCode = {}\n    endTimeCode = {}\n    \
         timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n\
         def Xform \"weft\"\n{{\n",
        quoted(&format!("Weft: {}", last.title)),
        first.frame,
        last.frame
    );
    for (i, object) in last.objects.iter().enumerate() {
        let (kind, name) =
            (if object.lines.is_empty() { "Mesh" } else { "BasisCurves" }, name(i, &object.id));
        let _ = writeln!(
            text,
            "    def {kind} \"{name}\" (\n        displayName = {}\n    )\n    {{",
            quoted(&object.id)
        );
        match kind {
            "Mesh" => mesh(&mut text, object),
            _ => curves(&mut text, object),
        }
        points(&mut text, frames, i);
        let [r, g, b] = object.paint.color;
        let _ = writeln!(text, "        color3f[] primvars:displayColor = [({r}, {g}, {b})]\n    }}");
    }
    text.push_str("}\n");
    text
}

fn mesh(text: &mut String, object: &Object) {
    let counts = object.triangles.iter().map(|_| 3);
    let _ = writeln!(text, "        int[] faceVertexCounts = {}", list(counts));
    let _ = writeln!(text, "        int[] faceVertexIndices = {}", list(object.triangles.iter().flatten()));
    text.push_str(
        "        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1\n",
    );
    let [across, along] = object.paint.repeats;
    let uvs = object.uvs.iter().map(|[u, v]| format!("({}, {})", u * across, (1.0 - v) * along));
    let _ = writeln!(
        text,
        "        texCoord2f[] primvars:st = {} (\n            interpolation = \"vertex\"\n        )",
        list(uvs)
    );
}

/// Points of all strands, one after another: what lies inside of a seat is no part of them.
fn curves(text: &mut String, object: &Object) {
    let counts = object.lines.iter().map(Vec::len);
    let _ = writeln!(text, "        uniform token type = \"linear\"");
    let _ = writeln!(text, "        int[] curveVertexCounts = {}", list(counts));
    text.push_str(
        "        float[] widths = [0.0005] (\n            interpolation = \"constant\"\n        )\n",
    );
}

/// Along the lines of the last frame.
fn points(text: &mut String, frames: &[Surface], i: usize) {
    let Some(last) = frames.last() else { return };
    let lines = &last.objects[i].lines;
    let at = |surface: &Surface| {
        let positions = &surface.objects[i].positions;
        let text = |[x, y, z]: &[f64; 3]| format!("({x:.7}, {y:.7}, {z:.7})");
        if lines.is_empty() {
            return list(positions.iter().map(text));
        }
        list(lines.iter().flatten().map(|&row| text(&positions[row as usize])))
    };
    if let [only] = frames {
        let _ = writeln!(text, "        point3f[] points = {}", at(only));
        return;
    }
    text.push_str("        point3f[] points.timeSamples = {\n");
    for surface in frames {
        let _ = writeln!(text, "            {}: {},", surface.frame, at(surface));
    }
    text.push_str("        }\n");
}

fn list<T: Display>(values: impl Iterator<Item = T>) -> String {
    let mut text = String::from("[");
    for (i, value) in values.enumerate() {
        let _ = write!(text, "{}{value}", if i == 0 { "" } else { ", " });
    }
    text.push(']');
    text
}

/// Letters, digits and underscores are what a name may have; the number keeps two apart that then look alike.
fn name(i: usize, id: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    format!("object_{i}_{}", id.chars().map(plain).collect::<String>())
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ");
    format!("\"{text}\"")
}
