//! Whole sessions and libraries on their way into a file: put into words and packed on threads of their own, as that takes
//! longer than a frame.

use std::{
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use miniz_oxide::{deflate::compress_to_vec_zlib, inflate};
use xxhash_rust::xxh3::xxh3_64;

use weft_scene::{KeptMeshes, Scene};

use super::{Code, Head, PackedCode};
use crate::autosave::Autosave;

/// Of 0 to 10: most of what there is to win, in a tenth of the time of the default.
pub(super) const LEVEL: u8 = 1;
/// No whole session is larger before it was packed [bytes]: a length that claims more is damage.
const LARGEST: usize = 1 << 30;

/// A session whose scenes are still to be put into words.
pub struct Draft {
    pub head: Head,
    pub save: Autosave,
    pub file: Scene,
    pub scene: Scene,
}

/// What is written of it.
pub struct Packed {
    pub head: Head,
    pub bytes: Vec<u8>,
    /// Of its scene, packed.
    pub meshes: Vec<u8>,
}

impl Draft {
    fn pack(self) -> Packed {
        let Self { mut head, save, file, scene } = self;
        let meshes = KeptMeshes::of([&file, &scene]);
        let save = Autosave { file: weft_scene::write(&file), scene: weft_scene::write(&scene), ..save };
        let bytes = save.to_bytes();
        head.hash = xxh3_64(&bytes);
        let mut packed = Packed { head, bytes: compress_to_vec_zlib(&bytes, LEVEL), meshes: Vec::new() };
        if !meshes.is_empty() {
            let bytes = postcard::to_allocvec(&meshes).unwrap_or_default();
            packed.head.meshes = xxh3_64(&bytes);
            packed.meshes = compress_to_vec_zlib(&bytes, LEVEL);
        }
        packed
    }
}

/// Unpacks what [`Packer`] packed.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let unpacked = inflate::decompress_to_vec_zlib_with_limit(bytes, LARGEST);
    unpacked.map_err(|why| format!("what is packed in it cannot be unpacked: {why}"))
}

/// What is ready to be written.
pub enum Ready {
    Whole(Packed),
    Code(PackedCode),
    /// Code that cannot be kept, and why.
    NoCode(String),
}

/// Packs beside the session.
pub struct Packer {
    done: (Sender<Ready>, Receiver<Ready>),
    /// On their way.
    under_way: usize,
}

impl Default for Packer {
    fn default() -> Self {
        Self { done: channel(), under_way: 0 }
    }
}

impl Packer {
    pub fn pack(&mut self, draft: Draft) -> Result<(), String> {
        self.start(move || Ready::Whole(draft.pack()))
    }

    pub(crate) fn pack_code(&mut self, code: Code) -> Result<(), String> {
        self.start(move || PackedCode::new(&code).map_or_else(Ready::NoCode, Ready::Code))
    }

    fn start(&mut self, make: impl FnOnce() -> Ready + Send + 'static) -> Result<(), String> {
        let sender = self.done.0.clone();
        let pack = move || {
            // Nobody waits for it any more if the recorder is gone.
            let _ = sender.send(make());
        };
        let started = thread::Builder::new().name("tape".into()).spawn(pack);
        self.under_way += 1;
        started.map(drop).map_err(|error| format!("no thread to pack a state for the recording: {error}"))
    }

    /// One that is ready; with `wait`, all are waited for.
    pub fn take(&mut self, wait: bool) -> Option<Ready> {
        if self.under_way == 0 {
            return None;
        }
        let taken = if wait { self.done.1.recv().ok() } else { self.done.1.try_recv().ok() };
        self.under_way -= usize::from(taken.is_some());
        taken
    }
}
