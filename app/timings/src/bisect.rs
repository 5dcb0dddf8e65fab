//! `weft bisect`: the first commit with which a recording does not replay to the same bits. Each commit that is asked is built
//! as `weft ab` builds it, and replays in a process of its own.

use std::{
    fmt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use weft_core::{child::ends_with_us, project::Project, say};

use crate::revision;

pub struct BisectOptions {
    pub file: PathBuf,
    /// `GOOD..BAD`
    pub range: String,
}

/// What a commit makes of the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// With the words of the replay.
    Diverged(String),
    /// It does not build, or cannot read the recording: why.
    Skipped(String),
}

/// Where a search ended: places in the list that was searched.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// The last one that is the same; `None`: the one before the list.
    pub same: Option<usize>,
    /// The first one that is not. What stands between the two could not be asked.
    pub diverged: usize,
}

/// The commit, or those among which it is.
#[derive(Debug)]
pub struct Answer {
    /// As `git` describes each in a line; the last one is known to diverge.
    pub commits: Vec<String>,
    /// What the replay said.
    pub said: String,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before @ .., last] = self.commits.as_slice() else { return Ok(()) };
        if before.is_empty() {
            write!(f, "the first commit that diverges: {last}")?;
        } else {
            writeln!(
                f,
                "the first commit that diverges is one of these; all but the last could not be asked:"
            )?;
            before.iter().try_for_each(|commit| writeln!(f, "  {commit}"))?;
            write!(f, "  {last}")?;
        }
        self.said.lines().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

/// Searches `count` of them in a row, of which the last one is known to diverge, and what comes before the first to be the
/// same. Where one cannot be asked, the nearest others are.
pub fn search(count: usize, mut ask: impl FnMut(usize) -> Verdict) -> (Found, Option<String>) {
    // `low` is the number of those at the front that are the same.
    let (mut low, mut high, mut said) = (0, count - 1, None);
    let mut skipped = vec![false; count];
    loop {
        let middle = low + (high - low) / 2;
        let near = (low..high).filter(|place| !skipped[*place]);
        let Some(next) = near.min_by_key(|place| place.abs_diff(middle)) else { break };
        match ask(next) {
            Verdict::Same => low = next + 1,
            Verdict::Diverged(words) => (high, said) = (next, Some(words)),
            Verdict::Skipped(_) => skipped[next] = true,
        }
    }
    (Found { same: low.checked_sub(1), diverged: high }, said)
}

/// Finds the first commit of the range that diverges.
pub fn run(options: &BisectOptions) -> Result<Answer, String> {
    let BisectOptions { file, range } = options;
    let (good, bad) = range
        .split_once("..")
        .map(|(good, bad)| (good, bad.trim_start_matches('.')))
        .filter(|(good, bad)| !good.is_empty() && !bad.is_empty())
        .ok_or_else(|| format!("{range}: write it as GOOD..BAD, such as v1..HEAD or 1a2b3c..main"))?;
    let path = std::fs::canonicalize(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let recording = crate::read(&path)?;
    if recording.tape.is_empty() {
        return Err(format!("{}: {}", file.display(), crate::without_session(recording.note.as_deref())));
    }
    let tree = Project::find().ok_or("there is no source tree here: run it in the folder of one")?.root;
    revision::git(&tree, &["rev-parse", "--git-dir"])
        .map_err(|why| format!("{} is no checkout of git: {why}", tree.display()))?;
    let (good, bad) = (revision::commit(&tree, good)?, revision::commit(&tree, bad)?);
    if revision::git(&tree, &["merge-base", "--is-ancestor", &good, &bad]).is_err() || good == bad {
        return Err(format!(
            "{range}: the second commit has to be a later one that has the first in its past"
        ));
    }
    let list = revision::git(&tree, &["rev-list", "--reverse", "--first-parent", &format!("{good}..{bad}")])?;
    let commits: Vec<&str> = list.lines().collect();
    let mut steps = 0;
    let mut ask = |commit: &str| {
        steps += 1;
        let line = revision::line(&tree, commit);
        say::warn(format_args!("{steps}: {line}"));
        let verdict = replayed(&tree, commit, &path);
        match &verdict {
            Verdict::Same => say::warn("   the same bits"),
            Verdict::Diverged(said) => {
                say::warn(format_args!("   {}", said.lines().next().unwrap_or_default()))
            }
            Verdict::Skipped(why) => say::warn(format_args!("   left out: {}", why.trim_end())),
        }
        verdict
    };
    match ask(&good) {
        Verdict::Same => {}
        Verdict::Diverged(said) => {
            return Err(format!(
                "{range}: the recording diverges with the first one already, so take an earlier one: {said}"
            ));
        }
        Verdict::Skipped(why) => return Err(format!("{range}: the first one cannot be asked: {why}")),
    }
    let last = match ask(&bad) {
        Verdict::Diverged(said) => said,
        Verdict::Same => {
            return Err(format!(
                "{range}: the recording replays to the same bits with the second one: nothing to look for"
            ));
        }
        Verdict::Skipped(why) => return Err(format!("{range}: the second one cannot be asked: {why}")),
    };
    let (found, said) = search(commits.len(), |place| ask(commits[place]));
    let first = found.same.map_or(0, |same| same + 1);
    let commits = commits[first..=found.diverged].iter().map(|commit| revision::line(&tree, commit));
    Ok(Answer { commits: commits.collect(), said: said.unwrap_or(last) })
}

/// Builds a commit and lets it replay the recording.
fn replayed(tree: &Path, commit: &str, recording: &Path) -> Verdict {
    let (program, folder) = match revision::build(tree, commit) {
        Ok(built) => built,
        Err(why) => return Verdict::Skipped(why),
    };
    let mut replay = Command::new(&program);
    replay.args([Path::new("replay"), recording]).current_dir(folder).stdin(Stdio::null());
    let output = match ends_with_us(&mut replay).output() {
        Ok(output) => output,
        Err(error) => return Verdict::Skipped(format!("cannot start {}: {error}", program.display())),
    };
    let [said, why] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).trim().to_string());
    match output.status.code() {
        Some(0) => Verdict::Same,
        Some(1) if said.contains("DIVERGED") => Verdict::Diverged(said),
        _ => Verdict::Skipped(format!("it cannot replay the recording ({}): {why}", output.status)),
    }
}
