//! Threads → rows: the edges of the cloths that can tear.

use std::ops::Range;

use super::{rows::Own, table};
use weft_core::state::{Data, TableRows};

use crate::ClothMesh;

#[derive(Default)]
pub struct Threads {
    ends: Vec<[u32; 2]>,
    rest: Vec<f32>,
    limit: Vec<f32>,
    kind: Vec<u32>,
}

impl Threads {
    pub fn add(&mut self, own: Own<'_>, mesh: &ClothMesh) -> Range<usize> {
        let first = self.rest.len();
        for thread in &mesh.threads {
            self.ends.push(own.particles(thread.ends));
            self.rest.push(thread.rest);
            self.limit.push(thread.limit);
            self.kind.push(thread.diagonal.into());
        }
        first..self.rest.len()
    }

    pub fn table(self) -> TableRows {
        let columns = vec![
            ("ends", Data::U32x2(self.ends)),
            ("rest", Data::F32(self.rest)),
            ("limit", Data::F32(self.limit)),
            ("kind", Data::U32(self.kind)),
        ];
        table("thread", columns)
    }
}
