//! A comparison in words.

use super::{Comparison, Method, Rules, Verdict};
use crate::recording::{Event, Head, Recording};

/// What a side is, by its first recording.
pub(super) fn side(recording: &Recording) -> String {
    let Head { scene, overrides, solver, params, threads, path, build, library_hash, .. } = &recording.head;
    if scene.is_empty() {
        return format!("{} (a CSV, which says nothing of its run)", recording.file.display());
    }
    let params: Vec<String> = params.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let code = if library_hash.is_empty() { String::new() } else { format!(", library {library_hash}") };
    let overrides: String = overrides.iter().map(|set| format!(" {set}")).collect::<Vec<_>>().concat();
    let build = format!("{} {}", build.profile, build.git);
    format!(
        "{scene}{overrides}, {solver} ({}), {threads} thread(s), {path}, {}{code}",
        params.join(", "),
        build.trim()
    )
}

/// What differs between the sides that should not. Different scenes are an error, unless they are asked for.
pub(super) fn differences(a: &[Recording], b: &[Recording], rules: &Rules) -> Result<Vec<String>, String> {
    let mut notes = Vec::new();
    let all = || a.iter().chain(b);
    let known = || all().filter(|recording| !recording.head.scene.is_empty());
    if let Some(first) = known().next()
        && let Some(other) = known().find(|other| other.head.scene_hash != first.head.scene_hash)
    {
        let what = different(first, other, &first_difference(&first.head.scene_text, &other.head.scene_text));
        if !rules.force {
            return Err(format!("{what}; --force compares them all the same"));
        }
        notes.push(what);
    } else if let Some((first, other, files)) = reads(&known().collect::<Vec<_>>()) {
        let what = different(first, other, &format!(", of which the text is one: {files}"));
        if !rules.force {
            return Err(format!("{what}; --force compares them all the same"));
        }
        notes.push(what);
    }
    let mut differs = |what: &str, of: fn(&Head) -> String| {
        let mut values: Vec<String> = known().map(|recording| of(&recording.head)).collect();
        values.sort();
        values.dedup();
        if values.len() > 1 {
            notes.push(format!("{what} differs: {}", values.join(" · ")));
        }
    };
    differs("processor", |head| head.machine.cpu.clone());
    differs("operating system", |head| head.machine.os.clone());
    differs("governor", |head| head.machine.governor.clone());
    differs("GPU", |head| head.machine.gpu.clone());
    differs("build profile", |head| head.build.profile.clone());
    notes.extend(all().filter_map(saved));
    notes.extend(all().filter_map(|recording| {
        recording.note.as_ref().map(|note| format!("{}: {note}", recording.file.display()))
    }));
    Ok(notes)
}

/// The head of a recording is of its start: what of the scene, its meshes and textures came in later is among its events alone.
fn saved(recording: &Recording) -> Option<String> {
    let of_scene = |event: &&Event| ["scene", "texture"].contains(&event.kind.as_str());
    let events: Vec<&Event> = recording.events.iter().filter(of_scene).collect();
    let first = events.first()?;
    let more = if events.len() > 1 { format!(" and {} more", events.len() - 1) } else { String::new() };
    Some(format!(
        "{}: what is compared of its scene and files is of its start; then, in frame {}: {}: {}{more}",
        recording.file.display(),
        first.frame,
        first.kind,
        first.text
    ))
}

fn different(first: &Recording, other: &Recording, how: &str) -> String {
    let ([a, b], [of_a, of_b]) =
        ([first, other].map(|of| of.file.display()), [first, other].map(|of| &of.head.scene));
    format!("{a} and {b} are of different scenes ({of_a}, {of_b}){how}")
}

/// The first two of one text that read other files, and what of them differs. A file that only one reads counts where the
/// command line set nothing.
fn reads<'a>(all: &[&'a Recording]) -> Option<(&'a Recording, &'a Recording, String)> {
    let mut known = all.iter().filter_map(|recording| Some((*recording, recording.head.reads.as_ref()?)));
    let (first, mine) = known.next()?;
    known.find_map(|(other, theirs)| {
        let same_set = first.head.overrides == other.head.overrides;
        let names: std::collections::BTreeSet<&String> = mine.keys().chain(theirs.keys()).collect();
        let says = |name: &&String| match (mine.get(*name), theirs.get(*name)) {
            (Some(a), Some(b)) => (a != b).then(|| format!("{name} was another file")),
            _ => same_set.then(|| format!("only one reads {name}")),
        };
        let files: Vec<String> = names.iter().filter_map(says).collect();
        (!files.is_empty()).then(|| (first, other, files.join(", ")))
    })
}

