//! The tape of a recording that was read.

use std::collections::BTreeMap;

use super::{CODE, COLUMNS, CodeHead, Head, LINE, Line, MESHES, WHOLE, packing::unpack};
use crate::autosave::Autosave;
use serde::de::DeserializeOwned;
use weft_scene::KeptMeshes;
use xxhash_rust::xxh3::xxh3_64;

/// What stands at a place.
pub enum Recorded {
    Line(Line),
    Whole(Head),
    /// Columns to compare with.
    Columns(Head, Payload),
}

/// A record and where what it holds begins.
pub struct Payload {
    record: Vec<u8>,
    from: usize,
}

impl Payload {
    pub fn body(&self) -> &[u8] {
        self.record.get(self.from..).unwrap_or_default()
    }
}

impl Recorded {
    pub fn step(&self) -> u64 {
        match self {
            Self::Line(line) => line.step,
            Self::Whole(head) | Self::Columns(head, _) => head.step,
        }
    }

    fn place(&self) -> u64 {
        match self {
            Self::Line(line) => line.place,
            Self::Whole(head) | Self::Columns(head, _) => head.place,
        }
    }
}

/// All that can be played, in order.
#[derive(Default)]
pub struct Tail {
    pub items: Vec<Recorded>,
    /// Packed, by hash.
    wholes: BTreeMap<u64, Payload>,
    meshes: BTreeMap<u64, Payload>,
    /// By the hash of the library.
    codes: BTreeMap<u64, (CodeHead, Payload)>,
    /// Places behind a gap, which are not played.
    pub lost: usize,
}

/// Steps from one record to the next: a recording has a hash every ten of them, if the device hands them back in time.
const MOST_STEPS: u64 = 100_000;

/// Sorts the records of a tape; `Err` says why they cannot be played, and what to do.
pub fn read(tape: Vec<(u8, Vec<u8>)>) -> Result<Tail, String> {
    let mut tail = Tail::default();
    for (kind, record) in tape {
        match kind {
            LINE => {
                let line = serde_json::from_slice(&record);
                let line = line.map_err(|why| {
                    format!("it holds an input that this program does not know ({why}): replay it with the program that recorded it, or a newer one")
                })?;
                tail.items.push(Recorded::Line(line));
            }
            WHOLE | COLUMNS => {
                let (head, from) = head::<Head>(&record)?;
                let payload = Payload { record, from };
                if kind == COLUMNS {
                    tail.items.push(Recorded::Columns(head, payload));
                    continue;
                }
                if !payload.body().is_empty() {
                    tail.wholes.insert(head.hash, payload);
                }
                tail.items.push(Recorded::Whole(head));
            }
            MESHES => {
                let (hash, _) = record.split_first_chunk().ok_or("its meshes are damaged")?;
                tail.meshes.insert(u64::from_le_bytes(*hash), Payload { record, from: size_of::<u64>() });
            }
            CODE => {
                let (head, from) = head::<CodeHead>(&record)?;
                tail.codes.insert(head.hash, (head, Payload { record, from }));
            }
            _ => {}
        }
    }
    tail.items.sort_by_key(Recorded::place);
    let whole = tail.items.iter().zip(0..).take_while(|(item, place)| item.place() == *place).count();
    tail.lost = tail.items.len() - whole;
    tail.items.truncate(whole);
    let steps = || tail.items.iter().map(Recorded::step);
    if let Some((before, step)) =
        steps().zip(steps().skip(1)).find(|(before, step)| step.saturating_sub(*before) > MOST_STEPS)
    {
        return Err(format!("it is damaged: a record of step {step} comes right after one of step {before}"));
    }
    if matches!(tail.items.first(), Some(Recorded::Whole(_))) {
        return Ok(tail);
    }
    Err("it was cut before the state that it starts from: there is nothing to replay".to_string())
}

/// The head of a record, and where what it is of begins.
fn head<T: DeserializeOwned>(record: &[u8]) -> Result<(T, usize), String> {
    let damaged = || "the head of a state is damaged".to_string();
    let (length, rest) = record.split_first_chunk().ok_or_else(damaged)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (json, _) = rest.split_at_checked(length).ok_or_else(damaged)?;
    let head = serde_json::from_slice(json).map_err(|why| format!("the head of a state says {why}"))?;
    Ok((head, size_of::<u32>() + length))
}

impl Tail {
    /// The library of this hash, packed.
    pub fn code(&self, hash: u64) -> Option<(&CodeHead, &[u8])> {
        self.codes.get(&hash).map(|(head, packed)| (head, packed.body()))
    }

    /// All code that came in, by its number.
    pub fn codes(&self) -> Vec<&CodeHead> {
        let mut codes: Vec<&CodeHead> = self.codes.values().map(|(head, _)| head).collect();
        codes.sort_by_key(|head| head.number);
        codes
    }

    /// The session of a head, and the meshes of its scene.
    pub fn whole(&self, head: &Head) -> Result<(Autosave, KeptMeshes), String> {
        let missing = || format!("the state of frame {} is not in it", head.frame);
        let packed = self.wholes.get(&head.hash).ok_or_else(missing)?;
        let save = Autosave::from_bytes(&unpack(packed.body())?).map_err(|why| {
            format!("the state of frame {}: {why}; replay it with the program that recorded it", head.frame)
        })?;
        let meshes = match head.meshes {
            0 => KeptMeshes::default(),
            hash => {
                let packed = self.meshes.get(&hash).ok_or("the meshes of its scene are not in it")?;
                let bytes = unpack(packed.body())?;
                if xxh3_64(&bytes) != hash {
                    return Err("the meshes of its scene are damaged".into());
                }
                let kept = postcard::from_bytes(&bytes);
                kept.map_err(|why| format!("the meshes of its scene do not fit this program: {why}"))?
            }
        };
        Ok((save, meshes))
    }
}
