//! Coarse constraints on the device (`shaders/sim/coarse`): tiles of nodes that a workgroup sweeps by itself, and what
//! each particle follows.
//!
//! As in `tiles.rs` a workgroup loads the nodes of its core and the border that these depend on, here over [`SWEEPS`]
//! sweeps; what it makes of the core is what sweeps over all nodes make of it. The last of them may be run alone.
//!
//! ```text
//! node_tile.span         first member, core | members << 16, first color, colors of the first sweep | of the second << 16
//! tile_node.node         core of tile 0, its border, core of tile 1, …
//! tile_node.particle     their particles
//! node_color.end         of each tile: start, and end of each color, in `node_pair`
//! node_pair.ends         members a | b << 16
//! node_pair.values       rest [m], compliance [m/N], inverse masses of what follows a and b [1/kg]
//! particle.follows       row of `coarse_node` << bits | row of `follower_kind`
//! follower_kind.nodes    rows of `coarse_node`, counted from there; row 0: bits
//! follower_kind.weights  what a particle takes of their moves; of row 1: nothing
//! ```
//! On a grid few rows of `follower_kind` serve all particles. Once a thread is broken all have row 1.

use std::collections::{BTreeMap, HashMap};

use bytemuck::cast_slice;
use sim_api::Element;

use super::{links::Derived, tiles::Graph};
use weft_core::{
    csr::Csr,
    state::{State, col},
};

/// Sweeps of a dispatch.
pub(crate) const SWEEPS: usize = 2;
/// Most members of a tile: 16 KiB of positions.
pub(crate) const MEMBERS: usize = 1024;
/// Nodes along a side of a core; fewer where their border is too wide.
const SIDES: [u32; 4] = [12, 6, 3, 1];

#[derive(Default)]
pub(crate) struct CoarseTables {
    spans: Vec<[u32; 4]>,
    members: Vec<u32>,
    particles: Vec<u32>,
    colors: Vec<u32>,
    ends: Vec<u32>,
    values: Vec<[f32; 4]>,
    follows: Vec<u32>,
    nodes: Vec<[u32; 4]>,
    weights: Vec<[f32; 4]>,
}

impl CoarseTables {
    /// Empty without coarse nodes.
    pub(crate) fn of(state: &State) -> Result<Self, String> {
        let particles = state.get(col::coarse_node::particle);
        let mut made = Self::default();
        if particles.is_empty() {
            return Ok(made);
        }
        let mut node_of = vec![u32::MAX; state.table("particle").map_or(0, |table| table.rows)];
        (0..).zip(particles).for_each(|(node, &particle)| node_of[particle as usize] = node);
        made.follow(state, &node_of)?;
        let idx: Vec<[u32; 2]> = (state.get(col::coarse::idx).iter())
            .map(|ends| ends.map(|particle| node_of[particle as usize]))
            .collect();
        let cut = SIDES.iter().any(|side| made.cut(state, &idx, *side).is_some());
        if cut { Ok(made) } else { Err("coarse nodes have too many constraints for a workgroup".into()) }
    }

    /// Every column that [`CoarseTables::fill`] can fill.
    pub(crate) fn columns(&self) -> [Derived; 9] {
        let column = |table, column, element, rows| Derived { table, column, element, rows };
        [
            column("node_tile", "span", Element::U32x4, self.spans.len()),
            column("tile_node", "node", Element::U32, self.members.len()),
            column("tile_node", "particle", Element::U32, self.particles.len()),
            column("node_color", "end", Element::U32, self.colors.len()),
            column("node_pair", "ends", Element::U32, self.ends.len()),
            column("node_pair", "values", Element::F32x4, self.values.len()),
            column("particle", "follows", Element::U32, self.follows.len()),
            column("follower_kind", "nodes", Element::U32x4, self.nodes.len()),
            column("follower_kind", "weights", Element::F32x4, self.weights.len()),
        ]
    }

    /// Rows of a column; `None`: it is none of these.
    pub(crate) fn fill(&self, table: &str, column: &str) -> Option<Vec<u8>> {
        let bytes: &[u8] = match (table, column) {
            ("node_tile", _) => cast_slice(&self.spans),
            ("tile_node", "node") => cast_slice(&self.members),
            ("tile_node", _) => cast_slice(&self.particles),
            ("node_color", _) => cast_slice(&self.colors),
            ("node_pair", "ends") => cast_slice(&self.ends),
            ("node_pair", _) => cast_slice(&self.values),
            ("particle", "follows") => cast_slice(&self.follows),
            ("follower_kind", "nodes") => cast_slice(&self.nodes),
            ("follower_kind", _) => cast_slice(&self.weights),
            _ => return None,
        };
        Some(bytes.to_vec())
    }

