//! `.csv`: the table that this program writes, and the one of before (`row,frame,time_s,…`), where events were rows too.

use weft_core::{csv::cells, text::without_mark};

use crate::recording::{Column, Event, Frame, Kind, Recording, thread_of};

const WHAT: &str = "this is no recording of Weft: it begins neither as a .weft nor with the head of a .csv (`frame,time [s],…`)";

/// Times of runs are shorter, 30 years [ms] or [s].
const LONGEST: f64 = 1e12;
/// No number of a run is larger, but for an infinite one: of larger ones there is no mean.
const LARGEST: f64 = 1e100;

/// Where the columns of the frame itself are.
struct Fixed {
    number: usize,
    time: usize,
    at: usize,
    wall: usize,
    particles: usize,
    constraints: usize,
    /// `name=value name=value`; older tables have none.
    others: Option<usize>,
    /// `row` and `event` of the table of before.
    old: Option<(usize, usize)>,
}

/// Whether a file that begins so may be one of the tables: they begin with the name of a column.
pub(super) fn fits(first: &[u8]) -> Result<(), String> {
    let printed = |byte: &u8| !byte.is_ascii_control() || matches!(byte, b'\n' | b'\r' | b'\t');
    if without_mark(first).iter().all(printed) { Ok(()) } else { Err(WHAT.into()) }
}

pub(super) fn read(bytes: &[u8]) -> Result<Recording, String> {
    let text = std::str::from_utf8(without_mark(bytes)).map_err(|_| WHAT)?;
    let mut lines = text.lines().enumerate();
    let head = cells(lines.next().ok_or("the file is empty")?.1);
    let find = |name: &str| head.iter().position(|cell| cell == name);
    let old = find("row").zip(find("event"));
    let named = |new: &'static str, before: &'static str| find(if old.is_some() { before } else { new });
    let fixed = (|| {
        Some(Fixed {
            number: find("frame")?,
            time: named("time [s]", "time_s")?,
            at: named("at [ms]", "at_ms")?,
            wall: named("wall [ms]", "wall_ms")?,
            particles: find("particles")?,
            constraints: find("constraints")?,
            others: find("others"),
            old,
        })
    })();
    let fixed = fixed.filter(|fixed| fixed.wall < fixed.particles).ok_or(WHAT)?;
    let mut recording = Recording::default();
    // Only in the new table must it be there: what has none of these is some other CSV.
    if fixed.old.is_none() && fixed.others.is_none() {
        return Err(WHAT.into());
    }
    let readings_end = fixed.others.or(fixed.old.map(|(_, event)| event)).unwrap_or(head.len());
    // Cell and column of what has one.
    let mut named = Vec::new();
    for (cell, name) in head.iter().enumerate() {
        let is_time = fixed.wall < cell && cell < fixed.particles;
        if is_time || (fixed.constraints < cell && cell < readings_end) {
            named.push(cell);
            recording.columns.push(column(name, is_time));
        }
    }
    for (i, line) in lines {
        let cells = cells(line);
        if cells.len() != head.len() {
            let last = i + 1 == text.lines().count() && !text.ends_with('\n');
            let what = format!("line {} has {} cells, the head has {}", i + 1, cells.len(), head.len());
            if !last {
                return Err(what);
            }
            recording.note = Some(format!("the last line was cut: {what}"));
            break;
        }
        let number = |at: usize| cells[at].parse::<f64>().unwrap_or(f64::NAN);
        if let Some((row, event)) = fixed.old
            && cells[row] == "event"
        {
            let (kind, text) = cells[event].split_once(": ").unwrap_or(("", &cells[event]));
            let (kind, text) = (kind.to_string(), text.to_string());
            let (frame, at_ms) = (number(fixed.number) as u64, number(fixed.at));
            recording.events.push(Event { kind, text, frame, at_ms });
            continue;
        }
        if [fixed.number, fixed.time, fixed.wall].iter().any(|at| !number(*at).is_finite()) {
            return Err(format!("line {}: `frame`, its time and the wall time must be numbers", i + 1));
        }
        let mut values: Vec<f64> = named.iter().map(|cell| number(*cell)).collect();
        let wrong = named.iter().zip(&recording.columns).zip(&values).find(|((cell, column), value)| {
            fixed.old.is_none() && column.kind != Kind::Reading && !is_time(column, &cells[**cell], **value)
        });
        if let Some(((cell, _), _)) = wrong {
            let (name, cell) = (&head[*cell], &cells[*cell]);
            return Err(format!(
                "line {}: `{name}` is {cell:?}: a time is a number of milliseconds, or nothing",
                i + 1
            ));
        }
        let too_large = |at: &usize| {
            let value = number(*at);
            let is_reading = *at > fixed.constraints;
            let most = if is_reading { LARGEST } else { LONGEST };
            value.abs() > most && (value.is_finite() || !is_reading)
        };
        if let Some(at) = (0..readings_end).find(too_large) {
            let (name, cell) = (&head[at], &cells[at]);
            return Err(format!("line {}: `{name}` is {cell}: no run has such a number", i + 1));
        }
        let rest = fixed.others.map_or("", |at| &cells[at]);
        others(&mut recording.columns, &mut values, rest);
        recording.frames.push(Frame {
            number: number(fixed.number) as u64,
            time_s: number(fixed.time),
            at_ms: number(fixed.at),
            wall_ms: number(fixed.wall),
            particles: number(fixed.particles) as u64,
            constraints: number(fixed.constraints) as u64,
            values,
        });
    }
    let columns = recording.columns.len();
    recording.frames.iter_mut().for_each(|frame| frame.values.resize(columns, f64::NAN));
    Ok(recording)
}

