//! Tables that only the device has, worked out from the state's: who is next to whom, in the order of the particles.
//!
//! The hot code's `vertex` and `incident` are sorted by colours of particles, for sweeps that move one colour at a time. A
//! pass that moves all particles at once wants neighbours in memory to be neighbours in the cloth:
//!
//! ```text
//! link      p0 p1 … p31   first distance row of each    strips of 32 particles in scene order;
//!           p0 p1 … p31   second …                       padded to the longest list of the strip
//!           …
//! fan       triangles of p0, then of p1, …
//! ```
//! A particle's links come in the order of the sorted distance table, so that sums have the order of the CPU's. Padding
//! ties a particle to itself with rest length 0: it pulls at nothing. What repeats needs no links: see `stencils.rs`.

use bytemuck::cast_slice;
use sim_api::{
    Element,
    model::ConstraintTable,
    model::{BendModel, MembraneModel},
};
use weft_core::state::col;

use super::{
    coarse::CoarseTables, parts::Parts, solids, spatial_hash::SpatialHash, stencils::Stencils, tiles::Tiles,
};
use weft_core::{csr::Csr, state::State};

/// Particles of a strip.
pub(crate) const STRIP: usize = 32;
/// Set in `link.row` where another particle is the row's first end, and in padding.
pub(crate) const SECOND: u32 = 1 << 31;

/// A column that the host fills for the device alone.
#[derive(Clone, Copy)]
pub struct Derived {
    pub table: &'static str,
    pub column: &'static str,
    pub element: Element,
    pub rows: usize,
}

/// What is next to what in a state.
pub struct Adjacency<'a> {
    state: &'a State,
    /// Distance rows at each particle.
    degree: Vec<u32>,
    /// First link of each particle, and how many it has with padding.
    spans: Vec<[u32; 2]>,
    links: usize,
    /// `None`: hardly anything repeats, or it may tear.
    pub stencils: Option<Stencils>,
    /// `None`: the rows do not fit into tiles, or may tear.
    pub tiles: Option<Tiles>,
    spatial_hash: SpatialHash,
    gas: Parts,
    pieces: Parts,
    solids: Vec<[u32; 4]>,
    coarse: CoarseTables,
}

impl<'a> Adjacency<'a> {
    pub fn of(state: &'a State) -> Result<Self, String> {
        let particles = state.table("particle").map_or(0, |table| table.rows);
        let idx = state.get(col::distance::idx);
        if idx.len() >= SECOND as usize {
            return Err(format!("{} distance rows: the device's links can name {SECOND} only", idx.len()));
        }
        let touching = Csr::incidence(particles, (0..).zip(idx).filter(|(_, [a, b])| a != b));
        let degree: Vec<u32> = touching.starts.windows(2).map(|ends| ends[1] - ends[0]).collect();
        let (mut spans, mut total) = (Vec::with_capacity(particles), 0_u64);
        for strip in degree.chunks(STRIP) {
            let depth = strip.iter().copied().max().unwrap_or(0);
            spans.extend((0..strip.len() as u32).map(|lane| [total as u32 + lane, depth]));
            total += u64::from(depth) * STRIP as u64;
        }
        let links =
            u32::try_from(total).map_err(|_| format!("{total} links are more than 32 bits can name"))?;
        // Cloth that tears does not stay as it is.
        let lasts = state.table("thread").is_none_or(|table| table.rows == 0);
        let stencils = lasts.then(|| Stencils::of(state, &touching)).flatten();
        let tiles = lasts.then(|| Tiles::of(state)).flatten();
        let (spatial_hash, solids) = (SpatialHash::of(state), solids::of(state));
        let gas = Parts::of(state.get(col::balloon::particles));
        let pieces = Parts::of(state.get(col::piece::particles));
        Ok(Self {
            state,
            degree,
            spans,
            links: links as usize,
            stencils,
            tiles,
            spatial_hash,
            gas,
            pieces,
            solids,
            coarse: CoarseTables::of(state)?,
        })
    }

    /// Largest distance that particles keep where cloth collides with cloth [m]; 0: it does not.
    pub fn keeps_apart(&self) -> f32 {
        self.spatial_hash.keeps_apart()
    }

