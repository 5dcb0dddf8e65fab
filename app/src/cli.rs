//! The command line, and what each command calls.

mod arguments;
mod check;
mod path;
mod replays;
mod run;
mod runs;
mod schema;
mod timings;

use std::{
    cell::RefCell,
    io::{self, Write as _},
    process::ExitCode,
};

use clap::{CommandFactory, FromArgMatches};
use sim_api::{Stiffness, Takes};

use weft_core::{command::CommandError, say};
use weft_draw::Palette;
use weft_engine::generation::Generation;
use weft_gpu::GpuOptions;
use weft_proof::{
    bench::{self, BenchOptions, table::TableOptions},
    convergence::{self, ConvergenceOptions},
    gpu_draw::DrawOptions,
    soak::{self, SoakOptions},
    stability::StabilityOptions,
    strand_bench::{self, StrandOptions},
    validate::{self, ValidateOptions},
};
use weft_scene::assemble;
use weft_session::{Options, live, player::CodeChoice, readings};

use weft_window::{
    app, scenes,
    view::{Overlays, Quantity},
};

use crate::{
    fmt,
    headless::{self, RunOptions},
    link, new,
    outputs::{check_file, check_folder},
    web::{self, WebOptions},
};

use arguments::{Cli, Command, Window};
use check::{check, scenes_of};
use path::{Path, named_adapter};
use run::RunScene;

/// All that is taken; a negative number is a value, which its option may refuse.
fn known() -> clap::Command {
    Cli::command()
        .mut_subcommands(|command| command.allow_negative_numbers(true))
        .allow_negative_numbers(true)
}

/// Whether a command line is taken, and whether a program comes of it that goes on after a crash.
pub fn read(arguments: &[std::ffi::OsString]) -> Result<bool, String> {
    thread_local! {
        /// Making it takes longer than reading with it.
        static KNOWN: RefCell<clap::Command> = RefCell::new(known());
    }
    let taken = KNOWN.with_borrow_mut(|known| known.try_get_matches_from_mut(arguments));
    let taken = taken.and_then(|matches| Cli::from_arg_matches(&matches));
    let Cli { command, .. } = taken.map_err(|error| error.to_string())?;
    Ok(matches!(command, None | Some(Command::Run(RunScene { watch: true, .. }))))
}

