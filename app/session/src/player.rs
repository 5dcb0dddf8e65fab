//! A recording played again: its inputs are done in the steps in which they came in, and what comes of them is compared to the
//! bit. Code that was swapped in while it was recorded comes in again from the recording; what ran before that is the code of
//! this program.

mod code;
mod marks;

use std::{fmt, path::Path};

use weft_core::state::{Difference, StateHash, image};
use weft_timings::{Head as Recorder, Recording};

pub use code::CodeChoice;
use code::Codes;
use marks::Marks;

use crate::{
    recorder::device,
    session::Session,
    tape::{self, Head, Input, Line, Recorded, Tail, What},
};

/// A recording that plays in a session.
pub struct Player {
    /// What the recording says of where it was made.
    pub recorder: Recorder,
    tail: Tail,
    /// Of the tail's items: the first that is to come.
    next: usize,
    played: Played,
    marks: Marks,
    codes: Codes,
}

/// What came of it so far.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// Steps done.
    pub steps: u64,
    /// Inputs done again.
    pub inputs: usize,
    /// Hashes that were equal, and states of which all columns were.
    pub hashes: usize,
    pub states: usize,
    pub diverged: Option<Diverged>,
    /// What a person has to know of it: other code, inputs that could not be done.
    pub notes: Vec<String>,
    /// Generations of the recording that came in.
    pub generations: usize,
    /// Where one generation plays all of it there is nothing to compare: its own hashes, by frame.
    pub found: Vec<(u64, StateHash)>,
}

impl Played {
    /// Said once, also if it is played again.
    fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}

/// The bits are others than the recording has.
#[derive(Clone, Debug)]
pub struct Diverged {
    /// The first frame that is known to differ, and the last one before it that is known to be the same.
    pub frame: u64,
    pub same: Option<u64>,
    /// Why there is nothing to compare: a step that failed here and did not then.
    pub failed: Option<String>,
    /// A frame that the recording holds whole, the first from there on, and where it differs.
    pub at: Option<(u64, Difference)>,
    /// No more can be known of it.
    pub done: bool,
}

impl Player {
    /// Opens a recording and the session that it starts from; `threads`: of the solver, 0 for one a core.
    pub fn open(file: &Path, threads: usize, choice: CodeChoice) -> Result<(Self, Session), String> {
        let recording = weft_timings::read(file)?;
        Self::of(recording, threads, choice).map_err(|why| format!("{}: {why}", file.display()))
    }

    fn of(recording: Recording, threads: usize, choice: CodeChoice) -> Result<(Self, Session), String> {
        let Recording { head: recorder, tape, note, .. } = recording;
        if tape.is_empty() {
            return Err(weft_timings::without_session(note.as_deref()));
        }
        let tail = tape::read(tape)?;
        let codes = Codes::new(&tail, choice)?;
        let Some(Recorded::Whole(head)) = tail.items.first() else { return Err(String::new()) };
        let (saved, meshes) = tail.whole(head)?;
        let head = head.clone();
        let mut played = Played { notes: note.into_iter().collect(), ..Played::default() };
        if tail.lost > 0 {
            played.note(format!(
                "a state is missing in it: what comes after it, {} records, is not replayed",
                tail.lost
            ));
        }
        let mut player = Self { recorder, tail, next: 1, played, marks: Marks::default(), codes };
        let code = player.code(head.frame, saved.running.number, saved.running.hash);
        let mut session = Session::from_tape(&saved, &meshes, &head.hand, code, threads)
            .map_err(|why| format!("it does not start here: {why}"))?;
        session.set_paused(false);
        Ok((player, session))
    }

    pub fn played(&self) -> &Played {
        &self.played
    }

    /// Steps that the recording has.
    pub fn steps(&self) -> u64 {
        self.tail.items.last().map_or(0, Recorded::step)
    }

    /// Does and compares what comes before the next step; false: the recording is over. `Err`: it cannot go on here.
    pub fn apply(&mut self, session: &mut Session) -> Result<bool, String> {
        while let Some(item) = self.tail.items.get(self.next) {
            if item.step() > self.played.steps {
                return Ok(true);
            }
            self.next += 1;
            let place = self.next - 1;
            match &self.tail.items[place] {
                Recorded::Whole(_) => self.jump(session, place)?,
                Recorded::Columns(..) => self.compare_columns(session, place)?,
                Recorded::Line(line) => {
                    let line = line.clone();
                    self.line(session, line)?;
                }
            }
        }
        Ok(false)
    }

    /// Plays one step; false: the recording is over.
    pub fn advance(&mut self, session: &mut Session) -> Result<bool, String> {
        Ok(self.apply(session)? && self.step(session))
    }

    /// One step; false: it fails here.
    fn step(&mut self, session: &mut Session) -> bool {
        let frame = session.run().frame;
        match session.step() {
            Ok(_) => {
                self.stepped();
                true
            }
            Err(why) => {
                self.failed(frame + 1, &why.to_string());
                false
            }
        }
    }

    /// A step towards `frame` fails here, and did not then.
    pub fn failed(&mut self, frame: u64, why: &str) {
        self.diverged(frame, Some(why.to_string()));
    }

    /// Somebody else did the step that follows from [`Player::apply`].
    pub fn stepped(&mut self) {
        self.played.steps += 1;
    }

