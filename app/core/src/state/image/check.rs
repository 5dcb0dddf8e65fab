//! Whether the rows of an image are what the hot code may run on: the same as those of the scene, in colours that hold.

use sim_api::Element;

use super::super::{Blueprint, Column, Data, Table, TableRows};

/// What is asked of the numbers of a column.
type Look<'a> = &'a dyn Fn(&[u32]) -> Result<(), String>;

/// Looks at every table. What the hot code reads beside particles it looks up with checked indices.
pub(super) fn rows(tables: &[Table], blueprint: &Blueprint) -> Result<(), String> {
    let particles = blueprint.table("particle").map_or(0, |table| table.rows);
    for (i, filled) in blueprint.tables.iter().enumerate() {
        if blueprint.tables[..i].iter().any(|other| other.name == filled.name) {
            return Err(format!("table `{}` is there twice", filled.name));
        }
        within(filled, particles).map_err(|why| format!("table `{}` {why}", filled.name))?;
    }
    for (table, column, width) in TREES {
        let of_scene = blueprint.table(table).and_then(|table| table.column(column)).map(Data::bytes);
        let own = tables.iter().filter(|own| own.name == table);
        let own = own.flat_map(|own| own.columns.iter().chain(&own.parked)).filter(|own| own.name == column);
        for links in of_scene.into_iter().chain(own.map(Column::bytes)) {
            leads_on(bytemuck::cast_slice(links), width).map_err(|why| format!("table `{table}` {why}"))?;
        }
    }
    let segments = blueprint.table("segment").map_or(0, |table| table.rows).min(particles);
    let of_scene = blueprint.table("strand").and_then(|table| table.column("span"));
    let own = tables.iter().find(|table| table.name == "strand").and_then(|table| table.column("span"));
    for spans in of_scene.map(Data::bytes).into_iter().chain(own.map(Column::bytes)) {
        strands(bytemuck::cast_slice(spans), segments, particles)
            .map_err(|why| format!("table `strand` {why}"))?;
    }
    let rows_of = |table: &str| blueprint.table(table).map_or(0, |table| table.rows);
    let (cloth, borne) = (particles - segments, rows_of("borne"));
    let once = |rows: &[u32], below: usize| named(rows, below, true);
    let often = |rows: &[u32], below: usize| named(rows, below, false);
    let looks: [(&str, &str, Look); 8] = [
        ("mount", "end", &|rows| once(rows, 2 * rows_of("strand"))),
        ("mount", "body", &|rows| often(rows, rows_of("collider"))),
        ("root", "strand", &|rows| once(rows, rows_of("strand"))),
        ("root", "corners", &|rows| often(rows, cloth)),
        ("bearer", "particle", &|rows| once(rows, cloth)),
        ("bearer", "borne", &|rows| ranges(rows, borne)),
        ("borne", "root", &|rows| often(rows, rows_of("root"))),
        ("borne", "corner", &|rows| often(rows, 3)),
    ];
    for (table, column, look) in looks {
        let of_scene = blueprint.table(table).and_then(|table| table.column(column)).map(Data::bytes);
        let own = tables.iter().find(|own| own.name == table).and_then(|table| table.column(column));
        for rows in of_scene.into_iter().chain(own.map(Column::bytes)) {
            look(bytemuck::cast_slice(rows))
                .map_err(|why| format!("column `{column}` of table `{table}` {why}"))?;
        }
    }
    for (i, table) in tables.iter().enumerate() {
        if tables[..i].iter().any(|other| other.name == table.name) {
            return Err(format!("table `{}` is there twice", table.name));
        }
        of_table(table, blueprint.table(&table.name), particles)
            .map_err(|why| format!("table `{}` {why}", table.name))?;
    }
    Ok(())
}

/// Trees in depth-first order: table, the column whose first number is the row behind a node's last descendant, and its numbers.
const TREES: [(&str, &str, usize); 2] = [("node", "skip", 1), ("solid_node", "link", 3)];

/// A walk that is led back would never end.
fn leads_on(links: &[u32], width: usize) -> Result<(), String> {
    match (0..).zip(links.chunks_exact(width)).find(|(row, link)| link[0] <= *row) {
        Some((row, link)) => Err(format!("leads from node {row} back to {}", link[0])),
        None => Ok(()),
    }
}

/// The particles of all rows, and how many a row has.
fn idx(filled: &TableRows) -> Option<(usize, &[u32])> {
    let idx = filled.column("idx")?;
    Some((idx.element().lanes(), bytemuck::cast_slice(idx.bytes())))
}

