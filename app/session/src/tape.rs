//! What a replay needs of a session: where it began, what acted on it, and what came of it.
//!
//! ```text
//!  line 0    line 1   2        3             4                5            …    in the order in which it happened
//!  [ whole ] [ path ] [ grab ] [ move grab ] [ hash, step 10 ] [ columns ] …    each with its step, counted since line 0
//! ```
//! The session puts lines into a [`Tape`] while a recorder holds one; the recorder hands them to the file after each frame.
//! [`Input`] names everything that changes what is computed, and `Session::take_input` does it again. What is no input of
//! its own — a frame gone back to, another scene, a device that was lost — is a `whole`: all of the session as it is when it
//! steps on. A loop writes one whole for all its passes, as they begin with the same bytes.
//!
//! | kind | record |
//! |---|---|
//! | 16 | a line: JSON of [`Line`] |
//! | 17 | a whole session: length u32, JSON of [`Head`], then the packed autosave; none if an earlier one has the same hash |
//! | 18 | the columns that last, to compare with: length u32, JSON of [`Head`], then `state::image::write_lasting` |
//! | 19 | meshes of a scene, packed: their hash u64 and [`weft_scene::KeptMeshes`] |
//! | 20 | hot code that came in: length u32, JSON of [`CodeHead`], then its library, packed; each once, before or after its line |
//!
//! Rejected: a whole session every so many frames instead of columns alone. It holds the scene's values twice and is three to
//! five times as large, to begin in the middle of a recording that replays faster than it was made.

mod code;
mod hand;
mod input;
mod packing;
mod reading;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde::{Deserialize, Serialize};

pub(crate) use code::Code;
pub use code::{CodeHead, PackedCode};
pub use hand::{GrabImage, HandImage};
pub use input::{Input, Repeated};
pub use packing::{Draft, Packed, Packer, Ready};
pub use reading::{Recorded, Tail, read};

pub const LINE: u8 = 16;
pub const WHOLE: u8 = 17;
pub const COLUMNS: u8 = 18;
pub const MESHES: u8 = 19;
pub const CODE: u8 = 20;

/// Steps between two hashes, at least.
pub const HASH_EVERY: u64 = 10;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its place on the tape, from 0 on without a gap; wholes and columns are counted too.
    pub place: u64,
    /// Steps done since the tape began.
    pub step: u64,
    /// Frame of the run, which may be gone back to.
    pub frame: u64,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    Input(Input),
    /// The state hash.
    Hash(u64),
    /// From here on it is computed there: an adapter and its driver; empty for the CPU path.
    Device(String),
    /// A step failed, and why.
    Failed(String),
}

/// What stands before the bytes of a state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Head {
    pub place: u64,
    pub step: u64,
    pub frame: u64,
    /// Why there is a whole one.
    pub why: String,
    /// Of the bytes before they were packed.
    pub hash: u64,
    /// Of the meshes of its scene; 0: it has none.
    pub meshes: u64,
    pub hand: HandImage,
}

/// What the session has put down and no file has yet.
#[derive(Default)]
pub struct Tape {
    places: u64,
    steps: u64,
    pub(crate) items: Vec<Item>,
    /// Why the next step does not follow from the lines before.
    jumped: Option<String>,
}

pub(crate) enum Item {
    Line(Line),
    Whole(Box<Draft>),
    Code(Code),
}

impl Tape {
    fn place(&mut self) -> u64 {
        self.places += 1;
        self.places - 1
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether anything came in since the last time; forgets all.
    pub fn touched(&mut self) -> bool {
        let input = |item: &Item| matches!(item, Item::Line(Line { what: What::Input(_), .. }));
        let touched = self.items.iter().any(input) || self.jumped.take().is_some();
        self.items.clear();
        touched
    }

    pub(crate) fn stepped(&mut self) {
        self.steps += 1;
    }

    pub(crate) fn line(&mut self, frame: u64, what: What) {
        let (place, step) = (self.place(), self.steps);
        self.items.push(Item::Line(Line { place, step, frame, what }));
    }

    /// This code runs from here on.
    pub(crate) fn code(&mut self, code: &Code) {
        if code.number > 0 {
            self.items.push(Item::Code(Code::clone(code)));
        }
    }

    pub(crate) fn jump(&mut self, why: &str) {
        self.jumped.get_or_insert_with(|| why.to_string());
    }

    pub(crate) fn has_jumped(&self) -> bool {
        self.jumped.is_some()
    }

    /// The session as it is when it steps on.
    pub(crate) fn whole(&mut self, mut draft: Draft) {
        let why = self.jumped.take().unwrap_or_default();
        let hand = std::mem::take(&mut draft.head.hand);
        draft.head = Head { hand, ..self.head(draft.head.frame, why) };
        self.items.push(Item::Whole(Box::new(draft)));
    }

    /// The head of a state.
    pub(crate) fn head(&mut self, frame: u64, why: String) -> Head {
        Head { place: self.place(), step: self.steps, frame, why, ..Head::default() }
    }
}

/// A tape that somebody else may hold; nothing happens where nobody does any more.
#[derive(Clone, Default)]
pub(crate) struct Taping(Weak<Mutex<Tape>>);

impl Taping {
    pub(crate) fn new(tape: &Arc<Mutex<Tape>>) -> Self {
        Self(Arc::downgrade(tape))
    }

    pub(crate) fn with<T>(&self, then: impl FnOnce(&mut Tape) -> T) -> Option<T> {
        self.0.upgrade().map(|tape| then(&mut lock(&tape)))
    }
}

pub(crate) fn lock(tape: &Mutex<Tape>) -> MutexGuard<'_, Tape> {
    tape.lock().unwrap_or_else(PoisonError::into_inner)
}
