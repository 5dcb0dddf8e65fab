//! What self collision says of a frame.

use sim_api::{Frame, ReadingDesc};

use crate::sim::SelfCollisionStats;

/// All of them, in the order they are shown.
pub const READINGS: &[ReadingDesc] =
    &[PAIRS, CONTACTS, BROAD_PHASES, ZONE_ROUNDS, PASSED_THROUGH, OVERFLOW, TOO_FAST, CROSSINGS];

const PAIRS: ReadingDesc = ReadingDesc::count(
    "self_pairs",
    "pairs of vertex and triangle or edge and edge that the last broad phase of self collision listed",
);
const CONTACTS: ReadingDesc = ReadingDesc::count("self_contacts", "pairs that touched in the last substep");
const BROAD_PHASES: ReadingDesc =
    ReadingDesc::count("self_broad_phases", "times that the list of pairs was made in the last frame");
const ZONE_ROUNDS: ReadingDesc = ReadingDesc::count(
    "self_zone_rounds",
    "rounds in the last frame in which pairs that projections did not keep apart went their way together",
);
const PASSED_THROUGH: ReadingDesc = ReadingDesc::count(
    "self_passed_through",
    "pairs that passed through each other in the last frame in spite of all; must be 0",
)
.must_be_0();
const OVERFLOW: ReadingDesc = ReadingDesc::count(
    "self_overflow",
    "pairs that the list had no room for in the last frame (`self_collision.pairs`); must be 0",
)
.must_be_0();
const TOO_FAST: ReadingDesc = ReadingDesc::count(
    "self_too_fast",
    "particles that went further in a substep than cloth is looked for: four edges, or a quarter of one where the list of pairs \
     (`self_collision.pairs`) has no room for more; must be 0",
)
.must_be_0();
const CROSSINGS: ReadingDesc = ReadingDesc::count(
    "self_crossings",
    "edges of cloth that pierced a triangle at the start of the last frame; must be 0",
)
.must_be_0();

/// Gives all of them.
pub(super) fn give(frame: &Frame, self_stats: &SelfCollisionStats) {
    frame.reading(PAIRS, self_stats.pairs as f32);
    frame.reading(CONTACTS, self_stats.touching as f32);
    frame.reading(BROAD_PHASES, self_stats.broad_phases as f32);
    frame.reading(ZONE_ROUNDS, self_stats.zones as f32);
    frame.reading(PASSED_THROUGH, self_stats.missed as f32);
    frame.reading(OVERFLOW, self_stats.overflow as f32);
    frame.reading(TOO_FAST, self_stats.too_fast as f32);
    frame.reading(CROSSINGS, self_stats.crossings as f32);
}
