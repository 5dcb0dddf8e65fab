//! A page that needs nothing but itself: plots are SVG inside, colours follow the system's light or dark.

use super::{facts, flame, intervals, plot, rates, rows, summary, swaps};
use crate::recording::Recording;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1c1c; --faint: #6a6a6a; --paper: #ffffff; --line: #d9d9d9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --faint: #a0a0a0; --paper: #16181b; --line: #3a3d42; }
  svg [stroke=\"#000000\"] { stroke: var(--ink); } svg [fill=\"#000000\"] { fill: var(--ink); }
  svg [stroke=\"#0072B2\"] { stroke: #56b4e9; } svg [fill=\"#0072B2\"] { fill: #56b4e9; }
  svg [stroke=\"#D55E00\"] { stroke: #f0a050; }
}
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
.text td { text-align: left; } th { color: var(--faint); font-weight: 500; }
svg { width: 100%; height: auto; } p { color: var(--faint); }
";

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A table; the first cell of a row is its name.
fn table(class: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{}</tr>\n", cells.concat())
    };
    let head = if head.is_empty() { String::new() } else { cells("th", &mut head.iter().copied()) };
    let rows: String = rows.iter().map(|row| cells("td", &mut row.iter().map(String::as_str))).collect();
    format!("<table class=\"{class}\">\n{head}{rows}</table>\n")
}

/// The page of some recordings, one below the other.
pub fn html(recordings: &[Recording], below_fps: f64) -> Result<String, String> {
    let titles: Vec<String> = recordings.iter().map(title).collect();
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{}</title><style>{STYLE}</style></head><body>\n",
        escaped(&titles.join(" · "))
    );
    for (recording, title) in recordings.iter().zip(&titles) {
        page += &format!("<h1>{}</h1>\n{}", escaped(title), section(recording, below_fps)?);
    }
    page += "</body></html>\n";
    Ok(page)
}

/// Scene, solver and machine.
fn title(recording: &Recording) -> String {
    let head = &recording.head;
    let parts = [&recording.scene_name(), &head.solver, &head.machine.cpu];
    let parts: Vec<&str> = parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { recording.file.display().to_string() } else { parts.join(" · ") }
}

fn section(recording: &Recording, below_fps: f64) -> Result<String, String> {
    let summary = summary(recording, below_fps)?;
    let rows = rows(recording);
    let facts: Vec<Vec<String>> =
        facts(recording).into_iter().map(|(name, fact)| vec![name.to_string(), fact]).collect();
    let mut page = table("text", &[], &facts);
    page +=
        "<h2>Time line</h2>\n<p>Time from frame to frame; marks are events, named in the table below.</p>\n";
    page += &plot::time_line(recording)?;
    page += "<h2>Distribution</h2>\n";
    page += &plot::distribution(&recording.frames)?;
    let names: Vec<&str> =
        ["ms"].into_iter().chain(summary.ms.list().into_iter().map(|(name, _)| name)).collect();
    let numbers = |name: &str, list: [(&str, f64); 9], digits: usize| {
        let cells = list.iter().map(|(_, value)| format!("{value:.digits$}"));
        std::iter::once(name.to_string()).chain(cells).collect::<Vec<String>>()
    };
    let mut lines: Vec<Vec<String>> = rows.iter().map(|(name, row)| numbers(name, row.list(), 3)).collect();
    lines.push(numbers("frames a second", summary.fps.list(), 1));
    page += "<h2>Stages</h2>\n";
    page += &plot::stages(&rows)?;
    page += &table("", &names, &lines);
    let flame = flame::svg(recording);
    if !flame.is_empty() {
        page += "<h2>Flame graph</h2>\n<p>The median frame without the wait for the next one, its stages, what is inside the step, and how long each \
                 thread was at work in that; the first one leads, and its bars end where it waits for the others. The pointer over a bar tells its time.</p>\n";
        page += &flame;
    }
    let mut lines: Vec<Vec<String>> =
        rates(&summary).into_iter().map(|(name, text)| vec![name, text]).collect();
    lines.extend(intervals(recording).into_iter().map(|(name, [low, high])| {
        vec![format!("frame, {name}"), format!("{low:.3} to {high:.3} ms (95 % interval, of this run)")]
    }));
    page += "<h2>Rates and intervals</h2>\n";
    page += &table("text", &[], &lines);
    let swaps = swaps(recording);
    if !swaps.is_empty() {
        let line = |swap: &super::Swap| {
            let frame = recording.frames[swap.frame].number.to_string();
            vec![
                swap.what.join("; "),
                frame,
                super::ms(swap.before_ms),
                super::ms(swap.swap_ms),
                super::ms(swap.after_ms),
            ]
        };
        page += "<h2>Swaps</h2>\n<p>Median of up to 60 frames before, the frame of the swap, median of up to 60 after [ms].</p>\n";
        page += &table(
            "",
            &["what", "frame", "before", "swap", "after"],
            &swaps.iter().map(line).collect::<Vec<_>>(),
        );
    }
    if !recording.events.is_empty() {
        let line = |event: &crate::recording::Event| {
            let at = format!("{:.2} s", event.at_ms / 1e3);
            vec![at, event.frame.to_string(), event.kind.clone(), event.text.clone()]
        };
        let lines: Vec<Vec<String>> = recording.events.iter().map(line).collect();
        page += "<h2>Events</h2>\n";
        page += &table("text", &["at", "frame", "kind", "text"], &lines);
    }
    Ok(page)
}
