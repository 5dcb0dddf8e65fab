//! A state as bytes that another process can go on with: all tables as they are, and the scene's values that a reload
//! fills new columns from.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sim_api::{
    Class, Element,
    model::{COUNTED, TABLES},
};

mod check;
mod lasting;

pub use lasting::{differs, write_lasting};

use super::{Blueprint, Coloring, Column, Data, State, Table, TableRows, Tearing};

/// Rows of a table that has scratch alone: four times the cells of the finest grid between strands.
const MOST_OF_SCRATCH: usize = 1 << 26;

#[derive(Serialize, Deserialize)]
struct Image<'a> {
    #[serde(borrow)]
    tables: Vec<TableImage<'a>>,
    #[serde(borrow)]
    blueprint: Vec<RowsImage<'a>>,
    incidence_stale: bool,
}

#[derive(Serialize, Deserialize)]
struct TableImage<'a> {
    name: Cow<'a, str>,
    rows: usize,
    #[serde(borrow)]
    columns: Vec<ColumnImage<'a>>,
    #[serde(borrow)]
    parked: Vec<ColumnImage<'a>>,
    #[serde(borrow, with = "serde_bytes")]
    order: Cow<'a, [u8]>,
    ends: Cow<'a, [u32]>,
    dead: usize,
    /// Order and ends with no row dead; no order: none ever was.
    whole_order: Cow<'a, [u32]>,
    whole_ends: Cow<'a, [u32]>,
}

#[derive(Serialize, Deserialize)]
struct ColumnImage<'a> {
    name: Cow<'a, str>,
    element: u8,
    class: u8,
    #[serde(borrow, with = "serde_bytes")]
    bytes: Cow<'a, [u8]>,
}

#[derive(Serialize, Deserialize)]
struct RowsImage<'a> {
    name: Cow<'a, str>,
    rows: usize,
    #[serde(borrow)]
    columns: Vec<ColumnImage<'a>>,
}

/// The bytes of a state and of the blueprint it was filled from.
pub fn write(state: &State, blueprint: &Blueprint) -> Vec<u8> {
    write_into(state, blueprint, Vec::new())
}

/// As [`write`], into memory that may be used again: fresh memory costs more than the copy.
pub fn write_into(state: &State, blueprint: &Blueprint, mut bytes: Vec<u8>) -> Vec<u8> {
    let image = Image {
        tables: state.tables.iter().map(TableImage::of).collect(),
        blueprint: blueprint.tables.iter().map(RowsImage::of).collect(),
        incidence_stale: state.incidence_stale,
    };
    let columns = state.tables.iter().flat_map(|table| table.columns.iter().chain(&table.parked));
    let size = columns.map(|column| column.bytes().len()).sum::<usize>();
    bytes.clear();
    bytes.reserve(size * 3 / 2);
    // Memory and integers cannot fail to be written.
    postcard::to_extend(&image, bytes).unwrap_or_default()
}

/// Reads what [`write`] wrote. Bytes that do not fit together are refused; whose rows `vertex` and `incident` hold is looked at
/// nowhere, so they are to be made anew if the bytes may come from anywhere ([`State::distrust_derived`]).
pub fn read(bytes: &[u8]) -> Result<(State, Blueprint), String> {
    let image: Image = postcard::from_bytes(bytes).map_err(|e| format!("not the image of a state: {e}"))?;
    image.tables.iter().try_for_each(TableImage::is_held)?;
    let tables = image.tables.into_iter().map(TableImage::table).collect::<Result<Vec<_>, _>>()?;
    let blueprint = image.blueprint.into_iter().filter_map(RowsImage::rows).collect::<Result<Vec<_>, _>>()?;
    let blueprint = Blueprint { tables: blueprint };
    check::rows(&tables, &blueprint)?;
    let torn = Tearing::of(&blueprint);
    Ok((State { tables, torn, incidence_stale: image.incidence_stale, strides_stale: true }, blueprint))
}

impl<'a> TableImage<'a> {
    fn of(table: &'a Table) -> Self {
        Self {
            name: Cow::Borrowed(&table.name),
            rows: table.rows + table.dead,
            columns: table.columns.iter().map(ColumnImage::of).collect(),
            parked: table.parked.iter().map(ColumnImage::of).collect(),
            order: Cow::Borrowed(bytemuck::cast_slice(&table.coloring.order)),
            ends: Cow::Borrowed(&table.coloring.ends),
            dead: table.dead,
            whole_order: Cow::Borrowed(table.whole.as_ref().map_or(&[], |whole| &whole.order)),
            whole_ends: Cow::Borrowed(table.whole.as_ref().map_or(&[], |whole| &whole.ends)),
        }
    }

    /// Whether it has so many rows, before memory is taken for them: scratch has no bytes in an image that would show it.
    fn is_held(&self) -> Result<(), String> {
        let mut kept =
            self.columns.iter().chain(&self.parked).filter(|column| !column.is_scratch()).peekable();
        if kept.peek().is_none() && self.rows > MOST_OF_SCRATCH {
            return Err(format!(
                "table `{}` has {} rows, at most {MOST_OF_SCRATCH} fit",
                self.name, self.rows
            ));
        }
        kept.try_for_each(|column| column.holds(element(column.element)?, self.rows))
    }

