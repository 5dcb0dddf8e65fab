//! Recording from the window: key `t` starts and stops it.

use std::path::{Path, PathBuf};

use super::App;
use weft_session::{Notice, recorder::Recorder, ring::FrameTimes};

/// Of a page the file is kept by who looks at it: a table that every program opens.
const END: &str = if cfg!(target_arch = "wasm32") { "csv" } else { "weft" };

impl App {
    pub(super) fn toggle_recording(&mut self) {
        if let Some(mut recorder) = self.recorder.take() {
            let result = recorder.finish();
            #[cfg(target_arch = "wasm32")]
            keep(recorder.path());
            let text = format!("{} frames in {}", recorder.frames(), recorder.path().display());
            self.notify(match result {
                Ok(()) => Notice::good("record", text),
                Err(why) => Notice::bad("record", why),
            });
            return;
        }
        let file = free_name(&self.folder(), self.session.setup().path());
        match file.and_then(|file| Recorder::create(&file, &self.session)) {
            Ok(recorder) => {
                let text = format!("recording to {}", recorder.path().display());
                self.recorder = Some(recorder);
                self.notify(Notice::good("record", text));
            }
            Err(why) => self.notify(Notice::bad("record", why)),
        }
    }

    /// `recordings` of the source tree, or of the working folder where there is no tree.
    fn folder(&self) -> PathBuf {
        self.session.project().map_or_else(PathBuf::new, |project| project.root.clone()).join("recordings")
    }

    pub(super) fn record(&mut self, frame: &FrameTimes) {
        let Some(recorder) = &mut self.recorder else { return };
        if let Err(why) = recorder.frame(&self.session, frame) {
            self.recorder = None;
            self.notify(Notice::bad("record", why));
        }
    }
}

/// The table of frames, and that of events if there were any.
#[cfg(target_arch = "wasm32")]
fn keep(file: &Path) {
    crate::page::tell_file(file);
    let events = file.with_extension("events.csv");
    let rows =
        weft_core::files::read(&events).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count());
    if rows > 1 {
        crate::page::tell_file(&events);
    }
}

/// `flag-1.weft`, `flag-2.weft`, … in the folder, which is made, whichever is free.
fn free_name(folder: &Path, scene: &Path) -> Result<PathBuf, String> {
    if !cfg!(target_arch = "wasm32") {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let stem = scene.file_stem().and_then(|stem| stem.to_str()).unwrap_or("weft");
    let names = (1..=u32::MAX).map(|number| folder.join(format!("{stem}-{number}.{END}")));
    let free = names.into_iter().find(|name| weft_core::files::size(name).is_none());
    free.ok_or_else(|| format!("{}: too many recordings of {stem}", folder.display()))
}
