//! The code of each frame: what a recording holds of it, loaded, or the code of this program where it cannot be.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write as _,
    sync::Arc,
};

use weft_core::{files, project::Project};
use weft_engine::generation::Generation;

use super::Player;
use crate::{
    live::{check_complete, gate},
    places,
    session::Session,
    tape::{CodeHead, Tail},
};

/// Which code plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeChoice {
    /// Run code that another user or machine recorded.
    pub trust: bool,
    /// This generation in every frame, whatever ran then; 0 is the code of this program.
    pub only: Option<u32>,
}

pub(super) struct Codes {
    choice: CodeChoice,
    built_in: Arc<Generation>,
    /// By the hash of the library: the code, or why there is none.
    loaded: BTreeMap<u64, Result<Arc<Generation>, String>>,
    /// Of those that cannot run, what was said already.
    told: BTreeSet<u64>,
    /// The one that plays every frame.
    only: Option<Arc<Generation>>,
}

impl Codes {
    pub(super) fn new(tail: &Tail, choice: CodeChoice) -> Result<Self, String> {
        let mut codes = Self {
            choice,
            built_in: Generation::built_in(),
            loaded: BTreeMap::new(),
            told: BTreeSet::new(),
            only: None,
        };
        codes.only = choice.only.map(|number| codes.numbered(tail, number)).transpose()?;
        Ok(codes)
    }

    /// One generation plays all of it.
    pub(super) fn alone(&self) -> bool {
        self.only.is_some()
    }

    fn numbered(&mut self, tail: &Tail, number: u32) -> Result<Arc<Generation>, String> {
        let heads = tail.codes();
        let head = heads.iter().find(|head| head.number == number);
        let Some(hash) = head.map(|head| head.hash).or_else(|| (number == 0).then_some(0)) else {
            let kept: Vec<String> = heads.iter().map(|head| head.number.to_string()).collect();
            let kept = if kept.is_empty() { "none".to_string() } else { kept.join(", ") };
            return Err(format!(
                "it holds no generation {number} (it holds {kept}; 0 is the code of this program)"
            ));
        };
        self.find(tail, number, hash).map_err(|why| format!("generation {number} cannot run here: {why}"))
    }

    /// The code of this hash, or why it cannot run here.
    fn find(&mut self, tail: &Tail, number: u32, hash: u64) -> Result<Arc<Generation>, String> {
        if number == 0 {
            return Ok(Arc::clone(&self.built_in));
        }
        let trust = self.choice.trust;
        let load = || {
            let (head, packed) = tail.code(hash).ok_or("it is not in the recording")?;
            load(head, &head.library(packed, trust)?)
        };
        self.loaded.entry(hash).or_insert_with(load).clone()
    }

    /// What plays where a recording names this code; the first time also why it is another.
    pub(super) fn get(&mut self, tail: &Tail, number: u32, hash: u64) -> (Arc<Generation>, Option<String>) {
        if let Some(only) = &self.only {
            return (Arc::clone(only), None);
        }
        match self.find(tail, number, hash) {
            Ok(code) => (code, None),
            Err(why) => (Arc::clone(&self.built_in), self.told.insert(hash).then_some(why)),
        }
    }
}

/// Loads a library from a file that is gone when it is mapped.
fn load(head: &CodeHead, library: &[u8]) -> Result<Arc<Generation>, String> {
    check_complete(library)?;
    let folder = places::folder(Project::find().as_ref());
    places::make(&folder)?;
    let file = folder.join(format!("replay-{}-{:016x}.so", std::process::id(), head.hash));
    let _ = fs::remove_file(&file);
    let written = files::create_private(&file).and_then(|mut file| file.write_all(library));
    let written = written.map_err(|why| format!("{}: {why}", file.display()));
    // SAFETY: it is whole, and the user's own programs recorded it or the user vouches for it.
    let loaded = written.and_then(|()| unsafe { gate::load(&file) }.map_err(|why| why.to_string()));
    let _ = fs::remove_file(&file);
    let mut generation = loaded?;
    (generation.number, generation.hash, generation.bytes) = (head.number, head.hash, library.len() as u64);
    Ok(Arc::new(generation))
}

impl Player {
    /// Generations that the recording holds, and 0 if it began without one.
    pub fn generations(&self) -> Vec<u32> {
        let first = (self.recorder.generation == 0).then_some(0);
        first.into_iter().chain(self.tail.codes().iter().map(|head| head.number)).collect()
    }

    /// What runs from `frame` on, where a recording names this code: said where it is another.
    pub(super) fn code(&mut self, frame: u64, number: u32, hash: u64) -> Arc<Generation> {
        let (code, why) = self.codes.get(&self.tail, number, hash);
        if let Some(why) = why {
            self.played.note(format!(
                "from frame {frame} on generation {number} ran (library {hash:016x}), saved while it was recorded: {why}; the \
                 code of this program runs instead"
            ));
        }
        code
    }

    /// Puts this code under the session, if another one runs there.
    pub(super) fn put_code(session: &mut Session, code: Arc<Generation>) -> Result<(), String> {
        if Arc::ptr_eq(&session.run().generation, &code) { Ok(()) } else { session.take_code(code) }
    }
}
