//! `.weft`; see `format.rs` for the layout.

use crate::{
    format::{AROUND, COLUMNS, EVENT, FRAME, FRAME_FIXED, HEAD, LONGEST, MAGIC, TAPE, VERSION, check},
    recording::{Column, Event, Frame, Head, Kind, Recording},
};

/// `bytes` begin with the magic.
pub(super) fn read(bytes: &[u8]) -> Result<Recording, String> {
    let cut = "the recording was cut before its first frame; there is nothing to read";
    let version = bytes.get(MAGIC.len()..MAGIC.len() + 4).and_then(|bytes| bytes.try_into().ok());
    let version = u32::from_le_bytes(version.ok_or(cut)?);
    if version > VERSION {
        return Err(format!(
            "the recording has format {version}, and this program reads up to {VERSION}: read it with the weft that wrote it, or a newer one"
        ));
    }
    let start = MAGIC.len() + 4;
    let (mut at, mut headed) = (start, false);
    let mut recording = Recording::default();
    while at < bytes.len() {
        match record(&bytes[at..]) {
            Some((kind, payload)) => {
                take(&mut recording, kind, payload).map_err(|why| format!("byte {at}: {why}"))?;
                headed |= kind == HEAD;
                at += payload.len() + AROUND.0 + AROUND.1;
            }
            None if headed => {
                let left = bytes.len() - at;
                recording.note = Some(format!(
                    "cut or damaged at byte {at}: the {} frames before are read, {left} bytes are not",
                    recording.frames.len()
                ));
                break;
            }
            None => return Err(cut.into()),
        }
    }
    if headed { Ok(recording) } else { Err(cut.into()) }
}

/// Kind and payload of a record that is whole.
fn record(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let length = u32::from_le_bytes(bytes.get(1..AROUND.0)?.try_into().ok()?) as usize;
    if length > LONGEST {
        return None;
    }
    let end = AROUND.0 + length;
    let good = *bytes.get(end..end + AROUND.1)? == check(&bytes[..end]);
    good.then(|| (bytes[0], &bytes[AROUND.0..end]))
}

fn take(recording: &mut Recording, kind: u8, payload: &[u8]) -> Result<(), String> {
    let json = |error: serde_json::Error| format!("a record says what this program does not know: {error}");
    match kind {
        HEAD => recording.head = serde_json::from_slice::<Head>(payload).map_err(json)?,
        COLUMNS => {
            recording.columns.extend(serde_json::from_slice::<Vec<Column>>(payload).map_err(json)?);
        }
        FRAME => {
            let frame = frame(&recording.columns, payload).ok_or("a frame does not fit its columns")?;
            recording.frames.push(frame);
        }
        EVENT => recording.events.push(serde_json::from_slice::<Event>(payload).map_err(json)?),
        kind if TAPE.contains(&kind) => recording.tape.push((kind, payload.to_vec())),
        // Of a later program of the same format.
        _ => {}
    }
    Ok(())
}

fn frame(columns: &[Column], payload: &[u8]) -> Option<Frame> {
    let word = |i: usize| -> Option<[u8; 8]> { payload.get(8 * i..8 * i + 8)?.try_into().ok() };
    let bits = payload.get(FRAME_FIXED..FRAME_FIXED + columns.len().div_ceil(8))?;
    let mut rest = &payload[FRAME_FIXED + bits.len()..];
    let mut values = Vec::with_capacity(columns.len());
    for (i, column) in columns.iter().enumerate() {
        let present = bits[i / 8] >> (i % 8) & 1 == 1;
        values.push(match (present, column.kind == Kind::Reading) {
            (false, _) => f64::NAN,
            (true, true) => f64::from_le_bytes(*rest.split_off(..8)?.as_array()?),
            (true, false) => f64::from(f32::from_le_bytes(*rest.split_off(..4)?.as_array()?)),
        });
    }
    Some(Frame {
        number: u64::from_le_bytes(word(0)?),
        time_s: f64::from_le_bytes(word(1)?),
        at_ms: f64::from_le_bytes(word(2)?),
        wall_ms: f64::from_le_bytes(word(3)?),
        particles: u64::from_le_bytes(word(4)?),
        constraints: u64::from_le_bytes(word(5)?),
        values,
    })
}
