//! A column of a scene as stretches of rows, each the row before it and a step: of a grid this is a thousandth of the column.
//!
//! ```text
//! idx      (0, 1) (1, 2) (2, 3) │ (4, 5) (5, 6) …      first (0, 1), step (1, 1) │ first (4, 5), …
//! rest     0.02 0.02 0.02 … │ 0.028 …                  first 0.02, step 0 │ …
//! ```
//! Steps are those of the words, whatever they stand for: rows come back bit for bit. The state has the same values, by colour, so
//! that those in scene order are seldom asked for: what asks without keeping takes [`Data::unpacked`], what borrows rows has
//! them unpacked from then on.

use std::sync::OnceLock;

use sim_api::Element;

use super::Data;

/// Columns of fewer bytes stay as they are.
const SMALL: usize = 1 << 20;
/// Stretches have to take so many times less than the rows.
const WORTH: usize = 8;

/// Rows up to `end`: the first, and what each adds to the one before it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    end: u32,
    first: [u32; 4],
    step: [u32; 4],
}

#[derive(Clone, Debug)]
pub struct Packed {
    pub(super) element: Element,
    stretches: Vec<Stretch>,
    whole: OnceLock<Box<Data>>,
}

impl PartialEq for Packed {
    fn eq(&self, other: &Self) -> bool {
        // Which stretches there are follows from the rows.
        (self.element, &self.stretches) == (other.element, &other.stretches)
    }
}

impl Packed {
    /// `None` for a column that is small, or not much smaller for it.
    pub(super) fn of(data: &Data) -> Option<Self> {
        let plain = !matches!(data, Data::Packed(_)) && data.bytes().len() >= SMALL;
        plain.then(|| Self::stretches(data)).flatten()
    }

    fn stretches(data: &Data) -> Option<Self> {
        let bytes = data.bytes();
        let stretches = match data.element().lanes() {
            1 => stretches::<1>(bytes),
            2 => stretches::<2>(bytes),
            3 => stretches::<3>(bytes),
            _ => stretches::<4>(bytes),
        };
        Some(Self { element: data.element(), stretches: stretches?, whole: OnceLock::new() })
    }

    /// The rows, kept from now on.
    pub(super) fn whole(&self) -> &Data {
        self.whole.get_or_init(|| Box::new(self.unpacked()))
    }

    pub(super) fn unpacked(&self) -> Data {
        match self.element {
            Element::F32 => Data::F32(self.rows(|[x, ..]| f32::from_bits(x))),
            Element::U32 => Data::U32(self.rows(|[x, ..]| x)),
            Element::U32x2 => Data::U32x2(self.rows(|[x, y, ..]| [x, y])),
            Element::U32x3 => Data::U32x3(self.rows(|[x, y, z, _]| [x, y, z])),
            Element::U32x4 => Data::U32x4(self.rows(|row| row)),
            // A scene fills no others.
            _ => Data::F32x4(self.rows(|row| row.map(f32::from_bits))),
        }
    }

    fn rows<T>(&self, value: impl Fn([u32; 4]) -> T) -> Vec<T> {
        let mut rows = Vec::with_capacity(self.stretches.last().map_or(0, |last| last.end as usize));
        let mut start = 0;
        for stretch in &self.stretches {
            let mut row = stretch.first;
            for _ in start..stretch.end {
                rows.push(value(row));
                row = add(row, stretch.step);
            }
            start = stretch.end;
        }
        rows
    }
}

fn add<const N: usize>(row: [u32; N], step: [u32; N]) -> [u32; N] {
    std::array::from_fn(|i| row[i].wrapping_add(step[i]))
}

/// The stretches of rows of `N` words; `None` where they are too many.
fn stretches<const N: usize>(bytes: &[u8]) -> Option<Vec<Stretch>> {
    let wide = |row: [u32; N]| std::array::from_fn(|i| row.get(i).copied().unwrap_or(0));
    let (rows, _) = bytemuck::cast_slice::<u8, u32>(bytes).as_chunks::<N>();
    let most = bytes.len() / (WORTH * size_of::<Stretch>());
    let (mut stretches, mut start) = (Vec::new(), 0);
    while let Some(&first) = rows.get(start) {
        let next = rows.get(start + 1).copied().unwrap_or(first);
        let step: [u32; N] = std::array::from_fn(|i| next[i].wrapping_sub(first[i]));
        let follows = rows[start..].windows(2).take_while(|pair| pair[1] == add(pair[0], step)).count();
        start += follows + 1;
        stretches.push(Stretch { end: u32::try_from(start).ok()?, first: wide(first), step: wide(step) });
        if stretches.len() > most {
            return None;
        }
    }
    Some(stretches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Blueprint, TableRows, col};

    /// Pairs along lines of 100 particles.
    fn lines(count: u32) -> Vec<[u32; 2]> {
        (0..count).map(|row| [row + row / 99, row + row / 99 + 1]).collect()
    }

    #[test]
    fn rows_come_back_bit_for_bit_and_take_little() {
        let floats: Vec<f32> = (0..30_000).map(|row| [0.0, -0.0, 0.1, f32::NAN][row / 9_000]).collect();
        let rows = |i: u32| [i, 7, u32::MAX - i, 0];
        let columns = [
            (Data::U32x2(lines(9_999)), 101),
            (Data::F32(floats), 4),
            (Data::U32x4((0..5_000).map(rows).collect()), 1),
            (Data::F32x4(vec![[0.5, -0.0, 2.0, 1.0]; 1_000]), 1),
            (Data::U32x3((0..1_000).map(|i| [i, i + 1, 9]).collect()), 1),
            (Data::U32(vec![3; 1_000]), 1),
        ];
        for (data, count) in columns {
            let packed = Packed::stretches(&data).expect("they follow rules");
            assert_eq!(packed.stretches.len(), count, "{:?}", data.element());
            assert_eq!((packed.unpacked().bytes(), packed.whole().element()), (data.bytes(), data.element()));
            assert!(Data::Packed(packed) == data);
        }
    }

    #[test]
    fn small_columns_and_those_without_a_rule_stay() {
        let mixed: Vec<u32> = (0..300_000_u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect();
        assert!(Packed::of(&Data::U32(mixed)).is_none());
        assert!(Packed::of(&Data::U32(vec![1; 1_000])).is_none());
        assert!(Packed::of(&Data::U32(vec![1; 300_000])).is_some());
    }

    #[test]
    fn tables_with_packed_columns_are_the_same_and_may_be_written() {
        let (idx, rest) = (Data::U32x2(lines(300_000)), Data::F32(vec![0.5; 300_000]));
        let table = TableRows::new("distance", vec![("idx", idx), ("rest", rest)]);
        let plain = Blueprint { tables: vec![table] };
        let mut packed = plain.clone().packed();
        assert!(packed.tables[0].columns.iter().all(|(_, data)| matches!(data, Data::Packed(_))));
        assert!(packed == plain && packed == packed.clone().packed() && packed.same_rows(&plain));
        assert_eq!(packed.get(col::distance::idx)[299_999], lines(300_000)[299_999]);
        let rest = packed.tables[0].column_mut("rest");
        let Some(Data::F32(rest)) = rest else { panic!("plain from now on") };
        rest[7] = 0.25;
        assert!(
            packed != plain
                && packed.get(col::distance::rest)[..8] == [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.25]
        );
    }
}
