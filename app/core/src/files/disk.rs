//! The disk.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, BufWriter, Seek},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// When a file was written, and its size [bytes].
pub type Stamp = (SystemTime, u64);

/// `None`: there is no such file, or its time is not known.
pub fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// Of a plain file [bytes]; `None` if there is none.
pub fn size(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|data| data.len())
}

pub fn open(path: &Path) -> io::Result<impl BufRead + Seek> {
    File::open(path).map(BufReader::new)
}

/// A file that is written.
pub type Writer = BufWriter<File>;

/// A new file, or an old one emptied.
pub fn create(path: &Path) -> io::Result<Writer> {
    File::create(path).map(BufWriter::new)
}

pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path)
}

/// What is in a folder; nothing if it cannot be read.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
