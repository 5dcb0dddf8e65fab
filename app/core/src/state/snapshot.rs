//! A copy of all `state` columns, to go back to: after a panic, on reset, in history.

use sim_api::{Class, Element};

use super::{Blueprint, Column, Schema, State};

/// Bytes of the state columns, by key. Taking one again reuses its memory.
#[derive(Clone, Default)]
pub struct Snapshot {
    columns: Vec<Saved>,
}

#[derive(Clone)]
struct Saved {
    table: String,
    column: String,
    element: Element,
    bytes: Vec<u8>,
}

impl Snapshot {
    /// Copies `state`; does not allocate if its columns are those of the last time.
    pub fn take(&mut self, state: &State) {
        self.take_where(state, |_, _| true);
    }

    /// The same of the columns that `wanted` says, by table and column.
    pub fn take_where(&mut self, state: &State, wanted: impl Fn(&str, &str) -> bool) {
        let mut next = 0;
        for table in &state.tables {
            let lasts = |column: &&Column| column.class == Class::State && wanted(&table.name, &column.name);
            for column in table.columns.iter().filter(lasts) {
                let same = self.columns.get(next).is_some_and(|saved| {
                    saved.table == table.name
                        && saved.column == column.name
                        && saved.bytes.len() == column.bytes().len()
                });
                if same {
                    self.columns[next].element = column.element;
                    self.columns[next].bytes.copy_from_slice(column.bytes());
                } else {
                    self.columns.truncate(next);
                    self.columns.push(Saved {
                        table: table.name.clone(),
                        column: column.name.clone(),
                        element: column.element,
                        bytes: column.bytes().to_vec(),
                    });
                }
                next += 1;
            }
        }
        self.columns.truncate(next);
    }

    /// Rows of a column to be filled in; it is added if it is not here or is another one.
    pub fn column_mut(&mut self, table: &str, column: &str, element: Element, bytes: usize) -> &mut [u8] {
        let known = |saved: &Saved| saved.table == table && saved.column == column;
        let place = self.columns.iter().position(known).unwrap_or(self.columns.len());
        if place == self.columns.len() {
            let (table, column) = (table.to_string(), column.to_string());
            self.columns.push(Saved { table, column, element, bytes: Vec::new() });
        }
        let saved = &mut self.columns[place];
        saved.element = element;
        saved.bytes.resize(bytes, 0);
        &mut saved.bytes
    }

    /// Memory of the columns [bytes].
    pub fn bytes(&self) -> usize {
        self.columns.iter().map(|saved| saved.bytes.len()).sum()
    }

    /// Rows of a column, or none if it is not here or of another size.
    pub fn rows<T: bytemuck::AnyBitPattern>(&self, table: &str, column: &str) -> impl Iterator<Item = T> {
        let saved = self.columns.iter().find(|saved| saved.table == table && saved.column == column);
        let bytes = saved.filter(|saved| saved.element.size() == size_of::<T>()).map(|saved| &saved.bytes);
        bytes
            .into_iter()
            .flat_map(|bytes| bytes.chunks_exact(size_of::<T>()))
            .map(bytemuck::pod_read_unaligned)
    }

    /// Puts the saved bytes back; state columns that are not here, because the code declared them later, begin as
    /// they are declared to. True if there were such: then taking the snapshot again makes it whole.
    pub fn restore_whole(
        &self,
        state: &mut State,
        schema: &Schema,
        blueprint: &Blueprint,
    ) -> Result<bool, String> {
        let mut missing = false;
        for table in &mut state.tables {
            table.columns.retain(|column| {
                let keep = column.class != Class::State || self.holds(&table.name, column);
                missing |= !keep;
                keep
            });
        }
        self.restore(state);
        if missing {
            state.reconcile(schema, blueprint)?;
        }
        Ok(missing)
    }

    fn holds(&self, table: &str, column: &Column) -> bool {
        self.columns.iter().any(|saved| {
            saved.table == table
                && saved.column == column.name
                && saved.element == column.element
                && saved.bytes.len() == column.bytes().len()
        })
    }

    /// Puts the saved bytes back into every column of the same key and length; returns how many were put back.
    pub fn restore(&self, state: &mut State) -> usize {
        let mut restored = 0;
        // The order of the rows of other tables follows from the broken threads.
        let threads = |saved: &&Saved| saved.table == "thread";
        for saved in self.columns.iter().filter(threads) {
            restored += usize::from(saved.put_back(state));
        }
        state.compact();
        for saved in self.columns.iter().filter(|saved| !threads(saved)) {
            restored += usize::from(saved.put_back(state));
        }
        restored
    }
}

impl Saved {
    /// False if there is no column of this key and length.
    fn put_back(&self, state: &mut State) -> bool {
        let column = state.table_mut(&self.table).and_then(|table| table.column_mut(&self.column));
        let fits =
            |column: &&mut Column| column.element == self.element && column.bytes().len() == self.bytes.len();
        column.filter(fits).map(|column| column.bytes_mut().copy_from_slice(&self.bytes)).is_some()
    }
}