    fn follow(&mut self, state: &State, node_of: &[u32]) -> Result<(), String> {
        let (nodes, weights) = (state.get(col::follower::nodes), state.get(col::follower::weights));
        // What is torn would be held together.
        let whole = state.broken_threads() == 0;
        self.nodes = vec![[0; 4]; 2];
        self.weights = vec![[0.0; 4]; 2];
        let mut known: HashMap<([u32; 4], [u32; 4]), u32> = HashMap::new();
        let mut followed: Vec<[u32; 2]> = Vec::with_capacity(node_of.len());
        for (particle, &own) in node_of.iter().enumerate() {
            let (first, away, taken) = match (nodes.get(particle), weights.get(particle)) {
                _ if !whole => (0, [0; 4], [0.0; 4]),
                _ if own != u32::MAX => (own, [0; 4], [1.0, 0.0, 0.0, 0.0]),
                (Some(nodes), Some(weights)) => {
                    let away = [0, 1, 2, 3]
                        .map(|n| if weights[n] == 0.0 { 0 } else { nodes[n].wrapping_sub(nodes[0]) });
                    (nodes[0], away, *weights)
                }
                _ => (0, [0; 4], [0.0; 4]),
            };
            followed.push(if taken == [0.0; 4] {
                [0, 1]
            } else {
                let kind = *known.entry((away, taken.map(f32::to_bits))).or_insert_with(|| {
                    self.nodes.push(away);
                    self.weights.push(taken);
                    self.nodes.len() as u32 - 1
                });
                [first, kind]
            });
        }
        let bits = u32::BITS - (self.nodes.len() as u32 - 1).leading_zeros();
        let most = followed.iter().map(|[first, _]| *first).max().unwrap_or(0);
        if u64::from(most) << bits > u64::from(u32::MAX) {
            let kinds = self.nodes.len();
            return Err(format!("{most} coarse nodes and {kinds} ways to follow them: 32 bits tell fewer"));
        }
        self.nodes[0][0] = bits;
        self.follows = followed.iter().map(|[first, kind]| first << bits | kind).collect();
        Ok(())
    }

    /// Cuts nodes into tiles with cores of `side` x `side`; `None`: one has too many members. `idx`: nodes of the rows of
    /// `coarse`.
    fn cut(&mut self, state: &State, idx: &[[u32; 2]], side: u32) -> Option<()> {
        let particles = state.get(col::coarse_node::particle);
        let mut ends = state.table("coarse")?.coloring.ends.clone();
        // Rows behind the last colour run one by one.
        ends.extend(ends.last().copied().unwrap_or(0) + 1..=idx.len() as u32);
        let graph = Graph { idx, ends: &ends, touching: Csr::incidence(particles.len(), (0..).zip(idx)) };
        let [rest, compliance, mass0, mass1] = [
            col::coarse::rest,
            col::coarse::compliance,
            col::coarse::inverse_mass0,
            col::coarse::inverse_mass1,
        ]
        .map(|key| state.get(key));
        let Self { follows, nodes, weights, .. } = std::mem::take(self);
        *self = Self { follows, nodes, weights, ..Self::default() };
        let mut place = vec![u32::MAX; particles.len()];
        for core in cores(idx, state.get(col::coarse::object), side) {
            let (members, turns) = graph.tile(&core, SWEEPS, MEMBERS, &mut place)?;
            let (first, mut counts) = (self.colors.len() as u32, [0, 0]);
            self.colors.push(self.ends.len() as u32);
            for (turn, rows) in turns.iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
                for row in rows.iter().map(|row| *row as usize) {
                    let [a, b] = idx[row].map(|node| place[node as usize]);
                    self.ends.push(a | b << 16);
                    self.values.push([rest[row], compliance[row], mass0[row], mass1[row]]);
                }
                self.colors.push(self.ends.len() as u32);
                counts[turn / graph.ends.len()] += 1;
            }
            let sizes = core.len() as u32 | (members.len() as u32) << 16;
            self.spans.push([self.members.len() as u32, sizes, first, counts[0] | counts[1] << 16]);
            members.iter().for_each(|&member| place[member as usize] = u32::MAX);
            self.particles.extend(members.iter().map(|member| particles[*member as usize]));
            self.members.extend(members);
        }
        Some(())
    }
}

