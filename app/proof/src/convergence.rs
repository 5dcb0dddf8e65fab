//! `weft convergence`: one implicit step from one state, for every solver with more and more iterations.
//!
//! ```text
//!  scene, N frames ─ state ─┬─ oracle: x* to 1e-10 (oracle.rs)
//!                           └─ each solver, each number of iterations ─ residual, distance to x*, ms
//! ```
//! All solve the same equation: rows of compliance 0 get a stated stiffness, colliders, the damping of springs and what strands
//! feel of each other are left out, one substep is one frame. What the table shows is therefore convergence, not the look of a run.
//! On strands that bend there are two references: solvers that take them as rods approach another equation than those that know
//! rows over particles. Explicit solvers are left out, which is said.

mod measure;
mod plot;
mod setup;

use std::path::{Path, PathBuf};

pub use measure::{Curve, Point, curves};
pub use setup::{Reference, References, Setup};

use weft_core::{command::CommandError, files, say};
use weft_session::{Options, Session};

use crate::oracle::Stop;

pub struct ConvergenceOptions {
    pub session: Options,
    /// Frames before the step that is compared.
    pub frames: u64,
    /// Numbers of iterations, each within a solver's own range.
    pub iterations: Vec<u32>,
    /// Folder for `convergence.csv`, `.svg` and `.png`; `None` writes nothing.
    pub out: Option<PathBuf>,
    /// Solvers to compare; empty: all.
    pub solvers: Vec<String>,
    /// Stiffest row, in units of m/h².
    pub stiffest: f64,
    /// Timed repeats of each step; the median counts.
    pub repeats: usize,
}

/// A floor above which residuals tell nothing of a solver.
const BLIND: f64 = 0.1;
/// What the reference must reach.
pub const TOLERANCE: f64 = 1e-10;

pub fn run(options: &ConvergenceOptions) -> Result<(), CommandError> {
    if !(options.stiffest > 0.0 && options.stiffest.is_finite()) {
        let text = format!("--stiffest {}: give a number above 0, such as 1e4", options.stiffest);
        return Err(CommandError::Usage(text));
    }
    if options.repeats == 0 {
        return Err(CommandError::usage("--repeats 0: nothing would be measured; give 1 or more"));
    }
    if options.iterations.is_empty() || options.iterations.contains(&0) {
        return Err(CommandError::usage("--iterations: give numbers from 1 on, such as 1,10,100"));
    }
    if let Some(out) = &options.out {
        files::make_folder(out).map_err(|e| format!("--out {}: {e}", out.display()))?;
    }
    let mut session = Session::open(options.session.clone())?;
    for _ in 0..options.frames {
        session.step().map_err(|error| format!("frame {}: {error}", session.run().frame))?;
    }
    let setup = Setup::of(&session, options.stiffest)?;
    let solvers = setup.chosen(&options.solvers).map_err(CommandError::Usage)?;
    let left_out: Vec<(&String, &str)> =
        solvers.iter().filter_map(|solver| Some((solver, setup.left_out(solver)?))).collect();
    if let Some((solver, why)) = left_out.first().filter(|_| left_out.len() == solvers.len()) {
        return Err(CommandError::Usage(format!("--solver {solver}: {why}")));
    }
    say::say(format_args!("{}", head(&session, &setup)));
    // It may take minutes.
    let references = setup.references(&solvers)?;
    for (name, reference) in [("oracle", &references.rows), ("oracle of rods", &references.rods)] {
        if let Some(reference) = reference {
            say::say(format_args!("{}", told(name, reference)));
        }
    }
    let curves = curves(&setup, &references, &solvers, &options.iterations, options.repeats)?;
    print(&curves);
    if curves.iter().all(|curve| curve.points.is_empty()) {
        return Err(CommandError::usage(
            "--iterations: none of the numbers is within what these solvers take",
        ));
    }
    for (solver, why) in left_out {
        say::say(format_args!("{solver}: left out, {why}"));
    }
    if let Some(out) = &options.out {
        write_csv(&out.join("convergence.csv"), &curves)?;
        let title = format!(
            "{}: one implicit step of {:.2} ms from frame {}, {} particles",
            session.scene().title,
            setup.step.h * 1e3,
            session.run().frame,
            setup.step.system.x.len()
        );
        let floors = [&references.rows, &references.rods].into_iter().flatten();
        plot::draw(out, &title, &curves, &floors.map(|reference| reference.floor).collect::<Vec<_>>())?;
        say::say(format_args!("wrote convergence.csv, .svg and .png to {}", out.display()));
    }
    Ok(())
}

fn head(session: &Session, setup: &Setup) -> String {
    let system = &setup.step.system;
    let mut text = format!(
        "{}, frame {}: one step of {:.3} ms, {} particles ({} free)\n",
        session.setup().title(),
        session.run().frame,
        setup.step.h * 1e3,
        system.x.len(),
        system.free_particles.len()
    );
    if setup.softened > 0 {
        text += &format!(
            "{} rows are stiffer than {:.0e} m/h² (m: the lighter end) and taken as that stiff by all\n",
            setup.softened, setup.stiffest
        );
    }
    setup.changes.iter().for_each(|change| text += &format!("{change}\n"));
    text.trim_end().to_string()
}

/// What a reference came to.
fn told(name: &str, reference: &Reference) -> String {
    let Reference { step, solution, floor } = reference;
    let end = match solution.stop {
        Stop::Converged => "",
        Stop::RoundOff => " (the round-off of double precision ended it)",
        Stop::Iterations => " (not converged: the distances below are to an unfinished reference)",
    };
    let (rows, iterations, residual) = (step.rows(), solution.history.len(), solution.residual);
    let mut text = format!(
        "{name:14} {rows} elastic rows, {iterations} Newton iterations, residual {residual:.2e}{end}\n{:14} {floor:.2e}: residual of \
         its solution in single precision",
        "  floor"
    );
    if *floor > BLIND {
        text += "\nsingle precision tells as little of this step as that: what is stretched is less than its rounding. Take another \
                 step, --frames N";
    }
    text
}

fn print(curves: &[Curve]) {
    say::say(format_args!(
        "{:22} {:>10} {:>10} {:>12} {:>14} {:>14}",
        "solver", "iterations", "ms", "residual", "max dist. [m]", "RMS dist. [m]"
    ));
    for curve in curves {
        for point in &curve.points {
            say::say(format_args!(
                "{:22} {:>10} {:>10.4} {:>12.3e} {:>14.3e} {:>14.3e}",
                curve.solver,
                point.iterations.map_or("-".to_string(), |iterations| iterations.to_string()),
                point.ms,
                point.residual,
                point.farthest,
                point.rms
            ));
        }
        if let Some(note) = &curve.note {
            say::say(format_args!("    {note}"));
        }
    }
}

fn write_csv(path: &Path, curves: &[Curve]) -> Result<(), String> {
    let mut text =
        String::from("solver,parameter,iterations,ms,residual,distance_max_m,distance_rms_m,solves\n");
    for curve in curves {
        let (parameter, solves) = (curve.parameter.as_deref().unwrap_or(""), curve.solves());
        for point in &curve.points {
            let iterations = point.iterations.map_or(String::new(), |iterations| iterations.to_string());
            text += &format!(
                "{},{parameter},{iterations},{:.5},{:.6e},{:.6e},{:.6e},{solves}\n",
                curve.solver, point.ms, point.residual, point.farthest, point.rms
            );
        }
    }
    files::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
