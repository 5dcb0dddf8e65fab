//! The binary format of Cem Yuksel's hair models (cemyuksel.com/research/hairmodels), numbers little endian.
//!
//! ```text
//! 0   "HAIR"                     12  which arrays there are: 1 segments, 2 points, 4 thickness, 8 transparency, 16 colours
//! 4   number of strands          16  segments of a strand, where there is no array of them
//! 8   number of points           20  thickness, transparency, colour of all; 40: 88 bytes of text
//! 128 segments: u16 a strand     then points: three f32 each, then what is left out here
//! ```
//! A strand has one point more than segments.

use super::{Fault, Locks, fault};
use crate::obj::MAX_PARTICLES;

pub(super) const HEAD: usize = 128;
const SEGMENTS: u32 = 1;
const POINTS: u32 = 2;
/// Bits of arrays with so many bytes for each point.
const OTHERS: [(u32, u64); 3] = [(4, 4), (8, 4), (16, 12)];
const ALL: u32 = 31;
const AGAIN: &str = "copy or export it again";

/// What a file says of itself before its arrays.
pub(super) struct Head {
    pub strands: u32,
    points: u32,
    /// Of a strand, where there is no array of them.
    segments: u32,
    /// Of the array of segments; 0: there is none [bytes].
    counts: usize,
}

/// From the first bytes of a file of so many bytes, which it may have.
pub(super) fn head(bytes: &[u8], size: u64) -> Result<Head, Fault> {
    if !bytes.starts_with(b"HAIR") {
        let begins: String =
            bytes.iter().take(4).map(|byte| char::from(*byte).escape_default().to_string()).collect();
        let message = format!("it begins with \"{begins}\", not with \"HAIR\"");
        return Err(fault(
            message,
            "a file of hair as Cem Yuksel's models are; what other programs call .hair is not read",
        ));
    }
    if bytes.len() < HEAD {
        let message = format!("it ends after {size} bytes, and its head alone takes {HEAD}");
        return Err(fault(message, AGAIN));
    }
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let [strands, points, arrays, segments] = [4, 8, 12, 16].map(number);
    if strands == 0 || points == 0 {
        return Err(fault(format!("it has {strands} strands of {points} points"), "export some strands"));
    }
    if arrays & POINTS == 0 {
        return Err(fault("it has no points", "export it with the array of points"));
    }
    if arrays & !ALL != 0 {
        let message = format!("it has arrays that nobody knows (bits {:#x})", arrays & !ALL);
        return Err(fault(message, AGAIN));
    }
    let others = OTHERS.iter().filter(|(bit, _)| arrays & bit != 0).map(|(_, bytes)| bytes).sum::<u64>();
    let counts = if arrays & SEGMENTS != 0 { 2 * u64::from(strands) } else { 0 };
    let whole = HEAD as u64 + counts + (12 + others) * u64::from(points);
    if size < whole {
        let message =
            format!("it ends after {size} of {whole} bytes, which {strands} strands of {points} points take");
        return Err(fault(message, AGAIN));
    }
    if counts == 0 {
        agree(strands, points, u64::from(strands) * (u64::from(segments) + 1))?;
    }
    if u64::from(strands) > MAX_PARTICLES {
        return Err(fault(
            format!("{strands} strands are too many"),
            format!("at most {MAX_PARTICLES}: export fewer"),
        ));
    }
    Ok(Head { strands, points, segments, counts: counts as usize })
}

/// The strands have as many points together, `sum`, as the file says.
fn agree(strands: u32, points: u32, sum: u64) -> Result<(), Fault> {
    if sum == u64::from(points) {
        return Ok(());
    }
    let message = format!("its {strands} strands have {sum} points together, and it says {points}");
    Err(fault(message, AGAIN))
}