fn within(filled: &TableRows, particles: usize) -> Result<(), String> {
    let Some((_, idx)) = idx(filled) else { return Ok(()) };
    match idx.iter().find(|&&particle| particle as usize >= particles) {
        Some(particle) => Err(format!("names particle {particle} of {particles}")),
        None => Ok(()),
    }
}

/// Strands run at the same time: each of the last particles, as many as there are segments, is of one of them.
fn strands(spans: &[u32], segments: usize, particles: usize) -> Result<(), String> {
    let first = particles.checked_sub(segments).ok_or("has more segments than there are particles")?;
    let mut seen = vec![false; segments];
    for span in spans.chunks_exact(3) {
        let [start, stride, count] = [span[0], span[1], span[2]].map(u64::from);
        for particle in (0..count).map(|i| start + stride * i) {
            let place = particle.checked_sub(first as u64).and_then(|place| seen.get_mut(place as usize));
            if place.is_none_or(|seen| std::mem::replace(seen, true)) {
                return Err(format!("has particle {particle} twice, or it is of no strand"));
            }
        }
        if count < 2 {
            return Err(format!("has a strand of {count} particles"));
        }
    }
    Ok(())
}

/// Roots on cloth run at the same time: what they write is there, and where `alone` once.
fn named(rows: &[u32], below: usize, alone: bool) -> Result<(), String> {
    let mut seen = vec![false; below];
    for &row in rows {
        let seen = seen.get_mut(row as usize).ok_or_else(|| format!("names row {row} of {below}"))?;
        if std::mem::replace(seen, true) && alone {
            return Err(format!("names row {row} twice"));
        }
    }
    Ok(())
}

/// First and number of rows.
fn ranges(rows: &[u32], below: usize) -> Result<(), String> {
    let ends = |range: &&[u32]| u64::from(range[0]) + u64::from(range[1]) > below as u64;
    match rows.chunks_exact(2).find(ends) {
        Some(range) => Err(format!("names {} rows from {} on, of {below}", range[1], range[0])),
        None => Ok(()),
    }
}

fn of_table(table: &Table, filled: Option<&TableRows>, particles: usize) -> Result<(), String> {
    let all = table.rows + table.dead;
    if let Some(filled) = filled.filter(|filled| filled.rows != all) {
        return Err(format!("has {all} rows, the scene {}", filled.rows));
    }
    let (order, ends) = (&table.coloring.order, &table.coloring.ends);
    if table.name == "vertex" {
        // Its rows are particles, which stand in the order that was derived, if they are there.
        let own = |particle: &u32| (*particle as usize) < particles;
        return if all == 0
            || all == particles && column(table, "particle").iter().all(own) && order.is_empty()
        {
            Ok(())
        } else {
            Err(format!("does not hold each of {particles} particles"))
        };
    }
    // Made anew from the rows of `distance` before the next step.
    if table.name == "stride" {
        return Ok(());
    }
    let Some((arity, values)) = filled.and_then(idx) else {
        let named = "is coloured, and its rows name no particle";
        return ends.is_empty().then_some(()).ok_or_else(|| named.to_string());
    };
    if order.len() != all {
        return Err(format!("has {all} rows and an order of {}", order.len()));
    }
    let scene = |row: u32| &values[row as usize * arity..(row as usize + 1) * arity];
    let sorted = |order: &[u32]| order.iter().flat_map(|&row| scene(row)).copied().collect::<Vec<u32>>();
    if ends.last().is_some_and(|&end| end as usize > table.rows) {
        return Err(format!("has {} rows that act, fewer than its colours", table.rows));
    }
    let live = sorted(&order[..table.rows]);
    table.coloring.check(&live, arity, particles)?;
    if let Some(whole) = &table.whole {
        let right = whole.check(&sorted(&whole.order), arity, particles);
        right.map_err(|why| format!("with no row dead: {why}"))?;
    }
    let declared = table.columns.iter().chain(&table.parked).find(|column| column.name == "idx");
    if let Some(declared) = declared {
        let same = declared.element.lanes() == arity
            && declared.element != Element::F32
            && bytemuck::cast_slice::<u8, u32>(declared.bytes()) == sorted(order);
        if !same {
            return Err("has other rows than the scene".into());
        }
    }
    Ok(())
}

/// Rows of a column of numbers; none if it is not here.
fn column<'a>(table: &'a Table, name: &str) -> &'a [u32] {
    table.column(name).map_or(&[], |column| column.rows::<u32>())
}
