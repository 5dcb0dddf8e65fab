//! Greedy colouring of constraint rows: rows of one colour share no particle.
//!
//! First fit in scene order. Meshes list one direction of rows after the other, so a grid comes out almost by parity: two
//! colours for each of its six families, 12 in all. Kinds do not share colours, so the order structural, shear, bend is kept.
//! Rows that find none of the 32 colours free go to a serial tail.

/// One bit each in a particle's mask.
pub const MAX_COLORS: usize = 32;

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
    let mut used = vec![0_u32; particles];
    // Colours of earlier kinds, and of all rows so far.
    let (mut closed, mut any, mut last_kind) = (0_u32, 0_u32, 0);
    // Lowest particle and row, by colour; the last list is the serial tail.
    let mut lists: [Vec<(u32, u32)>; MAX_COLORS + 1] = std::array::from_fn(|_| Vec::new());
    for row in rows {
        if kind(row) != last_kind {
            (closed, last_kind) = (any, kind(row));
        }
        let ends = &idx[row as usize * arity..(row as usize + 1) * arity];
        let taken = ends.iter().fold(closed, |taken, &end| taken | used[end as usize]);
        let color = taken.trailing_ones();
        if color < MAX_COLORS as u32 {
            any |= 1 << color;
            for &end in ends {
                used[end as usize] |= 1 << color;
            }
        }
        lists[color as usize].push((ends.iter().copied().min().unwrap_or(0), row));
    }

    let (mut order, mut ends) = (Vec::with_capacity(idx.len() / arity), Vec::new());
    for (color, list) in lists.iter_mut().enumerate() {
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

impl Coloring {
    /// Checks the promise the hot code relies on: no particle twice in a colour, every index inside.
    pub fn check(&self, idx: &[u32], arity: usize, particles: usize) -> Result<(), String> {
        let mut last_seen = vec![usize::MAX; particles];
        let mut start = 0;
        for (color, &end) in self.ends.iter().enumerate() {
            for row in start..end as usize {
                for &particle in &idx[row * arity..(row + 1) * arity] {
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
        if let Some(particle) = idx[start * arity..].iter().find(|&&p| p as usize >= particles) {
            return Err(format!("the serial tail names particle {particle} of {particles}"));
        }
        Ok(())
    }
}
