//! Reading: what the file begins with says the format, so a renamed file opens too.

mod binary;
mod csv;

use std::path::Path;

use weft_core::files;

use crate::{format::MAGIC, recording::Recording};

/// Why a recording without the records of a session cannot be played, and what to do; `note` is that of the recording.
pub fn without_session(note: Option<&str>) -> String {
    match note {
        Some(note) => format!("{note}, and no state that a session starts from: there is nothing to replay"),
        None => {
            "it holds timings and no session: record it again with this program, to a file that ends in .weft"
                .into()
        }
    }
}

/// Reads a recording. What can be read of a damaged one is returned, with [`Recording::note`].
pub fn read(file: &Path) -> Result<Recording, String> {
    let said = |why: String| format!("{}: {why}", file.display());
    let fits = |first: &[u8]| if first.starts_with(MAGIC) { Ok(()) } else { csv::fits(first) };
    let bytes = files::read_if(file, fits)?;
    let mut recording = if bytes.starts_with(MAGIC) {
        binary::read(&bytes).map_err(said)?
    } else {
        csv::read(&bytes).map_err(said)?
    };
    recording.file = file.to_path_buf();
    if recording.events.is_empty() {
        // The second table of a CSV.
        let beside = file.with_extension("events.csv");
        if !bytes.starts_with(MAGIC) && files::size(&beside).is_some() {
            let said = |why: String| format!("{}: {why}", beside.display());
            let bytes = files::read(&beside).map_err(|e| said(e.to_string()))?;
            recording.events = csv::events(&bytes).map_err(said)?;
        }
    }
    Ok(recording)
}
