//! Cloth cut into tiles that a workgroup sweeps by itself, with the very result of the coloured sweep over everything.
//!
//! A row sees all rows of earlier colours at its ends, so what a sweep makes of the particles of a tile (its core)
//! depends on a border around them and no further: go through the colours backwards, and take the other end of every row
//! that touches what was taken. A workgroup loads core and border, runs the rows that were found, colour by colour, and
//! stores the core. Rows of the border are run by several tiles; positions cross the memory once instead of once a colour.
//!
//! ```text
//! tile.span       first member, core | members << 16, first turn, colours
//! tile.slot       first slot
//! member.particle core of tile 0, its border, core of tile 1, …
//! turn.end        of each kind of tile: start, and end of each colour, in `pair`
//! pair.ends       members a | b << 11 | kind of row << 22
//! sort.values     rest [m], compliance [m/N] of a kind of row
//! slot.row        of each pair of each tile: its row where the tile has the row's first end in its core, else u32::MAX
//! ```
//! Tiles of one shape share their pairs, so that a grid's stay in the nearest cache. Particles are cut into squares by
//! their numbers; any other cut would be right as well, with more border.

use std::collections::HashMap;
use weft_core::state::col;

use bytemuck::cast_slice;

use weft_core::{csr::Csr, state::State};

/// Most members of a tile: 31 KiB of positions.
pub(crate) const MEMBERS: usize = 1936;
/// Bits of `pair.ends` for each of the two members; the rest tell the kind of row.
pub(crate) const MEMBER_BITS: u32 = 11;
/// Particles along a side of a core: on a grid with 12 colours the border is 10 wide. A multiple of 4, the period of the
/// colours there.
const SIDE: usize = 24;
/// Most pairs of all kinds of tiles together; more would not stay in a cache.
const MOST_PAIRS: usize = 1 << 21;
/// Most kinds of rows: what 10 bits tell.
const MOST_SORTS: usize = 1 << 10;

#[derive(Default)]
pub struct Tiles {
    pub spans: Vec<[u32; 4]>,
    pub slots: Vec<u32>,
    pub members: Vec<u32>,
    pub turns: Vec<u32>,
    pub pairs: Vec<u32>,
    pub sorts: Vec<[f32; 2]>,
    /// A row of the distance table that each of them is of.
    pub sort_rows: Vec<u32>,
    pub rows: Vec<u32>,
}

impl Tiles {
    /// `None` where there are no distance rows, one has no colour, or tiles are too large or too many of them differ.
    pub fn of(state: &State) -> Option<Self> {
        let cloth = Cloth::of(state)?;
        let mut tiles =
            Self { sorts: cloth.sorts.clone(), sort_rows: cloth.sort_rows.clone(), ..Self::default() };
        let mut known: HashMap<Vec<Vec<u32>>, u32> = HashMap::new();
        let mut place = vec![u32::MAX; cloth.particles];
        for core in cloth.cores() {
            let (members, turns) = cloth.graph.tile(&core, 1, MEMBERS, &mut place)?;
            let pairs: Vec<Vec<u32>> =
                turns.iter().map(|rows| rows.iter().map(|&row| cloth.pair(row, &place)).collect()).collect();
            tiles.slots.push(tiles.rows.len() as u32);
            let own = |row: u32| {
                if place[cloth.graph.idx[row as usize][0] as usize] < core.len() as u32 {
                    row
                } else {
                    u32::MAX
                }
            };
            tiles.rows.extend(turns.iter().flatten().map(|&row| own(row)));
            let colours = turns.len() as u32;
            let turn = *known.entry(pairs).or_insert_with_key(|pairs| {
                let first = tiles.turns.len() as u32;
                tiles.turns.push(tiles.pairs.len() as u32);
                for turn in pairs {
                    tiles.pairs.extend(turn);
                    tiles.turns.push(tiles.pairs.len() as u32);
                }
                first
            });
            let sizes = core.len() as u32 | (members.len() as u32) << 16;
            tiles.spans.push([tiles.members.len() as u32, sizes, turn, colours]);
            members.iter().for_each(|&member| place[member as usize] = u32::MAX);
            tiles.members.extend(members);
            if tiles.pairs.len() > MOST_PAIRS {
                return None;
            }
        }
        Some(tiles)
    }
}