/// Where two texts differ first; nothing where one is not known.
fn first_difference(a: &str, b: &str) -> String {
    if a.is_empty() || b.is_empty() {
        return String::new();
    }
    let (mut a, mut b) = (a.lines(), b.lines());
    for number in 1.. {
        let shown = |line: Option<&str>| line.map_or("nothing".into(), |line| format!("`{}`", line.trim()));
        match (a.next(), b.next()) {
            (None, None) => break,
            (x, y) if x == y => {}
            (x, y) => return format!(", from line {number} on: {} and {}", shown(x), shown(y)),
        }
    }
    ", in the ends of their lines".into()
}

/// The table and the verdict.
pub fn text(comparison: &Comparison) -> String {
    let Comparison { a, b, a_runs, b_runs, lines, margin, by, .. } = comparison;
    let (plural_a, plural_b) = (if *a_runs == 1 { "" } else { "s" }, if *b_runs == 1 { "" } else { "s" });
    let mut text = format!("A  {a_runs} run{plural_a}: {a}\nB  {b_runs} run{plural_b}: {b}\n");
    let method = match comparison.method {
        Method::Pairs => "t of the log ratios of pairs run in turns",
        Method::Sets => "Welch's t of the logs: not run in turns, so what the machine did meanwhile is in it",
        Method::OneOfEach => {
            "moving blocks of the frames of one run each: a difference with an interval, not proof"
        }
    };
    text += &format!("95 % intervals: {method}; medians, without warm-up\n");
    let width = lines.iter().map(|line| line.stage.len()).max().unwrap_or(0).max(12);
    text += &format!("{:width$} {:>9} {:>9} {:>7}  {:17}\n", "stage", "A ms", "B ms", "B/A", "interval");
    for line in lines {
        let interval = format!("{:.3} to {:.3}", line.ratio.low, line.ratio.high);
        text += &format!(
            "{:width$} {:9.4} {:9.4} {:7.3}  {interval:17} {}\n",
            line.stage,
            line.a_ms,
            line.b_ms,
            line.ratio.ratio,
            line.verdict.name()
        );
    }
    if let Some(noise) = comparison.noise {
        text += &format!(
            "noise        two equal runs differ by {:.1} % in {by} (A's own, odd against even)\n",
            1e2 * noise
        );
    }
    comparison.notes.iter().for_each(|note| text += &format!("note         {note}\n"));
    let margin = 1e2 * margin;
    text += &match comparison.verdict {
        _ if comparison.method == Method::OneOfEach => {
            "repeat needed: one run each gives a difference with an interval, not proof; `weft ab` repeats in turns".into()
        }
        Verdict::Faster => format!("B is faster by {by}"),
        Verdict::Slower => format!("B is slower by {by}"),
        Verdict::NoDifference => format!("no difference by {by}: all of the interval is within {margin} %"),
        Verdict::Repeat => format!("repeat needed: the interval of {by} allows both; more runs make it narrower"),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_in_after_the_start_is_told() {
        let event =
            |kind: &str, frame, text: &str| Event { kind: kind.into(), text: text.into(), frame, at_ms: 0.0 };
        let mut recording = Recording { file: "a.weft".into(), ..Recording::default() };
        recording.events =
            vec![event("reload", 3, "generation 2 runs"), event("shader", 4, "cloth.wgsl draws")];
        assert_eq!(saved(&recording), None);
        recording.events.push(event("scene", 12, "1 change(s): cloths.b.shape"));
        recording.events.push(event("scene", 14, "1 change(s): wind.gust"));
        let told = "a.weft: what is compared of its scene and files is of its start; then, in frame 12: scene: 1 change(s): \
                    cloths.b.shape and 1 more";
        assert_eq!(saved(&recording).as_deref(), Some(told));
        let notes =
            differences(&[recording], &[Recording::default()], &Rules::default()).expect("no scene is known");
        assert!(notes.iter().any(|note| note == told), "{notes:?}");
    }
}
