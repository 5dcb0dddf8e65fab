//! The encoder of a film on a thread of its own.

use std::{
    sync::mpsc::{SyncSender, TrySendError, sync_channel},
    thread::{self, JoinHandle},
};

use super::Encoder;

/// Pictures that wait to be put in.
const WAITING: usize = 3;

pub(super) struct Lane {
    pictures: Option<SyncSender<Vec<u8>>>,
    thread: Option<JoinHandle<Result<(), String>>>,
}

impl Lane {
    pub(super) fn start(mut encoder: Encoder) -> Result<Self, String> {
        let (pictures, incoming) = sync_channel::<Vec<u8>>(WAITING);
        let encode = move || incoming.into_iter().try_for_each(|pixels| encoder.add(pixels));
        let thread = thread::Builder::new().name("film".into()).spawn(encode);
        let thread = thread.map_err(|why| why.to_string())?;
        Ok(Self { pictures: Some(pictures), thread: Some(thread) })
    }

    /// Waits while too many wait already; false: it ended.
    pub(super) fn add(&mut self, pixels: Vec<u8>) -> bool {
        self.pictures.as_ref().is_some_and(|pictures| pictures.send(pixels).is_ok())
    }

    /// A picture for which there is no room comes back; an error: it ended.
    pub(super) fn offer(&mut self, pixels: Vec<u8>) -> Result<Option<Vec<u8>>, ()> {
        match self.pictures.as_ref().ok_or(())?.try_send(pixels) {
            Ok(()) => Ok(None),
            Err(TrySendError::Full(pixels)) => Ok(Some(pixels)),
            Err(TrySendError::Disconnected(_)) => Err(()),
        }
    }

    /// Waits until all is in the file.
    pub(super) fn end(&mut self) -> Result<(), String> {
        self.pictures = None;
        let done = self.thread.take().map_or(Ok(Ok(())), JoinHandle::join);
        done.unwrap_or_else(|_| Err("the encoder gave up".into()))
    }
}
