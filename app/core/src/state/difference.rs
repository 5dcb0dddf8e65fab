//! Where two states differ first: the table, the column, the row and both values. What lasts between two steps is compared,
//! which are the columns of class `state`.

use sim_api::{Class, Element};

use super::{Column, State};

/// The first value that two states differ in.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// `table.column`
    pub column: String,
    pub row: usize,
    /// As the first state has the row, and the other, with all digits.
    pub values: [String; 2],
    /// Rows of the column that differ, and all rows of it.
    pub rows: [usize; 2],
    /// How far the farthest values of the column are apart, in its unit; `None` where it holds no numbers with a fraction.
    pub farthest: Option<f64>,
}

impl Difference {
    /// Between the bytes of one column in two states; `None` if they are the same. Columns of different lengths differ in the
    /// first row that only one has.
    pub fn of_rows(name: String, element: Element, [a, b]: [&[u8]; 2]) -> Option<Self> {
        let size = element.size();
        let pairs = || a.chunks_exact(size).zip(b.chunks_exact(size));
        let differ = pairs().filter(|(a, b)| a != b).count();
        let rows = [a.len() / size, b.len() / size];
        let both = rows[0].min(rows[1]);
        if differ == 0 && rows[0] == rows[1] {
            return None;
        }
        let row = pairs().position(|(a, b)| a != b).unwrap_or(both);
        let text = |bytes: &[u8]| {
            let row = bytes.chunks_exact(size).nth(row);
            row.map_or_else(|| "no such row".to_string(), |row| text(element, row))
        };
        let words = |bytes: &[u8]| -> Vec<f64> { floats(bytes).map(f64::from).collect() };
        let apart = |(a, b): (&[u8], &[u8])| {
            let pairs = words(a).into_iter().zip(words(b));
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let farthest = element.is_float().then(|| pairs().map(apart).fold(0.0, f64::max));
        let rows = [differ + rows[0].max(rows[1]) - both, rows[0].max(rows[1])];
        Some(Self { column: name, row, values: [text(a), text(b)], rows, farthest })
    }

    /// Between two states of the same tables.
    pub fn between(a: &State, b: &State) -> Option<Self> {
        a.tables.iter().zip(&b.tables).find_map(|(a, b)| {
            let lasting = |column: &&Column| column.class == Class::State;
            a.columns.iter().zip(&b.columns).filter(|(column, _)| lasting(column)).find_map(|(x, y)| {
                Self::of_rows(format!("{}.{}", a.name, x.name), x.element, [x.bytes(), y.bytes()])
            })
        })
    }
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.chunks_exact(4).map(|word| f32::from_ne_bytes([word[0], word[1], word[2], word[3]]))
}

/// A row with all digits.
fn text(element: Element, row: &[u8]) -> String {
    let words = row.chunks_exact(4).map(|word| u32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
    let parts =
        words.map(
            |word| {
                if element.is_float() { format!("{:?}", f32::from_bits(word)) } else { word.to_string() }
            },
        );
    parts.collect::<Vec<_>>().join(" ")
}
