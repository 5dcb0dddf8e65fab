//! Strands of Wavefront OBJ: `v` and `l`; all other lines are left out.

use std::borrow::Cow;

use super::{Fault, Locks, fault};
use crate::{
    Vec3,
    obj::text::{self, NONE, bad},
};

pub(super) fn read(text: &str) -> Result<Locks, Fault> {
    let mut places: Vec<Vec3> = Vec::new();
    let mut strands: Vec<(u32, Cow<str>, Vec<u32>)> = Vec::new();
    for (number, line) in text::lines(text) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let help = "three numbers, such as `v 0.5 1.0 0.0`";
                let place =
                    text::numbers(words).ok_or_else(|| bad(number, &line, "is not a vertex", help))?;
                places.push(place);
            }
            Some("l") => {
                // A vertex, and behind a slash a texture coordinate.
                let index = |word: &str| {
                    let vertex = word.split('/').next()?.parse().ok()?;
                    Some(text::row(vertex, places.len()).unwrap_or(NONE))
                };
                let indices: Option<Vec<u32>> = words.map(index).collect();
                let help = "whole numbers, such as `l 1 2 3`";
                let indices = indices.ok_or_else(|| bad(number, &line, "is not a line of vertices", help))?;
                strands.push((number, line, indices));
            }
            _ => {}
        }
    }
    if strands.is_empty() {
        return Err(fault(
            "it has no lines",
            "export strands as lines such as `l 1 2 3`; cloth is `shape: Mesh(...)`",
        ));
    }
    let mut locks = Locks::default();
    for (strand, (number, line, indices)) in (1..).zip(&strands) {
        let place = |index: &u32| places.get(*index as usize).copied();
        let own: Option<Vec<Vec3>> = indices.iter().map(place).collect();
        let help = format!("the file has {}, counted from 1; export it again", places.len());
        let own = own.ok_or_else(|| bad(*number, line, "names a vertex that is not there", help))?;
        locks.add(own.into_iter(), strand).map_err(|fault| fault.inside(format_args!("line {number}")))?;
    }
    Ok(locks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_over_vertices_are_strands() {
        let locks =
            read("# two\nv 0 0 0\nv 0 -1 0\nl 1 2\nv 1 0 0 1\nv 1 -1 0\nv 1 -2 0\nl -3/1 -2/2 -1/3\n")
                .expect("good");
        assert_eq!(locks.count(), 2);
        assert_eq!(locks.strand(1), [[1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -2.0, 0.0]]);
    }

    #[test]
    fn a_line_that_ends_in_a_backslash_goes_on_in_the_next() {
        let locks = read("v 0 0 0\nv 0 -1 \\\n 0\nv 0 -2 0\nl 1 \\\r\n2 \\\n3\n").expect("good");
        assert_eq!(locks.strand(0), [[0.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, -2.0, 0.0]]);
        let told = |text: &str| read(text).expect_err(text).message;
        assert_eq!(told("v 0 0 0\nl 1 \\\n two"), "line 2 is not a line of vertices: `l 1   two`");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let told = |text: &str| read(text).expect_err(text).message;
        assert_eq!(told("v 0 0 0\nf 1 1 1"), "it has no lines");
        assert_eq!(told("v 0 x 0\nl 1 2"), "line 1 is not a vertex: `v 0 x 0`");
        assert_eq!(told("v 0 0 0\nl 1 two"), "line 2 is not a line of vertices: `l 1 two`");
        assert_eq!(told("v 0 0 0\nl 1 2"), "line 2 names a vertex that is not there: `l 1 2`");
        assert_eq!(told("v 0 0 0\nl -2 1"), "line 2 names a vertex that is not there: `l -2 1`");
        assert_eq!(told("v 0 0 0\nl 1"), "line 2: strand 1 has 1 point(s)");
        assert_eq!(told("v 0 0 0\nv 0 0 0\nl 1 2"), "line 3: all 2 points of strand 1 are one place");
        assert!(told("v 0 nan 0\nv 0 0 0\nl 1 2").contains("line 3: point 1 of strand 1 is no place"));
    }
}
