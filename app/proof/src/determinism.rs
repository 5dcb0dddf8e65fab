//! Whether a solver gives the same bits again: on other numbers of threads, and after going back in time.
//!
//! What differs is named to the row: a race, a value that is kept outside of the columns, or memory that is read before it
//! was written.

use weft_core::{
    command::CommandError,
    say,
    state::{self, StateHash},
};
use weft_session::{Options, Session};

/// Memory for the frames that are gone back over [MB].
const HISTORY_MB: usize = 512;

pub struct DeterminismOptions {
    /// Scene, solver and values; its threads do not matter.
    pub session: Options,
    pub frames: u64,
    /// Each is compared with one thread; 1 is the same run again.
    pub threads: Vec<usize>,
}

/// One comparison and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub what: String,
    pub difference: Option<Difference>,
}

/// The first value that two runs differ in.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub frame: u64,
    /// `table.column`
    pub column: String,
    pub row: usize,
    /// As the first run has it, and the other.
    pub values: [String; 2],
}

/// All comparisons of a scene.
pub fn run(options: &DeterminismOptions) -> Result<Vec<Outcome>, CommandError> {
    if options.frames == 0 {
        return Err(CommandError::usage("--frames 0: nothing would be compared; give 1 or more"));
    }
    let open = |threads: usize| Session::open(Options { threads, ..options.session.clone() });
    let mut outcomes = Vec::new();
    for &threads in &options.threads {
        let mut other = open(threads)?;
        let what = match other.engine().threads().count() {
            1 => "1 thread, once more".to_string(),
            count => format!("{count} threads"),
        };
        let difference = together(&mut open(1)?, &mut other, options.frames)?;
        outcomes.push(Outcome { what, difference });
    }
    let (mut first, mut other) = (open(1)?, open(1)?);
    let (from, difference) = rewound(&mut first, &mut other, options.frames)?;
    let what = format!("back to frame {from} and on again");
    outcomes.push(Outcome { what, difference });
    Ok(outcomes)
}

/// Steps two sessions side by side; the first difference of their states.
pub fn together(first: &mut Session, other: &mut Session, frames: u64) -> Result<Option<Difference>, String> {
    for _ in 0..frames {
        step(first)?;
        step(other)?;
        if let Some(found) = differ(first, other) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// `other` runs to the end, goes back by half of the frames, or as far as memory allows, and on again beside `first`, which never
/// left. Also returns the frame that it went back to.
fn rewound(
    first: &mut Session,
    other: &mut Session,
    frames: u64,
) -> Result<(u64, Option<Difference>), String> {
    other.set_history_budget(HISTORY_MB);
    for _ in 0..frames {
        step(other)?;
    }
    let kept = other.history().frames(frames).map(|kept| (frames / 2).max(*kept.start()));
    let from = kept.ok_or_else(|| format!("{HISTORY_MB} MB hold no frame of it to go back to"))?;
    other.go_to(from)?;
    other.set_paused(false);
    for _ in 0..from {
        step(first)?;
    }
    Ok((from, together(first, other, frames - from)?))
}

fn step(session: &mut Session) -> Result<(), String> {
    let frame = session.run().frame;
    session.step().map(drop).map_err(|why| format!("frame {frame}: {why}"))
}

/// Where two sessions differ now.
fn differ(first: &Session, other: &Session) -> Option<Difference> {
    let (a, b) = (&first.run().state, &other.run().state);
    if StateHash::of(a) == StateHash::of(b) {
        return None;
    }
    let frame = first.run().frame;
    let found = state::Difference::between(a, b);
    Some(found.map_or_else(
        || Difference { frame, column: "the order of rows".into(), row: 0, values: Default::default() },
        |state::Difference { column, row, values, .. }| Difference { frame, column, row, values },
    ))
}

/// Prints what came of it; whether all is the same.
pub fn print(options: &DeterminismOptions, outcomes: &[Outcome]) -> bool {
    let solver = options.session.solver.as_deref().unwrap_or("the scene's solver");
    say::say(format_args!("{}, {solver}, {} frame(s)", options.session.scene.display(), options.frames));
    for Outcome { what, difference } in outcomes {
        match difference {
            None => say::say(format_args!("  {what:32} same bits")),
            Some(Difference { frame, column, row, values: [first, other] }) => {
                say::say(format_args!("  {what:32} DIVERGED in frame {frame}: {column}, row {row}"));
                say::say(format_args!("  {:32} {first}", ""));
                say::say(format_args!("  {:32} {other}", ""));
            }
        }
    }
    outcomes.iter().all(|outcome| outcome.difference.is_none())
}
