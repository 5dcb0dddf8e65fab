//! The encoder of a film in a page, which has no thread for it: a picture takes as long as it takes.

use super::Encoder;

pub(super) struct Lane {
    encoder: Option<Encoder>,
    done: Result<(), String>,
}

impl Lane {
    pub(super) fn start(encoder: Encoder) -> Result<Self, String> {
        Ok(Self { encoder: Some(encoder), done: Ok(()) })
    }

    /// False: it ended.
    pub(super) fn add(&mut self, pixels: Vec<u8>) -> bool {
        let Some(encoder) = &mut self.encoder else { return false };
        self.done = encoder.add(pixels);
        if self.done.is_err() {
            self.encoder = None;
        }
        self.done.is_ok()
    }

    /// There is always room; an error: it ended.
    pub(super) fn offer(&mut self, pixels: Vec<u8>) -> Result<Option<Vec<u8>>, ()> {
        if self.add(pixels) { Ok(None) } else { Err(()) }
    }

    /// All is in the file.
    pub(super) fn end(&mut self) -> Result<(), String> {
        self.encoder = None;
        self.done.clone()
    }
}