/// Runs the command line; an error is a text for the user.
pub fn main() -> Result<ExitCode, CommandError> {
    weft_core::project::start_folder();
    let taken = known().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let Cli { command, window } = match taken {
        Ok(cli) => cli,
        // Help and version, which are lost on a full disk as other texts are.
        Err(told) if !told.use_stderr() => {
            return match told.print().and_then(|()| io::stdout().flush()) {
                Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
                    Err(format!("standard output: {why}").into())
                }
                _ => Ok(ExitCode::SUCCESS),
            };
        }
        Err(wrong) => wrong.exit(),
    };
    let done = match command {
        None => open_window(window),
        Some(Command::Report(report)) => report.run(),
        // What scripts ask: the verdict is the exit code.
        Some(Command::Compare(compare)) => return Ok(compare.run()),
        Some(Command::Ab(ab)) => return Ok(ab.run()),
        Some(Command::Replay(replay)) => return Ok(replay.run()),
        Some(Command::Bisect(bisect)) => return Ok(bisect.run()),
        Some(Command::Determinism(determinism)) => return determinism.run(),
        Some(Command::Run(run)) => return run.run(),
        Some(Command::Poster(poster)) => poster.run(),
        Some(Command::Sweep(sweep)) => sweep.run(),
        Some(Command::New { name, solver }) => new::run(&name, solver),
        Some(Command::Check { scenes }) => check(&scenes),
        Some(Command::Fmt { files, check }) => {
            return Ok(fmt::run(&scenes_of(&files)?, check));
        }
        Some(Command::Validate { out, case, solver, quick, path, adapter }) => {
            let gpu = (path == Path::Gpu).then_some(GpuOptions { adapter, ..GpuOptions::default() });
            gpu.as_ref().map_or(Ok(()), named_adapter)?;
            validate::command(&ValidateOptions { out, cases: case, solvers: solver, quick, gpu })
        }
        Some(Command::Schema { json }) => {
            schema::print(json);
            Ok(())
        }
        Some(Command::Readings) => {
            for reading in readings::all(&Generation::built_in()) {
                let place = if readings::has_place(reading.name) { "; with the place of it" } else { "" };
                say::say(format_args!("{:20} {:8} {}{place}", reading.name, reading.unit, reading.doc));
            }
            Ok(())
        }
        Some(Command::Solvers) => {
            print_solvers();
            Ok(())
        }
        Some(Command::Adapters) => {
            weft_gpu::print_adapters();
            Ok(())
        }
        Some(Command::Stability { scene, common, frames }) => {
            let session = common.options(scene, false);
            say::say(weft_proof::stability::report(StabilityOptions { session, frames })?);
            Ok(())
        }
        Some(Command::Convergence {
            scene,
            frames,
            iterations,
            solver,
            out,
            stiffest,
            repeats,
            threads,
            set,
        }) => {
            let session = Options { scene, threads, set, ..Options::default() };
            let solvers = solver;
            convergence::run(&ConvergenceOptions {
                session,
                frames,
                iterations,
                out,
                solvers,
                stiffest,
                repeats,
            })
        }
        Some(Command::Soak { minutes, every, seed, out, headless, tree }) => {
            Ok(soak::run(&SoakOptions { minutes, every, seed, out, headless, tree })?)
        }
        Some(Command::Web { out, serve, port }) => {
            Ok(web::run(&WebOptions { out, port: serve.then_some(port) })?)
        }
        Some(Command::Completions { shell }) => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "weft", &mut text);
            say::say(String::from_utf8_lossy(&text));
            Ok(())
        }
        Some(Command::Probe { threads }) => live::probe::main(threads).map_err(Into::into),
        Some(Command::Bench { threads, frames, budget, on, all, strands, row, out, .. })
            if all || strands =>
        {
            out.as_deref().map_or(Ok(()), |out| check_folder("--out", out))?;
            if strands {
                let (budget_secs, on) = (budget, on.gpu()?);
                strand_bench::table(&StrandOptions { threads, frames, budget_secs, on, out })
            } else {
                let sizes = vec![64, 128];
                bench::table::table(&TableOptions { sizes, threads, frames, rows: row, out })
            }
        }
        Some(Command::Bench {
            n,
            kind,
            substeps,
            iterations,
            threads,
            budget,
            frames,
            solver,
            on,
            draw,
            shot,
            order,
            set,
            ..
        }) => {
            let budget_secs = budget;
            let params = set;
            let options = BenchOptions {
                n,
                kind,
                substeps,
                iterations,
                threads,
                budget_secs,
                frames,
                solver,
                order,
                params,
            };
            if let Some(shot) = &shot {
                check_file("--shot", shot, "png")?;
            }
            let line = match (on.gpu()?, draw) {
                (None, None) => bench::bench(&options)?,
                (None, Some(_)) => return Err(CommandError::usage("--draw goes with --path gpu")),
                (Some(_), _) if !kind.runs_on_devices() => {
                    return Err(CommandError::usage("this --kind goes with --path cpu"));
                }
                (Some(on), None) => weft_proof::gpu_bench::bench(&options, &on)?,
                (Some(on), Some(size)) => {
                    weft_proof::gpu_draw::bench(&options, &on, &DrawOptions { size, shot })?
                }
            };
            say::say(line);
            Ok(())
        }
    };
    done.map(|()| ExitCode::SUCCESS)
}

