//! Expectations against the readings and solvers that there are; their ranges are in the table of fields.

use super::super::{Expect, Vocabulary};
use super::Checker;
use weft_core::suggest::nearest;

pub(super) fn check(checker: &mut Checker<'_>, expects: &[Expect], known_names: &Vocabulary) {
    for (index, expect) in expects.iter().enumerate() {
        let path = format!("expect[{index}]");
        let names = &known_names.readings;
        if !names.is_empty() && !names.contains(&expect.reading.as_str()) {
            let message = format!("there is no reading {:?}", expect.reading);
            checker.error(&format!("{path}.reading"), message, &known(&expect.reading, names));
        }
        bounds(checker, &path, expect);
        let names: Vec<&str> = known_names.solvers.iter().map(|solver| solver.name.as_str()).collect();
        let mut solver = |path: String, name: &str| {
            if !names.is_empty() && !names.contains(&name) {
                checker.error(&path, format!("there is no solver {name:?}"), &known(name, &names));
            }
        };
        for (list, given) in [("solvers", &expect.solvers), ("except", &expect.except)] {
            for (item, name) in given.iter().enumerate() {
                solver(format!("{path}.{list}[{item}]"), name);
            }
        }
        for (item, (name, _)) in expect.fails_for.iter().enumerate() {
            solver(format!("{path}.fails_for[{item}][0]"), name);
        }
        for (item, (name, why)) in expect.fails_for.iter().enumerate() {
            let path = format!("{path}.fails_for[{item}]");
            if why.trim().is_empty() {
                checker.error(&format!("{path}[1]"), "a known failure needs its reason", "one sentence");
            }
            if !expect.is_for(name) {
                let message = format!("{name:?} is left out of this expectation, so it cannot fail it");
                checker.error(&format!("{path}[0]"), message, "see `solvers` and `except`");
            }
        }
    }
}

fn bounds(checker: &mut Checker<'_>, path: &str, expect: &Expect) {
    let band = expect.at_least.is_some() || expect.at_most.is_some();
    let near = expect.tolerance.is_some() || expect.absolute.is_some();
    match (expect.value, near) {
        (Some(_), false) => checker.error(
            &format!("{path}.value"),
            "how near to `value` must it be?",
            "add `tolerance` (a fraction of the value) or `absolute` (in the reading's unit)",
        ),
        (Some(0.0), true) if expect.absolute.is_none() && !band => checker.error(
            &format!("{path}.tolerance"),
            "a fraction of 0 is 0: only exactly 0 would do",
            "give `absolute` (in the reading's unit) for a value of 0",
        ),
        (Some(_), true) if band => {
            let message = "`value` and a band of `at_least`, `at_most` exclude each other";
            checker.error(path, message, "leave one of them out");
        }
        (None, true) => {
            let field = if expect.tolerance.is_some() { "tolerance" } else { "absolute" };
            let message = format!("`{field}` needs a `value` to be near to");
            checker.error(&format!("{path}.{field}"), message, "a band has `at_least` and `at_most` only");
        }
        (None, false) if !band => {
            checker.error(path, "nothing is expected", "add `value`, `at_least` or `at_most`");
        }
        _ => {}
    }
    if expect.median_s > expect.after_s {
        let message = format!("a median of {} s cannot end after {} s", expect.median_s, expect.after_s);
        checker.error(&format!("{path}.median_s"), message, "no more than `after_s`");
    }
    if let (Some(least), Some(most)) = (expect.at_least, expect.at_most)
        && least > most
    {
        let message = format!("`at_least` {least} is above `at_most` {most}: no number fits");
        checker.error(&format!("{path}.at_least"), message, "");
    }
}

fn known(name: &str, names: &[&str]) -> String {
    let list = format!("there are {}", names.join(", "));
    nearest(name, names.iter().copied()).map_or(list, |near| format!("did you mean `{near}`?"))
}
