//! Tables without the rows whose threads broke.
//!
//! `thread.broken` is the state; everything else follows from it, the same for the same marks whatever came before, so
//! that snapshots, history and images need to keep the marks alone.
//!
//! ```text
//! marks → which triangles, rows, hinges, tethers, balloons still hold      supports.rs
//!       → every table: rows that hold in the order of their colours, then the dead   (Table::set_live)
//!       → faces, edges and points of self collision                         layers.rs
//!       → roots of strands on the cloth                                     grafts.rs
//!       → segments of strands that are cut, and their joints                rods.rs
//!       → rows around each particle, before the next step                   incidence.rs
//! ```
//! The hot code is bound to the rows that hold, as many as they are: nothing there asks whether a row is broken. Taking
//! rows out of a colour leaves a colour. A table is moved as a whole, which for 100,000 rows costs a few milliseconds in a
//! frame in which something breaks, and nothing in others; swapping single rows would make the order, and so the
//! bits of what follows, depend on the way that led there.

mod grafts;
mod layers;
mod rods;
mod supports;
mod tethers;

use crate::state::col;
use std::sync::Arc;

use super::{Blueprint, State, Table, incidence, strides};
pub use grafts::crowds;
use supports::Supports;

/// How far the tables follow the marks.
#[derive(Clone)]
pub struct Tearing {
    supports: Arc<Supports>,
    /// The marks that the tables are laid out for; empty: none yet.
    laid: Vec<u32>,
}

impl Tearing {
    /// `None` if nothing in the scene can break.
    pub(super) fn of(blueprint: &Blueprint) -> Option<Self> {
        let supports = Arc::new(Supports::of(blueprint)?);
        Some(Self { supports, laid: Vec::new() })
    }

    /// Of each triangle in scene order, whether it holds; empty: all do.
    pub fn triangles(&self) -> Vec<bool> {
        if self.laid.contains(&1) { self.supports.live(&self.laid).triangles } else { Vec::new() }
    }

    /// Of each row of the table `segment`, whether it is cut; empty: none is.
    pub fn cut_segments(&self) -> Vec<bool> {
        let rods = &self.supports.rods;
        if rods.threads().any(|thread| self.laid.get(thread).is_some_and(|broken| *broken != 0)) {
            rods.cut(&self.laid, self.supports.segments)
        } else {
            Vec::new()
        }
    }

    /// The marks that the tables are laid out for.
    pub fn marks(&self) -> &[u32] {
        &self.laid
    }
}

impl State {
    /// Brings the rows of all tables in line with the broken threads; the rows around each particle follow at
    /// [`State::update_topology`]. True if something changed.
    pub fn compact(&mut self) -> bool {
        let Some(mut torn) = self.torn.take() else { return false };
        let marks = self.get(col::thread::broken);
        let whole = torn.laid.is_empty() && !marks.contains(&1);
        let changed = !whole && torn.laid != marks && marks.len() == torn.supports.threads();
        if changed {
            torn.laid.clear();
            torn.laid.extend_from_slice(marks);
            self.follow(&mut torn);
        }
        self.torn = Some(torn);
        changed
    }

    /// The same if the marks are those of the last time: after the host wrote its values anew.
    pub(super) fn compact_again(&mut self) {
        let Some(mut torn) = self.torn.take() else { return };
        if !torn.laid.is_empty() {
            self.follow(&mut torn);
        }
        self.torn = Some(torn);
    }

    fn follow(&mut self, torn: &mut Tearing) {
        let supports = &torn.supports;
        let live = supports.live(&torn.laid);
        for ((mark, broken), live) in
            torn.laid.iter_mut().zip(self.get_mut(col::thread::broken)).zip(&live.threads)
        {
            *broken = u32::from(!live);
            *mark = *broken;
        }
        let mut moved = false;
        let tables = [
            ("triangle", &live.triangles),
            ("distance", &live.distances),
            ("hinge", &live.hinges),
            ("tether", &live.tethers),
            ("balloon", &live.balloons),
            ("piece", &live.pieces),
        ];
        for (name, live) in tables {
            if let Some(table) = self.table_mut(name) {
                moved |= table.set_live(live);
            }
        }
        supports.layers.fill(&mut self.tables, &live);
        supports.grafts.fill(&mut self.tables, &live.triangles);
        supports.rods.fill(&mut self.tables, &live.threads);
        self.incidence_stale |= moved;
        self.strides_stale |= moved;
    }

    /// Before a step: the tables, strides, and where `incidence` asks for them the rows around each particle. They take as much
    /// memory as the constraints, and longer to make than all else of a scene.
    pub fn update_topology(&mut self, blueprint: &Blueprint, incidence: bool) {
        self.compact();
        if std::mem::take(&mut self.strides_stale) {
            strides::fill(&mut self.tables);
        }
        if incidence && std::mem::take(&mut self.incidence_stale) {
            incidence::fill(&mut self.tables, blueprint);
        }
    }

    /// What is derived from rows is made anew when it is next asked for: it may have come from anywhere.
    pub fn distrust_derived(&mut self) {
        self.incidence_stale = true;
        self.strides_stale = true;
    }

    /// Threads that are broken.
    pub fn broken_threads(&self) -> usize {
        self.get(col::thread::broken).iter().filter(|&&broken| broken != 0).count()
    }
}

impl Table {
    /// Puts the rows that live first, by colour, and leaves those behind them out; `live` is by scene row. True if a row
    /// moved. Their order is that of the whole table, so rows that come back take their old places.
    fn set_live(&mut self, live: &[bool]) -> bool {
        let all = self.rows + self.dead;
        if live.len() != all || self.dead == 0 && !live.contains(&false) {
            return false;
        }
        let now = &mut self.coloring;
        if now.order.is_empty() {
            now.order.extend(0..all as u32);
        }
        let whole = self.whole.get_or_insert_with(|| now.clone());
        let holds = |row: &&u32| live[**row as usize];
        let mut order: Vec<u32> = whole.order.iter().filter(holds).copied().collect();
        let rows = order.len();
        order.extend(whole.order.iter().filter(|row| !live[**row as usize]));
        if order == now.order && rows == self.rows {
            return false;
        }
        // A colour ends behind those of its rows that live.
        let (mut ends, mut start, mut end) = (Vec::with_capacity(whole.ends.len()), 0, 0);
        for &stop in &whole.ends {
            end += whole.order[start..stop as usize].iter().filter(holds).count() as u32;
            start = stop as usize;
            if end > ends.last().copied().unwrap_or(0) {
                ends.push(end);
            }
        }
        let mut place = vec![0; all];
        for (row, &scene_row) in (0_u32..).zip(&now.order) {
            place[scene_row as usize] = row;
        }
        let from: Vec<u32> = order.iter().map(|&scene_row| place[scene_row as usize]).collect();
        for column in self.columns.iter_mut().chain(&mut self.parked) {
            column.permute(&from);
        }
        (now.order, now.ends) = (order, ends);
        self.show(rows);
        true
    }

    /// Leaves out all rows from `rows` on.
    pub(super) fn show(&mut self, rows: usize) {
        let all = self.rows + self.dead;
        (self.rows, self.dead) = (rows, all - rows);
        for column in self.columns.iter_mut().chain(&mut self.parked) {
            column.hide(all - rows);
        }
    }
}
