//! A flame graph: the median frame, the stages in it, what is inside the step, and under it each thread's share of that.
//!
//! ```text
//! frame     |------------------------------------------|   without the wait for the next one
//! stages    |---- step ------------------|-- draw --|--|
//! thread 1  |-- solve --|-- contact --|                     at work, but for what it waited for the others
//! thread 2  |- solve - .|- contact -- |
//! ```
//! Medians of parts need not add up to that of the whole: where they are more, they are drawn smaller, and named as they are.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::html::escaped;
use crate::{
    recording::{Column, Kind, Recording, thread_of},
    statistics::median,
};

/// Of the whole picture, of the names at its left and of a row [pixels].
const WIDTH: f64 = 960.0;
const NAMES: f64 = 80.0;
const ROW: f64 = 20.0;
/// A letter, about [pixels].
const LETTER: f64 = 7.0;
/// What a frame does nothing in.
const WAIT: &str = "present";

/// A part of the frame: name, begin and length [ms].
struct Bar {
    name: String,
    begin: f64,
    ms: f64,
    /// As it is drawn, not longer than what it lies in.
    drawn: f64,
}

struct Row {
    name: String,
    bars: Vec<Bar>,
}

/// Medians of the columns of a kind that are ever above 0, in their order.
fn medians(recording: &Recording, kind: Kind) -> impl Iterator<Item = (&Column, f64)> {
    let all = recording.columns.iter().enumerate().filter(move |(_, column)| column.kind == kind);
    let numbers = |i: usize| recording.values(i).filter(|value| !value.is_nan());
    all.map(move |(i, column)| (column, median(numbers(i)))).filter(|(_, ms)| *ms > 0.0)
}

/// Puts parts one behind the other from `begin` on, in at most `within` [ms].
fn lay(parts: &[(String, f64)], begin: f64, within: f64) -> Vec<Bar> {
    let sum: f64 = parts.iter().map(|(_, ms)| ms).sum();
    let scale = (within / sum).min(1.0);
    let mut at = begin;
    let bar = |(name, ms): &(String, f64)| {
        let bar = Bar { name: name.clone(), begin: at, ms: *ms, drawn: ms * scale };
        at += bar.drawn;
        bar
    };
    parts.iter().map(bar).collect()
}

/// How long each thread was at work in each stage inside the step, as medians [ms]: by thread from the first on.
fn by_thread(recording: &Recording) -> Vec<Vec<(String, f64)>> {
    let mut threads: Vec<Vec<(String, f64)>> = Vec::new();
    for (column, ms) in medians(recording, Kind::Thread) {
        let Some((stage, thread)) = thread_of(&column.name) else { continue };
        threads.resize_with(threads.len().max(thread), Vec::new);
        threads[thread - 1].push((stage.to_string(), ms));
    }
    threads
}

fn rows(recording: &Recording) -> Vec<Row> {
    let named = |kind| -> Vec<(String, f64)> {
        medians(recording, kind).map(|(column, ms)| (column.name.clone(), ms)).collect()
    };
    let stages: Vec<_> = named(Kind::Stage).into_iter().filter(|(name, _)| name != WAIT).collect();
    let whole: f64 = stages.iter().map(|(_, ms)| ms).sum();
    let stages = lay(&stages, 0.0, whole);
    let Some(step) = stages.iter().find(|stage| stage.name == "step") else { return Vec::new() };
    let inner = lay(&named(Kind::Inner), step.begin, step.drawn);
    let mut threads = by_thread(recording);
    if threads.is_empty() {
        // One alone, or an older recording: all of it is the first thread's.
        threads.push(inner.iter().map(|bar| (bar.name.clone(), bar.ms)).collect());
    }
    let frame = vec![Bar { name: "frame".into(), begin: 0.0, ms: whole, drawn: whole }];
    let mut rows = vec![Row { name: "frame".into(), bars: frame }];
    let row = |(i, parts): (usize, &Vec<(String, f64)>)| Row {
        name: format!("thread {}", i + 1),
        bars: parts
            .iter()
            .filter_map(|(name, ms)| {
                let within = inner.iter().find(|bar| bar.name == *name)?;
                let drawn = (ms * within.drawn / within.ms).min(within.drawn);
                Some(Bar { name: name.clone(), begin: within.begin, ms: *ms, drawn })
            })
            .collect(),
    };
    let threads: Vec<Row> = threads.iter().enumerate().map(row).collect();
    rows.push(Row { name: "stages".into(), bars: stages });
    rows.extend(threads.into_iter().filter(|row| !row.bars.is_empty()));
    rows
}

