//! One recording: a table for the terminal, JSON for scripts, a page with plots for people. All three say the same numbers.

mod flame;
mod html;
mod plot;

use serde_json::{Map, Value, json};

use crate::{
    bootstrap,
    recording::Recording,
    statistics::{Row, Summary, median},
};

pub use html::html;

/// Frames before and after a swap that are looked at, fewer where another swap is nearer.
const BESIDE: usize = 60;

/// What happened around one swap.
struct Swap {
    /// Index of the frame in which it happened.
    frame: usize,
    /// Its events, in words.
    what: Vec<String>,
    /// Medians of the frames before and after, and the frame itself [ms]; NaN where there is none.
    before_ms: f64,
    swap_ms: f64,
    after_ms: f64,
}

/// Index of the frame in which something happened: the first one that ended after it.
fn frame_at(recording: &Recording, at_ms: f64) -> Option<usize> {
    let at = recording.frames.partition_point(|frame| frame.at_ms < at_ms);
    (at < recording.frames.len()).then_some(at)
}

fn swaps(recording: &Recording) -> Vec<Swap> {
    let mut swaps: Vec<Swap> = Vec::new();
    for event in recording.events.iter().filter(|event| event.is_swap()) {
        let Some(frame) = frame_at(recording, event.at_ms) else { continue };
        let what = format!("{}: {}", event.kind, event.text);
        match swaps.last_mut().filter(|last| last.frame == frame) {
            Some(last) => last.what.push(what),
            None => swaps.push(Swap {
                frame,
                what: vec![what],
                before_ms: f64::NAN,
                swap_ms: recording.frames[frame].wall_ms,
                after_ms: f64::NAN,
            }),
        }
    }
    let places: Vec<usize> = swaps.iter().map(|swap| swap.frame).collect();
    let wall = |from: usize, to: usize| {
        median(recording.frames.get(from..to).unwrap_or_default().iter().map(|frame| frame.wall_ms))
    };
    for (i, swap) in swaps.iter_mut().enumerate() {
        let last = if i == 0 { 0 } else { places[i - 1] + 1 };
        let next = places.get(i + 1).copied().unwrap_or(recording.frames.len());
        swap.before_ms = wall(last.max(swap.frame.saturating_sub(BESIDE)), swap.frame);
        swap.after_ms = wall(swap.frame + 1, next.min(swap.frame + 1 + BESIDE));
    }
    swaps
}

/// Times of the frame and its stages that are ever above 0, with their rows.
fn rows(recording: &Recording) -> Vec<(String, Row)> {
    let times = recording.times().into_iter();
    let row = |(name, values): (String, Vec<f64>)| Some((name, Row::of(values)?));
    times.filter_map(row).filter(|(_, row)| row.max > 0.0).collect()
}

