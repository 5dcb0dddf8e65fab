//! The result as `validation.csv` and `validation.md`: the same numbers, for programs and for people.

use std::{fmt::Write as _, io, path::Path};

use weft_core::files;

use super::{CASES, Row, ValidateOptions, fixture};
use crate::expect::{Status, short};

const HEAD: &str = "solver,case,reading,expected,measured,tolerance,status";

fn wrong(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

/// Whether both files can be written, asked before the work; nothing is made there.
///
/// # Errors
/// They cannot.
pub(super) fn may_write(folder: &Path) -> Result<(), String> {
    let near = folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    // Others may ask the same folder now.
    let trial = files::unfinished(&near.join(format!("validation-{}.csv", std::process::id())));
    files::write(&trial, "").and_then(|()| files::remove(&trial)).map_err(|error| wrong(folder, &error))
}

/// Writes both files.
pub(super) fn write(folder: &Path, rows: &[Row], options: &ValidateOptions) -> Result<(), String> {
    files::make_folder(folder).map_err(|error| wrong(folder, &error))?;
    for (name, text) in [("validation.csv", csv(rows)), ("validation.md", markdown(rows, options))] {
        let path = folder.join(name);
        files::write(&path, text).map_err(|error| wrong(&path, &error))?;
    }
    Ok(())
}

fn measured(row: &Row) -> String {
    row.measured.map_or_else(|| "nothing".to_string(), short)
}

/// One row for the terminal.
pub(super) fn line(row: &Row) -> String {
    let tolerance = row.bounds.tolerance();
    let near = if tolerance.is_empty() { String::new() } else { format!(" +- {tolerance}") };
    let note = if row.note.is_empty() { String::new() } else { format!(" ({})", row.note) };
    format!(
        "{} {} {}: expected {}{near}, measured {}: {}{note}",
        row.case,
        row.solver,
        row.reading,
        row.bounds,
        measured(row),
        row.status.name()
    )
}

fn csv(rows: &[Row]) -> String {
    let mut text = format!("{HEAD}\n");
    for row in rows {
        let reading = row.reading.replace('"', "\"\"");
        let (bounds, tolerance, status) = (row.bounds, row.bounds.tolerance(), row.status.name());
        let measured = measured(row);
        let _ = writeln!(
            text,
            "{},{},\"{reading}\",{bounds},{measured},{tolerance},{status}",
            row.solver, row.case
        );
    }
    text
}

/// Why solvers are in no case of cloth that names no other reason.
const FOR_STRANDS: &str =
    "they are made for strands; cloth beside these they solve as `xpbd` does, or leave it out";

fn markdown(rows: &[Row], options: &ValidateOptions) -> String {
    let solvers = solvers_of(&rows.iter().collect::<Vec<_>>());
    let mut text = "# Validation\n\n\
        Written by `weft validate`. A cell of the first table counts the numbers of a case that are right; in the others \
        it is the measured number. `k`: a known failure, with its reason below the table. **FAIL**: wrong.\n\n"
        .to_string();
    if let Some(gpu) = &options.gpu {
        let adapter = gpu.adapter.as_deref().map_or_else(String::new, |name| format!(", adapter `{name}`"));
        let _ = write!(text, "On the GPU path{adapter}: the solvers and cases that it offers.\n\n");
    }
    if options.quick {
        text += "This is the quick set (`--quick`): fewer scenes and resolutions, smaller sizes, shorter runs.\n\n";
    }
    head(&mut text, "case", &solvers);
    for case in CASES.iter().filter(|case| rows.iter().any(|row| row.case == case.name)) {
        let cells: Vec<String> = solvers.iter().map(|solver| count(rows, case.name, solver)).collect();
        let _ = writeln!(text, "| {} {} | {} |", case.name, case.doc, cells.join(" | "));
    }
    for case in CASES.iter().filter(|case| rows.iter().any(|row| row.case == case.name)) {
        let _ = write!(text, "\n## {} {}\n\n", case.name, case.doc);
        let all = &solvers;
        let rows: Vec<&Row> = rows.iter().filter(|row| row.case == case.name).collect();
        let solvers = solvers_of(&rows);
        let left_out: Vec<&str> = all.iter().copied().filter(|solver| !solvers.contains(solver)).collect();
        if !left_out.is_empty() {
            let why = if case.omitted.is_empty() { FOR_STRANDS } else { case.omitted };
            let _ = write!(text, "Left out: {}: {why}.\n\n", left_out.join(", "));
        }
        head(&mut text, "reading | expected | tolerance", &solvers);
        let mut readings: Vec<(&str, String)> = Vec::new();
        for row in &rows {
            let key = (row.reading.as_str(), row.bounds.to_string());
            if !readings.contains(&key) {
                readings.push(key);
            }
        }
        for (reading, expected) in &readings {
            let same = |row: &&&Row| row.reading == *reading && row.bounds.to_string() == *expected;
            let cells = solvers.iter().map(|solver| {
                let row = rows.iter().filter(same).find(|row| row.solver == *solver);
                row.map_or_else(String::new, |row| cell(row))
            });
            let tolerance = rows.iter().find(same).map_or_else(String::new, |row| row.bounds.tolerance());
            let cells: Vec<String> = cells.collect();
            let _ = writeln!(text, "| {reading} | {expected} | {tolerance} | {} |", cells.join(" | "));
        }
        let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
        for row in rows.iter().filter(|row| !row.note.is_empty()) {
            match notes.iter_mut().find(|(note, _)| *note == row.note) {
                Some((_, solvers)) if solvers.contains(&row.solver.as_str()) => {}
                Some((_, solvers)) => solvers.push(&row.solver),
                None => notes.push((&row.note, vec![&row.solver])),
            }
        }
        for (note, solvers) in notes {
            let _ = write!(text, "\n{}: {note}.\n", solvers.join(", "));
        }
    }
    text
}

/// The first line of a table and the one below it.
fn head(text: &mut String, first: &str, solvers: &[&str]) {
    let columns = first.split('|').count() + solvers.len();
    let _ = writeln!(text, "| {first} | {} |\n|{}", solvers.join(" | "), "---|".repeat(columns));
}

/// Those with a row, in the order of all solvers.
fn solvers_of(rows: &[&Row]) -> Vec<&'static str> {
    let has = |solver: &&str| rows.iter().any(|row| row.solver == *solver);
    fixture::all_solvers().into_iter().filter(has).collect()
}

/// How many of a case's numbers are right.
fn count(rows: &[Row], case: &str, solver: &str) -> String {
    let of = |status: Option<Status>| {
        let own = rows.iter().filter(|row| row.case == case && row.solver == solver);
        own.filter(|row| status.is_none_or(|status| row.status == status)).count()
    };
    match (of(None), of(Some(Status::Fail)), of(Some(Status::KnownFailure))) {
        (0, ..) => String::new(),
        (all, 0, 0) => format!("{all} of {all}"),
        (all, 0, known) => format!("{} of {all}, {known} k", all - known),
        (all, failed, known) => format!("{} of {all}, {known} k, **{failed} FAIL**", all - failed - known),
    }
}

fn cell(row: &Row) -> String {
    match row.status {
        Status::Pass => measured(row),
        Status::Fail => format!("**{} FAIL**", measured(row)),
        Status::KnownFailure => format!("{} k", measured(row)),
    }
}
