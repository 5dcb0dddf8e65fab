//! The text of an OBJ file as numbers: `v`, `vt` and `f`; all other lines are left out.

use std::borrow::Cow;

use super::{
    Fault, MAX_PARTICLES, Progress, fault,
    polygon::{self, Cut},
};
use crate::{Vec2, Vec3};

/// No row: a corner without a texture coordinate.
pub(super) const NONE: u32 = u32::MAX;
/// Vertices, and triangles: what is beyond is refused where it stands, before memory is taken for more.
const MOST: [usize; 2] = [MAX_PARTICLES as usize, 4 * MAX_PARTICLES as usize];
/// Bytes between two looks at whether somebody still waits.
const STRETCH: usize = 1 << 16;

/// What a file says, in its order; lines are counted from 1.
#[derive(Default)]
pub(super) struct Text {
    pub positions: Vec<Vec3>,
    /// Line of each `v`.
    pub vertices: Vec<u32>,
    pub texcoords: Vec<Vec2>,
    /// Line of each `f`, and its corners: one triangle fewer than two.
    pub faces: Vec<[u32; 2]>,
    /// Rows of `positions`.
    pub triangles: Vec<[u32; 3]>,
    /// Rows of `texcoords`, or [`NONE`].
    pub textures: Vec<[u32; 3]>,
}

impl Text {
    /// The face that a triangle is of, counted from 0, and its line.
    pub(super) fn face(&self, triangle: usize) -> (usize, u32) {
        let mut end = 0;
        let ends = |[_, corners]: &[u32; 2]| {
            end += *corners as usize - 2;
            end > triangle
        };
        let face = self.faces.iter().position(ends).unwrap_or_default();
        (face, self.faces[face][0])
    }
}

/// Lines with their numbers, counted from 1; one that ends in `\`, or in that and blanks, goes on in the next, unless it is a comment.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (u32, Cow<'_, str>)> {
    fn begun(line: &str) -> Option<&str> {
        line.trim_end().strip_suffix('\\')
    }
    // Some programs end a line by \r alone.
    let mut lines = (1..).zip(text.lines().flat_map(|line| line.split('\r')));
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let Some(first) = begun(line).filter(|line| !line.trim_start().starts_with('#')) else {
            return Some((number, Cow::Borrowed(line)));
        };
        let mut whole = first.to_string();
        for (_, line) in lines.by_ref() {
            whole.push(' ');
            let Some(part) = begun(line) else {
                whole.push_str(line);
                break;
            };
            whole.push_str(part);
        }
        Some((number, Cow::Owned(whole)))
    })
}

pub(super) fn read(text: &str, progress: &Progress) -> Result<Text, Fault> {
    let mut read = Text::default();
    let mut since = 0;
    for (number, line) in lines(text) {
        let line = &*line;
        since += line.len() + 1;
        if since > STRETCH {
            progress.add(std::mem::take(&mut since))?;
        }
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let row = numbers(words).ok_or_else(|| {
                    bad(number, line, "is not a vertex", "three numbers, such as `v 0.5 1.0 0.0`")
                })?;
                room(number, "vertices", read.positions.len(), MOST[0])?;
                read.positions.push(row);
                read.vertices.push(number);
            }
            Some("vt") => {
                let row = numbers(words).ok_or_else(|| {
                    bad(number, line, "is not a texture coordinate", "two numbers, such as `vt 0.5 1.0`")
                })?;
                room(number, "texture coordinates", read.texcoords.len(), MOST[1])?;
                read.texcoords.push(row);
            }
            Some("f") => read.add_face(number, line, words)?,
            _ => {}
        }
    }
    // A face may name vertices that come later.
    let outside = |corners: &[u32; 3]| corners.iter().any(|&vertex| vertex as usize >= read.positions.len());
    if let Some(triangle) = read.triangles.iter().position(outside) {
        let (_, number) = read.face(triangle);
        let line = lines(text).find(|(other, _)| *other == number).unwrap_or_default().1;
        let help = format!("the file has {}, counted from 1; export it again", read.positions.len());
        return Err(bad(number, &line, "names a vertex that is not there", help));
    }
    read.cut_faces()?;
    Ok(read)
}

