//! Colouring of constraint rows: rows of one colour share no particle.
//!
//! Rows of two particles that lie in a lattice are coloured by parity: those of one direction of a grid join particles
//! whose numbers differ by the same step, and row a → a + step has the parity of a / length, where length is that of a line
//! of the grid: step, or one beside it along a diagonal. Neighbours in a colour are then neighbours in memory
//! (`strides.rs`). All others are coloured greedily, first fit in scene order. A grid has two
//! colours for each of its six directions, 12 in all. Kinds do not share colours, so the order structural, shear, bend
//! is kept. Rows that find none of the 32 colours free go to a serial tail.

use std::collections::HashMap;

/// One bit each in a particle's mask.
pub const MAX_COLORS: usize = 32;

/// Lattices of fewer rows of a kind fill no lanes, and stay as they come.
const FEW: usize = 512;
/// A direction of a lattice has at least one in so many rows of its kind,
const RARE: usize = 16;
/// and all directions together have at least this share of them, in percent.
const LATTICE: usize = 75;

/// An order of rows by colour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coloring {
    /// New row `i` is scene row `order[i]`; by colour, then lowest particle. The serial tail comes last.
    pub order: Vec<u32>,
    /// End of each colour in the new order.
    pub ends: Vec<u32>,
}

/// Colours rows of `arity` particle indices each; `idx` holds rows * arity indices. `kinds` (one a row, or
/// none): rows of different kinds share no colour.
pub fn color(idx: &[u32], arity: usize, kinds: &[u32], particles: usize) -> Coloring {
    let mut rows: Vec<u32> = (0..(idx.len() / arity) as u32).collect();
    let kind = |row: u32| kinds.get(row as usize).copied().unwrap_or(0);
    if !kinds.is_sorted() {
        rows.sort_by_key(|&row| kind(row));
    }
    let mut palette = Palette::new(idx, arity, particles);
    for rows in rows.chunk_by(|&a, &b| kind(a) == kind(b)) {
        palette.close();
        if let Some(steps) = steps(idx, arity, rows) {
            palette.lattice(rows, &steps);
        }
        palette.first_fit(rows);
    }
    palette.sorted()
}

/// The steps of a lattice that most rows lie in, in the order in which they come.
fn steps(idx: &[u32], arity: usize, rows: &[u32]) -> Option<Vec<u32>> {
    if arity != 2 || rows.len() < FEW {
        return None;
    }
    // By step: rows, and the first of them.
    let mut counts: HashMap<u32, (usize, usize)> = HashMap::new();
    // Those of a grid come one step after the other.
    let mut place = 0;
    for rows in rows.chunk_by(|&a, &b| step(idx, a) == step(idx, b)) {
        counts.entry(step(idx, rows[0])).or_insert((0, place)).0 += rows.len();
        place += rows.len();
    }
    let mut steps: Vec<_> = counts.into_iter().filter(|(_, (count, _))| count * RARE >= rows.len()).collect();
    let covered: usize = steps.iter().map(|(_, (count, _))| count).sum();
    steps.sort_by_key(|(_, (_, first))| *first);
    let steps = steps.into_iter().map(|(step, _)| step).filter(|&step| step > 0).collect();
    (covered * 100 >= rows.len() * LATTICE).then_some(steps)
}

/// Difference between the numbers of a row's two particles.
fn step(idx: &[u32], row: u32) -> u32 {
    idx[2 * row as usize].abs_diff(idx[2 * row as usize + 1])
}

/// Length of the lines by whose parity rows a → a + step share no particle, with the fewest breaks along a colour. `rows`: the
/// lowest particle of each, ascending.
fn line(rows: &(impl Iterator<Item = u32> + Clone), step: u32) -> u32 {
    let mut best = (usize::MAX, step);
    for length in [step, step.saturating_sub(1), step + 1].into_iter().filter(|&length| length > 0) {
        let parity = |a: u32| (a / length) & 1;
        // The row before, of both colours.
        let (mut breaks, mut before) = (0, [None; 2]);
        for a in rows.clone() {
            let last = before[parity(a) as usize].replace(a);
            breaks += usize::from(last.is_none_or(|last| last + 1 != a));
        }
        // The row that begins where another ends has the other colour.
        let mut ends = rows.clone().map(|a| (a + step, parity(a))).peekable();
        let apart = rows.clone().all(|a| {
            while ends.next_if(|(end, _)| *end < a).is_some() {}
            ends.peek().is_none_or(|&(end, of)| end != a || of != parity(a))
        });
        if apart && breaks < best.0 {
            best = (breaks, length);
        }
    }
    best.1
}

/// Colours as they are given out.
struct Palette<'a> {
    idx: &'a [u32],
    arity: usize,
    /// Colours at each particle.
    used: Vec<u32>,
    /// Colours of all rows so far, and those of earlier kinds among them.
    any: u32,
    closed: u32,
    /// Rows that have one.
    colored: Vec<bool>,
    /// Lowest particle and row, by colour; the last list is the serial tail.
    lists: [Vec<(u32, u32)>; MAX_COLORS + 1],
}

