//! From the tables of a state to groups of rows. What the numbers of `model` mean is said in `sim-dylib/kernels/state.rs`.

use sim_api::model::{BendModel, MembraneModel};
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
use weft_core::state::col;

use super::{
    Limit,
    groups::{Elements, Rows},
};
use weft_core::state::State;

/// All rows that store energy, by table.
pub(super) fn groups(state: &State, limit: Limit) -> Result<Vec<Box<dyn Elements>>, String> {
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
    let position = state.get(col::particle::position);
    move |particle| f64::from(position[particle as usize][3])
}

fn springs(state: &State, limit: Limit) -> Rows<2, Spring<f64>> {
    let w = weight(state);
    let rest = state.get(col::distance::rest);
    let compliance = state.get(col::distance::compliance);
    let rows = state.get(col::distance::idx).iter().zip(rest).zip(compliance);
    let row = |((&idx, &rest), &compliance): ((&[u32; 2], &f32), &f32)| {
        let k = limit.stiffness(compliance.into(), w(idx[0]).max(w(idx[1])));
        (idx, Spring { rest: rest.into(), k })
    };
    Rows(rows.map(row).collect())
}

/// The anchor is pinned and does not feel the row: its position is a number here.
fn tethers(state: &State, limit: Limit) -> Rows<1, Tether<f64>> {
    let (w, position) = (weight(state), state.get(col::particle::position));
    let idx = state.get(col::tether::idx).iter().zip(state.get(col::tether::anchor));
    let rows = idx.zip(state.get(col::tether::rest)).zip(state.get(col::tether::compliance));
    let row = |(((&i, &anchor), &rest), &compliance): (((&u32, &u32), &f32), &f32)| {
        let k = limit.stiffness(compliance.into(), w(i));
        ([i], Tether { anchor: point(position[anchor as usize]), rest: rest.into(), k })
    };
    Rows(rows.map(row).collect())
}

fn attachments(state: &State, limit: Limit) -> Rows<1, Attachment<f64>> {
    let w = weight(state);
    let idx = state.get(col::attachment::idx).iter();
    let target = state.get(col::attachment::target);
    let rows = idx.zip(target).zip(state.get(col::attachment::compliance));
    let row = |((&i, &target), &compliance): ((&u32, &[f32; 4]), &f32)| {
        ([i], Attachment { target: point(target), k: limit.stiffness(compliance.into(), w(i)) })
    };
    Rows(rows.map(row).collect())
}

fn hinges(state: &State) -> [Box<dyn Elements>; 2] {
    let (mut flat, mut angle) = (Vec::new(), Vec::new());
    let weights = state.get(col::hinge::weights);
    let rest_angle = state.get(col::hinge::rest_angle);
    let stiffness = state.get(col::hinge::stiffness);
    let models = state.get(col::hinge::model);
    for (i, &idx) in state.get(col::hinge::idx).iter().enumerate() {
        let k = f64::from(stiffness[i]);
        if models[i] == BendModel::Quadratic as u32 {
            flat.push((idx, QuadraticBend { weights: weights[i].map(f64::from), k }));
        } else {
            angle.push((idx, Dihedral { rest_angle: rest_angle[i].into(), k }));
        }
    }
    [Box::new(Rows(flat)), Box::new(Rows(angle))]
}

fn triangles(state: &State) -> [Box<dyn Elements>; 3] {
    let (mut stvk, mut neo, mut areas) = (Vec::new(), Vec::new(), Vec::new());
    let inverse = state.get(col::triangle::inverse_rest);
    let [area, mu, lame] =
        [col::triangle::area, col::triangle::mu, col::triangle::lame].map(|key| state.get(key));
    let models = state.get(col::triangle::model);
    for (i, &idx) in state.get(col::triangle::idx).iter().enumerate() {
        let (inverse_rest, area) = (inverse[i].map(f64::from), f64::from(area[i]));
        let (mu, lame) = (f64::from(mu[i]), f64::from(lame[i]));
        match MembraneModel::from_number(models[i]) {
            Some(MembraneModel::StVenantKirchhoff) => {
                stvk.push((idx, StVenantKirchhoff { inverse_rest, area, mu, lame }))
            }
            Some(MembraneModel::NeoHookean) => neo.push((idx, NeoHookean { inverse_rest, area, mu, lame })),
            Some(MembraneModel::Area) => areas.push((idx, Area { area, k: mu })),
            Some(MembraneModel::Drawn) | None => {}
        }
    }
    [Box::new(Rows(stvk)), Box::new(Rows(neo)), Box::new(Rows(areas))]
}

fn point(row: [f32; 4]) -> V3<f64> {
    V3::new(row[0].into(), row[1].into(), row[2].into())
}
