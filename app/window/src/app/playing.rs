//! A recording that plays in the window: its inputs come in by themselves, and what comes of them is compared, until the user
//! does something that changes what is computed. The session goes on from there as any other.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use weft_core::clock::Instant;
use weft_session::{Notice, Session, player::Player, tape::Tape};

use super::App;
use crate::ui::Place;

/// Time of a frame that goes into the way to another place of the recording.
const SEEK: Duration = Duration::from_millis(40);

pub(super) struct Playing {
    player: Player,
    /// What comes in beside the recording's own inputs.
    tape: Arc<Mutex<Tape>>,
    /// A step that is being gone to.
    wanted: Option<u64>,
    /// What was said already: that it diverged, that it is over, and notes.
    said: (bool, bool, usize),
}

impl Playing {
    pub(super) fn new(player: Player, session: &mut Session) -> Self {
        let playing = Self { player, tape: session.start_tape(), wanted: None, said: (false, false, 0) };
        playing.touched();
        playing
    }

    /// Whether somebody else did something since the last time.
    fn touched(&self) -> bool {
        self.tape.lock().unwrap_or_else(PoisonError::into_inner).touched()
    }

    pub(super) fn place(&self) -> Place {
        let played = self.player.played();
        let diverged = played.diverged.as_ref().map(|diverged| diverged.frame);
        Place { step: played.steps, steps: self.player.steps(), diverged }
    }

    /// What is to be said now.
    fn news(&mut self, over: bool) -> Vec<Notice> {
        let (played, total) = (self.player.played(), self.player.steps());
        let mut news: Vec<Notice> =
            played.notes.iter().skip(self.said.2).map(|note| Notice::good("replay", note.clone())).collect();
        self.said.2 = played.notes.len();
        if let Some(diverged) = played.diverged.as_ref().filter(|diverged| diverged.done || over)
            && !std::mem::replace(&mut self.said.0, true)
        {
            news.push(Notice::bad("replay", diverged.to_string()));
        }
        if over && !std::mem::replace(&mut self.said.1, true) && played.diverged.is_none() {
            let text = format!("the recording is over: {total} frames, {} equal hashes", played.hashes);
            news.push(Notice::good("replay", text));
        }
        news
    }
}

impl App {
    /// Before a step: what the recording has for it. False: there is none to be done.
    pub(super) fn play(&mut self) -> bool {
        let Some(playing) = &mut self.playing else { return true };
        if playing.touched() {
            self.leave_recording("the recording ends here: the session goes on from what you did");
            return true;
        }
        let applied = playing.player.apply(&mut self.session);
        if let Ok(true) = applied {
            playing.player.mark(&mut self.session);
        }
        playing.touched();
        let news = playing.news(matches!(applied, Ok(false)));
        news.into_iter().for_each(|notice| self.notify(notice));
        match applied {
            Ok(true) => return true,
            Ok(false) => {}
            Err(why) => self.leave_recording(&why),
        }
        self.session.set_paused(true);
        false
    }

    /// The step was done.
    pub(super) fn played(&mut self) {
        self.playing.iter_mut().for_each(|playing| playing.player.stepped());
    }

    /// It failed, and did not when it was recorded.
    pub(super) fn play_failed(&mut self, why: &str) {
        let frame = self.session.run().frame + 1;
        let Some(playing) = &mut self.playing else { return };
        playing.player.failed(frame, why);
        playing.touched();
        let news = playing.news(true);
        news.into_iter().for_each(|notice| self.notify(notice));
    }

    /// Goes to a step of the recording in this frame and the next ones; false where none plays.
    pub(super) fn play_from(&mut self, step: impl FnOnce(Place) -> u64) -> bool {
        let Some(playing) = &mut self.playing else { return false };
        playing.wanted = Some(step(playing.place()));
        self.session.set_paused(true);
        true
    }

    /// Once a frame: the way to the step that is wanted.
    pub(super) fn seek(&mut self) {
        let Some(playing) = &mut self.playing else { return };
        let Some(step) = playing.wanted else { return };
        if playing.touched() {
            self.leave_recording("the recording ends here: the session goes on from what you did");
            return;
        }
        let start = Instant::now();
        let there = playing.player.seek(&mut self.session, step, || start.elapsed() < SEEK);
        playing.touched();
        let over = !matches!(there, Ok(false));
        playing.wanted = Some(step).filter(|_| !over);
        let news = playing.news(false);
        news.into_iter().for_each(|notice| self.notify(notice));
        if let Err(why) = there {
            self.leave_recording(&why);
        }
        self.session.set_paused(true);
        self.stir();
    }

    /// The session goes on without it, with a time line of its own.
    pub(super) fn leave_recording(&mut self, why: &str) {
        if self.playing.take().is_some() {
            self.session.set_history_budget(self.history);
            self.notify(Notice::good("replay", why));
        }
    }
}
