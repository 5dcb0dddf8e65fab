//! Time line, loop and comparison from the keys and the panel.

use super::App;
use weft_session::Notice;

use crate::ui::Action;

impl App {
    pub(super) fn rewind(&mut self, action: &Action) {
        // A recording is gone through from its own states.
        let played = match action {
            Action::StepBack => self.play_from(|place| place.step.saturating_sub(1)),
            Action::GoTo(frame) => self.play_from(|_| *frame),
            _ => false,
        };
        if played {
            return;
        }
        let result = match action {
            Action::StepBack => self.session.step_back().map(|()| None),
            Action::GoTo(frame) => self.session.go_to(*frame).map(|()| None),
            Action::Loop => self.toggle_loop().map(Some),
            Action::Compare => self.toggle_compare().map(Some),
            Action::Beside => crate::ui::try_another(&mut self.session).map(Some),
            Action::WhereItBegan => self.session.show_where_it_began().map(|()| {
                let began = self.session.timeline().blow_up();
                began.map(|began| began.text.lines().next().unwrap_or_default().to_string())
            }),
            _ => return,
        };
        match result {
            Ok(None) => {}
            Ok(Some(text)) => self.notify(Notice::good("history", text)),
            Err(why) => self.notify(Notice::bad("history", why)),
        }
    }

    fn toggle_loop(&mut self) -> Result<String, String> {
        if self.session.timeline().replay().is_some() {
            self.session.end_loop();
            return Ok("the loop ends; the cloth goes on from here".into());
        }
        self.session.start_loop(self.panel.time_line.loop_frames)?;
        let frames = self.session.timeline().replay().map(|replay| (replay.start, replay.end));
        let (start, end) = frames.unwrap_or_default();
        Ok(format!("frames {start} to {end} repeat; save code and see what it makes of them"))
    }

    fn toggle_compare(&mut self) -> Result<String, String> {
        if self.session.timeline().twin().is_some() {
            self.session.end_compare();
            return Ok("the code that runs, alone".into());
        }
        self.session.start_compare()?;
        let before = self.session.timeline().twin().map_or(0, |twin| twin.run.generation.number);
        let after = self.session.run().generation.number;
        Ok(format!("generation {before} on the left, generation {after} on the right"))
    }
}
