//! Files that a page holds: those that came with it, what was dropped on it and what is edited in it.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Cursor, Seek, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::clock::Instant;

/// How often files were put before this one, and its size [bytes].
pub type Stamp = (u64, u64);

struct File {
    /// How often files were put before it.
    count: u64,
    written: Instant,
    bytes: Arc<[u8]>,
}

struct Files {
    all: BTreeMap<PathBuf, File>,
    count: u64,
    /// Put since [`saved`] was asked.
    saved: Vec<PathBuf>,
}

static FILES: Mutex<Files> = Mutex::new(Files { all: BTreeMap::new(), count: 0, saved: Vec::new() });

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files {
    fn write(&mut self, path: &Path, bytes: &[u8]) {
        self.count += 1;
        let file = File { count: self.count, written: Instant::now(), bytes: bytes.into() };
        self.all.insert(path.to_path_buf(), file);
    }
}

fn none() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the page holds no such file")
}

/// Writes a file that came from the page.
pub fn put(path: &Path, bytes: &[u8]) {
    let mut files = files();
    files.write(path, bytes);
    files.saved.push(path.to_path_buf());
}

/// The files that were put since the last call, in their order.
pub fn saved() -> Vec<PathBuf> {
    std::mem::take(&mut files().saved)
}

/// `None`: there is no such file.
pub fn stamp(path: &Path) -> Option<Stamp> {
    files().all.get(path).map(|file| (file.count, file.bytes.len() as u64))
}

/// [bytes]; `None` if there is none.
pub fn size(path: &Path) -> Option<u64> {
    stamp(path).map(|(_, bytes)| bytes)
}

/// Since it was written; `None`: there is no such file.
pub fn age(path: &Path) -> Option<Duration> {
    files().all.get(path).map(|file| file.written.elapsed())
}

fn found(path: &Path) -> io::Result<Arc<[u8]>> {
    files().all.get(path).map(|file| Arc::clone(&file.bytes)).ok_or_else(none)
}

pub fn open(path: &Path) -> io::Result<impl BufRead + Seek> {
    found(path).map(Cursor::new)
}

pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    found(path).map(|bytes| bytes.to_vec())
}

/// A file that is written; it is there with what was written when it was flushed last, or at its end.
pub struct Writer {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Of them, when it was flushed last.
    flushed: Option<usize>,
}

/// A new file, or an old one emptied.
pub fn create(path: &Path) -> io::Result<Writer> {
    Ok(Writer { path: path.to_path_buf(), bytes: Vec::new(), flushed: None })
}

/// As on a disk; here nothing is ever cut.
pub fn waiting(_: &Writer) -> usize {
    0
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.flushed != Some(self.bytes.len()) {
            self.flushed = Some(self.bytes.len());
            files().write(&self.path, &self.bytes);
        }
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    files().write(path, bytes);
    Ok(())
}

pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    files().write(path, bytes.as_ref());
    Ok(())
}

/// A page has no links.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    Ok(path.to_path_buf())
}

pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let mut files = files();
    let file = files.all.remove(from).ok_or_else(none)?;
    files.all.insert(to.to_path_buf(), file);
    Ok(())
}

pub fn remove(path: &Path) -> io::Result<()> {
    files().all.remove(path).map(drop).ok_or_else(none)
}

/// A page has no folders.
pub fn make_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// What is in a folder, by name.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    files().all.keys().filter(|path| path.parent() == Some(folder)).cloned().collect()
}
