//! The disk.

use std::{
    fs::{self, File, TryLockError},
    io::{self, BufRead, BufReader, BufWriter, Seek, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
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

/// Since it was written; `None`: there is no such file, or its time is not known.
pub fn age(path: &Path) -> Option<Duration> {
    stamp(path).map(|(written, _)| written.elapsed().unwrap_or_default())
}

pub fn open(path: &Path) -> io::Result<impl BufRead + Seek> {
    plain(path)?;
    File::open(path).map(BufReader::new)
}

/// A pipe waits for whoever writes it, and a device has no end.
fn plain(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() || kind.is_dir() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe or a device: a plain file is wanted"))
}

/// A file that is written.
pub type Writer = BufWriter<File>;

/// A new file, or an old one emptied. Two that write the same one would leave nothing of either.
pub fn create(path: &Path) -> io::Result<Writer> {
    let file = File::options().write(true).create(true).truncate(false).open(path)?;
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        let why = "another program writes it at this moment: choose another name";
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, why));
    }
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    Ok(BufWriter::new(file))
}

/// A file that grows beyond the shell's limit (`ulimit -f`) is an error that is told, not the end of the program.
pub fn tell_of_limits() {
    #[cfg(unix)]
    // SAFETY: a signal is ignored; no handler is put in its place.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// What it has taken and not handed on yet [bytes].
pub fn waiting(writer: &Writer) -> usize {
    writer.buffer().len()
}

pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    plain(path)?;
    fs::read(path)
}

/// What is in a folder; nothing if it cannot be read.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Writes a file so that a reader finds the old or the new one, whole. Nobody else may read it, and a link that was put in its
/// place is not followed.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    super::replace_with(path, &super::unfinished(path), true, |file| file.write_all(bytes))
}

/// The same of a file that anybody may read: that which a link leads to, with the rights it has. What is no plain file, such as a
/// device, is written as it stands.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes.as_ref()))
}

/// The same of what `write` puts into it.
pub fn write_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|old| !old.is_file()) {
        return File::create(path).and_then(|mut file| write(&mut file));
    }
    let target = target(path)?;
    super::replace_with(&target, &super::aside(&target), false, |file| {
        write(file)?;
        rights(&target).map_or(Ok(()), |rights| file.set_permissions(rights))
    })
}

/// The file that is written anew where a name is given: that which a link leads to, so that the link stays.
///
/// # Errors
/// One that is protected, as if it were written in its place; a pipe or a device.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    match (plain(path), fs::read_link(path)) {
        (Ok(()), _) => {
            File::options().write(true).open(path)?;
            fs::canonicalize(path)
        }
        // It is made where a link leads that leads nowhere yet.
        (Err(why), Ok(link)) if why.kind() == io::ErrorKind::NotFound => target(&path.with_file_name(link)),
        (Err(why), Err(_)) if why.kind() == io::ErrorKind::NotFound => Ok(path.to_path_buf()),
        (Err(why), _) => Err(why),
    }
}

/// Of a file that is there.
fn rights(path: &Path) -> Option<fs::Permissions> {
    fs::metadata(path).ok().map(|data| data.permissions())
}

/// Puts a file that was written aside into the place of a [`target`], whose rights it gets.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    rights(to).map_or(Ok(()), |rights| fs::set_permissions(from, rights))?;
    fs::rename(from, to)
}

pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

/// With those that it lies in; an error says what is in the way.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|why| super::no_folder(path, why))
}
