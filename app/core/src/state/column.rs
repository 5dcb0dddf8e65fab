//! One column: rows of one element type in 64-byte aligned memory, between two guard lines.
//!
//! The hot code gets a bare pointer. What writes beside a column most often writes right beside it, so a line of a known
//! pattern stands before and after the rows, and [`Column::intact`] tells. In the probe each column also ends at a page that
//! nobody may touch ([`super::fence`]).

use sim_api::{Class, Element};

use super::lines::{Line, Lines};

/// Content of a guard line, and of what is left of the last line: a NaN, and as an index far outside of any table.
const GUARD: u8 = 0xfd;

#[derive(Clone)]
pub struct Column {
    pub name: String,
    pub element: Element,
    pub class: Class,
    lines: Lines,
    rows: usize,
    /// The last of the rows, which are in use by nobody but the host.
    hidden: usize,
}

impl Column {
    /// All zero.
    pub fn new(name: &str, element: Element, class: Class, rows: usize) -> Self {
        let lines = Lines::new((rows * element.size()).div_ceil(64) + 2);
        let mut column = Self { name: name.to_string(), element, class, lines, rows, hidden: 0 };
        column.mend();
        column
    }

    /// Whether nothing was written right before or behind the rows.
    pub fn intact(&self) -> bool {
        let end = self.end();
        let all: &[u8] = bytemuck::cast_slice::<Line, u8>(&self.lines);
        let guard = |bytes: &[u8]| bytes == &[GUARD; 128][..bytes.len()];
        guard(&all[..64]) && guard(&all[end..])
    }

    /// Writes the guards again.
    pub fn mend(&mut self) {
        let end = self.end();
        let all: &mut [u8] = bytemuck::cast_slice_mut::<Line, u8>(&mut self.lines);
        all[..64].fill(GUARD);
        all[end..].fill(GUARD);
    }

    /// Where the rows end, counted from the first guard [bytes].
    fn end(&self) -> usize {
        64 + self.rows * self.element.size()
    }

    /// Rows in use.
    pub fn len(&self) -> usize {
        self.rows - self.hidden
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the last rows out of use; [`Column::bytes`] has them all the same.
    pub fn hide(&mut self, rows: usize) {
        self.hidden = rows.min(self.rows);
    }

    /// All rows, those out of use last.
    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.lines[1..])[..self.rows * self.element.size()]
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.lines[1..])[..self.rows * self.element.size()]
    }

    /// The rows in use, or an empty slice if the column holds another type.
    pub fn rows<T: sim_api::Column>(&self) -> &[T] {
        if T::ELEMENT != self.element {
            return &[];
        }
        // SAFETY: the element type matches; lines are aligned to 64 and long enough.
        unsafe { std::slice::from_raw_parts(self.lines[1..].as_ptr().cast(), self.len()) }
    }

    /// As [`Column::rows`], to write.
    pub fn rows_mut<T: sim_api::Column>(&mut self) -> &mut [T] {
        if T::ELEMENT != self.element {
            return &mut [];
        }
        let rows = self.len();
        // SAFETY: as in `rows`; the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.lines[1..].as_mut_ptr().cast(), rows) }
    }

    /// Start of the column, for the hot code.
    pub fn data(&mut self) -> *mut u8 {
        self.lines[1..].as_mut_ptr().cast()
    }

    /// Makes every value NaN (or its bits), so that a read before a write shows.
    pub fn poison(&mut self) {
        let (chunks, _) = self.bytes_mut().as_chunks_mut::<4>();
        chunks.fill(f32::NAN.to_ne_bytes());
    }

    /// Gives a new column its rows: row `i` is row `order[i]` of `from`, in whose order they stay where there is none. Zeros
    /// are not written: pages of them take no memory.
    pub fn fill(&mut self, from: &[u8], order: &[u32]) {
        match self.element.size() {
            4 => gather::<u32>(self.bytes_mut(), from, order),
            8 => gather::<[u32; 2]>(self.bytes_mut(), from, order),
            12 => gather::<[u32; 3]>(self.bytes_mut(), from, order),
            _ => gather::<[u32; 4]>(self.bytes_mut(), from, order),
        }
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

fn gather<T: bytemuck::Pod + PartialEq>(to: &mut [u8], from: &[u8], order: &[u32]) {
    let (to, from) = (bytemuck::cast_slice_mut::<u8, T>(to), bytemuck::cast_slice::<u8, T>(from));
    let zero = T::zeroed();
    let write = |(to, from): (&mut T, &T)| {
        if *from != zero {
            *to = *from;
        }
    };
    if order.is_empty() {
        to.iter_mut().zip(from).for_each(write);
    } else {
        to.iter_mut().zip(order.iter().map(|&row| &from[row as usize])).for_each(write);
    }
}
