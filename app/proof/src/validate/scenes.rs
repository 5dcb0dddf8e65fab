//! Cases that are scenes with an `expect`, in `scenes/validate/`: what a scene can hold needs no code here.

use sim_kernels::projection::{DIHEDRAL, QUADRATIC};

use super::{Miss, Row, Trial, closed_form, record, settings, spread};
use weft_core::project::Project;
use weft_session::{Options, Session};

use crate::expect::{self, Bounds, Outcome, Status};

type Set<'a> = (&'a str, &'a str);

/// V8.
pub(super) fn catenary(trial: &mut Trial) -> Result<(), Miss> {
    let names = ["catenary_125", "catenary_105", "catenary_150"];
    let names = if trial.quick { &names[..1] } else { &names };
    names.iter().try_for_each(|name| run(trial, name, name, &[], None).map(drop))?;
    slack(trial)
}

/// A strip twice as long as its span; where its pull is off in short substeps, by how much.
fn slack(trial: &mut Trial) -> Result<(), Miss> {
    const NAME: &str = "catenary_200";
    const SHORT: &str = "catenary_200, 40 substeps";
    let off = trial.known(&[SHORT, "end_tension"]).is_some();
    if off || !trial.quick {
        run(trial, NAME, NAME, &[], None)?;
    }
    if off {
        run(trial, NAME, SHORT, &[("solver.params.substeps", "40")], None)?;
    }
    Ok(())
}

/// V9: three resolutions, both models of hinges; the resolutions must agree, and hold at other loads. Skip-one rows, which
/// have no rigidity, must miss it.
pub(super) fn cantilever(trial: &mut Trial) -> Result<(), Miss> {
    let names = ["cantilever_10", "cantilever_20", "cantilever_40"];
    let (names, at_loads) = if trial.quick { (&names[..2], &names[..1]) } else { (&names[..], &names[..]) };
    for (bending, model) in [("Quadratic", QUADRATIC), ("Dihedral", DIHEDRAL)] {
        let mut drops = Vec::new();
        let mut known = false;
        for name in names {
            let set = [("cloths[0].material.bending", bending)];
            let unable = trial.left_out("hinge", model).or_else(|| trial.known(&[*name]));
            let outcomes = run(trial, name, &format!("{name}, {bending}"), &set, unable)?;
            known |= unable.is_some() || outcomes.iter().any(|outcome| outcome.status != Status::Pass);
            drops.extend(outcomes.iter().filter(|o| o.reading == "tip_drop").filter_map(|o| o.measured));
        }
        if !known {
            let reading = format!("spread of the tip's drop over resolutions, {bending}");
            trial.expect(reading, Bounds::at_most(0.02), spread(&drops));
        }
        if settings::LOADED.contains(&trial.solver) {
            LOADS.iter().try_for_each(|load| {
                at_loads.iter().try_for_each(|name| loaded(trial, name, bending, *load))
            })?;
        }
    }
    let set = [("cloths[0].material.bending", "SkipOne")];
    run(trial, names[0], &format!("{}, SkipOne", names[0]), &set, Some(SKIP_ONE)).map(drop)
}

/// Loads w L³/B beside the 10 of the scenes.
const LOADS: [f64; 3] = [5.0, 20.0, 50.0];
/// Rigidity in the scenes [N m], which makes their load 10.
const BEND: f64 = 0.001_569_6;

/// A strip of V9 of the rigidity that makes its load another.
fn loaded(trial: &mut Trial, name: &str, bending: &str, load: f64) -> Result<(), Miss> {
    let exact = closed_form::elastica(load);
    let [bend, chord, drop] = [BEND * 10.0 / load, exact.chord, exact.drop].map(|number| number.to_string());
    let set = [
        ("cloths[0].material.bending", bending),
        ("cloths[0].material.sheet.bend", &bend),
        ("expect[0].value", &chord),
        ("expect[1].value", &drop),
    ];
    run(trial, name, &format!("{name}, {bending}, load {load}"), &set, None).map(|_| ())
}

const SKIP_ONE: &str = "rows over two edges have no rigidity: `sheet.bend` has no meaning for them, and they resist a bend \
                        in the second order only";

