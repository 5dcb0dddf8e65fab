//! Meshes that a run writes: of its last frame, of each in a file of its own, or of many in one file.

use std::path::PathBuf;

use weft_core::{command::CommandError, say};
use weft_session::{
    Session,
    export::{Export, Format},
};

use crate::outputs::{check_folder, is_sequence, numbered};

pub(crate) struct MeshFiles {
    path: PathBuf,
    format: Format,
    /// Time from one frame to the next [s].
    step: f32,
    /// The first frame that is written, where more than the last one is asked for.
    first: Option<u64>,
    /// Frames that are to end up in one file.
    together: Option<Export>,
}

impl MeshFiles {
    /// `range`: the first frame of `--frames A..B`, and `last` is B. What cannot be written is said now, not after the work.
    pub(crate) fn start(
        path: PathBuf,
        range: Option<u64>,
        last: u64,
        session: &Session,
    ) -> Result<Self, CommandError> {
        let format = Format::of(&path).map_err(|why| CommandError::Usage(format!("--mesh {why}")))?;
        check_folder("--mesh", &path)?;
        let step = session.scene().step;
        let (first, together) = match range {
            _ if is_sequence(&path) => (Some(range.unwrap_or(1)), None),
            Some(first) if format.moves() => {
                let fits = Export::fits(format, &session.surface(), last.saturating_sub(first) + 1);
                fits.map_err(|why| format!("--mesh {}: {why}", path.display()))?;
                (Some(first), Some(Export::new(format, step)))
            }
            _ => (None, None),
        };
        Ok(Self { path, format, step, first, together })
    }

    /// Whether each frame is looked at, not only the last one.
    pub(crate) fn each(&self) -> bool {
        self.first.is_some()
    }

    /// After a step.
    pub(crate) fn frame(&mut self, session: &Session) -> Result<(), String> {
        let frame = session.run().frame;
        if self.first.is_none_or(|first| frame < first) {
            return Ok(());
        }
        match &mut self.together {
            Some(export) => export.add(session.surface()),
            None => self.write(session, &numbered(&self.path, frame)),
        }
    }

    /// After the last one.
    pub(crate) fn finish(self, session: &Session) -> Result<(), String> {
        match &self.together {
            Some(export) => export.write(&self.path)?,
            None if self.first.is_some() => return Ok(()),
            None => self.write(session, &self.path)?,
        }
        say::warn(format_args!("wrote {}", self.path.display()));
        Ok(())
    }

    fn write(&self, session: &Session, path: &std::path::Path) -> Result<(), String> {
        let mut export = Export::new(self.format, self.step);
        export.add(session.surface())?;
        export.write(path)
    }
}
