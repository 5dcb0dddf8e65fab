//! A film from the window: key `f` begins and ends it. The frames of the loop, else the next ones, without the panel.
//!
//! While it is made each frame of the simulation is a frame of the window, however long that takes: none is left out.

use std::path::PathBuf;

use weft_core::clock::Instant;
use weft_session::{Notice, ring::Stage};

use super::App;
use crate::film::Film;

/// Widest film [pixels]; a narrower window's films are as wide as its picture.
const WIDEST: f32 = 640.0;

pub(super) struct Filming {
    film: Film,
    scene: PathBuf,
    /// First and last frame.
    range: [u64; 2],
    /// The next one that becomes a picture; `None`: the pass of the loop that it shows has not begun.
    due: Option<u64>,
    /// The frame that was shown before.
    before: u64,
    /// A picture that the encoder has no room for yet.
    waiting: Option<Vec<u8>>,
    was_paused: bool,
}

impl Filming {
    /// Frames that are in it, and how many it will have.
    pub(super) fn progress(&self) -> (u64, u64) {
        let [first, last] = self.range;
        (self.due.map_or(0, |due| due.clamp(first, last + 1) - first), last + 1 - first)
    }
}

impl App {
    /// Begins a film, or ends the one that is being made with what it has.
    pub(super) fn toggle_film(&mut self) {
        if let Some(filming) = self.filming.take() {
            self.end_film(filming);
            return;
        }
        match self.begin_film() {
            Ok(text) => self.notify(Notice::good("film", text)),
            Err(why) => self.notify(Notice::bad("film", why)),
        }
    }

    fn begin_film(&mut self) -> Result<String, String> {
        let stem = self.session.setup().path().file_stem().and_then(|stem| stem.to_str());
        let file = self.session.free_recording(stem.unwrap_or("weft"), "gif")?;
        let [left, top, right, bottom] = self.first_area();
        let (width, height) = ((right - left).max(16.0), (bottom - top).max(16.0));
        let scale = (WIDEST / width).min(1.0);
        let size = ((width * scale) as u32, (height * scale) as u32);
        let film = Film::start(&file, size, self.session.scene().step)?;
        let frame = self.session.run().frame;
        let looped = self.session.timeline().replay().map(|replay| [replay.start + 1, replay.end]);
        let range = looped.unwrap_or([frame + 1, frame + self.panel.time_line.loop_frames]);
        let due = looped.is_none().then_some(range[0]);
        let was_paused = self.session.is_paused();
        self.session.set_paused(false);
        let scene = self.session.setup().path().to_path_buf();
        self.filming = Some(Filming { film, scene, range, due, before: frame, waiting: None, was_paused });
        Ok(format!("frames {} to {} become {}; f ends it before", range[0], range[1], file.display()))
    }

    /// Takes one step if the film has its picture of the last one. Returns whether a film is being made.
    pub(super) fn film_step(&mut self) -> bool {
        let Some(filming) = &self.filming else { return false };
        let full = filming.waiting.is_some();
        (self.last_update, self.behind) = (Instant::now(), 0.0);
        if full || self.session.is_paused() {
            return true;
        }
        let start = Instant::now();
        let result = self.session.step();
        self.ring.add(Stage::Step, start.elapsed());
        match result {
            Ok(notices) => notices.into_iter().for_each(|notice| self.notify(notice)),
            Err(error) => self.notify(Notice::bad("step", error.to_string())),
        }
        true
    }

    /// After the picture of the window: that of the film.
    pub(super) fn film_picture(&mut self) {
        let Some(mut filming) = self.filming.take() else { return };
        let (frame, [first, last]) = (self.session.run().frame, filming.range);
        let back = std::mem::replace(&mut filming.before, frame) > frame;
        let looped = self.session.timeline().replay().is_some();
        if self.session.setup().path() != filming.scene
            || (back && !looped)
            || (back && filming.due.is_some())
        {
            // What it was to show is gone.
            return self.end_film(filming);
        }
        if filming.due.is_none() && frame == first {
            filming.due = Some(first);
        }
        if filming.due == Some(frame) {
            let (width, height) = filming.film.size();
            filming.waiting = Some(self.pixels([width, height]));
            filming.due = Some(frame + filming.film.stride);
        }
        if let Some(pixels) = filming.waiting.take() {
            match filming.film.offer(pixels) {
                Ok(full) => filming.waiting = full,
                Err(why) => {
                    self.session.set_paused(filming.was_paused);
                    return self.notify(Notice::bad("film", why));
                }
            }
        }
        if filming.waiting.is_none() && filming.due.is_some() && frame >= last {
            return self.end_film(filming);
        }
        self.filming = Some(filming);
    }

    pub(super) fn end_film(&mut self, filming: Filming) {
        let Filming { mut film, waiting, was_paused, .. } = filming;
        self.session.set_paused(was_paused);
        if let Some(pixels) = waiting
            && let Err(why) = film.add(pixels)
        {
            return self.notify(Notice::bad("film", why));
        }
        let count = film.count();
        if count == 0 {
            return self.notify(Notice::good("film", "ended before its first picture"));
        }
        match film.finish() {
            Ok(file) => {
                #[cfg(target_arch = "wasm32")]
                crate::page::hand_over(&file);
                self.notify(Notice::good("film", format!("{count} pictures in {}", file.display())));
            }
            Err(why) => self.notify(Notice::bad("film", why)),
        }
    }
}
