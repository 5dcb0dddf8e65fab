//! `weft fmt`: scenes, and any other RON text, in the layout that those of Weft have.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use weft_core::{files, say};
use weft_scene::{Diagnostic, tree};

/// Exit codes of `--check`: one is in another layout; one cannot be read.
const OTHER: u8 = 1;
const WRONG: u8 = 2;

/// Writes them in their layout; with `check` it says alone which are not in it.
pub(crate) fn run(paths: &[PathBuf], check: bool) -> ExitCode {
    let (mut others, mut wrong) = (false, false);
    for path in paths {
        match one(path, check) {
            Ok(false) => {}
            Ok(true) => {
                others = true;
                let what = if check { "is in another layout" } else { "was laid out" };
                say::say(format_args!("{}: {what}", path.display()));
            }
            Err(why) => {
                wrong = true;
                say::warn(why.trim_end());
            }
        }
    }
    match (wrong, others && check) {
        (true, _) => WRONG.into(),
        (false, true) => OTHER.into(),
        (false, false) => ExitCode::SUCCESS,
    }
}

/// Whether it is in another layout than the program's; then it is written, but for `check`.
fn one(path: &Path, check: bool) -> Result<bool, String> {
    let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = weft_core::text::read(path).map_err(|why| failed(&why))?;
    let laid = tree::layout(&text).map_err(|wrong| {
        let mut found = Diagnostic::new(&text, "", wrong.span, wrong.message);
        found.help = wrong.help;
        found.report(&path.display().to_string(), &text)
    })?;
    if laid == text || check {
        return Ok(laid != text);
    }
    files::write(path, laid).map(|()| true).map_err(|why| failed(&why))
}
