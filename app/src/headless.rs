//! `weft run`: a scene without a window, with a table, a recording or a picture at the end.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    draw::offscreen::Offscreen,
    lab::{Lab, Notice, Options, announce},
    live::folder_of,
    record::{Recorder, Ring, Stage, Summary},
    say,
    state::StateHash,
    view::{self, View},
};

pub struct RunOptions {
    pub lab: Options,
    /// `None`: 300, or without end when files are watched.
    pub frames: Option<u64>,
    pub record: Option<PathBuf>,
    pub shot: Option<PathBuf>,
    /// Width and height of the picture [pixels].
    pub size: (u32, u32),
    pub json: bool,
}

/// Times of every frame, by stage.
#[derive(Default)]
struct Times {
    step: Vec<f32>,
    readings: Vec<f32>,
    wall: Vec<f32>,
    /// Stages inside the step, as the solver names them.
    inner: BTreeMap<String, Vec<f32>>,
}

pub fn run(options: RunOptions) -> Result<(), String> {
    let watch = options.lab.live;
    let frames = options.frames.unwrap_or(if watch { u64::MAX } else { 300 });
    let mut lab = Lab::open(options.lab)?;
    let mut recorder = options.record.as_deref().map(Recorder::create).transpose()?;
    // A picture that cannot be drawn is said before the work, not after it.
    options.shot.as_deref().map_or(Ok(()), check_shot)?;
    let mut offscreen = options.shot.is_some().then(|| Offscreen::new(&view::shaders(&lab))).transpose()?;

    if !watch {
        // Before a run that may end in NaN: a warning with the number.
        let (air, dt) = (lab.scene.air_damping, lab.scene.step);
        let warning =
            crate::stability::Explicit::of(&lab.run, dt).and_then(|_| lab.stability.ask(&lab.run, air, dt));
        warning.into_iter().for_each(|text| say::warn(format_args!("stability: {text}")));
    }
    let progress = if watch || options.json { ProgressBar::hidden() } else { ProgressBar::new(frames) };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames  {eta}");
    progress.set_style(style.map_err(|e| e.to_string())?);

    let (mut ring, mut times) = (Ring::default(), Times::default());
    let mut done = 0;
    while done < frames {
        let start = Instant::now();
        if watch {
            let polled = ring.time(Stage::Live, || lab.poll());
            announce(&lab, &ring, recorder.as_mut(), &polled.notices)?;
        }
        if lab.paused {
            // Only a watched run goes on from here: with the next good save.
            thread::sleep(Duration::from_millis(5));
            continue;
        }
        match ring.time(Stage::Step, || lab.step()) {
            Ok(notices) => announce(&lab, &ring, recorder.as_mut(), &notices)?,
            Err(error) if watch => {
                let notice = Notice::bad("step", format!("{error}; paused until the next save"));
                announce(&lab, &ring, recorder.as_mut(), &[notice])?;
                continue;
            }
            Err(error) => return Err(format!("frame {}: {error}", lab.run.frame)),
        }
        ring.time(Stage::Readings, || lab.read());
        let frame = ring.close();
        times.step.push(frame.stage_ms[Stage::Step as usize]);
        times.readings.push(frame.stage_ms[Stage::Readings as usize]);
        times.wall.push(frame.wall_ms);
        for (name, time) in lab.run.stages.iter() {
            times.inner.entry(name.to_string()).or_default().push(time.as_secs_f32() * 1e3);
        }
        if let Some(recorder) = &mut recorder {
            recorder.frame(
                (lab.run.frame, lab.run.time),
                &frame,
                lab.sizes(),
                (&lab.stretch, &lab.energy),
            )?;
        }
        done += 1;
        progress.inc(1);
        if watch {
            // Real time, so that the build gets the processor.
            thread::sleep(Duration::from_secs_f32(lab.scene.step).saturating_sub(start.elapsed()));
        }
    }
    progress.finish_and_clear();
    if let Some(recorder) = &mut recorder {
        recorder.flush()?;
    }
    let (air, dt) = (lab.scene.air_damping, lab.scene.step);
    if let Some(text) = lab.stability.ask(&lab.run, air, dt) {
        say::warn(format_args!("stability: {text}"));
    }
    if options.json {
        print_json(&lab, &times);
    } else {
        print_table(&lab, &times);
    }
    if let Some(recorder) = &recorder {
        say::warn(format_args!("recorded {} frames to {}", recorder.frames, recorder.path().display()));
    }
    if let (Some(offscreen), Some(path)) = (&mut offscreen, &options.shot) {
        shoot(&mut lab, offscreen, options.size, path)?;
    }
    Ok(())
}

fn check_shot(path: &Path) -> Result<(), String> {
    if path.extension().is_none_or(|end| end != "png") {
        return Err(format!("--shot {}: the file name must end in .png", path.display()));
    }
    let folder = folder_of(path);
    if folder.is_dir() { Ok(()) } else { Err(format!("--shot {}: there is no such folder", path.display())) }
}