    /// Every column that [`Adjacency::fill`] can fill.
    pub fn columns(&self) -> Vec<Derived> {
        let (particles, links) = (self.degree.len(), self.links);
        let corners = 3 * self.state.table("triangle").map_or(0, |table| table.rows);
        let stencils = self.stencils.as_ref().map_or(0, |stencils| stencils.rows.len());
        let tiled = |rows: fn(&Tiles) -> usize| self.tiles.as_ref().map_or(0, rows);
        let column = |table, column, element, rows| Derived { table, column, element, rows };
        let mut columns = vec![
            column("particle", "links", Element::U32x2, particles),
            column("particle", "rows", Element::U32, particles),
            column("particle", "fan", Element::U32x2, particles),
            column("particle", "stencil", Element::U32, particles),
            column("link", "other", Element::U32, links),
            column("link", "row", Element::U32, links),
            column("link", "rest", Element::F32, links),
            column("link", "compliance", Element::F32, links),
            column("link", "damping", Element::F32, links),
            column("link", "kind", Element::U32, links),
            column("incident", "compliance", Element::F32, self.state.get(col::incident::row).len()),
            column("fan", "triangle", Element::U32, corners),
            column("stencil", "row", Element::U32x4, stencils),
            column("tile", "span", Element::U32x4, tiled(|tiles| tiles.spans.len())),
            column("tile", "slot", Element::U32, tiled(|tiles| tiles.slots.len())),
            column("member", "particle", Element::U32, tiled(|tiles| tiles.members.len())),
            column("turn", "end", Element::U32, tiled(|tiles| tiles.turns.len())),
            column("pair", "ends", Element::U32, tiled(|tiles| tiles.pairs.len())),
            column("sort", "values", Element::F32x2, tiled(|tiles| tiles.sorts.len())),
            column("slot", "row", Element::U32, tiled(|tiles| tiles.rows.len())),
            column("layer", "room", Element::F32, self.spatial_hash.room.len()),
            column("layer", "beside", Element::U32x2, self.spatial_hash.beside.len()),
            column("hash", "side", Element::F32, 1),
            column("gas", "span", Element::U32x4, self.gas.spans.len()),
            column("balloon", "parts", Element::U32x2, self.gas.rows.len()),
            column("piece_part", "span", Element::U32x4, self.pieces.spans.len()),
            column("piece", "parts", Element::U32x2, self.pieces.rows.len()),
            column("solid", "data", Element::U32x4, self.solids.len()),
            // Filled each frame; room for one row, so that a frame without holds has something to bind.
            column("hold", "particle", Element::U32, 1),
            column("hold", "begin", Element::F32x4, 1),
            column("hold", "end", Element::F32x4, 1),
        ];
        columns.extend(self.coarse.columns());
        columns
    }

    /// Rows of one of [`Adjacency::columns`]; empty for what is filled each frame.
    pub fn fill(&self, table: &str, column: &str) -> Vec<u8> {
        let number = |key| {
            let values = self.state.get(key);
            let numbers = self.link(0.0_f32, |row, _, _| values.get(row as usize).copied().unwrap_or(0.0));
            cast_slice(&numbers).to_vec()
        };
        match (table, column) {
            ("particle", "links") => cast_slice(&self.spans).to_vec(),
            ("particle", "rows") => cast_slice(&self.rows()).to_vec(),
            ("particle", "fan") => cast_slice(&self.fans().0).to_vec(),
            ("fan", "triangle") => cast_slice(&self.fans().1).to_vec(),
            ("particle", "stencil") => {
                self.stencils.as_ref().map_or(Vec::new(), |stencils| cast_slice(&stencils.particles).to_vec())
            }
            ("stencil", "row") => {
                self.stencils.as_ref().map_or(Vec::new(), |stencils| cast_slice(&stencils.rows).to_vec())
            }
            ("tile" | "member" | "turn" | "pair" | "sort" | "slot", _) => {
                self.tiles.as_ref().map_or(Vec::new(), |tiles| tiles.fill(table, column))
            }
            ("layer", "room") => cast_slice(&self.spatial_hash.room).to_vec(),
            ("layer", "beside") => cast_slice(&self.spatial_hash.beside).to_vec(),
            ("hash", "side") => cast_slice(&[self.spatial_hash.side]).to_vec(),
            ("gas", "span") => cast_slice(&self.gas.spans).to_vec(),
            ("balloon", "parts") => cast_slice(&self.gas.rows).to_vec(),
            ("piece_part", "span") => cast_slice(&self.pieces.spans).to_vec(),
            ("piece", "parts") => cast_slice(&self.pieces.rows).to_vec(),
            ("solid", "data") => cast_slice(&self.solids).to_vec(),
            ("link", "other") => cast_slice(&self.others()).to_vec(),
            ("link", "row") => {
                let rows = self.link(SECOND, |row, _, second| row | if second { SECOND } else { 0 });
                cast_slice(&rows).to_vec()
            }
            ("link", "kind") => {
                let kinds = self.state.get(col::distance::kind);
                cast_slice(&self.link(0, |row, _, _| kinds.get(row as usize).copied().unwrap_or(0))).to_vec()
            }
            ("link", "rest") => number(col::distance::rest),
            ("link", "compliance") => number(col::distance::compliance),
            ("incident", "compliance") => {
                let values = self.state.get(col::distance::compliance);
                let of = |row: &u32| values.get(*row as usize).copied().unwrap_or(0.0);
                cast_slice(&self.incident_rows().iter().map(of).collect::<Vec<_>>()).to_vec()
            }
            ("link", "damping") => number(col::distance::damping),
            _ => self.coarse.fill(table, column).unwrap_or_default(),
        }
    }

