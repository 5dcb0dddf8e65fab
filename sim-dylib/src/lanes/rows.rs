//! The rows that one group of lanes stands for, and columns that a sweep reads and writes by row.

use glam::Vec4;
use sim_api::SharedMut;

use super::V3;

/// Up to four consecutive rows of a constraint table. Only a sweep makes them, so each row is in exactly one group.
pub struct RowLanes {
    pub(super) start: usize,
    /// 1 to 4; lanes from `count` on repeat the last row and are never stored.
    pub(super) count: usize,
}

impl RowLanes {
    /// The row of a lane; idle lanes repeat the last row.
    #[inline]
    pub(super) fn row(&self, lane: usize) -> usize {
        self.start + lane.min(self.count - 1)
    }

    /// A read-only column.
    #[inline]
    pub fn load(&self, column: &[f32]) -> Vec4 {
        match column[self.start..self.start + self.count].first_chunk::<4>() {
            Some(rows) => Vec4::from_array(*rows),
            None => Vec4::from_array(std::array::from_fn(|lane| column[self.row(lane)])),
        }
    }

    /// A number made of each row of a read-only column.
    #[inline]
    pub fn map<T: Copy>(&self, column: &[T], f: impl Fn(T) -> f32) -> Vec4 {
        Vec4::from_array(std::array::from_fn(|lane| f(column[self.row(lane)])))
    }

    /// A vector of each row, computed one by one.
    #[inline]
    pub fn gather(&self, of_row: impl Fn(usize) -> V3<f32>) -> V3<Vec4> {
        let rows: [V3<f32>; 4] = std::array::from_fn(|lane| of_row(self.row(lane)));
        V3::new(
            Vec4::from_array(rows.map(|v| v.x)),
            Vec4::from_array(rows.map(|v| v.y)),
            Vec4::from_array(rows.map(|v| v.z)),
        )
    }
}

/// A column that the kernel of a sweep reads and writes, each row in its own group only.
pub struct RowsMut<'a> {
    rows: SharedMut<'a, f32>,
}

impl<'a> RowsMut<'a> {
    pub fn new(column: &'a mut [f32]) -> Self {
        Self { rows: SharedMut::new(column) }
    }

    #[inline]
    pub fn load(&self, lanes: &RowLanes) -> Vec4 {
        // SAFETY: a sweep hands each row to one group only; nothing else borrows the column.
        let rows = unsafe { self.rows.rows_mut(lanes.start..lanes.start + lanes.count) };
        match rows.first_chunk::<4>() {
            Some(rows) => Vec4::from_array(*rows),
            None => Vec4::from_array(std::array::from_fn(|lane| rows[lane.min(lanes.count - 1)])),
        }
    }

    #[inline]
    pub fn store(&self, lanes: &RowLanes, value: Vec4) {
        // SAFETY: as in `load`.
        let rows = unsafe { self.rows.rows_mut(lanes.start..lanes.start + lanes.count) };
        match rows.first_chunk_mut::<4>() {
            Some(rows) => *rows = value.to_array(),
            None => rows.copy_from_slice(&value.to_array()[..lanes.count]),
        }
    }
}
