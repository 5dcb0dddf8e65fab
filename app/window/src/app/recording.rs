//! Recording from the window: key `t` starts and stops it.

use std::path::{Path, PathBuf};

use super::App;
use weft_session::{Notice, recorder::Recorder, ring::FrameTimes};

impl App {
    pub(super) fn toggle_recording(&mut self) {
        if let Some(mut recorder) = self.recorder.take() {
            let result = recorder.flush();
            #[cfg(target_arch = "wasm32")]
            crate::page::tell_file(recorder.path());
            let text = format!("{} frames in {}", recorder.frames, recorder.path().display());
            self.notify(match result {
                Ok(()) => Notice::good("record", text),
                Err(why) => Notice::bad("record", why),
            });
            return;
        }
        match Recorder::create(&free_name(self.session.setup().path()), &self.session.run().generation) {
            Ok(recorder) => {
                let text = format!("recording to {}", recorder.path().display());
                self.recorder = Some(recorder);
                self.notify(Notice::good("record", text));
            }
            Err(why) => self.notify(Notice::bad("record", why)),
        }
    }

    pub(super) fn record(&mut self, frame: &FrameTimes) {
        let Some(recorder) = &mut self.recorder else { return };
        if let Err(why) = recorder.frame(&self.session, frame) {
            self.recorder = None;
            self.notify(Notice::bad("record", why));
        }
    }
}

/// `flag-1.csv`, `flag-2.csv`, … in the working directory, whichever is free.
fn free_name(scene: &Path) -> PathBuf {
    let stem = scene.file_stem().and_then(|stem| stem.to_str()).unwrap_or("weft");
    let names = (1..).map(|number| PathBuf::from(format!("{stem}-{number}.csv")));
    names.into_iter().find(|name| weft_core::files::size(name).is_none()).unwrap_or_default()
}