    fn line(&mut self, session: &mut Session, line: Line) -> Result<(), String> {
        match line.what {
            What::Input(input) => {
                match &input {
                    Input::Code { number, hash } => {
                        let code = self.code(line.frame, *number, *hash);
                        self.played.generations += usize::from(code.number > 0);
                        self.played.inputs += 1;
                        return session.take_code(code).map_err(|why| {
                            format!("from frame {} on generation {number} ran, and now it cannot: {why}", line.frame)
                        });
                    }
                    Input::Pass { file } => self.played.note(format!(
                        "from frame {} on another {file} computed, saved while it was recorded: here it is that of this program",
                        line.frame
                    )),
                    _ => {}
                }
                self.played.inputs += 1;
                match session.take_input(&input) {
                    Err(why) if matches!(input, Input::Path { .. }) => {
                        return Err(format!(
                            "from frame {} on it was computed on the GPU path: {why}",
                            line.frame
                        ));
                    }
                    Err(why) => self
                        .played
                        .note(format!("frame {}: an input cannot be done again: {why}", line.frame)),
                    Ok(()) => {}
                }
            }
            What::Hash(hash) => {
                session.try_read().map_err(|why| why.to_string())?;
                let now = StateHash::of(&session.run().state);
                if self.codes.alone() {
                    self.played.found.push((line.frame, now));
                } else if now == StateHash(hash) {
                    self.played.hashes += 1;
                } else {
                    self.diverged(line.frame, None);
                }
            }
            What::Device(then) => {
                // What another solver cannot do there the device left without a step.
                session.sync_gpu();
                let now = device(session);
                if now != then {
                    let named = |device: &str| {
                        if device.is_empty() { "the CPU path".into() } else { device.to_string() }
                    };
                    return Err(format!(
                        "from frame {} on it was computed on {}, and here it would be on {}: the bits of a device hold for that \
                         adapter and driver alone; replay it there, or in a window (`weft FILE`) if it was computed on the context of one",
                        line.frame,
                        named(&then),
                        named(&now)
                    ));
                }
            }
            What::Failed(why) => {
                self.played.note(format!("after frame {} a step failed then: {why}", line.frame));
            }
        }
        Ok(())
    }

    /// The session goes on from another state.
    fn jump(&mut self, session: &mut Session, place: usize) -> Result<(), String> {
        if let Some(diverged) = &mut self.played.diverged {
            // What comes after it follows from the recording's own state.
            diverged.done = true;
        }
        let Recorded::Whole(head) = &self.tail.items[place] else { return Ok(()) };
        let (saved, meshes) = self.tail.whole(head)?;
        let head = head.clone();
        let code = self.code(head.frame, saved.running.number, saved.running.hash);
        Self::put_code(session, code)?;
        let taken = session.take_whole(&saved, &meshes, &head.hand);
        taken.map_err(|why| format!("frame {}, where {}: {why}", head.frame, head.why))
    }

    fn compare_columns(&mut self, session: &mut Session, place: usize) -> Result<(), String> {
        let Recorded::Columns(Head { frame, .. }, bytes) = &self.tail.items[place] else { return Ok(()) };
        if self.codes.alone() {
            return Ok(());
        }
        let frame = *frame;
        session.try_read().map_err(|why| why.to_string())?;
        match image::differs(bytes.body(), &session.run().state)? {
            None => self.played.states += 1,
            Some(found) => {
                self.diverged(frame, None);
                if let Some(diverged) = self.played.diverged.as_mut().filter(|diverged| !diverged.done) {
                    (diverged.at, diverged.done) = (Some((frame, found)), true);
                }
            }
        }
        Ok(())
    }

    /// This frame differs; only the first one counts.
    fn diverged(&mut self, frame: u64, failed: Option<String>) {
        let before = self.tail.items[..self.next.saturating_sub(1)].iter().rev();
        let same = before.into_iter().find_map(|item| match item {
            Recorded::Line(Line { what: What::Hash(_), frame: before, .. }) => Some(*before),
            Recorded::Whole(head) => Some(head.frame),
            _ => None,
        });
        let done = failed.is_some();
        self.played.diverged.get_or_insert(Diverged { frame, same, failed, at: None, done });
    }
}

impl fmt::Display for Diverged {
    /// `DIVERGED at frame 120`, and what is known of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, same, failed, at, .. } = self;
        write!(f, "DIVERGED at frame {frame}")?;
        if let Some(why) = failed {
            return write!(f, ": a step fails that did not fail then: {why}");
        }
        if let Some(same) = same {
            write!(f, "; frame {same} is the last one before it that is known to be the same")?;
        }
        let Some((whole, found)) = at else {
            return f.write_str(
                "\n  the recording holds no state from there on: table, column and row are not known",
            );
        };
        let Difference { column, row, values: [then, now], rows: [differ, all], farthest } = found;
        f.write_str("\n  ")?;
        if whole != frame {
            write!(f, "in frame {whole}, the first one after it that the recording holds: ")?;
        }
        write!(f, "{column}, row {row} ({differ} of {all} rows differ")?;
        farthest.map_or(Ok(()), |by| write!(f, ", by up to {by:.3e}"))?;
        write!(f, ")\n  recorded  {then}\n  now       {now}")
    }
}
