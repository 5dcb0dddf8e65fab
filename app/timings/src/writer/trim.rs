//! What a full disk cut in two: a table keeps its whole rows, and a trace its whole events.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use weft_core::files;

/// Of the end of a file, more than a row or an event has [bytes].
const TAIL: u64 = 1 << 20;

/// Puts `end` in place of the last `mark` and all behind it. A plain file that has none has nothing whole, and is removed.
pub(super) fn trim(path: &Path, mark: &str, end: &str) -> io::Result<()> {
    let Some(size) = files::size(path) else { return Ok(()) };
    let mut file = File::options().read(true).write(true).open(path)?;
    let from = size.saturating_sub(TAIL);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.read_to_end(&mut tail)?;
    let Some(at) = tail.windows(mark.len()).rposition(|bytes| bytes == mark.as_bytes()) else {
        return fs::remove_file(path);
    };
    file.set_len(from + at as u64)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(end.as_bytes())
}
