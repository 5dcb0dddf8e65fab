//! The tape of a recording: what the session puts down goes into the file after each frame, with a hash and now and then the
//! columns to compare with.

use std::{
    collections::BTreeSet,
    mem,
    sync::{Arc, Mutex},
};

use serde::Serialize;
use weft_core::state::{StateHash, image};
use weft_gpu::GpuRun;
use weft_timings::Log;

use crate::{
    session::{Notice, Session},
    tape::{CODE, COLUMNS, HASH_EVERY, Item, LINE, MESHES, Packed, Packer, Ready, Tape, WHOLE, What, lock},
};

/// Steps between two times that columns are kept, at first.
const COLUMNS_EVERY: u64 = 30;
/// After so many bytes of them they are kept half as often: an hour takes little more than a minute.
const BYTES_EACH: usize = 16 << 20;

pub(super) struct Taker {
    tape: Arc<Mutex<Tape>>,
    packer: Packer,
    /// Hashes of sessions, meshes and libraries that the file has.
    written: BTreeSet<u64>,
    /// Steps at the last hash and at the last columns.
    hashed: u64,
    kept: u64,
    every: u64,
    /// Of columns since they were kept half as often.
    bytes: usize,
    /// Where it was computed at the last look.
    device: String,
    /// Memory that is used again.
    columns: Vec<u8>,
    json: Vec<u8>,
    items: Vec<Item>,
}

/// An adapter and its driver; empty for the CPU path.
pub(crate) fn device(session: &Session) -> String {
    let info = session.gpu().map(|gpu: &GpuRun| &gpu.gpu.info);
    let text = info.map(|info| format!("{}, {} {}", info.name, info.driver, info.driver_info));
    text.unwrap_or_default().trim().to_string()
}

impl Taker {
    pub(super) fn new(session: &mut Session) -> Self {
        Self {
            tape: session.start_tape(),
            packer: Packer::default(),
            written: BTreeSet::new(),
            hashed: 0,
            kept: 0,
            every: COLUMNS_EVERY,
            bytes: 0,
            device: String::new(),
            columns: Vec::new(),
            json: Vec::new(),
            items: Vec::new(),
        }
    }

    /// After steps whose state is up to date; `end`: nothing follows.
    pub(super) fn collect(&mut self, session: &mut Session, log: &mut Log, end: bool) -> Result<(), String> {
        let frame = session.run().frame;
        let (steps, jumped) = {
            let tape = lock(&self.tape);
            (tape.steps(), tape.has_jumped())
        };
        if session.gpu().is_some() || !self.device.is_empty() {
            let device = device(session);
            if device != self.device {
                lock(&self.tape).line(frame, What::Device(device.clone()));
                self.device = device;
            }
        }
        let since = steps - self.hashed;
        let due = since >= HASH_EVERY || end && since > 0;
        // What was gone to since the last step is no result of it.
        let head = (due && !jumped).then(|| {
            let hash = StateHash::of(&session.run().state);
            self.hashed = steps;
            let mut tape = lock(&self.tape);
            tape.line(frame, What::Hash(hash.0));
            (end || steps - self.kept >= self.every).then(|| tape.head(frame, String::new()))
        });
        mem::swap(&mut self.items, &mut lock(&self.tape).items);
        let mut items = mem::take(&mut self.items);
        for item in items.drain(..) {
            match item {
                Item::Line(line) => {
                    self.json.clear();
                    serde_json::to_writer(&mut self.json, &line).map_err(|why| why.to_string())?;
                    log.tape(LINE, &[&self.json])?;
                }
                Item::Whole(draft) => self.packer.pack(*draft)?,
                Item::Code(code) if self.written.insert(code.hash) => self.packer.pack_code(code)?,
                Item::Code(_) => {}
            }
        }
        self.items = items;
        if let Some(head) = head.flatten() {
            self.columns = image::write_lasting(&session.run().state, mem::take(&mut self.columns));
            with_head(log, COLUMNS, &head, &self.columns)?;
            self.pace(steps);
        }
        while let Some(ready) = self.packer.take(end) {
            match ready {
                Ready::Whole(packed) => self.write(log, &packed)?,
                Ready::Code(code) => with_head(log, CODE, &code.head, &code.bytes)?,
                Ready::NoCode(why) => session.notify(Notice::bad("record", why)),
            }
        }
        Ok(())
    }

    /// Columns were kept.
    fn pace(&mut self, steps: u64) {
        self.kept = steps;
        self.bytes += self.columns.len();
        if self.bytes > BYTES_EACH {
            (self.bytes, self.every) = (0, 2 * self.every);
        }
    }

    fn write(&mut self, log: &mut Log, packed: &Packed) -> Result<(), String> {
        let Packed { head, bytes, meshes } = packed;
        if head.meshes != 0 && self.written.insert(head.meshes) {
            log.tape(MESHES, &[&head.meshes.to_le_bytes(), meshes])?;
        }
        let bytes = if self.written.insert(head.hash) { bytes.as_slice() } else { &[] };
        with_head(log, WHOLE, head, bytes)
    }
}

fn with_head(log: &mut Log, kind: u8, head: &impl Serialize, body: &[u8]) -> Result<(), String> {
    let json = serde_json::to_vec(head).map_err(|why| why.to_string())?;
    log.tape(kind, &[&(json.len() as u32).to_le_bytes(), &json, body])
}