    fn table(self) -> Result<Table, String> {
        let rows = self.rows;
        let columns = |images: Vec<ColumnImage>| -> Result<Vec<Column>, String> {
            images.into_iter().map(|image| image.column(rows)).collect()
        };
        let order: Vec<u32> = bytemuck::pod_collect_to_vec(&self.order);
        let whole = Coloring { order: self.whole_order.into_owned(), ends: self.whole_ends.into_owned() };
        for (order, ends) in [(&order, &*self.ends), (&whole.order, &whole.ends)] {
            fits(order, ends, rows)
                .map_err(|why| format!("table `{}` has {rows} rows and {why}", self.name))?;
        }
        let live = rows.checked_sub(self.dead).ok_or_else(|| {
            format!("table `{}` has {rows} rows and {} of them are dead", self.name, self.dead)
        })?;
        let mut table = Table {
            columns: columns(self.columns)?,
            parked: columns(self.parked)?,
            name: self.name.into_owned(),
            rows,
            dead: 0,
            coloring: Coloring { order, ends: self.ends.into_owned() },
            whole: (!whole.order.is_empty()).then_some(whole),
        };
        table.show(live);
        Ok(table)
    }
}

impl<'a> ColumnImage<'a> {
    fn of(column: &'a Column) -> Self {
        Self {
            name: Cow::Borrowed(&column.name),
            element: column.element as u8,
            class: column.class as u8,
            // What is scratch holds nothing between two steps.
            bytes: Cow::Borrowed(if column.class == Class::Scratch { &[] } else { column.bytes() }),
        }
    }

    fn is_scratch(&self) -> bool {
        self.class == Class::Scratch as u8
    }

    /// Bytes of as many rows were found in it, if it is not scratch.
    fn column(self, rows: usize) -> Result<Column, String> {
        let class = match self.class {
            0 => Class::State,
            1 => Class::Scratch,
            2 => Class::Given,
            class => return Err(format!("column `{}` has class {class}", self.name)),
        };
        let mut column = Column::new(&self.name, element(self.element)?, class, rows);
        if class != Class::Scratch {
            column.bytes_mut().copy_from_slice(&self.bytes);
        }
        Ok(column)
    }

    fn holds(&self, element: Element, rows: usize) -> Result<(), String> {
        let (has, size) = (self.bytes.len(), element.size());
        let fits = Some(has) == rows.checked_mul(size);
        fits.then_some(())
            .ok_or_else(|| format!("column `{}` has {has} bytes for {rows} rows of {size}", self.name))
    }

    fn data(&self, element: Element, rows: usize) -> Result<Data, String> {
        self.holds(element, rows)?;
        let bytes = &self.bytes[..];
        Ok(match element {
            Element::F32 => Data::F32(bytemuck::pod_collect_to_vec(bytes)),
            Element::F32x4 => Data::F32x4(bytemuck::pod_collect_to_vec(bytes)),
            Element::U32 => Data::U32(bytemuck::pod_collect_to_vec(bytes)),
            Element::U32x2 => Data::U32x2(bytemuck::pod_collect_to_vec(bytes)),
            Element::U32x3 => Data::U32x3(bytemuck::pod_collect_to_vec(bytes)),
            Element::U32x4 => Data::U32x4(bytemuck::pod_collect_to_vec(bytes)),
            Element::F32x2 | Element::F32x3 => {
                return Err(format!("column `{}` is {element:?}, which no scene fills", self.name));
            }
        })
    }
}

impl<'a> RowsImage<'a> {
    fn of(table: &'a TableRows) -> Self {
        let column = |(name, data): &'a (&'static str, Data)| ColumnImage {
            name: Cow::Borrowed(name),
            element: data.element() as u8,
            class: Class::Given as u8,
            bytes: match data.unpacked() {
                Cow::Borrowed(data) => Cow::Borrowed(data.bytes()),
                Cow::Owned(data) => Cow::Owned(data.bytes().to_vec()),
            },
        };
        let columns = table.columns.iter().map(column).collect();
        Self { name: Cow::Borrowed(table.name), rows: table.rows, columns }
    }

    /// `None` for a table that this program's scenes do not fill.
    fn rows(self) -> Option<Result<TableRows, String>> {
        let provided = TABLES.iter().find(|table| table.name == self.name);
        let counted = || COUNTED.iter().copied().find(|table| *table == self.name);
        let name = provided.map(|table| table.name).or_else(counted)?;
        let provided = provided.map_or(&[][..], |table| table.columns);
        let mut columns = Vec::new();
        for image in &self.columns {
            let Some(&(column, ..)) = provided.iter().find(|(column, ..)| *column == image.name) else {
                continue;
            };
            match element(image.element).and_then(|element| image.data(element, self.rows)) {
                Ok(data) => columns.push((column, data)),
                Err(why) => return Some(Err(why)),
            }
        }
        Some(Ok(TableRows { name, rows: self.rows, columns }))
    }
}

/// Whether this can be the order of so many rows, or of the live ones among them, with the end of each colour.
fn fits(order: &[u32], ends: &[u32], rows: usize) -> Result<(), String> {
    if !order.is_empty() && order.len() != rows {
        return Err(format!("an order of {}", order.len()));
    }
    let mut seen = vec![false; order.len()];
    let again = |row: &&u32| seen.get_mut(**row as usize).is_none_or(|seen| std::mem::replace(seen, true));
    if let Some(row) = order.iter().find(again) {
        return Err(format!("row {row} twice or not among them"));
    }
    if !ends.is_sorted() || ends.last().is_some_and(|end| *end as usize > rows) {
        return Err("colours that do not end in it".into());
    }
    Ok(())
}

fn element(number: u8) -> Result<Element, String> {
    use Element::{F32, F32x2, F32x3, F32x4, U32, U32x2, U32x3, U32x4};
    let all = [F32, F32x2, F32x3, F32x4, U32, U32x2, U32x3, U32x4];
    all.get(number as usize).copied().ok_or_else(|| format!("there is no element type {number}"))
}
