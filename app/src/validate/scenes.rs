//! Cases that are scenes with an `expect`, in `scenes/validate/`: what a scene can hold needs no code here.

use super::Trial;
use crate::{
    expect,
    lab::{Lab, Options},
    live::Project,
};

/// V8.
pub fn catenary(trial: &mut Trial) -> Result<(), String> {
    let names = ["catenary_125", "catenary_105", "catenary_150"];
    run(trial, if trial.quick { &names[..1] } else { &names })
}

fn run(trial: &mut Trial, names: &[&str]) -> Result<(), String> {
    let folder =
        Project::find().ok_or("no source tree here, so no scenes/validate")?.scenes().join("validate");
    for name in names {
        let mut lab = Lab::open(Options {
            scene: folder.join(format!("{name}.ron")),
            solver: Some(trial.solver.to_string()),
            threads: 1,
            ..Options::default()
        })?;
        for outcome in expect::run(&mut lab)? {
            let unit = if outcome.unit == "1" { String::new() } else { format!(" [{}]", outcome.unit) };
            let reading = format!("{}{unit}, {name}", outcome.reading);
            trial.push(reading, outcome.bounds, outcome.measured, outcome.status, outcome.note);
        }
    }
    Ok(())
}
