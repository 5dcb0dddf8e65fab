//! One column: rows of one element type in 64-byte aligned memory.

use sim_api::{Class, Element};

/// A cache line; a column is a whole number of them.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

#[derive(Clone)]
pub struct Column {
    pub name: String,
    pub element: Element,
    pub class: Class,
    lines: Vec<Line>,
    rows: usize,
}

impl Column {
    /// All zero.
    pub fn new(name: &str, element: Element, class: Class, rows: usize) -> Self {
        let lines = vec![Line([0; 64]); (rows * element.size()).div_ceil(64)];
        Self { name: name.to_string(), element, class, lines, rows }
    }

    pub fn len(&self) -> usize {
        self.rows
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the lines hold at least rows * size bytes, and any byte is valid.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.rows * self.element.size()) }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; the borrow is exclusive.
        unsafe {
            std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.rows * self.element.size())
        }
    }

    /// The rows, or an empty slice if the column holds another type.
    pub fn rows<T: sim_api::Column>(&self) -> &[T] {
        if T::ELEMENT != self.element {
            return &[];
        }
        // SAFETY: the element type matches; lines are aligned to 64 and long enough.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.rows) }
    }

    /// As [`Column::rows`], to write.
    pub fn rows_mut<T: sim_api::Column>(&mut self) -> &mut [T] {
        if T::ELEMENT != self.element {
            return &mut [];
        }
        // SAFETY: as in `rows`; the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.rows) }
    }

    /// Start of the column, for the hot code.
    pub fn data(&mut self) -> *mut u8 {
        self.lines.as_mut_ptr().cast()
    }

    /// Makes every value NaN (or its bits), so that a read before a write shows.
    pub fn poison(&mut self) {
        let (chunks, _) = self.bytes_mut().as_chunks_mut::<4>();
        chunks.fill(f32::NAN.to_ne_bytes());
    }

    /// Reorders the rows: new row `i` is old row `order[i]`.
    pub fn permute(&mut self, order: &[u32]) {
        let size = self.element.size();
        let old = self.bytes().to_vec();
        for (row, &from) in self.bytes_mut().chunks_exact_mut(size).zip(order) {
            row.copy_from_slice(&old[from as usize * size..][..size]);
        }
    }
}
