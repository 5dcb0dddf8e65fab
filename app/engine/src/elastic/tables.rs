//! From the tables of a state to groups of rows. What the numbers of `model` mean is said in `sim-dylib/kernels/state.rs`.

use sim_kernels::{
    constraints::{
        attachment::Attachment,
        distance::Spring,
        hinge::Dihedral,
        membrane::{Area, NeoHookean, StVenantKirchhoff},
        quadratic_bend::QuadraticBend,
        tether::Tether,
    },
    lanes::V3,
};

use super::{
    Limit,
    groups::{Elements, Rows},
};
use weft_core::state::State;

/// All rows that store energy, by table.
pub fn groups(state: &State, limit: Limit) -> Result<Vec<Box<dyn Elements>>, String> {
    for (table, column) in ROWS {
        check(state, table, column)?;
    }
    let mut groups: Vec<Box<dyn Elements>> = vec![
        Box::new(springs(state, limit)),
        Box::new(tethers(state, limit)),
        Box::new(attachments(state, limit)),
    ];
    groups.extend(hinges(state));
    groups.extend(triangles(state));
    groups.retain(|group| group.len() > 0);
    Ok(groups)
}

/// Columns that name particles.
const ROWS: [(&str, &str); 6] = [
    ("distance", "idx"),
    ("triangle", "idx"),
    ("hinge", "idx"),
    ("tether", "idx"),
    ("tether", "anchor"),
    ("attachment", "idx"),
];

/// Whether the rows of a table name particles that are there.
fn check(state: &State, name: &str, column: &str) -> Result<(), String> {
    let particles = state.table("particle").map_or(0, |table| table.rows);
    let Some(idx) = state.table(name).and_then(|table| table.column(column)) else {
        return Ok(());
    };
    let outside = bytemuck::cast_slice::<u8, u32>(idx.bytes()).iter().find(|&&i| i as usize >= particles);
    outside.map_or(Ok(()), |i| {
        Err(format!("table `{name}`, column `{column}`, names particle {i} of {particles}"))
    })
}

/// Inverse mass of a particle [1/kg].
fn weight(state: &State) -> impl Fn(u32) -> f64 + '_ {
    let position = state.column::<[f32; 4]>("particle", "position");
    move |particle| f64::from(position[particle as usize][3])
}

fn springs(state: &State, limit: Limit) -> Rows<2, Spring<f64>> {
    let w = weight(state);
    let rest = state.column::<f32>("distance", "rest");
    let compliance = state.column::<f32>("distance", "compliance");
    let rows = state.column::<[u32; 2]>("distance", "idx").iter().zip(rest).zip(compliance);
    let row = |((&idx, &rest), &compliance): ((&[u32; 2], &f32), &f32)| {
        let k = limit.stiffness(compliance.into(), w(idx[0]).max(w(idx[1])));
        (idx, Spring { rest: rest.into(), k })
    };
    Rows(rows.map(row).collect())
}

/// The anchor is pinned and does not feel the row: its position is a number here.
fn tethers(state: &State, limit: Limit) -> Rows<1, Tether<f64>> {
    let (w, position) = (weight(state), state.column::<[f32; 4]>("particle", "position"));
    let idx = state.column::<u32>("tether", "idx").iter().zip(state.column::<u32>("tether", "anchor"));
    let rows =
        idx.zip(state.column::<f32>("tether", "rest")).zip(state.column::<f32>("tether", "compliance"));
    let row = |(((&i, &anchor), &rest), &compliance): (((&u32, &u32), &f32), &f32)| {
        let k = limit.stiffness(compliance.into(), w(i));
        ([i], Tether { anchor: point(position[anchor as usize]), rest: rest.into(), k })
    };
    Rows(rows.map(row).collect())
}

fn attachments(state: &State, limit: Limit) -> Rows<1, Attachment<f64>> {
    let w = weight(state);
    let idx = state.column::<u32>("attachment", "idx").iter();
    let target = state.column::<[f32; 4]>("attachment", "target");
    let rows = idx.zip(target).zip(state.column::<f32>("attachment", "compliance"));
    let row = |((&i, &target), &compliance): ((&u32, &[f32; 4]), &f32)| {
        ([i], Attachment { target: point(target), k: limit.stiffness(compliance.into(), w(i)) })
    };
    Rows(rows.map(row).collect())
}

fn hinges(state: &State) -> [Box<dyn Elements>; 2] {
    let (mut flat, mut angle) = (Vec::new(), Vec::new());
    let weights = state.column::<[f32; 4]>("hinge", "weights");
    let rest_angle = state.column::<f32>("hinge", "rest_angle");
    let stiffness = state.column::<f32>("hinge", "stiffness");
    let models = state.column::<u32>("hinge", "model");
    for (i, &idx) in state.column::<[u32; 4]>("hinge", "idx").iter().enumerate() {
        let k = f64::from(stiffness[i]);
        if models[i] == 0 {
            flat.push((idx, QuadraticBend { weights: weights[i].map(f64::from), k }));
        } else {
            angle.push((idx, Dihedral { rest_angle: rest_angle[i].into(), k }));
        }
    }
    [Box::new(Rows(flat)), Box::new(Rows(angle))]
}

fn triangles(state: &State) -> [Box<dyn Elements>; 3] {
    let (mut stvk, mut neo, mut areas) = (Vec::new(), Vec::new(), Vec::new());
    let inverse = state.column::<[f32; 4]>("triangle", "inverse_rest");
    let column = |name| state.column::<f32>("triangle", name);
    let (area, mu, lame) = (column("area"), column("mu"), column("lame"));
    let models = state.column::<u32>("triangle", "model");
    for (i, &idx) in state.column::<[u32; 3]>("triangle", "idx").iter().enumerate() {
        let (inverse_rest, area) = (inverse[i].map(f64::from), f64::from(area[i]));
        let (mu, lame) = (f64::from(mu[i]), f64::from(lame[i]));
        match models[i] {
            1 => stvk.push((idx, StVenantKirchhoff { inverse_rest, area, mu, lame })),
            2 => neo.push((idx, NeoHookean { inverse_rest, area, mu, lame })),
            3 => areas.push((idx, Area { area, k: mu })),
            _ => {}
        }
    }
    [Box::new(Rows(stvk)), Box::new(Rows(neo)), Box::new(Rows(areas))]
}

fn point(row: [f32; 4]) -> V3<f64> {
    V3::new(row[0].into(), row[1].into(), row[2].into())
}
