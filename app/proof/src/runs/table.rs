//! Cost and error of runs side by side, as a table, as JSON and as captions.

use weft_session::readings::text;

use super::Outcome;

/// A column of the table: its name with the unit, and the number.
struct Column {
    name: &'static str,
    key: &'static str,
    of: fn(&Outcome) -> Option<f64>,
}

impl Column {
    /// Nothing of a run that did not begin: what it started from is not its work.
    fn number(&self, run: &Outcome) -> Option<f64> {
        if run.failure.is_some() && run.ms.is_none() { None } else { (self.of)(run) }
    }
}

const fn column(name: &'static str, key: &'static str, of: fn(&Outcome) -> Option<f64>) -> Column {
    Column { name, key, of }
}

const COLUMNS: [Column; 9] = [
    column("ms p50", "ms_p50", |run| run.ms.map(|ms| ms.p50.into())),
    column("ms p95", "ms_p95", |run| run.ms.map(|ms| ms.p95.into())),
    column("stretch p95 %", "stretch_p95_percent", |run| run.reading("stretch_p95").map(|part| 100.0 * part)),
    column("max %", "stretch_max_percent", |run| run.reading("stretch_max").map(|part| 100.0 * part)),
    column("residual", "residual", |run| run.reading("residual")),
    column("energy J", "total_energy_J", |run| Some(run.session.report().measured().total_energy())),
    column("momentum kg m/s", "linear_momentum_kg_m_s", |run| run.reading("linear_momentum")),
    column("apart mm", "apart_mm", |run| run.apart.map(|(now, _)| 1e3 * now)),
    column("most mm", "apart_most_mm", |run| run.apart.map(|(_, most)| 1e3 * most)),
];

/// Four digits that count.
fn number(value: Option<f64>) -> String {
    match value {
        None => "-".into(),
        Some(value) if value == 0.0 || (1e-3..1e5).contains(&value.abs()) => {
            let whole = value.abs().max(1.0).log10().floor() as usize + 1;
            format!("{value:.*}", 4_usize.saturating_sub(whole))
        }
        Some(value) => format!("{value:.1e}"),
    }
}

pub(super) fn lines(outcomes: &[Outcome]) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(first) = outcomes.first() {
        let (particles, constraints) = first.session.sizes();
        let (run, threads) = (first.session.run(), first.session.engine().threads().count());
        lines.push(first.session.setup().title());
        lines.push(format!(
            "{} frames ({:.2} s), {particles} particles, {constraints} constraints, {threads} thread(s)",
            run.frame, run.time
        ));
    }
    let width = outcomes.iter().map(|run| run.name.len()).max().unwrap_or(0).max(8);
    let heads: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    lines.push(format!("{:width$}  {}  state hash", "", heads.join("  ")));
    for run in outcomes {
        let cells = COLUMNS.iter().map(|column| {
            let width = column.name.len();
            format!("  {:>width$}", number(column.number(run)))
        });
        lines.push(format!("{:width$}{}  {}", run.name, cells.collect::<String>(), run.hash()));
    }
    for run in outcomes {
        lines.extend(left_out(run).map(|what| format!("{} {what}", run.name)));
        lines.extend(run.failure.as_ref().map(|why| format!("{} stopped: {why}", run.name)));
    }
    lines
}

pub(super) fn json(outcomes: &[Outcome]) -> String {
    let row = |run: &Outcome| {
        let mut row = serde_json::Map::new();
        row.insert("run".into(), run.name.clone().into());
        row.insert("frames".into(), run.session.run().frame.into());
        row.extend(COLUMNS.iter().map(|column| (column.key.to_string(), column.number(run).into())));
        row.insert("failure".into(), run.failure.clone().into());
        row.insert("state_hash".into(), run.hash().to_string().into());
        serde_json::Value::Object(row)
    };
    let first = outcomes.first();
    let scene = first.map(|first| first.session.setup().path().display().to_string());
    let threads = first.map(|first| first.session.engine().threads().count());
    let rows: Vec<_> = outcomes.iter().map(row).collect();
    serde_json::json!({ "scene": scene, "threads": threads, "runs": rows }).to_string()
}

/// Constraints that the solver has no form of.
fn left_out(run: &Outcome) -> Option<String> {
    let rows = run.session.run().constraints_left_out();
    (rows > 0).then(|| format!("leaves {rows} constraints out"))
}

pub(super) fn caption(run: &Outcome) -> [String; 2] {
    if let Some(why) = &run.failure {
        return [run.name.clone(), format!("stopped: {why}")];
    }
    let ms = run.ms.map_or(String::new(), |ms| format!("{} ms a step", number(Some(ms.p50.into()))));
    let percent = |name: &str| run.reading(name).map(|part| number(Some(100.0 * part)));
    let stretch = percent("stretch_p95").zip(percent("stretch_max"));
    let stretch = stretch.map(|(p95, max)| format!("stretch p95 {p95} %, max {max} %"));
    let residual = run.reading("residual").map(|residual| format!("residual {residual:.0e}"));
    let apart = run.apart.map(|(now, _)| format!("apart {}", text(now, "m")));
    let parts: Vec<String> =
        [Some(ms), left_out(run), stretch, residual, apart].into_iter().flatten().collect();
    [run.name.clone(), parts.join(", ")]
}