impl<'a> Palette<'a> {
    fn new(idx: &'a [u32], arity: usize, particles: usize) -> Self {
        Self {
            idx,
            arity,
            used: vec![0; particles],
            any: 0,
            closed: 0,
            colored: vec![false; idx.len() / arity],
            lists: std::array::from_fn(|_| Vec::new()),
        }
    }

    /// Another kind begins, behind all colours so far.
    fn close(&mut self) {
        self.closed = u32::MAX.checked_shr(self.any.leading_zeros()).unwrap_or(0);
    }

    fn ends(&self, row: u32) -> &'a [u32] {
        &self.idx[row as usize * self.arity..(row as usize + 1) * self.arity]
    }

    /// Colours that are taken at a row's particles.
    fn taken(&self, row: u32) -> u32 {
        self.ends(row).iter().fold(self.closed, |taken, &end| taken | self.used[end as usize])
    }

    /// `MAX_COLORS` is the serial tail.
    fn give(&mut self, row: u32, color: u32) {
        let ends = self.ends(row);
        if color < MAX_COLORS as u32 {
            self.any |= 1 << color;
            for &end in ends {
                self.used[end as usize] |= 1 << color;
            }
        }
        self.colored[row as usize] = true;
        self.lists[color as usize].push((ends.iter().copied().min().unwrap_or(0), row));
    }

    /// Gives each step the first two colours that all of its rows find free.
    fn lattice(&mut self, rows: &[u32], steps: &[u32]) {
        for &step in steps {
            let lowest = |row: u32| self.idx[2 * row as usize].min(self.idx[2 * row as usize + 1]);
            // Lowest particle and row.
            let of_step = rows.iter().filter(|&&row| self::step(self.idx, row) == step);
            let mut family: Vec<(u32, u32)> = of_step.map(|&row| (lowest(row), row)).collect();
            if !family.is_sorted() {
                family.sort_unstable();
            }
            // Twice between the same particles.
            if family.windows(2).any(|rows| rows[0].0 == rows[1].0) {
                continue;
            }
            let start = family[0].0;
            let length = line(&family.iter().map(|(a, _)| a - start), step);
            let parity = |a: u32| ((a - start) / length) & 1;
            let fits =
                |first: &u32| family.iter().all(|&(a, row)| self.taken(row) >> (first + parity(a)) & 1 == 0);
            let mut pairs = (self.closed.trailing_ones()..MAX_COLORS as u32 - 1).step_by(2);
            let Some(first) = pairs.find(fits) else { continue };
            family.into_iter().for_each(|(a, row)| self.give(row, first + parity(a)));
        }
    }

    /// The rows that have no colour yet.
    fn first_fit(&mut self, rows: &[u32]) {
        for &row in rows {
            if !self.colored[row as usize] {
                self.give(row, self.taken(row).trailing_ones());
            }
        }
    }

    fn sorted(mut self) -> Coloring {
        let (mut order, mut ends) = (Vec::with_capacity(self.colored.len()), Vec::new());
        for (color, list) in self.lists.iter_mut().enumerate() {
            // Those of a grid come in order.
            if !list.is_sorted() {
                list.sort_unstable();
            }
            order.extend(list.iter().map(|(_, row)| *row));
            if color < MAX_COLORS && !list.is_empty() {
                ends.push(order.len() as u32);
            }
        }
        Coloring { order, ends }
    }
}

impl Coloring {
    /// Checks the promise the hot code relies on: no particle twice in a colour, every index inside.
    pub fn check(&self, idx: &[u32], arity: usize, particles: usize) -> Result<(), String> {
        self.check_rows(idx.len() / arity, |row| &idx[row * arity..(row + 1) * arity], particles)
    }

    /// The same of rows whose particles `ends` says, in the new order.
    pub(super) fn check_rows<'a>(
        &self,
        rows: usize,
        ends: impl Fn(usize) -> &'a [u32],
        particles: usize,
    ) -> Result<(), String> {
        let mut last_seen = vec![u32::MAX; particles];
        let mut start = 0;
        for (color, &end) in (0_u32..).zip(&self.ends) {
            for row in start..end as usize {
                for &particle in ends(row) {
                    let seen = last_seen
                        .get_mut(particle as usize)
                        .ok_or_else(|| format!("row {row} names particle {particle} of {particles}"))?;
                    if std::mem::replace(seen, color) == color {
                        return Err(format!("colour {color} holds particle {particle} twice"));
                    }
                }
            }
            start = end as usize;
        }
        if let Some(particle) = (start..rows).flat_map(ends).find(|&&p| p as usize >= particles) {
            return Err(format!("the serial tail names particle {particle} of {particles}"));
        }
        Ok(())
    }
}
