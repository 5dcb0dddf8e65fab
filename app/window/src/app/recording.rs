//! Recording from the window: key `t` starts and stops it.

#[cfg(target_arch = "wasm32")]
use std::path::Path;

use super::App;
use weft_session::{Notice, recorder::Recorder, ring::FrameTimes};

/// Of a page the file is kept by who looks at it: a table that every program opens.
const END: &str = if cfg!(target_arch = "wasm32") { "csv" } else { "weft" };

impl App {
    pub(super) fn toggle_recording(&mut self) {
        if let Some(mut recorder) = self.recorder.take() {
            let result = recorder.finish(&mut self.session);
            #[cfg(target_arch = "wasm32")]
            keep(recorder.path());
            let text = format!("{} drawn frames in {}", recorder.frames(), recorder.path().display());
            self.notify(match result {
                Ok(()) => Notice::good("record", text),
                Err(why) => Notice::bad("record", why),
            });
            return;
        }
        // What is recorded now is a session of its own.
        self.leave_recording("the recording ends here: a new one begins");
        let stem = self.session.setup().path().file_stem().and_then(|stem| stem.to_str());
        let file = self.session.free_recording(stem.unwrap_or("weft"), END);
        match file.and_then(|file| Ok(Recorder::create(&file, &mut self.session)?)) {
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

/// The table of frames, and that of events if there were any.
#[cfg(target_arch = "wasm32")]
fn keep(file: &Path) {
    crate::page::keep(file);
    let events = file.with_extension("events.csv");
    let rows =
        weft_core::files::read(&events).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count());
    if rows > 1 {
        crate::page::keep(&events);
    }
}
