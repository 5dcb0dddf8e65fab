//! `weft bisect --generations`: of the code that was saved while a session was recorded, the first that changed what comes of it.
//! Each generation that is asked plays the whole recording by itself, with all of its other inputs.

use std::{fmt, path::PathBuf};

use weft_core::{say, state::StateHash};
use weft_session::player::{CodeChoice, Player};
use weft_timings::bisect::{Verdict, search};

pub struct GenerationsOptions {
    pub file: PathBuf,
    /// `FROM..TO`, either of which may be missing: the first, the last one of the recording.
    pub range: String,
    /// A generation is bad when this holds after a step, such as `stretch_max > 0.3`; without it, when its bits are others than
    /// those of the first.
    pub when: Option<String>,
    pub trust: bool,
}

/// The generation, or those among which it is.
#[derive(Debug)]
pub struct Found {
    /// The last of them is known to be bad.
    pub generations: Vec<u32>,
    /// What it did.
    pub said: String,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before @ .., last] = self.generations.as_slice() else { return Ok(()) };
        if before.is_empty() {
            write!(f, "the first generation that differs: {last}")?;
        } else {
            let before: Vec<String> = before.iter().map(u32::to_string).collect();
            let before = before.join(", ");
            write!(
                f,
                "the first generation that differs is {last} or one of {before}, which cannot be asked"
            )?;
        }
        write!(f, "\n  {}", self.said)
    }
}

/// What one generation makes of the recording.
enum Played {
    /// Its hashes by frame, and the values with which the condition held.
    To(Vec<(u64, StateHash)>, Option<String>),
    Failed(String),
}

pub fn run(options: &GenerationsOptions) -> Result<Found, String> {
    let on = |why: String| format!("{}: {why}", options.file.display());
    let choice = |only| CodeChoice { trust: options.trust, only };
    let (player, session) = Player::open(&options.file, 0, choice(None))?;
    if let Some(when) = &options.when {
        let mut session = session;
        session.set_stop(when).map_err(|why| format!("--when {why}"))?;
    }
    let range = range(&options.range, &player.generations()).map_err(on)?;
    let mut asked = 0;
    let mut ask = |number: u32, good: Option<&[(u64, StateHash)]>| {
        asked += 1;
        say::warn(format_args!("{asked}: generation {number}"));
        let verdict = match play(options, choice(Some(number))) {
            Ok(Played::To(hashes, held)) => (judged(&hashes, held, good, options.when.is_some()), hashes),
            Ok(Played::Failed(why)) => (Verdict::Diverged(why), Vec::new()),
            Err(why) => (Verdict::Skipped(why), Vec::new()),
        };
        match &verdict.0 {
            Verdict::Same => say::warn("   good"),
            Verdict::Diverged(said) => say::warn(format_args!("   {said}")),
            Verdict::Skipped(why) => say::warn(format_args!("   left out: {why}")),
        }
        verdict
    };
    let (first, rest) = (range[0], &range[1..]);
    let good = match ask(first, None) {
        (Verdict::Same, hashes) => hashes,
        (Verdict::Diverged(said), _) => {
            return Err(on(format!("generation {first} is bad already, so take an earlier one: {said}")));
        }
        (Verdict::Skipped(why), _) => return Err(on(why)),
    };
    let last = rest[rest.len() - 1];
    let said_last = match ask(last, Some(&good)).0 {
        Verdict::Diverged(said) => said,
        Verdict::Same => {
            return Err(on(format!(
                "generation {last} does the same as generation {first}: nothing to look for"
            )));
        }
        Verdict::Skipped(why) => return Err(on(why)),
    };
    let (found, said) = search(rest.len(), |place| ask(rest[place], Some(&good)).0);
    let from = found.same.map_or(0, |same| same + 1);
    Ok(Found { generations: rest[from..=found.diverged].to_vec(), said: said.unwrap_or(said_last) })
}

/// The generations that are asked, two at least.
fn range(text: &str, held: &[u32]) -> Result<Vec<u32>, String> {
    let (from, to) =
        text.split_once("..").ok_or_else(|| format!("{text}: write it as FROM..TO, such as 2..9"))?;
    let number = |text: &str, other: u32| {
        if text.is_empty() {
            Ok(other)
        } else {
            text.parse().map_err(|_| format!("{text} is no number of a generation"))
        }
    };
    let list: Vec<String> = held.iter().map(u32::to_string).collect();
    let list = format!("it holds {}", if list.is_empty() { "none".to_string() } else { list.join(", ") });
    let (Some(first), Some(last)) = (held.first(), held.last()) else { return Err(list) };
    let (from, to) = (number(from, *first)?, number(to, *last)?);
    if let Some(gone) = [from, to].into_iter().find(|number| !held.contains(number)) {
        return Err(format!("there is no generation {gone} in the recording: {list}"));
    }
    let range: Vec<u32> = held.iter().copied().filter(|number| (from..=to).contains(number)).collect();
    if range.len() < 2 {
        Err(format!("two generations at least are needed to search: {list}"))
    } else {
        Ok(range)
    }
}

fn play(options: &GenerationsOptions, choice: CodeChoice) -> Result<Played, String> {
    let (mut player, mut session) = Player::open(&options.file, 0, choice)?;
    if let Some(when) = &options.when {
        session.set_stop(when)?;
    }
    while player.apply(&mut session)? {
        let frame = session.run().frame;
        match session.step() {
            Ok(notices) => {
                player.stepped();
                if let Some(held) = notices.into_iter().find(|notice| notice.kind == "paused") {
                    return Ok(Played::To(Vec::new(), Some(held.text)));
                }
            }
            Err(why) => return Ok(Played::Failed(format!("the step to frame {} fails: {why}", frame + 1))),
        }
    }
    Ok(Played::To(player.played().found.clone(), None))
}

fn judged(
    hashes: &[(u64, StateHash)],
    held: Option<String>,
    good: Option<&[(u64, StateHash)]>,
    by_condition: bool,
) -> Verdict {
    if let Some(values) = held {
        return Verdict::Diverged(values);
    }
    if by_condition {
        return Verdict::Same;
    }
    let Some(good) = good else { return Verdict::Same };
    let differs = good.iter().zip(hashes).find(|((_, good), (_, now))| good != now);
    match differs {
        Some(((frame, _), _)) => Verdict::Diverged(format!("its bits are others from frame {frame} on")),
        None => Verdict::Same,
    }
}
