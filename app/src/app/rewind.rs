//! Time line, loop and comparison from the keys and the panel.

use super::App;
use weft_session::lab::Notice;

use crate::ui::Action;

impl App {
    pub(super) fn rewind(&mut self, action: &Action) {
        let result = match action {
            Action::StepBack => self.lab.step_back().map(|()| None),
            Action::GoTo(frame) => self.lab.go_to(*frame).map(|()| None),
            Action::Loop => self.toggle_loop().map(Some),
            Action::Compare => self.toggle_compare().map(Some),
            Action::WhereItBegan => self.lab.show_where_it_began().map(|()| {
                let began = self.lab.began.as_ref();
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
        if self.lab.replay.is_some() {
            self.lab.end_loop();
            return Ok("the loop ends; the cloth goes on from here".into());
        }
        self.lab.start_loop(self.panel.time_line.loop_frames)?;
        let frames = self.lab.replay.as_ref().map(|replay| (replay.start, replay.end));
        let (start, end) = frames.unwrap_or_default();
        Ok(format!("frames {start} to {end} repeat; save code and see what it makes of them"))
    }

    fn toggle_compare(&mut self) -> Result<String, String> {
        if self.lab.twin.is_some() {
            self.lab.end_compare();
            return Ok("the code that runs, alone".into());
        }
        self.lab.start_compare()?;
        let numbers = self
            .lab
            .twin
            .as_ref()
            .map(|twin| twin.run.generation.number)
            .zip(Some(self.lab.run.generation.number));
        let (before, after) = numbers.unwrap_or_default();
        Ok(format!("generation {before} on the left, generation {after} on the right"))
    }
}
