//! Layout of a `.weft` file: what its writer and its reader agree on. All numbers are little-endian.
//!
//! ```text
//! file    MAGIC (8 bytes)  version u32  record*
//! record  kind u8  length u32  payload (length bytes)  check u32
//!         check: the low half of xxh3-64 over kind, length and payload
//! head    JSON of `Head`                                    kind 1, the first record
//! columns JSON of the columns that are new, in order        kind 2, before the first frame that has them
//! frame   number u64  time_s f64  at_ms f64  wall_ms f64    kind 3
//!         particles u64  constraints u64
//!         present: one bit for each column, low bit first
//!         then of each column that is present its value: a reading f64, a time f32
//! event   JSON of `Event`                                   kind 4
//! tape    what a replay needs, as the session wrote it      kinds 16 to 31; `session/src/tape.rs`
//! ```
//! It only grows, so a file that was cut holds every record that was complete. Rejected: postcard or bincode of whole
//! structs, where a field that is added makes old files unreadable; here a newer head has more JSON keys, which older
//! programs pass over, and a record of unknown kind is skipped by its length.

pub const MAGIC: &[u8; 8] = b"\x89WEFTREC";
/// Of files that this program writes; it reads all up to this one. 2: columns of threads.
pub(crate) const VERSION: u32 = 2;

pub(crate) const HEAD: u8 = 1;
pub(crate) const COLUMNS: u8 = 2;
pub(crate) const FRAME: u8 = 3;
pub(crate) const EVENT: u8 = 4;
/// Kinds of records whose payload this crate does not look into.
pub(crate) const TAPE: std::ops::Range<u8> = 16..32;

/// Bytes of a frame before its bits.
pub(crate) const FRAME_FIXED: usize = 48;
/// Bytes of a record around its payload: before, after.
pub(crate) const AROUND: (usize, usize) = (5, 4);
/// No payload is longer [bytes]: a length that claims more is damage.
pub(crate) const LONGEST: usize = 1 << 28;

/// Check of kind, length and payload.
pub(crate) fn check(record: &[u8]) -> [u8; 4] {
    (xxhash_rust::xxh3::xxh3_64(record) as u32).to_le_bytes()
}
