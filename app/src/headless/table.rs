//! What came of a run: a table, or one line of JSON.

use std::collections::BTreeMap;

use weft_core::{say, state::StateHash, statistics::Tally};
use weft_proof::expect::Outcome;
use weft_session::{Session, readings, recorder::params};

/// Times of all frames, by stage [ms].
#[derive(Default)]
pub(super) struct Times {
    pub step: Tally,
    pub readings: Tally,
    pub wall: Tally,
    /// The device's own clock, of the whole frame; empty without timestamps.
    pub device: Tally,
    /// Stages inside the step, as the solver names them.
    pub inner: BTreeMap<String, Tally>,
}

pub(super) fn checks(outcomes: &[Outcome]) {
    if outcomes.is_empty() {
        say::say("expect       nothing is expected of this solver here");
    }
    for outcome in outcomes {
        say::say(format_args!("expect       {outcome}"));
    }
}

fn json_of(outcome: &Outcome) -> serde_json::Value {
    serde_json::json!({
        "reading": outcome.reading,
        "expected": outcome.bounds.value,
        "low": outcome.bounds.low,
        "high": outcome.bounds.high,
        "measured": outcome.measured,
        "status": outcome.status.name(),
        "note": outcome.note,
    })
}

/// Rows of the table: name, times, and whether it is part of the one above.
fn rows(times: &Times) -> Vec<(String, &Tally)> {
    let mut rows = vec![("step".to_string(), &times.step)];
    rows.extend(times.inner.iter().map(|(name, values)| (format!("  {name}"), values)));
    if !times.device.is_empty() {
        rows.push(("  device".to_string(), &times.device));
    }
    rows.push(("readings".to_string(), &times.readings));
    rows.push(("frame".to_string(), &times.wall));
    rows
}

pub(super) fn text(session: &Session, times: &Times) {
    let (particles, constraints) = session.sizes();
    let params: Vec<String> =
        params(session).into_iter().map(|(name, value)| format!("{name} {value}")).collect();
    say::say(session.setup().title());
    say::say(format_args!(
        "solver       {} ({}), {} thread(s)",
        session.scene().solver.name,
        params.join(", "),
        session.engine().threads().count()
    ));
    if let Some(auto) = session.auto() {
        let wanted = 100.0 * session.scene().auto.stretch;
        say::say(format_args!("auto         {auto}; {wanted:.2} % wanted"));
    }
    if let Some(gpu) = session.gpu() {
        let (n, bound) = gpu.largest_grid();
        say::say(format_args!(
            "GPU path     {}, passes {}, {:.1} MiB on the device; largest cloth {n} x {n} particles, by {bound}",
            gpu.gpu.info.name,
            gpu.passes_text(),
            gpu.bytes() as f64 / f64::from(1 << 20)
        ));
    }
    say::say(format_args!("frames       {}  ({:.2} s)", session.run().frame, session.run().time));
    say::say(format_args!("particles    {particles}"));
    let tables = session.run().state.constraints();
    let tables: Vec<String> = tables.iter().map(|(name, rows)| format!("{rows} {name}")).collect();
    say::say(format_args!("constraints  {constraints}  ({})", tables.join(", ")));
    say::say(format_args!("ms              p50      p95      p99      max"));
    for (name, values) in rows(times) {
        if let Some(s) = values.summary() {
            say::say(format_args!("{name:12}{:8.3} {:8.3} {:8.3} {:8.3}", s.p50, s.p95, s.p99, s.max));
        }
    }
    if let Some(gpu) = session.gpu() {
        for (name, ms) in &gpu.pass_ms {
            say::say(format_args!("pass {name:20} {ms:8.3} ms, last frame"));
        }
        if gpu.pass_ms.is_empty() {
            say::say("passes               n/a: this adapter has no timestamps inside a pass");
        }
    }
    for reading in readings::all(&session.run().generation) {
        if let Some(value) = reading.of(&session.readings()) {
            let place = readings::place(reading.name, &session.readings());
            let place = place.map_or_else(String::new, |place| format!("  ({place})"));
            say::say(format_args!("{:20} {}{place}", reading.name, readings::text(value, reading.unit)));
        }
    }
    for (name, value) in readings::others(&session.readings()) {
        say::say(format_args!("{name:20} {}", readings::text(value, "")));
    }
    if let Some(verdict) = &session.report().stability().latest {
        say::say(format_args!("{:20} {verdict}", "stability"));
    }
    say::say(format_args!("state hash   {}", StateHash::of(&session.run().state)));
}

pub(super) fn json(session: &Session, times: &Times, outcomes: Option<&[Outcome]>, failure: Option<&str>) {
    let (particles, constraints) = session.sizes();
    let stages: serde_json::Map<String, serde_json::Value> = rows(times)
        .into_iter()
        .filter_map(|(name, values)| {
            let s = values.summary()?;
            let row = serde_json::json!({ "p50": s.p50, "p95": s.p95, "p99": s.p99, "max": s.max });
            Some((name.trim().to_string(), row))
        })
        .collect();
    let readings: serde_json::Map<String, serde_json::Value> = readings::all(&session.run().generation)
        .map(|reading| (reading.name.to_string(), reading.of(&session.readings()).into()))
        .chain(readings::others(&session.readings()).map(|(name, value)| (name.to_string(), value.into())))
        .collect();
    let places: BTreeMap<_, _> = readings::all(&session.run().generation)
        .filter_map(|reading| Some((reading.name, readings::place(reading.name, &session.readings())?)))
        .collect();
    let line = serde_json::json!({
        "scene": session.setup().path().display().to_string(),
        "solver": session.scene().solver.name,
        "params": params(session).into_iter().collect::<BTreeMap<_, _>>(),
        "auto": session.auto().map(|auto| serde_json::json!({
            "error": auto.error, "wanted": session.scene().auto.stretch, "param": auto.param, "value": auto.value,
            "held_back": auto.limit.map(|limit| format!("{limit:?}").to_lowercase()),
        })),
        "threads": session.engine().threads().count(),
        "gpu": session.gpu().map(|gpu| gpu.json(times.device.summary())),
        "frames": session.run().frame,
        "time_s": session.run().time,
        "particles": particles,
        "constraints": constraints,
        "rows": session.run().state.constraints().into_iter().collect::<BTreeMap<_, _>>(),
        "ms": stages,
        "readings": readings,
        "places": places,
        "state_hash": StateHash::of(&session.run().state).to_string(),
        "failure": failure,
        "expect": outcomes.map(|outcomes| outcomes.iter().map(json_of).collect::<Vec<_>>()),
    });
    say::say(format_args!("{line}"));
}