fn open_window(window: Window) -> Result<(), CommandError> {
    let named = window.scene.is_some();
    if let Some(file) = window.scene.as_ref().filter(|file| file.extension().is_some_and(|end| end == "weft"))
    {
        let (threads, history) = (window.common.threads, window.history);
        return Ok(replays::open(
            (file.clone(), CodeChoice::default()),
            (threads, history),
            window.size,
            window.frames,
        )?);
    }
    let scene = match window.scene {
        Some(scene) => scene,
        // The autosave names its own; without one, that of the command line has to do.
        None if window.resume.asked() => scenes::first_scene().unwrap_or_default(),
        None => scenes::first_scene()?,
    };
    mistyped(&scene).map_err(CommandError::Usage)?;
    let link = link::read(&scene)?;
    let at = link.as_ref().map(|link| (link.frame, link.camera));
    let session = window.common.options(link.map_or(scene, |link| link.scene), true);
    let path = window.on.path;
    let device = window.on.device()?;
    let gpu = (path == Path::Gpu).then(|| device.clone());
    if let Err(why) = weft_draw::display() {
        if window.resume.crashed.is_some() {
            // The display went away under the program, which is how its session ends; nobody sees a run without one.
            return Err(format!("{why}; `weft --resume` goes on").into());
        }
        say::warn(format_args!("{why}; running without one (see `weft run --help`)"));
        let session = Options { live: false, ..session };
        let frames = window.frames;
        let done = headless::run(RunOptions {
            session,
            gpu,
            frames,
            record: window.record,
            shot: None,
            view: Quantity::look(),
            palette: Palette::default(),
            overlay: Overlays::default(),
            size: window.size,
            film: None,
            json: false,
            verbose: false,
            check: false,
            mesh: None,
            until: None,
            resume: window.resume,
        });
        return done.map(drop);
    }
    app::open(app::WindowOptions {
        session,
        gpu,
        device,
        record: window.record,
        recording: None,
        frames: window.frames,
        history: window.history,
        size: window.size,
        fresh: window.fresh,
        resume: window.resume,
        named,
        at,
    })
}

/// What a solver makes of 1/compliance, in words.
fn stiffness(stiffness: Stiffness) -> String {
    match stiffness {
        Stiffness::Geometric => {
            "compliance is not read: constraints take back a fraction of their error".into()
        }
        Stiffness::Compliant => "1/compliance; 0 is rigid".into(),
        Stiffness::Inertia { parameter } => format!("1/compliance, at most `{parameter}` m/h²"),
        Stiffness::StableStep { parameter, springs } => {
            format!("1/compliance, at most `{parameter}` of what {springs} springs a particle bear")
        }
    }
}

/// A table, and of which models if not of all.
fn takes(takes: &Takes) -> String {
    let models: Vec<String> = takes.models.as_slice().iter().map(u32::to_string).collect();
    if models.is_empty() {
        takes.table.to_string()
    } else {
        format!("{} (model {})", takes.table, models.join(", "))
    }
}

/// A word that is no file may have been meant as a command.
fn mistyped(scene: &std::path::Path) -> Result<(), String> {
    let word = scene.to_str().filter(|word| !scene.exists() && !word.contains(['.', '/', '\\', '#']));
    let Some(word) = word else { return Ok(()) };
    let command = Cli::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let near = weft_core::suggest::nearest(word, names.iter().copied());
    let near = near.map_or_else(
        || "`weft --help` lists the commands".to_string(),
        |near| format!("did you mean `weft {near}`?"),
    );
    Err(format!("`{word}` is neither a command nor a scene file; {near}"))
}

fn print_solvers() {
    for solver in Generation::built_in().solvers() {
        say::say(format_args!("{}\n    {}", solver.name, solver.doc));
        let line = |name: &str, text: &str| say::say(format_args!("    {name:14} {text}"));
        line("(kind)", solver.kind.name());
        line("(stiffness)", &stiffness(solver.stiffness));
        let takes: Vec<String> = solver.takes.as_slice().iter().map(takes).collect();
        line("(takes)", &takes.join(", "));
        let readings: Vec<&str> = solver.readings.as_slice().iter().map(|r| r.name.as_str()).collect();
        line("(readings)", &if readings.is_empty() { "none".to_string() } else { readings.join(", ") });
        for param in solver.params.as_slice() {
            let choices: Vec<&str> = assemble::choices(param).collect();
            let same = param.with_strands == param.default;
            let strands = if same { String::new() } else { format!(", with strands {}", param.with_strands) };
            let range = match choices.first() {
                Some(first) => format!("{first} (one of {})", choices.join(", ")),
                None => format!("{}{strands} ({} to {}) {}", param.default, param.min, param.max, param.unit),
            };
            let only = match param.only.as_str() {
                "" => String::new(),
                only => format!(" Acts with {only} only."),
            };
            let range = range.trim_end();
            say::say(format_args!("    {:14} {range}\n    {:14} {}{only}", param.name, "", param.doc));
        }
        say::say("");
    }
}
