//! What particles take in memory, before a byte of it is taken.

/// Of a particle with its rows in all tables, and of the copies that a swap of code makes [bytes]. Measured at 2048 x 2048.
const PARTICLE: u64 = 3_200;
/// Of a row of `pair`, twice at a swap of code [bytes].
const PAIR: u64 = 2 * 152;

/// Of the list of pairs of so many particles with room for so many each [bytes].
pub(crate) fn of_pairs(particles: u64, room: Option<u32>) -> u64 {
    particles.saturating_mul(room.unwrap_or(0).into()).saturating_mul(PAIR)
}

/// Of so many particles, without their list of pairs [bytes].
pub(crate) fn of_particles(particles: u64) -> u64 {
    particles.saturating_mul(PARTICLE)
}