impl Text {
    fn add_face<'a>(
        &mut self,
        number: u32,
        line: &str,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<(), Fault> {
        let corner = |word| {
            let Some([Some(vertex), texture, _]) = indices(word) else {
                return Err(bad(number, line, "is not a face", "whole numbers, such as `f 1 2 3`"));
            };
            // A vertex before the first is none of the file's, as one behind the last.
            let vertex = row(vertex, self.positions.len()).unwrap_or(NONE);
            let count = self.texcoords.len();
            let Some(texture) = texture else { return Ok([vertex, NONE]) };
            let known = row(texture, count).filter(|row| (*row as usize) < count).ok_or_else(|| {
                let help = format!("the file has {count} up to there, counted from 1");
                fault(format!("line {number}: there is no texture coordinate {texture}"), help)
            });
            Ok([vertex, known?])
        };
        let corners = words.take(MOST[0]).map(corner).collect::<Result<Vec<[u32; 2]>, Fault>>()?;
        let count = corners.len();
        room(number, "triangles", self.triangles.len() + count, MOST[1])?;
        if count < 3 {
            let message = format!("line {number}: a face of {count} corner(s)");
            return Err(fault(message, "a face needs at least three, such as `f 1 2 3`"));
        }
        self.faces.push([number, count as u32]);
        // Where the corners lie is not known yet: a fan.
        for pair in corners[1..].windows(2) {
            let fan = [corners[0], pair[0], pair[1]];
            self.triangles.push(fan.map(|corner| corner[0]));
            self.textures.push(fan.map(|corner| corner[1]));
        }
        Ok(())
    }

    /// Other triangles for faces that are no fan of their first corner.
    fn cut_faces(&mut self) -> Result<(), Fault> {
        let mut end = 0;
        for [number, corners] in &self.faces {
            let own = end..end + *corners as usize - 2;
            end = own.end;
            if own.len() == 1 {
                continue;
            }
            let face = |rows: &[[u32; 3]]| -> Vec<u32> {
                let [first, second, _] = rows[0];
                [first, second].into_iter().chain(rows.iter().map(|row| row[2])).collect()
            };
            let vertices = face(&self.triangles[own.clone()]);
            let places: Vec<Vec3> = vertices.iter().map(|&row| self.positions[row as usize]).collect();
            let cut = match polygon::cut(&places) {
                Cut::Fan => continue,
                Cut::Ears(triangles) => triangles,
                Cut::TooMany => {
                    let message = format!("line {number}: a face of {corners} corners that is not convex");
                    let help = format!("at most {} then: export it as triangles", polygon::MOST);
                    return Err(fault(message, help));
                }
            };
            let textures = face(&self.textures[own.clone()]);
            for (row, corners) in own.zip(cut) {
                self.triangles[row] = corners.map(|corner| vertices[corner]);
                self.textures[row] = corners.map(|corner| textures[corner]);
            }
        }
        Ok(())
    }
}

/// Whether there is room for more.
fn room(number: u32, what: &str, count: usize, most: usize) -> Result<(), Fault> {
    let help = "use a coarser mesh";
    if count < most { Ok(()) } else { Err(fault(format!("line {number}: more than {most} {what}"), help)) }
}

/// A line that is not what it should be, with as much of it as a message has room for.
pub(super) fn bad(number: u32, line: &str, what: &str, help: impl Into<String>) -> Fault {
    let shown: String = line.trim().chars().take(40).collect();
    fault(format!("line {number} {what}: `{shown}`"), help)
}

/// The first `N` words; what follows is a weight or a colour.
pub(super) fn numbers<'a, const N: usize>(mut words: impl Iterator<Item = &'a str>) -> Option<[f32; N]> {
    let mut row = [0.0; N];
    for number in &mut row {
        *number = words.next()?.parse().ok()?;
    }
    Some(row)
}

/// `vertex`, `vertex/texture`, `vertex//normal` or all three.
fn indices(word: &str) -> Option<[Option<i64>; 3]> {
    let mut indices = [None; 3];
    for (i, part) in word.split('/').enumerate() {
        let index = indices.get_mut(i)?;
        *index = if part.is_empty() { None } else { Some(part.parse().ok()?) };
    }
    Some(indices)
}

/// Counted from 1, or backwards from the last of the `count` up to here.
pub(super) fn row(index: i64, count: usize) -> Option<u32> {
    u32::try_from(if index < 0 { count as i64 + index } else { index - 1 }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_behind_a_backslash_but_comments_do_not() {
        let text = "# c:\\meshes\\\nv 0 0 \\\n\\\n1\r\nf 1 \\ \t\r\n2 3\nv 1 \\";
        let read = |text: &str| -> Vec<(u32, String)> {
            lines(text).map(|(number, line)| (number, line.into_owned())).collect()
        };
        let expected = [(1, "# c:\\meshes\\"), (2, "v 0 0   1"), (5, "f 1  2 3"), (7, "v 1 ")];
        assert_eq!(read(text), expected.map(|(number, line)| (number, line.to_string())));
        assert_eq!(read(&text.replace("\r\n", "\n").replace('\n', "\r")), read(text));
    }
}
