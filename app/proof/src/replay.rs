//! `weft replay`: a recording run again, and what came of it in words.

pub mod generations;

use std::path::PathBuf;

use weft_core::say;
use weft_session::{
    Session,
    player::{CodeChoice, Played, Player},
};
use weft_timings::Build;

pub struct ReplayOptions {
    pub file: PathBuf,
    /// Threads of the solver; 0: one for each core. The result does not depend on it.
    pub threads: usize,
    /// Stop when this frame is there.
    pub until: Option<u64>,
    pub code: CodeChoice,
}

/// Plays the recording to its end, to `until`, or to where no more is to be learnt of a difference. Also returns the session as
/// it is there.
pub fn run(options: &ReplayOptions) -> Result<(Played, Session), String> {
    let (mut player, mut session) = Player::open(&options.file, options.threads, options.code)?;
    let on = |why: String| format!("{}: {why}", options.file.display());
    let reached = |session: &Session| options.until.is_some_and(|until| session.run().frame >= until);
    while !reached(&session) && player.advance(&mut session).map_err(on)? {
        if player.played().diverged.as_ref().is_some_and(|diverged| diverged.done) && options.until.is_none()
        {
            break;
        }
    }
    if reached(&session) {
        // What the recording has of that frame.
        player.apply(&mut session).map_err(on)?;
    }
    session.try_read().map_err(|why| on(why.to_string()))?;
    session.measure();
    let (then, now) = (player.recorder.build.git.clone(), Build::own().git);
    let mut played = player.played().clone();
    if then != now {
        let named = |git: String| if git.is_empty() { "an unknown commit".to_string() } else { git };
        played.notes.push(format!("recorded by {}, replayed by {}", named(then), named(now)));
    }
    if let Some(until) = options.until.filter(|_| !reached(&session)) {
        played
            .notes
            .push(format!("frame {until} did not come: the recording ends in frame {}", session.run().frame));
    }
    Ok((played, session))
}

/// Prints what came of it; whether something was compared, and all is the same.
pub fn print(played: &Played) -> bool {
    for note in &played.notes {
        say::warn(format_args!("note: {note}"));
    }
    let count = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let (hashes, states) = (played.hashes as u64, played.states as u64);
    let generations = match played.generations {
        0 => String::new(),
        swaps => format!(", {} of code from the recording", count(swaps as u64, "swap")),
    };
    match &played.diverged {
        None if !played.found.is_empty() => say::say(format_args!(
            "replayed {} with one generation, {} done again; state hash {} in frame {}",
            count(played.steps, "frame"),
            count(played.inputs as u64, "input"),
            played.found[played.found.len() - 1].1,
            played.found[played.found.len() - 1].0
        )),
        None if hashes + states == 0 => say::say(format_args!(
            "replayed {}; nothing was compared: the recording has no hash of these frames",
            count(played.steps, "frame")
        )),
        None => say::say(format_args!(
            "replayed {}, {} equal hashes, {} equal in every column, {} done again{generations}",
            count(played.steps, "frame"),
            hashes,
            count(states, "state"),
            count(played.inputs as u64, "input")
        )),
        Some(diverged) => say::say(diverged),
    }
    played.diverged.is_none() && (hashes + states > 0 || !played.found.is_empty())
}