/// Squares of nodes of each cloth, whose numbers run along the rows of a grid; any other cut would be right as well.
fn cores(idx: &[[u32; 2]], objects: &[u32], side: u32) -> Vec<Vec<u32>> {
    // Of each cloth: first and last node, and nodes of a row.
    let mut cloths: BTreeMap<u32, [u32; 3]> = BTreeMap::new();
    for (&[a, b], &object) in idx.iter().zip(objects) {
        let [first, last, width] = cloths.entry(object).or_insert([u32::MAX, 0, 1]);
        (*first, *last, *width) = (a.min(b).min(*first), a.max(b).max(*last), a.abs_diff(b).max(*width));
    }
    let mut cores: BTreeMap<[u32; 3], Vec<u32>> = BTreeMap::new();
    for (object, [first, last, width]) in cloths {
        for node in first..=last {
            let (row, column) = ((node - first) / width, (node - first) % width);
            cores.entry([object, row / side, column / side]).or_default().push(node);
        }
    }
    cores.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_engine::{generation::Generation, run::Run};
    use weft_scene::{Coarse, workload};

    fn run(n: u32) -> Run {
        let mut scene = workload::workload(n).unwrap();
        scene.cloths[0].coarse = Some(Coarse { spacing: 2, ..Coarse::default() });
        Run::new(Generation::built_in(), workload::assembly(&scene).blueprint, "xpbd").unwrap()
    }

    #[test]
    fn a_tile_has_all_that_its_core_depends_on() {
        let run = run(83);
        let state = &run.state;
        let made = CoarseTables::of(state).unwrap();
        let particles = state.get(col::coarse_node::particle);
        let node = |particle: &u32| particles.iter().position(|known| known == particle).unwrap();
        let idx: Vec<[usize; 2]> =
            state.get(col::coarse::idx).iter().map(|[a, b]| [node(a), node(b)]).collect();
        // Each row mixes the numbers at its ends, and each sweep changes them: whatever is missed changes the outcome.
        let mix =
            |a: u64, b: u64| (a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.rotate_left(17)).wrapping_add(b);
        let reach = |all: &mut [u64]| all.iter_mut().for_each(|a| *a = mix(*a, 7));
        let begin = || (0..particles.len() as u64).collect::<Vec<_>>();
        let swept = |sweeps: usize| {
            let mut all = begin();
            for _ in 0..sweeps {
                for &[a, b] in &idx {
                    (all[a], all[b]) = (mix(all[a], all[b]), mix(all[b], all[a]));
                }
                reach(&mut all);
            }
            all
        };
        let mut cores = vec![0; particles.len()];
        for sweeps in [1, 2] {
            let all = swept(sweeps);
            for &[first, sizes, turn, turns] in &made.spans {
                let members = &made.members[first as usize..][..(sizes >> 16) as usize];
                let mut own: Vec<u64> = members.iter().map(|&node| begin()[node as usize]).collect();
                let (mut at, turns) = (turn as usize, [turns & 0xffff, turns >> 16]);
                for (sweep, turns) in turns.into_iter().enumerate() {
                    if sweep + sweeps >= SWEEPS {
                        for pair in made.colors[at] as usize..made.colors[at + turns as usize] as usize {
                            let [a, b] =
                                [made.ends[pair] & 0xffff, made.ends[pair] >> 16].map(|end| end as usize);
                            (own[a], own[b]) = (mix(own[a], own[b]), mix(own[b], own[a]));
                        }
                        reach(&mut own);
                    }
                    at += turns as usize;
                }
                for (at, &node) in members[..(sizes & 0xffff) as usize].iter().enumerate() {
                    assert_eq!(own[at], all[node as usize], "node {node}, {sweeps} sweeps");
                    cores[node as usize] += 1;
                }
            }
        }
        assert!(cores.iter().all(|&times| times == 2), "each node is in one core");
        // Spacing 2: 42 x 42 nodes, in 4 x 4 tiles; corners of a cell are 1 and 42 apart.
        assert_eq!((particles.len(), made.spans.len()), (42 * 42, 16));
        assert!(made.nodes.len() <= 12);
    }

    #[test]
    fn torn_cloth_follows_nothing() {
        let mut run = run(9);
        let count = |run: &Run| {
            let made = CoarseTables::of(&run.state).unwrap();
            let mask = (1 << made.nodes[0][0]) - 1;
            made.follows.iter().filter(|follows| *follows & mask > 1).count()
        };
        assert_eq!(count(&run), 81);
        let broken = run.state.get_mut(col::thread::broken);
        if let Some(first) = broken.first_mut() {
            *first = 1;
            assert_eq!(count(&run), 0);
        }
    }
}
