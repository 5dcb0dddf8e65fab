//! An error of `tobj` with the line that it comes from, which `tobj` does not say.

use super::{Fault, Lines, fault, load};

pub fn explain(lines: &Lines<'_>, error: tobj::LoadError) -> Fault {
    let bad = first(lines, error).unwrap_or_else(|| by_parts(lines, error));
    let (text, number, _) = lines.all[bad];
    let shown: String = text.trim().chars().take(40).collect();
    let vertices = lines.vertices.len();
    let (what, help) = match error {
        tobj::LoadError::FaceVertexOutOfBounds => (
            "names a vertex that is not there",
            format!("the file has {vertices}, counted from 1; export it again"),
        ),
        tobj::LoadError::PositionParseError => {
            ("is not a vertex", "three numbers, such as `v 0.5 1.0 0.0`".to_owned())
        }
        tobj::LoadError::FaceParseError => ("is not a face", "whole numbers, such as `f 1 2 3`".to_owned()),
        _ => ("cannot be read", format!("{error}; export the file again")),
    };
    fault(format!("line {number} {what}: `{shown}`"), help)
}

/// The first line that alone is reason enough.
fn first(lines: &Lines<'_>, error: tobj::LoadError) -> Option<usize> {
    let number = |part: &str| part.is_empty() || part.parse::<isize>().is_ok();
    let corner = |word: &str| word.split('/').count() <= 3 && word.split('/').all(number);
    // Counted from 1; what is counted back from the line is left to the search by parts.
    let outside = |word: &str| {
        let vertex = word.split('/').next().and_then(|part| part.parse::<isize>().ok());
        vertex.is_some_and(|i| i == 0 || i > lines.vertices.len() as isize)
    };
    let bad = |line: &str, is_vertex: bool| {
        let mut words = line.split_whitespace().skip(1);
        match error {
            tobj::LoadError::PositionParseError if is_vertex => {
                words.take(3).filter(|word| word.parse::<f32>().is_ok()).count() < 3
            }
            tobj::LoadError::FaceParseError if !is_vertex => !words.all(corner),
            tobj::LoadError::FaceVertexOutOfBounds if !is_vertex => words.any(outside),
            _ => false,
        }
    };
    lines.all.iter().position(|(line, _, is_vertex)| bad(line, *is_vertex))
}

/// By reading ever shorter parts: one that ends before the line is read without this error.
fn by_parts(lines: &Lines<'_>, error: tobj::LoadError) -> usize {
    // A face may name vertices that come later.
    let all_vertices = error == tobj::LoadError::FaceVertexOutOfBounds;
    let (mut good, mut bad) = (0, lines.all.len());
    while good + 1 < bad {
        let middle = usize::midpoint(good, bad);
        let fails = load(lines, middle, all_vertices, None).is_err_and(|other| other == error);
        if fails { bad = middle } else { good = middle }
    }
    bad - 1
}