    /// The row of each link; `u32::MAX` is padding.
    pub fn link_rows(&self) -> Vec<u32> {
        self.link(u32::MAX, |row, _, _| row)
    }

    /// The distance row of each row of `incident`; `u32::MAX` for padding and other tables.
    pub fn incident_rows(&self) -> Vec<u32> {
        let (tables, rows) = (self.state.get(col::incident::table), self.state.get(col::incident::row));
        let distance = ConstraintTable::Distance as u32;
        tables.iter().zip(rows).map(|(table, row)| if *table == distance { *row } else { u32::MAX }).collect()
    }

    /// A value for each link out of its row, the particle at its other end, and whether its own end is the second.
    fn link<T: Copy>(&self, padding: T, value: impl Fn(u32, u32, bool) -> T) -> Vec<T> {
        let mut links = vec![padding; self.links];
        let mut next: Vec<u32> = self.spans.iter().map(|span| span[0]).collect();
        let idx = self.state.get(col::distance::idx);
        for (row, &[a, b]) in (0..).zip(idx).filter(|(_, [a, b])| a != b) {
            for (own, far, second) in [(a, b, false), (b, a, true)] {
                links[next[own as usize] as usize] = value(row, far, second);
                next[own as usize] += STRIP as u32;
            }
        }
        links
    }

    fn others(&self) -> Vec<u32> {
        let mut others = self.link(u32::MAX, |_, far, _| far);
        for (particle, [first, depth]) in (0_u32..).zip(&self.spans) {
            for k in 0..*depth as usize {
                let other = &mut others[*first as usize + k * STRIP];
                if *other == u32::MAX {
                    *other = particle;
                }
            }
        }
        others
    }

    /// How many rows of all tables move each particle.
    fn rows(&self) -> Vec<u32> {
        let mut rows = self.degree.clone();
        let mut count = |particles: &[u32]| {
            particles.iter().for_each(|particle| rows[*particle as usize] += 1);
        };
        let triangles = self.state.get(col::triangle::idx).iter().zip(self.state.get(col::triangle::model));
        let resists = |model| !matches!(MembraneModel::from_number(model), Some(MembraneModel::Drawn) | None);
        triangles.filter(|(_, model)| resists(**model)).for_each(|(idx, _)| count(idx));
        let hinges = self.state.get(col::hinge::idx).iter().zip(self.state.get(col::hinge::model));
        hinges.filter(|(_, model)| BendModel::from_number(**model).is_some()).for_each(|(idx, _)| count(idx));
        count(self.state.get(col::tether::idx));
        count(self.state.get(col::attachment::idx));
        rows
    }

    /// The triangles around each particle, in their order: first and number of each, and the triangles.
    fn fans(&self) -> (Vec<[u32; 2]>, Vec<u32>) {
        let idx = self.state.get(col::triangle::idx);
        let fans = Csr::incidence(self.degree.len(), (0..).zip(idx));
        let spans = fans.starts.windows(2).map(|ends| [ends[0], ends[1] - ends[0]]);
        (spans.collect(), fans.items)
    }
}
