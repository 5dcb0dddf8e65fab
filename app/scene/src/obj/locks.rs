//! Strands of files: `.hair` as Cem Yuksel's hair models have it, and the lines `l` of Wavefront OBJ.
//!
//! ```text
//! hair.rs    the binary format: a head of 128 bytes, then arrays
//! room.rs    whether there is room for what a file has, before it is read
//! lines.rs   OBJ: lines over vertices
//! ```
//! A strand is a row of places from its root to its tip. Thickness, transparency and colours of a file are left out. In OBJ, lines of
//! one `l` are one strand; lines that meet are not joined.

mod hair;
mod lines;
mod room;

use std::{path::Path, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    Fault, Progress, bytes, fault,
    files::{kept, remember},
    size, text_of,
    work::Work,
};
use crate::{Strands, Vec3};
use glam::Vec3 as Point;

/// The strands of a file, in its order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Locks {
    /// From root to tip, strand by strand, in units of the file.
    points: Vec<Vec3>,
    /// Behind the last point of each strand.
    ends: Vec<u32>,
}

impl Locks {
    /// One strand through these points, the root first.
    pub fn through(points: impl Iterator<Item = Vec3>) -> Result<Self, Fault> {
        let mut locks = Self::default();
        locks.add(points, 1).map(|()| locks)
    }

    /// Number of strands.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Of all strands.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// The points of a strand.
    pub fn strand(&self, index: usize) -> &[Vec3] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.points[start as usize..self.ends[index] as usize]
    }

    /// Whether a strand ends where it began, around three places at least.
    pub fn is_closed(&self, index: usize) -> bool {
        let own = self.strand(index);
        own.len() > 3 && own[0] == own[own.len() - 1]
    }

    /// Of a strand, in units of the file.
    pub fn length(&self, index: usize) -> f32 {
        self.strand(index).windows(2).map(|ends| Point::from(ends[0]).distance(Point::from(ends[1]))).sum()
    }

    /// Adds a strand, which is the `number`-th from 1.
    fn add(&mut self, points: impl Iterator<Item = Vec3>, number: usize) -> Result<(), Fault> {
        let first = self.points.len();
        self.points.extend(points);
        let own = &self.points[first..];
        if let Some(at) = own.iter().position(|point| point.iter().any(|x| !x.is_finite())) {
            let message = format!("point {} of strand {number} is no place: {:?}", at + 1, own[at]);
            return Err(fault(message, "export it again"));
        }
        if own.len() < 2 {
            let message = format!("strand {number} has {} point(s)", own.len());
            return Err(fault(
                message,
                "a strand needs at least two: leave it out in the program that made the file",
            ));
        }
        if own.iter().all(|point| *point == own[0]) {
            let message = format!("all {} points of strand {number} are one place", own.len());
            return Err(fault(
                message,
                "a strand needs a length: leave it out in the program that made the file",
            ));
        }
        self.ends.push(self.points.len() as u32);
        Ok(())
    }
}

/// The strands of a file for a list of a scene, looked up in `folder`; not read again as long as somebody holds what came of it.
pub(super) fn of(file: &str, folder: &Path, strands: &Strands, work: &Work) -> Result<Arc<Locks>, Fault> {
    let path = folder.join(file);
    room::of_particles(&path, strands).map_err(|fault| fault.inside(file))?;
    if let Some(locks) = kept(&path) {
        return Ok(locks);
    }
    let stamp = weft_core::files::stamp(&path);
    let progress = Progress::new(work, file, stamp.map_or(0, |(_, bytes)| bytes), 1.0);
    let locks = Arc::new(read(file, &path)?);
    progress.ready(&format!("{} strands of {} points", locks.count(), locks.points()));
    remember(&path, stamp, &locks);
    Ok(locks)
}

fn read(file: &str, path: &Path) -> Result<Locks, Fault> {
    let end = path.extension().unwrap_or_default().to_ascii_lowercase();
    if end != "hair" && end != "obj" {
        return Err(fault(
            format!("{file:?} is not a file of strands"),
            "the name must end in .hair or .obj",
        ));
    }
    room::of_bytes(size(file, path)?, weft_core::memory::free()).map_err(|fault| fault.inside(file))?;
    let bytes = bytes(file, path)?;
    let read = if end == "hair" { hair::read(&bytes) } else { lines::read(&text_of(file, &bytes)?) };
    read.map_err(|fault| fault.inside(file))
}
