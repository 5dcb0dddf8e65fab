//! How the tables of a run lie in memory, as lines of text.

use std::fmt::Write;

use sim_api::model::StridePattern;
use weft_core::state::{State, Table, col};

/// Each table that has rows: bytes, colours, the serial tail, and what lanes load as it lies.
pub fn lines(state: &State) -> Vec<String> {
    let mut lines = vec!["layout          rows   B/row      MiB  colours    tail".to_string()];
    let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
    let mut all = 0;
    for table in state.tables.iter().filter(|table| table.rows > 0) {
        let a_row: usize = table.columns.iter().map(|column| column.element.size()).sum();
        let bytes: usize = table.columns.iter().map(|column| column.bytes().len()).sum();
        all += bytes;
        let mut line = format!("{:12}{:8}{a_row:8}{:9.2}", table.name, table.rows, mib(bytes));
        if let Some(&end) = table.coloring.ends.last() {
            let tail = table.rows.saturating_sub(end as usize);
            let _ = write!(line, "{:9}{tail:8}  {}", table.coloring.ends.len(), patterns(state, table));
        }
        lines.push(line.trim_end().to_string());
    }
    let particles = state.table("particle").map_or(0, |table| table.rows).max(1);
    lines.push(format!("all tables  {:25.2}  {} B a particle", mib(all), all / particles));
    lines
}

/// Of `distance`: how many of the rows lie in which pattern, those that a loop over lanes takes.
fn patterns(state: &State, table: &Table) -> String {
    if table.name != "distance" {
        return String::new();
    }
    let (strides, patterns) = (state.get(col::stride::rows), state.get(col::stride::pattern));
    if strides.is_empty() {
        return "no strides: lanes gather".into();
    }
    let of = |pattern: StridePattern| {
        strides.iter().zip(patterns).filter(move |&(_, &number)| number == pattern as u32)
    };
    let of_rows = StridePattern::ALL.iter().filter(|(_, pattern)| *pattern != StridePattern::Particles);
    let counts = of_rows.filter_map(|&(name, pattern)| {
        let rows: u32 = of(pattern).map(|(stride, _)| stride[1]).sum();
        (rows > 0).then(|| format!("{} {rows}", name.to_lowercase()))
    });
    let counts: Vec<_> = counts.collect();
    let with_rows = strides.len() - of(StridePattern::Particles).count();
    let jobs = state.table("stride").map_or(0, |table| table.coloring.ends.len());
    format!("{with_rows} strides: {}; {} regions", counts.join(", "), jobs.div_ceil(2))
}
