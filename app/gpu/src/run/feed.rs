//! What the host hands over: all columns at the start, and to each frame where colliders go and what the hand holds.

use std::{borrow::Cow, collections::HashSet};
use weft_core::state::col;

use sim_api::{Class, Hold};

use super::{
    super::{
        columns::Origin,
        compliances::{self, Compliances},
        links::Adjacency,
        shared,
    },
    COLLIDER, GpuRun,
};
use weft_core::state::Span;
use weft_engine::run::Run;

impl GpuRun {
    /// Brings of `these` columns what lasts to the device; with `neighbours`, what is given and what is derived as well.
    pub(super) fn upload(
        &mut self,
        run: &Run,
        neighbours: Option<&Adjacency>,
        these: &[usize],
    ) -> Result<(), String> {
        let mut grown = false;
        if let Some(neighbours) = neighbours {
            self.compliances = Compliances::of(neighbours, |table| self.there(table, "compliance").is_some());
        }
        for &column in these {
            let info = &self.columns.list[column];
            let (label, rows) = (info.variable(), run.state.table(&info.table));
            let bytes = match (info.origin, neighbours) {
                (Origin::State(Class::State), _) | (Origin::State(Class::Given), Some(_)) => {
                    rows.and_then(|table| table.column(&info.name)).map(|rows| Cow::Borrowed(rows.bytes()))
                }
                (Origin::Derived, Some(neighbours)) => {
                    Some(Cow::Owned(neighbours.fill(&info.table, &info.name)))
                }
                _ => None,
            };
            if let Some(bytes) = bytes {
                grown |= self.buffers.upload(&self.gpu, column, &label, &bytes)?;
            }
        }
        if grown {
            self.recorder.forget();
        }
        if neighbours.is_some() {
            self.share(run);
        }
        self.gpu.wait()
    }

    /// Fills the buffer that has given columns one behind the other, if a pass reads it.
    fn share(&self, run: &Run) {
        let Some(all) = self.there(shared::TABLE, shared::NAME) else { return };
        let head = shared::head(&self.columns, &run.state);
        self.buffers.write(&self.gpu, all, 0, bytemuck::cast_slice(&head));
        for (column, first) in shared::places(&self.columns) {
            self.share_column(run, all, column, first);
        }
    }

    fn share_column(&self, run: &Run, all: usize, column: usize, first: usize) {
        let info = &self.columns.list[column];
        if let Some(rows) = run.state.table(&info.table).and_then(|table| table.column(&info.name)) {
            self.buffers.write(&self.gpu, all, 4 * first as u64, rows.bytes());
        }
    }

    fn begin_again(&mut self) {
        self.held.clear();
        self.forget();
        self.forget_times();
    }

    /// The state was replaced on the host: it goes there again.
    pub fn upload_state(&mut self, run: &Run) -> Result<(), String> {
        let all = self.used.clone();
        self.begin_again();
        self.upload(run, None, &all)
    }

    /// Given columns have other values under the same rows: they go there again, with what is derived from them. False:
    /// other neighbours have other rows, and the passes have to be made anew.
    pub fn upload_given(&mut self, run: &mut Run) -> Result<bool, String> {
        run.state.update_topology(&run.blueprint, true);
        let neighbours = Adjacency::of(&run.state)?;
        let same = neighbours.columns().iter().all(|made| {
            let column = self.columns.index(made.table, made.column);
            column.is_some_and(|column| self.columns.list[column].rows == made.rows)
        });
        let lasting = super::choice::lasting(run, &neighbours, self.tiled);
        if !same || lasting != self.lasting {
            return Ok(false);
        }
        self.apart = neighbours.keeps_apart();
        let all = self.used.clone();
        self.begin_again();
        self.upload(run, Some(&neighbours), &all).map(|()| true)
    }

    /// Whether [`GpuRun::upload_rows`] can take these: others decide which passes run, or what is derived.
    pub fn takes(&self, spans: &[Span]) -> bool {
        spans.iter().all(|span| match span.table {
            "particle" | "balloon" => true,
            "distance" | "tether" | "attachment" => span.column == "compliance",
            // What it derives comes from the thickness alone.
            "layer" => span.column != "thickness",
            _ => false,
        })
    }