fn shoot(
    lab: &mut Lab,
    offscreen: &mut Offscreen,
    (width, height): (u32, u32),
    path: &Path,
) -> Result<(), String> {
    let mut view = View::default();
    view.update(lab, 1.0, None);
    let folder = lab.folder();
    let (renderer, gl) = offscreen.parts();
    if let Some(problem) = view.load_textures(&lab.scene, &folder, renderer, gl).first() {
        return Err(problem.clone());
    }
    let mut camera = view::camera(&lab.scene.camera);
    camera.keep_clear(view.shapes(), lab.ground());
    view.picture(lab, camera, |picture| offscreen.save_png(picture, width, height, path))?;
    say::warn(format_args!("drew {}", path.display()));
    Ok(())
}

fn params(lab: &Lab) -> Vec<(&'static str, String)> {
    let params = lab.solver().map_or(&[][..], |solver| solver.params.as_slice());
    let shown = |param: &sim_api::ParamDesc| {
        let value = lab.run.param(param.name.as_str()).unwrap_or(param.default);
        let choice = crate::assemble::choices(param).nth(value as usize);
        (param.name.as_str(), choice.map_or_else(|| value.to_string(), str::to_string))
    };
    params.iter().map(shown).collect()
}

/// Rows of the table: name, times, and whether it is part of the one above.
fn rows(times: &Times) -> Vec<(String, &[f32])> {
    let mut rows = vec![("step".to_string(), times.step.as_slice())];
    rows.extend(times.inner.iter().map(|(name, values)| (format!("  {name}"), values.as_slice())));
    rows.push(("readings".to_string(), &times.readings));
    rows.push(("frame".to_string(), &times.wall));
    rows
}

fn print_table(lab: &Lab, times: &Times) {
    let (particles, constraints) = lab.sizes();
    let params: Vec<String> =
        params(lab).into_iter().map(|(name, value)| format!("{name} {value}")).collect();
    say::say(format_args!("{}", lab.scene.title));
    say::say(format_args!(
        "solver       {} ({}), {} thread(s)",
        lab.scene.solver.name,
        params.join(", "),
        lab.threads.count()
    ));
    say::say(format_args!("frames       {}  ({:.2} s)", lab.run.frame, lab.run.time));
    say::say(format_args!("particles    {particles}"));
    say::say(format_args!("constraints  {constraints}"));
    say::say(format_args!("ms              p50      p95      p99      max"));
    for (name, values) in rows(times) {
        if let Some(s) = Summary::of(values.iter().copied()) {
            say::say(format_args!("{name:12}{:8.3} {:8.3} {:8.3} {:8.3}", s.p50, s.p95, s.p99, s.max));
        }
    }
    let stretch = lab.stretch;
    say::say(format_args!(
        "stretch      mean {:.3} %  p95 {:.3} %  max {:.3} %",
        stretch.mean * 100.0,
        stretch.p95 * 100.0,
        stretch.max * 100.0
    ));
    let energy = lab.energy;
    say::say(format_args!(
        "energy       kinetic {:.4} J  elastic {:.4} J  potential {:.4} J",
        energy.kinetic, energy.elastic, energy.potential
    ));
    if let Some(verdict) = &lab.stability.latest {
        say::say(format_args!("stability    {verdict}"));
    }
    say::say(format_args!("state hash   {}", StateHash::of(&lab.run.state)));
}

fn print_json(lab: &Lab, times: &Times) {
    let (particles, constraints) = lab.sizes();
    let stages: serde_json::Map<String, serde_json::Value> = rows(times)
        .into_iter()
        .filter_map(|(name, values)| {
            let s = Summary::of(values.iter().copied())?;
            let row = serde_json::json!({ "p50": s.p50, "p95": s.p95, "p99": s.p99, "max": s.max });
            Some((name.trim().to_string(), row))
        })
        .collect();
    let line = serde_json::json!({
        "scene": lab.scene_path.display().to_string(),
        "solver": lab.scene.solver.name,
        "params": params(lab).into_iter().collect::<BTreeMap<_, _>>(),
        "threads": lab.threads.count(),
        "frames": lab.run.frame,
        "time_s": lab.run.time,
        "particles": particles,
        "constraints": constraints,
        "ms": stages,
        "stretch_mean": lab.stretch.mean,
        "stretch_p95": lab.stretch.p95,
        "stretch_max": lab.stretch.max,
        "kinetic_j": lab.energy.kinetic,
        "potential_j": lab.energy.potential,
        "elastic_j": lab.energy.elastic,
        "state_hash": StateHash::of(&lab.run.state).to_string(),
    });
    say::say(format_args!("{line}"));
}
