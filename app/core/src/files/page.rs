//! Files that a page holds: those that came with it, what was dropped on it and what is edited in it.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Cursor, Seek, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How often files were put before this one, and its size [bytes].
pub type Stamp = (u64, u64);

#[derive(Default)]
struct Files {
    all: BTreeMap<PathBuf, (u64, Arc<[u8]>)>,
    count: u64,
    /// Put since [`saved`] was asked.
    saved: Vec<PathBuf>,
}

static FILES: Mutex<Files> = Mutex::new(Files { all: BTreeMap::new(), count: 0, saved: Vec::new() });

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn held(path: &Path) -> Option<(u64, Arc<[u8]>)> {
    files().all.get(path).cloned()
}

/// Writes a file.
pub fn put(path: &Path, bytes: &[u8]) {
    let mut files = files();
    files.count += 1;
    let file = (files.count, bytes.into());
    files.all.insert(path.to_path_buf(), file);
    files.saved.push(path.to_path_buf());
}

/// The files that were put since the last call, in their order.
pub fn saved() -> Vec<PathBuf> {
    std::mem::take(&mut files().saved)
}

/// `None`: there is no such file.
pub fn stamp(path: &Path) -> Option<Stamp> {
    held(path).map(|(count, bytes)| (count, bytes.len() as u64))
}

/// [bytes]; `None` if there is none.
pub fn size(path: &Path) -> Option<u64> {
    stamp(path).map(|(_, bytes)| bytes)
}

fn found(path: &Path) -> io::Result<Arc<[u8]>> {
    let none = || io::Error::new(io::ErrorKind::NotFound, "the page holds no such file");
    held(path).map(|(_, bytes)| bytes).ok_or_else(none)
}

pub fn open(path: &Path) -> io::Result<impl BufRead + Seek> {
    found(path).map(Cursor::new)
}

pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    found(path).map(|bytes| bytes.to_vec())
}

/// A file that is written; it is there with what was written when it was flushed last.
pub struct Writer {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// A new file, or an old one emptied.
pub fn create(path: &Path) -> io::Result<Writer> {
    Ok(Writer { path: path.to_path_buf(), bytes: Vec::new() })
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut files = files();
        files.count += 1;
        let file = (files.count, self.bytes.as_slice().into());
        files.all.insert(self.path.clone(), file);
        Ok(())
    }
}

/// What is in a folder, by name.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    files().all.keys().filter(|path| path.parent() == Some(folder)).cloned().collect()
}