    /// Columns of the scene have other values in some rows, which [`GpuRun::takes`]. Where positions are among them, those of
    /// the state are up to date.
    pub fn upload_rows(&mut self, run: &Run, spans: &[Span]) -> Result<(), String> {
        let all = self.there(shared::TABLE, shared::NAME);
        for span in spans {
            if let Some(column) = self.columns.index(span.table, span.column) {
                self.upload_column(run, all, column)?;
            }
            match (span.table, span.column) {
                // What is held loses its inverse mass again with the next frame.
                ("particle", "position") => self.held.clear(),
                ("particle", "mass") => self.guard.forget_energy(),
                ("distance", "compliance") => {
                    let values = run.state.get(col::distance::compliance);
                    for (table, column) in compliances::COLUMNS {
                        if let Some(column) = self.there(table, column) {
                            let bytes = self.compliances.fill(table, values);
                            self.buffers.upload(&self.gpu, column, table, &bytes)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Brings a column that has other values to where passes read it: `all` is the buffer of the shared ones, if one does.
    fn upload_column(&mut self, run: &Run, all: Option<usize>, column: usize) -> Result<(), String> {
        let info = &self.columns.list[column];
        let Some(rows) = run.state.table(&info.table).and_then(|table| table.column(&info.name)) else {
            return Ok(());
        };
        if self.buffers.has(column) {
            self.buffers.upload(&self.gpu, column, &info.name, rows.bytes())?;
        }
        if let Some(all) = all
            && let Some((_, first)) = shared::places(&self.columns).find(|(shared, _)| *shared == column)
        {
            self.share_column(run, all, column, first);
        }
        Ok(())
    }

    /// A column that is on the device.
    fn there(&self, table: &str, name: &str) -> Option<usize> {
        self.columns.index(table, name).filter(|column| self.buffers.has(*column))
    }

    /// Colliders go their way on the host; a few rows.
    pub(super) fn move_colliders(&mut self, run: &Run) -> Result<(), String> {
        let all = self.there(shared::TABLE, shared::NAME);
        for column in 0..self.columns.list.len() {
            if self.columns.list[column].table == COLLIDER && (all.is_some() || self.buffers.has(column)) {
                self.upload_column(run, all, column)?;
            }
        }
        Ok(())
    }

    /// Puts the holds where the passes read them; what is held has no inverse mass, what is let go has its own again.
    pub(super) fn hold(&mut self, run: &Run, holds: &[Hold]) -> Result<(), String> {
        let Some(position) =
            self.columns.index("particle", "position").filter(|column| self.buffers.has(*column))
        else {
            return Ok(());
        };
        let inverse_mass = |particle: u32| (position, u64::from(particle) * 16 + 12);
        let rows = run.state.get(col::particle::position);
        let particles = || holds.iter().map(|hold| hold.particle);
        // Moving pins and the roots of strands are the same in every frame, and many.
        if !self.held.iter().copied().eq(particles()) {
            let (before, now): (HashSet<u32>, HashSet<u32>) =
                (self.held.drain(..).collect(), particles().collect());
            for &particle in before.difference(&now) {
                let (column, byte) = inverse_mass(particle);
                let mass = rows.get(particle as usize).map_or(0.0, |row| row[3]);
                self.buffers.set(&self.gpu, column, byte, mass);
            }
            for &particle in now.difference(&before) {
                let (column, byte) = inverse_mass(particle);
                self.buffers.set(&self.gpu, column, byte, 0.0);
            }
            self.held.extend(particles());
        }
        if let Some(table) = self.tables.get_mut("hold") {
            table.rows = holds.len() as u32;
        }
        if holds.is_empty() {
            return Ok(());
        }
        let point = |p: [f32; 3]| [p[0], p[1], p[2], 0.0];
        let begins: Vec<[f32; 4]> = holds.iter().map(|hold| point(hold.begin)).collect();
        let ends: Vec<[f32; 4]> = holds.iter().map(|hold| point(hold.end)).collect();
        let filled: [(&str, &[u8]); 3] = [
            ("particle", bytemuck::cast_slice(&self.held)),
            ("begin", bytemuck::cast_slice(&begins)),
            ("end", bytemuck::cast_slice(&ends)),
        ];
        let mut grown = false;
        for (name, bytes) in filled {
            let column = self.columns.index("hold", name).filter(|column| self.buffers.has(*column));
            if let Some(column) = column {
                grown |= self.buffers.upload(&self.gpu, column, name, bytes)?;
            }
        }
        if grown {
            self.recorder.forget();
        }
        Ok(())
    }
}