pub(super) fn read(bytes: &[u8]) -> Result<Locks, Fault> {
    let Head { strands, points, segments, counts } = head(bytes, bytes.len() as u64)?;
    let of_strand = |strand: usize| {
        if counts == 0 {
            return u64::from(segments);
        }
        let at = HEAD + 2 * strand;
        u64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
    };
    agree(strands, points, (0..strands as usize).map(|strand| of_strand(strand) + 1).sum())?;
    let mut locks = Locks::default();
    let mut rows = bytes[HEAD + counts..].chunks_exact(12);
    let axis = |row: &[u8], i: usize| f32::from_le_bytes([row[i], row[i + 1], row[i + 2], row[i + 3]]);
    for strand in 0..strands as usize {
        let own = rows.by_ref().take(of_strand(strand) as usize + 1);
        locks.add(own.map(|row| [axis(row, 0), axis(row, 4), axis(row, 8)]), strand + 1)?;
    }
    Ok(locks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three strands of 3, 2 and 4 points, with thickness.
    fn file(arrays: u32) -> Vec<u8> {
        let counts = [3_u16, 2, 4];
        let mut bytes = b"HAIR".to_vec();
        for number in [3, 9, arrays, 2] {
            bytes.extend(u32::to_le_bytes(number));
        }
        bytes.resize(HEAD, 0);
        counts.iter().for_each(|count| bytes.extend(u16::to_le_bytes(count - 1)));
        for strand in 0..3_u8 {
            for point in 0..counts[usize::from(strand)] {
                for x in [f32::from(strand), -0.1 * f32::from(point), 0.5] {
                    bytes.extend(x.to_le_bytes());
                }
            }
        }
        (0..9).for_each(|_| bytes.extend(0.1_f32.to_le_bytes()));
        bytes
    }

    fn told(bytes: &[u8]) -> String {
        let fault = read(bytes).expect_err("a broken file");
        assert!(!fault.help.is_empty(), "{fault:?}");
        fault.message
    }

    #[test]
    fn strands_come_as_they_were_written() {
        let locks = read(&file(1 | 2 | 4)).expect("a good file");
        assert_eq!((locks.count(), locks.points()), (3, 9));
        assert_eq!(locks.strand(1), [[1.0, 0.0, 0.5], [1.0, -0.1, 0.5]]);
        assert_eq!(locks.strand(2)[3], [2.0, -0.3, 0.5]);
    }

    #[test]
    fn a_file_that_ends_early_is_refused_wherever_it_ends() {
        let whole = file(1 | 2 | 4);
        for end in 0..whole.len() {
            let message = told(&whole[..end]);
            assert!(
                message.contains("it begins with") || message.contains("it ends after"),
                "{end}: {message}"
            );
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let with = |at: usize, number: u32| {
            let mut bytes = file(1 | 2 | 4);
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
            told(&bytes)
        };
        assert_eq!(with(0, 0x0000_0101), "it begins with \"\\u{1}\\u{1}\\u{0}\\u{0}\", not with \"HAIR\"");
        assert_eq!(with(4, 0), "it has 0 strands of 9 points");
        assert_eq!(with(8, 0), "it has 3 strands of 0 points");
        assert_eq!(with(12, 1), "it has no points");
        assert!(with(12, 64 | 2).contains("arrays that nobody knows"));
        assert!(with(8, 10_000_000).contains("it ends after"), "10 M points are not there");
        assert!(with(8, 8).contains("have 9 points together, and it says 8"));
        // The middle strand has no segment, the last one two more.
        let mut bytes = file(1 | 2 | 4);
        bytes[HEAD + 2..HEAD + 6].copy_from_slice(&[0, 0, 4, 0]);
        assert_eq!(told(&bytes), "strand 2 has 1 point(s)");
        let nan = HEAD + 6 + 12 * 4 + 4;
        assert!(with(nan, f32::NAN.to_bits()).contains("point 2 of strand 2 is no place"));
        assert!(with(nan, 0).contains("all 2 points of strand 2 are one place"));
    }

    #[test]
    fn without_counts_all_strands_are_alike() {
        let mut bytes = b"HAIR".to_vec();
        [2_u32, 4, 2, 1].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.resize(HEAD, 0);
        (0..12_u8).for_each(|i| bytes.extend(f32::from(i).to_le_bytes()));
        let locks = read(&bytes).expect("a good file");
        assert_eq!(locks.strand(1), [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]);
        bytes[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(told(&bytes).contains("have 8589934590 points together"), "at once");
    }
}