/// Whether a cell, and the number that it says, can be a time: none is infinite, none takes less than nothing, and an empty one was not
/// taken.
fn is_time(column: &Column, cell: &str, number: f64) -> bool {
    let takes = column.kind != Kind::Begin;
    cell.trim().is_empty() || (number.is_finite() && (number >= 0.0 || !takes))
}

/// The events beside a table.
pub(super) fn events(bytes: &[u8]) -> Result<Vec<Event>, String> {
    let text = String::from_utf8_lossy(bytes);
    let event = |(i, line): (usize, &str)| {
        let cells = cells(line);
        let [frame, at, kind, text] = &cells[..] else {
            return Err(format!("line {}: an event has four cells, not {}", i + 2, cells.len()));
        };
        let (kind, text) = (kind.to_string(), text.to_string());
        let (frame, at_ms) = (frame.parse().unwrap_or_default(), at.parse().unwrap_or(f64::NAN));
        Ok(Event { kind, text, frame, at_ms })
    };
    text.lines().skip(1).enumerate().map(event).collect()
}

/// What the head says of a column: `live begin [ms]`, `step.solve [ms]`, `stretch_p95 [%]`; before: `live_ms`, `stretch_p95`.
fn column(title: &str, is_time: bool) -> Column {
    let (name, unit) = match title.strip_suffix(']').and_then(|title| title.rsplit_once(" [")) {
        Some((name, unit)) => (name, unit),
        None => title.strip_suffix("_ms").filter(|_| is_time).map_or((title, "1"), |name| (name, "ms")),
    };
    if !is_time {
        return Column::new(Kind::Reading, name, unit);
    }
    let inner = name.strip_prefix("step.");
    let thread = inner.filter(|name| thread_of(name).is_some());
    let kinds = [(Kind::Thread, thread), (Kind::Inner, inner), (Kind::Device, name.strip_prefix("gpu."))];
    let kinds = kinds.into_iter().chain([(Kind::Begin, name.strip_suffix(" begin"))]);
    let found = kinds.into_iter().find_map(|(kind, name)| Some((kind, name?)));
    let (kind, name) = found.unwrap_or((Kind::Stage, name));
    Column::new(kind, name, unit)
}

/// `name=value name=value`: columns that the head does not have.
fn others(columns: &mut Vec<Column>, values: &mut Vec<f64>, text: &str) {
    values.resize(columns.len(), f64::NAN);
    for (name, value) in text.split(' ').filter_map(|part| part.split_once('=')) {
        let is_time = name.starts_with("step.") || name.starts_with("gpu.");
        let made = match name.strip_suffix("_ms") {
            // As the GPU path's times stood there before.
            Some(name) => Column::new(Kind::Device, name, "ms"),
            None => column(name, is_time),
        };
        let known = columns.iter().position(|column| column.kind == made.kind && column.name == made.name);
        let index = known.unwrap_or(columns.len());
        if known.is_none() {
            columns.push(made);
            values.push(f64::NAN);
        }
        let known = |value: &f64| value.abs() <= LARGEST;
        values[index] = value.parse().ok().filter(known).unwrap_or(f64::NAN);
    }
}