/// The 95 % intervals of the frame time's median, p95 and p99.
fn intervals(recording: &Recording) -> [(&'static str, [f64; 2]); 3] {
    let frames: Vec<f64> =
        recording.frames.iter().map(|frame| frame.wall_ms).filter(|ms| *ms > 0.0).collect();
    let all = bootstrap::intervals(&frames, &[0.5, 0.95, 0.99]);
    [("median", all[0]), ("p95", all[1]), ("p99", all[2])]
}

fn summary(recording: &Recording, below_fps: f64) -> Result<Summary, String> {
    let frames: Vec<f64> = recording.frames.iter().map(|frame| frame.wall_ms).collect();
    let none = || format!("{}: the recording has no frame with a time", recording.file.display());
    Summary::of(&frames, below_fps).ok_or_else(none)
}

/// What ran, where, with what: name and text of a line.
fn facts(recording: &Recording) -> Vec<(&'static str, String)> {
    let head = &recording.head;
    let last = recording.frames.last().map_or(0.0, |frame| frame.time_s);
    let mut facts = vec![("recording", recording.file.display().to_string())];
    if head.scene.is_empty() {
        facts.push(("run", "a CSV says nothing of it".into()));
    } else {
        let params: Vec<String> = head.params.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let set: Vec<String> = head.overrides.iter().map(|set| format!(" {set}")).collect();
        facts.push(("scene", format!("{}{} (xxh3 {})", head.scene, set.concat(), head.scene_hash)));
        facts.push(("solver", format!("{} ({})", head.solver, params.join(", "))));
        facts.push(("path", format!("{}, {} thread(s)", head.path, head.threads)));
        let machine = &head.machine;
        let parts = [&machine.cpu, &format!("{} cores", machine.cores), &machine.governor, &machine.os];
        let parts: Vec<&str> =
            parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        facts.push(("machine", parts.join(", ")));
        if !machine.gpu.is_empty() {
            facts.push(("GPU", machine.gpu.clone()));
        }
        let build = &head.build;
        let checks = if build.debug_assertions { ", with checks" } else { "" };
        facts.push(("build", format!("{} {} {}{checks}", build.version, build.profile, build.git)));
        let library = match head.generation {
            0 => "built in".to_string(),
            number => format!("generation {number}, library {}", head.library_hash),
        };
        facts.push(("code", library));
    }
    facts.push(("frames", format!("{}, the last at {last:.2} s", recording.frames.len())));
    if let Some(note) = &recording.note {
        facts.push(("note", note.clone()));
    }
    facts
}

/// Lines that the three low rates, stutter and slow frames make.
fn rates(summary: &Summary) -> Vec<(String, String)> {
    let share = |ms: f64| format!("{ms:.1} ms, {:.2} % of the time", 1e2 * ms / summary.total_ms);
    let line = |name: &str, text: String| (name.to_string(), text);
    let mut lines = vec![
        line("1 % low, time integral", format!("{:.1} fps", summary.low.time_integral)),
        line("1 % low, mean of the slowest", format!("{:.1} fps", summary.low.mean_of_slowest)),
        line("1 % low, percentile", format!("{:.1} fps", summary.low.percentile)),
        line("stutter (2.5 x the running median)", share(summary.stutter_ms)),
        (format!("below {} fps", summary.below_fps), share(summary.below_ms)),
    ];
    if summary.dropped > 0 {
        lines.push(line("without a time", format!("{} frame(s), counted nowhere", summary.dropped)));
    }
    lines
}

/// A table for the terminal.
pub fn text(recording: &Recording, below_fps: f64) -> Result<String, String> {
    let summary = summary(recording, below_fps)?;
    let mut text = String::new();
    facts(recording).iter().for_each(|(name, fact)| text += &format!("{name:12} {fact}\n"));
    let rows = rows(recording);
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(12);
    let mut row = |name: &str, cells: Vec<String>| {
        text += &format!("{name:width$}");
        cells.iter().for_each(|cell| text += &format!(" {cell:>9}"));
        text += "\n";
    };
    row("ms", summary.ms.list().iter().map(|(name, _)| (*name).to_string()).collect());
    for (name, numbers) in &rows {
        row(name, numbers.list().iter().map(|(_, value)| format!("{value:.3}")).collect());
    }
    row("frames a s", summary.fps.list().iter().map(|(_, value)| format!("{value:.1}")).collect());
    for (name, [low, high]) in intervals(recording) {
        text += &format!("{:34} {low:.3} to {high:.3} ms (95 %, of this run)\n", format!("frame, {name}"));
    }
    let threads = flame::lines(recording);
    rates(&summary).iter().chain(&threads).for_each(|(name, line)| text += &format!("{name:34} {line}\n"));
    for swap in swaps(recording) {
        text += &format!(
            "{:34} frame {}: before {}, swap {}, after {} ms\n",
            clipped(&swap.what.join("; "), 34),
            recording.frames[swap.frame].number,
            ms(swap.before_ms),
            ms(swap.swap_ms),
            ms(swap.after_ms)
        );
    }
    Ok(text.trim_end().to_string())
}

/// Where there is a time.
fn ms(value: f64) -> String {
    if value.is_nan() { "-".to_string() } else { format!("{value:.3}") }
}

/// At most so many characters.
fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

fn of_row(row: &Row) -> Value {
    row.list().into_iter().map(|(name, value)| (name.to_string(), json!(value))).collect::<Map<_, _>>().into()
}

/// The same for scripts.
pub fn json(recording: &Recording, below_fps: f64) -> Result<Value, String> {
    let summary = summary(recording, below_fps)?;
    let stages: Map<String, Value> =
        rows(recording).iter().map(|(name, row)| (name.clone(), of_row(row))).collect();
    let intervals: Map<String, Value> = intervals(recording)
        .into_iter()
        .map(|(name, interval)| (name.to_string(), json!(interval)))
        .collect();
    let swap = |swap: &Swap| {
        json!({
            "frame": recording.frames[swap.frame].number,
            "events": swap.what,
            "before_ms": swap.before_ms,
            "swap_ms": swap.swap_ms,
            "after_ms": swap.after_ms,
        })
    };
    Ok(json!({
        "recording": recording.file.display().to_string(),
        "head": recording.head,
        "frames": recording.frames.len(),
        "note": recording.note,
        "ms": stages,
        "threads_ms": flame::json(recording),
        "fps": of_row(&summary.fps),
        "frame_ms_interval": intervals,
        "low_1_percent_fps": {
            "time_integral": summary.low.time_integral,
            "mean_of_slowest": summary.low.mean_of_slowest,
            "percentile": summary.low.percentile,
        },
        "stutter_ms": summary.stutter_ms,
        "below_fps": summary.below_fps,
        "below_ms": summary.below_ms,
        "total_ms": summary.total_ms,
        "dropped": summary.dropped,
        "swaps": swaps(recording).iter().map(swap).collect::<Vec<_>>(),
        "events": recording.events,
    }))
}
