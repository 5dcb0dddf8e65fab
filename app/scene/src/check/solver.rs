//! The solver, the runs beside it and their parameters against what the solvers declare.

use super::super::{Diagnostic, MOST_BESIDE, ParamInfo, Scene, SolverInfo, Value};
use super::Checker;
use weft_core::suggest::nearest;

pub(super) fn check(checker: &mut Checker<'_>, scene: &Scene, solvers: &[SolverInfo]) {
    let own = ("solver.params".to_owned(), &scene.solver.name, &scene.solver.params);
    let others = scene.solver.others.iter();
    let others = others.map(|(name, params)| (format!("solver.others.{name}"), name, params));
    let runs = scene.runs.iter().enumerate();
    let runs = runs.map(|(index, run)| (format!("runs[{index}].params"), &run.name, &run.params));
    let all: Vec<_> = std::iter::once(own).chain(others).chain(runs).collect();
    if let Some(more) = scene.runs.len().checked_sub(MOST_BESIDE + 1) {
        let message =
            format!("{} runs beside the scene's own: at most {MOST_BESIDE}", MOST_BESIDE + 1 + more);
        checker.error(&format!("runs[{MOST_BESIDE}]"), message, "`weft run --runs` takes any number");
    }
    duplicates(checker, "solver.others");
    for (path, _, params) in &all {
        duplicates(checker, path);
        for (name, value) in *params {
            if let Value::Number(number) = value
                && !number.is_finite()
            {
                let message = format!("`{name}` is {number}; it must be a finite number");
                checker.error(&format!("{path}.{name}"), message, "");
            }
        }
    }
    if scene.solver.others.contains_key(&scene.solver.name) {
        let message = format!("{:?} is the scene's own solver", scene.solver.name);
        checker.error(&format!("solver.others.{}", scene.solver.name), message, "write them into `params`");
    }
    if solvers.is_empty() {
        return;
    }
    for (path, name, params) in all {
        let Some(solver) = solvers.iter().find(|solver| solver.name == *name) else {
            let names: Vec<&str> = solvers.iter().map(|solver| solver.name.as_str()).collect();
            let help =
                unknown(name, &names) + "; one saved since this program was built: cargo build --release";
            let at = match path.strip_suffix(".params") {
                Some(choice) => format!("{choice}.name"),
                None => path,
            };
            checker.error(&at, format!("there is no solver {name:?}"), &help);
            continue;
        };
        for (name, value) in params {
            if let Some(pending) = param(checker, solver, &format!("{path}.{name}"), name, value) {
                checker.findings.pending.push(pending);
            }
        }
    }
}

/// A map silently keeps the last of two equal keys; a person meant one of them.
fn duplicates(checker: &mut Checker<'_>, path: &str) {
    let text = checker.text;
    let what = if path == "solver.others" { "solver" } else { "parameter" };
    let params = text.node(path).and_then(|node| node.group.as_ref());
    let keys: Vec<_> =
        params.iter().flat_map(|group| &group.entries).filter_map(|entry| entry.key.clone()).collect();
    for (index, key) in keys.iter().enumerate() {
        let name = text.slice(key);
        if keys[..index].iter().any(|other| text.slice(other) == name) {
            let path = format!("{path}.{name}");
            let message = format!("the {what} {name:?} is given twice");
            checker.findings.errors.push(Diagnostic::new(text.text, path, key.clone(), message));
        }
    }
}

fn param(
    checker: &Checker<'_>,
    solver: &SolverInfo,
    path: &str,
    name: &str,
    value: &Value,
) -> Option<Diagnostic> {
    let Some(info) = solver.params.iter().find(|info| info.name == name) else {
        let names: Vec<&str> = solver.params.iter().map(|info| info.name.as_str()).collect();
        let key = checker.text.find_key(path).unwrap_or_else(|| checker.text.find(path).span);
        let message = format!("the solver {:?} has no parameter {name:?}", solver.name);
        return Some(Diagnostic::new(checker.text.text, path, key, message).help(unknown(name, &names)));
    };
    let (message, help) = fault(info, value)?;
    Some(checker.at(path, format!("`{name}` {message}")).help(help))
}

/// What is wrong with a value, and what would be right.
pub fn fault(info: &ParamInfo, value: &Value) -> Option<(String, String)> {
    let choices: Vec<&str> = info.choices.iter().map(String::as_str).collect();
    let number = match value {
        Value::Text(text) if choices.contains(&text.as_str()) => return None,
        Value::Text(text) if !choices.is_empty() => {
            return Some((format!("cannot be {text:?}"), unknown(text, &choices)));
        }
        Value::Number(number) if choices.is_empty() => *number,
        Value::Flag(flag) if choices.is_empty() && info.integer && info.min == 0.0 && info.max == 1.0 => {
            f64::from(u8::from(*flag))
        }
        _ if choices.is_empty() => {
            return Some((format!("is {value}, not a number"), info.doc.clone()));
        }
        _ => {
            return Some((format!("is {value}, not one of its names"), unknown("", &choices)));
        }
    };
    let unit =
        if info.unit.is_empty() || info.unit == "1" { String::new() } else { format!(" {}", info.unit) };
    if !(info.min..=info.max).contains(&number) {
        let message = format!("is {number}{unit}; it must be between {} and {}{unit}", info.min, info.max);
        return Some((message, info.doc.clone()));
    }
    if info.integer && number.fract() != 0.0 {
        return Some((format!("is {number}; it must be a whole number"), info.doc.clone()));
    }
    None
}

fn unknown(name: &str, names: &[&str]) -> String {
    let list =
        format!("there are {}", names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "));
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None if names.is_empty() => "it has none".to_owned(),
        None => list,
    }
}