/// The picture; empty where no step was recorded.
pub(super) fn svg(recording: &Recording) -> String {
    let rows = rows(recording);
    let Some(whole) = rows.first().map(|row| row.bars[0].ms) else { return String::new() };
    let height = ROW * rows.len() as f64 + 4.0;
    let mut text = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    for (i, row) in rows.iter().enumerate() {
        let y = ROW * i as f64 + 2.0;
        let _ = writeln!(text, "<text x=\"0\" y=\"{}\" fill=\"#000000\">{}</text>", y + 14.0, row.name);
        for bar in &row.bars {
            let place = |ms: f64| NAMES + ms / whole * (WIDTH - NAMES);
            let (x, width) = (place(bar.begin), (place(bar.drawn) - NAMES).max(0.5));
            let name = escaped(&bar.name);
            let _ = writeln!(
                text,
                "<g><title>{name}: {:.3} ms, {:.1} % of the frame</title><rect x=\"{x:.2}\" y=\"{y}\" width=\"{width:.2}\" \
                 height=\"{}\" fill=\"{}\"/>{}</g>",
                bar.ms,
                100.0 * bar.ms / whole,
                ROW - 2.0,
                color(&bar.name),
                written(bar, x, y, width)
            );
        }
    }
    text += "</svg>\n";
    text
}

/// Name and time where they have room.
fn written(bar: &Bar, x: f64, y: f64, width: f64) -> String {
    let long = format!("{} {:.2} ms", bar.name, bar.ms);
    let room = ((width - 6.0) / LETTER) as usize;
    let text = [&long, &bar.name].into_iter().find(|text| text.chars().count() <= room);
    text.map_or_else(String::new, |text| {
        format!("<text x=\"{:.2}\" y=\"{}\" fill=\"#111111\">{}</text>", x + 3.0, y + 14.0, escaped(text))
    })
}

fn color(name: &str) -> String {
    let [hue, light] = weft_core::stages::tone(name);
    format!("hsl({hue} 75% {}%)", 62 + light)
}

/// A line for each thread: how much of the step it was at work, and in which stages most.
pub(super) fn lines(recording: &Recording) -> Vec<(String, String)> {
    let step = medians(recording, Kind::Inner).map(|(_, ms)| ms).sum::<f64>();
    let threads = by_thread(recording);
    let line = |(i, parts): (usize, &Vec<(String, f64)>)| {
        let sum: f64 = parts.iter().map(|(_, ms)| ms).sum();
        let mut most: Vec<&(String, f64)> = parts.iter().collect();
        most.sort_by(|a, b| b.1.total_cmp(&a.1));
        let most: Vec<String> = most.iter().take(3).map(|(name, ms)| format!("{name} {ms:.3}")).collect();
        let share = 100.0 * sum / step;
        (
            format!("thread {}, at work in a step", i + 1),
            format!("{sum:.3} ms, {share:.0} %: {}", most.join(", ")),
        )
    };
    threads.iter().enumerate().map(line).collect()
}

/// The same for scripts: stages by thread [ms].
pub(super) fn json(recording: &Recording) -> Value {
    let thread = |parts: Vec<(String, f64)>| -> Value {
        parts.into_iter().map(|(name, ms)| (name, json!(ms))).collect::<Map<_, _>>().into()
    };
    by_thread(recording).into_iter().map(thread).collect::<Vec<_>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{Frame, thread_name};

    fn recording(threads: usize) -> Recording {
        let mut recording = Recording::default();
        let mut put = |kind, name: &str, ms: f64| {
            recording.columns.push(Column::new(kind, name, "ms"));
            ms
        };
        let mut values = vec![
            put(Kind::Stage, "step", 8.0),
            put(Kind::Stage, "draw", 2.0),
            put(Kind::Stage, WAIT, 90.0),
            put(Kind::Inner, "solve <a>", 6.0),
            put(Kind::Inner, "contact", 1.0),
        ];
        for thread in 1..=threads {
            values.push(put(Kind::Thread, &thread_name("solve <a>", thread), 6.0 / thread as f64));
        }
        let frame = Frame { values, ..Frame::default() };
        recording.frames = vec![frame; 3];
        recording
    }

    #[test]
    fn each_part_lies_in_what_it_is_a_part_of() {
        let rows = rows(&recording(3));
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["frame", "stages", "thread 1", "thread 2", "thread 3"]);
        assert_eq!(rows[0].bars[0].ms, 10.0, "the wait is no part of it");
        assert_eq!((rows[1].bars[1].begin, rows[1].bars[1].drawn), (8.0, 2.0));
        assert_eq!((rows[4].bars[0].begin, rows[4].bars[0].drawn), (0.0, 2.0));
        let text = svg(&recording(3));
        assert!(
            text.contains("solve &lt;a&gt;: 2.000 ms, 20.0 % of the frame") && !text.contains("<a>"),
            "{text}"
        );
        assert_eq!(text.matches("<rect").count(), 1 + 2 + 3);
        let lines = lines(&recording(3));
        assert_eq!(lines[1].1, "3.000 ms, 43 %: solve <a> 3.000");
        assert_eq!(json(&recording(3))[2]["solve <a>"], 2.0);
    }

    #[test]
    fn one_thread_is_one_row_and_no_step_is_no_picture() {
        let rows = rows(&recording(0));
        assert_eq!(rows.iter().filter(|row| row.name.starts_with("thread")).count(), 1);
        assert_eq!(rows[2].bars.len(), 2, "all stages are its own");
        assert_eq!(svg(&Recording::default()), "");
        assert!(lines(&recording(0)).is_empty());
    }
}
