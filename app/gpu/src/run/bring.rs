//! The way back: what a frame wrote comes into the state, as much of it as somebody needs.

use sim_api::Class;

use super::{
    super::columns::{ColumnInfo, Columns, Origin},
    GpuRun,
};
use weft_engine::run::Run;

/// Scratch columns that a step leaves for others to look at; all `state` columns come back as well.
const OUTCOME: [(&str, &str); 3] =
    [("particle", "acceleration"), ("particle", "stress"), ("distance", "stress")];

/// What of a frame comes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadbackScope {
    /// Nothing before somebody asks.
    #[default]
    Nothing,
    /// The same, and what is drawn is drawn from the device.
    Drawn,
    /// Positions: a picture of the cloth.
    Positions,
    /// And this column of the particles: it is shown as colours.
    Numbers(&'static str),
    /// All that the state has.
    All,
}

impl ReadbackScope {
    /// Whether pictures do without the state.
    pub fn is_drawn(self) -> bool {
        self == Self::Drawn
    }

    /// As much, and positions in any case: they are compared.
    pub fn with_positions(self) -> Self {
        match self {
            Self::Nothing | Self::Drawn => Self::Positions,
            more => more,
        }
    }

    fn wants(self, column: &ColumnInfo) -> bool {
        let particle = |names: &[&str]| column.table == "particle" && names.contains(&column.name.as_str());
        match self {
            Self::Nothing | Self::Drawn => false,
            Self::Positions => particle(&["position"]),
            Self::Numbers(shown) => particle(&["position", shown]),
            Self::All => true,
        }
    }
}

/// Of the columns that passes bind, or write, those that the state follows.
pub(super) fn followed(columns: &Columns, used: &[(usize, bool)]) -> Vec<usize> {
    let follows = |column: &ColumnInfo| {
        column.origin == Origin::State(Class::State)
            || OUTCOME.contains(&(column.table.as_str(), column.name.as_str()))
    };
    let written = used.iter().filter(|(_, write)| *write).map(|(column, _)| *column);
    written.filter(|column| follows(&columns.list[*column])).collect()
}

impl GpuRun {
    /// Reads back into the state what the passes wrote. Costs nothing if nothing ran since.
    pub fn fetch(&mut self, run: &mut Run) -> Result<(), String> {
        self.bring(run, ReadbackScope::All)
    }

    /// Reads back a part of what the passes wrote.
    pub fn bring(&mut self, run: &mut Run, what: ReadbackScope) -> Result<(), String> {
        let wanted = |column: &usize| what.wants(&self.columns.list[*column]);
        let (now, later): (Vec<usize>, Vec<usize>) = self.stale.iter().partition(|column| wanted(column));
        if now.is_empty() {
            return Ok(());
        }
        let sources = now.iter().map(|&column| {
            (self.buffers.buffer(self.buffers.place(column)), self.columns.list[column].bytes())
        });
        self.readback.start(&self.gpu, sources)?;
        for (slot, &column) in now.iter().enumerate() {
            let info = &self.columns.list[column];
            let rows = run.state.table_mut(&info.table).and_then(|table| table.column_mut(&info.name));
            if let Some(rows) = rows {
                self.readback.take(&self.gpu, slot, rows.bytes_mut())?;
            }
        }
        self.readback.end();
        self.stale = later;
        Ok(())
    }

    /// Whether the device is ahead of the state.
    pub fn is_ahead(&self) -> bool {
        !self.stale.is_empty()
    }

    /// The state was replaced on the host: what is on the device has no more to do with it.
    pub fn forget(&mut self) {
        self.stale.clear();
        self.guard.forget_energy();
    }
}
