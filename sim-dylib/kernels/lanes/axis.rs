//! A column of numbers, one for each particle, that lanes load and store as they lie in memory.

use std::{cell::Cell, marker::PhantomData};

use sim_api::SharedMut;

use super::{Lanes, V3, group::AtMut};

/// A number for each particle. Who makes one sees to it that nothing looks behind its end: that is checked once for many
/// particles, not for each.
#[derive(Clone, Copy)]
pub struct Axis<'a> {
    first: *mut f32,
    column: PhantomData<&'a mut [f32]>,
}

// SAFETY: values are only reached through `unsafe` calls whose callers keep concurrent particles apart.
unsafe impl Sync for Axis<'_> {}

impl<'a> Axis<'a> {
    pub fn new(column: &'a mut [f32]) -> Self {
        Self { first: column.as_mut_ptr(), column: PhantomData }
    }

    /// # Safety
    /// There are `count` values from `start` on, and no concurrent call uses them.
    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "as above")]
    pub(super) unsafe fn values(&self, start: usize, count: usize) -> &mut [f32] {
        // SAFETY: vouched for by the caller.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(start), count) }
    }

    /// # Safety
    /// The value is there, and no concurrent call writes it.
    #[inline(always)]
    pub(super) unsafe fn get(&self, place: usize) -> f32 {
        // SAFETY: vouched for by the caller.
        unsafe { *self.first.add(place) }
    }

    /// # Safety
    /// As many values as there are lanes are there from `start` on, and no concurrent call uses them.
    #[inline(always)]
    pub unsafe fn load<L: Lanes>(&self, start: usize) -> L {
        // SAFETY: vouched for by the caller.
        L::load(unsafe { self.values(start, L::COUNT) })
    }

    /// # Safety
    /// As for [`Axis::load`].
    #[inline(always)]
    pub unsafe fn store<L: Lanes>(&self, start: usize, lanes: L) {
        // SAFETY: vouched for by the caller.
        lanes.store(unsafe { self.values(start, L::COUNT) });
    }
}

/// Three columns: x, y and z.
#[derive(Clone, Copy)]
pub struct Axes<'a>(pub [Axis<'a>; 3]);

impl Axes<'_> {
    /// # Safety
    /// As for [`Axis::load`].
    #[inline(always)]
    pub unsafe fn load<L: Lanes>(&self, start: usize) -> V3<L> {
        let [x, y, z] = &self.0;
        // SAFETY: vouched for by the caller.
        unsafe { V3 { x: x.load(start), y: y.load(start), z: z.load(start) } }
    }

    /// # Safety
    /// As for [`Axis::load`].
    #[inline(always)]
    pub unsafe fn store<L: Lanes>(&self, start: usize, to: V3<L>) {
        let [x, y, z] = &self.0;
        // SAFETY: vouched for by the caller.
        unsafe {
            x.store(start, to.x);
            y.store(start, to.y);
            z.store(start, to.z);
        }
    }
}

/// Consecutive rows of a column of four values.
pub struct RowsFrom<'a, 'b> {
    pub rows: &'b SharedMut<'a, [f32; 4]>,
    pub start: usize,
}

impl RowsFrom<'_, '_> {
    /// # Safety
    /// No concurrent call uses these rows.
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self) -> AtMut<'_> {
        // SAFETY: vouched for by the caller.
        let rows = unsafe { self.rows.rows_mut(self.start..self.start + L::COUNT) };
        AtMut { column: Cell::from_mut(rows).as_slice_of_cells() }
    }

    /// x, y, z and w of as many rows as there are lanes.
    ///
    /// # Safety
    /// No concurrent call uses these rows.
    #[inline(always)]
    pub unsafe fn load<L: Lanes>(&self) -> (V3<L>, L) {
        // SAFETY: vouched for by the caller.
        let [x, y, z, w] = L::fetch(&unsafe { self.group::<L>() });
        (V3 { x, y, z }, w)
    }

    /// # Safety
    /// As for [`RowsFrom::load`].
    #[inline(always)]
    pub unsafe fn store<L: Lanes>(&self, to: V3<L>, w: L) {
        // SAFETY: vouched for by the caller.
        L::scatter([to.x, to.y, to.z, w], &unsafe { self.group::<L>() });
    }
}
