//! Whether what runs at the same time keeps apart, looked at where it runs: in builds with debug assertions alone.
//!
//! The host checked the colours when it made them. Here a wrong pair of colours and rows, or rows that were written since, are
//! found in the sweep that would race, with a name, and on one thread as well. No memory is taken.

#![cfg_attr(not(debug_assertions), allow(dead_code, reason = "compiled in with debug assertions alone"))]

/// Whether the checks are compiled in.
pub(super) const CHECKED: bool = cfg!(debug_assertions);

/// Particles that are looked at in one pass, a bit each.
const WINDOW: usize = 65_536;

/// # Panics
/// If a particle is twice in these rows, all of one colour.
pub(super) fn check_rows<const N: usize>(rows: &[[u32; N]]) {
    let all = rows.as_flattened();
    let end = all.iter().max().map_or(0, |&most| most as usize + 1);
    for start in (0..end).step_by(WINDOW) {
        let mut seen = [0_u64; WINDOW / 64];
        for &particle in all {
            let place = (particle as usize).wrapping_sub(start);
            if let Some(word) = seen.get_mut(place / 64) {
                let bit = 1 << (place % 64);
                assert!(*word & bit == 0, "race: two rows of one colour have particle {particle}");
                *word |= bit;
            }
        }
    }
}

/// Particles of one colour, which are written while others of it are, and those at hand among them.
#[derive(Clone, Copy, Default)]
pub(super) struct Written<'a> {
    pub color: &'a [u32],
    pub at_hand: &'a [u32],
}

impl Written<'_> {
    /// # Panics
    /// If a particle is twice in a colour; they stand in ascending order.
    pub(super) fn check(color: &[u32]) {
        let once = color.is_sorted_by(|a, b| a < b);
        assert!(once, "race: a particle is twice in a colour, or the particles of a colour are not in order");
    }

    /// # Panics
    /// If the particle is another of the colour than those at hand.
    pub(super) fn check_read(&self, particle: u32) {
        let race = !self.at_hand.contains(&particle) && self.color.binary_search(&particle).is_ok();
        assert!(!race, "race: particle {particle} is read by a particle of its own colour");
    }
}
