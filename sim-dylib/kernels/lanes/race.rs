//! Whether what runs at the same time keeps apart, looked at where it runs: in builds that are [`CHECKED`] alone.
//!
//! The host checked the colours when it made them. Here a wrong pair of colours and rows, or rows that were written since, are
//! found in the sweep that would race, with a name, and on one thread as well. No memory is taken.

use std::ops::Range;

#[cfg(doc)]
use sim_api::CHECKED;

/// Particles that are looked at in one pass.
const WINDOW: usize = 16_384;

type Bits = [u64; WINDOW / 64];

/// Particles of a pass over all of a few hairs, of most cloths of tests, and of larger ones: what is looked at is cleared first.
const HAIRS: usize = 256;
const FEW: usize = 1024;
const SOME: usize = 4096;

/// # Panics
/// If a particle is twice in these rows, all of one colour, whose particles are before `end`.
pub(super) fn check_rows<const N: usize>(rows: &[[u32; N]], end: usize) {
    let particles = rows.as_flattened();
    if end <= HAIRS {
        check_once::<HAIRS>(particles, 0);
    } else if end <= FEW {
        check_once::<FEW>(particles, 0);
    } else if end <= SOME {
        check_once::<SOME>(particles, 0);
    } else {
        (0..end).step_by(WINDOW).for_each(|start| check_once::<WINDOW>(particles, start));
    }
}

/// Of `COUNT` particles from `start` on. A byte each: bits of one word would wait for each other.
fn check_once<const COUNT: usize>(particles: &[u32], start: usize) {
    let mut seen = [false; COUNT];
    for &particle in particles {
        if let Some(seen) = seen.get_mut((particle as usize).wrapping_sub(start)) {
            assert!(!*seen, "race: two rows of one colour have particle {particle}");
            *seen = true;
        }
    }
}

/// # Panics
/// If two jobs that may run at once have the same particle, all of which are before `end`; `particles` calls what it is given for
/// each of a job.
pub(super) fn check_jobs(jobs: Range<usize>, end: usize, particles: impl Fn(usize, &mut dyn FnMut(usize))) {
    if end <= FEW {
        return check_owners::<FEW>(jobs, 0, &particles);
    }
    (0..end).step_by(WINDOW).for_each(|start| check_owners::<WINDOW>(jobs.clone(), start, &particles));
}

/// Of `COUNT` particles from `start` on.
fn check_owners<const COUNT: usize>(
    jobs: Range<usize>,
    start: usize,
    particles: &impl Fn(usize, &mut dyn FnMut(usize)),
) {
    const NONE: u8 = u8::MAX;
    assert!(jobs.len() < NONE as usize, "race: {} jobs at once", jobs.len());
    let mut owners = [NONE; COUNT];
    for (number, job) in (0..).zip(jobs) {
        particles(job, &mut |particle| {
            if let Some(owner) = owners.get_mut(particle.wrapping_sub(start)) {
                assert!(
                    matches!(*owner, NONE) || *owner == number,
                    "race: two jobs have particle {particle}"
                );
                *owner = number;
            }
        });
    }
}

/// The first particles of one colour, a bit each.
pub(super) struct First(Bits);

impl First {
    /// # Panics
    /// If a particle is twice in the colour; they stand in ascending order.
    pub(super) fn of(color: &[u32]) -> Self {
        let once = color.is_sorted_by(|a, b| a < b);
        assert!(once, "race: a particle is twice in a colour, or the particles of a colour are not in order");
        let mut bits: Bits = [0; _];
        for &particle in color {
            let Some(word) = bits.get_mut(particle as usize / 64) else { break };
            *word |= 1 << (particle % 64);
        }
        Self(bits)
    }
}

/// Particles of one colour, which are written while others of it are, and those at hand among them.
#[derive(Clone, Copy, Default)]
pub(super) struct Written<'a> {
    pub color: &'a [u32],
    /// Without them all are searched for.
    pub first: Option<&'a First>,
    pub at_hand: &'a [u32],
}

impl Written<'_> {
    /// # Panics
    /// If the particle is another of the colour than those at hand.
    #[inline]
    pub(super) fn check_read(&self, particle: u32) {
        let word = self.first.and_then(|first| first.0.get(particle as usize / 64));
        let written = match word {
            Some(word) => word >> (particle % 64) & 1 == 1,
            None => self.color.binary_search(&particle).is_ok(),
        };
        let race = written && !self.at_hand.contains(&particle);
        assert!(!race, "race: particle {particle} is read by a particle of its own colour");
    }
}