impl Tiles {
    /// Rows of a column.
    pub fn fill(&self, table: &str, column: &str) -> Vec<u8> {
        match (table, column) {
            ("tile", "span") => cast_slice(&self.spans).to_vec(),
            ("tile", "slot") => cast_slice(&self.slots).to_vec(),
            ("member", _) => cast_slice(&self.members).to_vec(),
            ("turn", _) => cast_slice(&self.turns).to_vec(),
            ("pair", _) => cast_slice(&self.pairs).to_vec(),
            ("sort", _) => cast_slice(&self.sorts).to_vec(),
            ("slot", _) => cast_slice(&self.rows).to_vec(),
            _ => Vec::new(),
        }
    }
}

/// Rows that join two points each, by colours.
pub(crate) struct Graph<'a> {
    pub idx: &'a [[u32; 2]],
    /// End row of each colour.
    pub ends: &'a [u32],
    /// Rows at each point, ascending.
    pub touching: Csr,
}

impl Graph<'_> {
    /// The members of the tile of a core, which come first, and its rows by colour for so many sweeps, empty turns among them; `None`:
    /// there are more than `most` members. `place` of the members is filled; it is `u32::MAX` everywhere before.
    pub(crate) fn tile(
        &self,
        core: &[u32],
        sweeps: usize,
        most: usize,
        place: &mut [u32],
    ) -> Option<(Vec<u32>, Vec<Vec<u32>>)> {
        let mut members = core.to_vec();
        (0_u32..).zip(core).for_each(|(at, &point)| place[point as usize] = at);
        let mut turns = vec![Vec::new(); sweeps * self.ends.len()];
        for turn in (0..turns.len()).rev() {
            let colour = turn % self.ends.len();
            let rows = colour.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[colour];
            for at in 0..members.len() {
                let point = members[at];
                let Some(row) =
                    self.touching.row(point as usize).iter().copied().find(|row| rows.contains(row))
                else {
                    continue;
                };
                let [a, b] = self.idx[row as usize];
                let other = (a ^ b ^ point) as usize;
                if place[other] == u32::MAX {
                    place[other] = members.len() as u32;
                    members.push(other as u32);
                    turns[turn].push(row);
                } else if place[other] as usize > at {
                    // Both ends come by; the first of them takes the row. What was added in this colour comes later.
                    turns[turn].push(row);
                }
            }
        }
        if members.len() > most {
            members.iter().for_each(|&member| place[member as usize] = u32::MAX);
            return None;
        }
        Some((members, turns))
    }
}

/// What tiles are cut from.
struct Cloth<'a> {
    particles: usize,
    graph: Graph<'a>,
    /// Kind of each row, and the values of the kinds.
    sort: Vec<u32>,
    sorts: Vec<[f32; 2]>,
    sort_rows: Vec<u32>,
}