/// V10: each preset at two resolutions.
pub(super) fn drape(trial: &mut Trial) -> Result<(), Miss> {
    for name in ["drape_silk", "drape_cotton", "drape_wool", "drape_denim"] {
        for rings in if trial.quick { &["15"][..] } else { &["15", "20"] } {
            run(trial, name, &format!("{name}, {rings} rings"), &[("cloths[0].shape.rings", rings)], None)?;
        }
    }
    Ok(())
}

/// What the reading of a row of [`agree`] begins with.
pub(super) const AGREEMENT: &str = "drape_coefficient by that of the converged solver";

/// The bands of V10 are wide, as fabrics are; solvers of one cloth must agree better than two fabrics of one name.
pub(super) fn agree(rows: &mut Vec<Row>, quick: bool) {
    let drapes: Vec<Row> = rows.iter().filter(|row| row.case == "V10").cloned().collect();
    for row in drapes.iter().filter(|row| row.solver != settings::REFERENCE) {
        let same = |other: &&Row| other.solver == settings::REFERENCE && other.reading == row.reading;
        let Some(reference) = drapes.iter().find(same).and_then(|reference| reference.measured) else {
            continue;
        };
        let facts: Vec<&str> = row.reading.split(", ").collect();
        let known = settings::known((row.case, &row.solver), quick, &facts);
        let (bounds, measured) = (Bounds::near(1.0, 0.1), row.measured.map(|own| own / reference));
        let status = Status::of(measured.is_some_and(|measured| bounds.hold(measured)), false);
        let reading = format!("{AGREEMENT}, {}", facts[1..].join(", "));
        let note = known.unwrap_or_default().to_string();
        let mut row = Row { reading, bounds, measured, status, note, ..row.clone() };
        if known.is_some() {
            record::judge(&mut row, record::Measured { quick, on_device: false });
        }
        let after = rows.iter().rposition(|other| (other.case, &other.solver) == (row.case, &row.solver));
        rows.insert(after.map_or(rows.len(), |last| last + 1), row);
    }
}

/// V17.
pub(super) fn balloon(trial: &mut Trial) -> Result<(), Miss> {
    ["balloon_100", "balloon_120"].iter().try_for_each(|name| run(trial, name, name, &[], None).map(drop))
}

/// A scene of `scenes/validate` with fields set, where the trial takes place.
pub(super) fn open(trial: &Trial, name: &str, set: Vec<(String, String)>) -> Result<Session, Miss> {
    let project = Project::find().ok_or("no source tree here, so no scenes/validate")?;
    let mut session = Session::open(Options {
        scene: project.scenes().join("validate").join(format!("{name}.ron")),
        solver: Some(trial.solver.to_string()),
        threads: 1,
        set,
        ..Options::default()
    })?;
    trial.place(&mut session)?;
    Ok(session)
}

/// Runs a scene of `scenes/validate` with fields set; its outcomes become rows that are `called` so. `unable` is why the
/// fields make the solver miss it.
fn run(
    trial: &mut Trial,
    name: &str,
    called: &str,
    set: &[Set<'_>],
    unable: Option<&str>,
) -> Result<Vec<Outcome>, Miss> {
    let set = set.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string()));
    let mut session = open(trial, name, set.collect())?;
    let mut outcomes = expect::run(&mut session)?;
    for outcome in &mut outcomes {
        let unit = if outcome.unit == "1" { String::new() } else { format!(" [{}]", outcome.unit) };
        let listed = session
            .scene()
            .expect
            .iter()
            .find(|expect| expect.is_for(trial.solver) && expect.reading == outcome.reading);
        let known = unable
            .or_else(|| listed.and_then(|expect| expect.known_failure(trial.solver)))
            .or_else(|| trial.known(&[called, &outcome.reading]));
        let Outcome { bounds, measured, status, note, .. } = outcome.clone();
        trial.push(format!("{}{unit}, {called}", outcome.reading), bounds, measured, status, known);
        let row = trial.rows.last_mut().expect("it was pushed");
        if known.is_none() {
            row.note = note;
        }
        outcome.status = row.status;
    }
    Ok(outcomes)
}