impl<'a> Cloth<'a> {
    fn of(state: &'a State) -> Option<Self> {
        let particles = state.table("particle")?.rows;
        let idx = state.get(col::distance::idx);
        let ends = state.table("distance")?.coloring.ends.as_slice();
        // Rows behind the last colour run one by one.
        if idx.is_empty() || ends.last() != Some(&(idx.len() as u32)) || idx.iter().any(|[a, b]| a == b) {
            return None;
        }
        let touching = Csr::incidence(particles, (0..).zip(idx));
        let (rest, compliance) = (state.get(col::distance::rest), state.get(col::distance::compliance));
        // Kind and cloth as well, as in stencils.
        let (kind, object) = (state.get(col::distance::kind), state.get(col::distance::object));
        let (mut sorts, mut sort_rows, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        let mut sort = Vec::with_capacity(idx.len());
        let values = rest.iter().zip(compliance).map(|(rest, compliance)| [*rest, *compliance]);
        for (row, values) in values.enumerate() {
            let whose = [kind, object].map(|of: &[u32]| of.get(row).copied().unwrap_or(0));
            sort.push(*known.entry((values.map(f32::to_bits), whose)).or_insert_with(|| {
                sort_rows.push(row as u32);
                sorts.push(values);
                sorts.len() as u32 - 1
            }));
            if sorts.len() > MOST_SORTS {
                return None;
            }
        }
        Some(Self { particles, graph: Graph { idx, ends, touching }, sort, sorts, sort_rows })
    }

    /// Squares of [`SIDE`] particles where numbers run along the rows of a grid, else runs.
    fn cores(&self) -> Vec<Vec<u32>> {
        let farthest = self.graph.idx.iter().map(|[a, b]| a.abs_diff(*b)).max().unwrap_or(0) as usize;
        // Rows that skip one particle down are the farthest; without them those to the next diagonal.
        let skips = self.graph.idx.iter().any(|[a, b]| a.abs_diff(*b) as usize == farthest / 2);
        let width =
            if farthest.is_multiple_of(2) && skips { farthest / 2 } else { farthest.saturating_sub(1) }
                .max(SIDE);
        let across = width.div_ceil(SIDE);
        let mut cores = vec![Vec::new(); across * self.particles.div_ceil(width).div_ceil(SIDE)];
        for particle in 0..self.particles {
            let (row, column) = (particle / width, particle % width);
            cores[row / SIDE * across + column / SIDE].push(particle as u32);
        }
        cores.retain(|core| !core.is_empty());
        cores
    }

    fn pair(&self, row: u32, place: &[u32]) -> u32 {
        let [a, b] = self.graph.idx[row as usize].map(|end| place[end as usize]);
        a | b << MEMBER_BITS | self.sort[row as usize] << (2 * MEMBER_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_engine::{generation::Generation, run::Run};
    use weft_scene::workload;

    #[test]
    fn tiles_of_a_grid_cover_it_once_and_share_their_pairs() {
        let scene = workload::workload(251).unwrap();
        let run = Run::new(Generation::built_in(), workload::assembly(&scene).blueprint, "xpbd").unwrap();
        let tiles = Tiles::of(&run.state).unwrap();
        let mut cores = vec![0; 251 * 251];
        for [first, sizes, ..] in &tiles.spans {
            let core = &tiles.members[*first as usize..(*first + (sizes & 0xffff)) as usize];
            core.iter().for_each(|&particle| cores[particle as usize] += 1);
            assert!((sizes >> 16) as usize <= MEMBERS);
        }
        assert!(cores.iter().all(|&times| times == 1));
        let mut rows: Vec<u32> = tiles.rows.iter().copied().filter(|row| *row != u32::MAX).collect();
        rows.sort_unstable();
        assert!(
            rows.iter().copied().eq(0..run.state.table("distance").unwrap().rows as u32),
            "one owner a row"
        );
        // 11 x 11 tiles, of which those inside are alike.
        let mut kinds: Vec<u32> = tiles.spans.iter().map(|span| span[2]).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(tiles.spans.len(), 121);
        assert!(kinds.len() <= 60, "{} kinds", kinds.len());
    }

    #[test]
    fn a_tile_has_all_that_its_core_depends_on() {
        let scene = workload::workload(61).unwrap();
        let run = Run::new(Generation::built_in(), workload::assembly(&scene).blueprint, "xpbd").unwrap();
        let tiles = Tiles::of(&run.state).unwrap();
        let idx = run.state.get(col::distance::idx);
        // Each row mixes the numbers at its ends: whatever order or row is missed changes them.
        let mix =
            |a: u64, b: u64| (a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.rotate_left(17)).wrapping_add(b);
        let mut all: Vec<u64> = (0..61 * 61).collect();
        for [a, b] in idx.iter().map(|ends| ends.map(|end| end as usize)) {
            (all[a], all[b]) = (mix(all[a], all[b]), mix(all[b], all[a]));
        }
        for [first, sizes, turn, colours] in &tiles.spans {
            let members = &tiles.members[*first as usize..(*first + (sizes >> 16)) as usize];
            let mut own: Vec<u64> = members.iter().map(|&particle| u64::from(particle)).collect();
            let turns = &tiles.turns[*turn as usize..=(*turn + *colours) as usize];
            for pair in &tiles.pairs[turns[0] as usize..turns[turns.len() - 1] as usize] {
                let (a, b) = ((pair & 0x7ff) as usize, (pair >> 11 & 0x7ff) as usize);
                (own[a], own[b]) = (mix(own[a], own[b]), mix(own[b], own[a]));
            }
            for (at, &particle) in members[..(sizes & 0xffff) as usize].iter().enumerate() {
                assert_eq!(own[at], all[particle as usize], "particle {particle}");
            }
        }
    }
}
