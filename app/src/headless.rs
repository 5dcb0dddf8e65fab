//! `weft run`: a scene without a window, with a table, a recording or a picture at the end.

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode, thread, time::Duration};

use weft_core::clock::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use weft_core::{command::CommandError, say, state::StateHash, statistics::Summary};
use weft_draw::Palette;
use weft_gpu::GpuOptions;
use weft_proof::expect::{Checks, Outcome, Status};
use weft_session::{
    Notice, Options, Session, announce, layout, readings,
    recorder::{Recorder, params},
    rescue::{Opened, Rescue, Resume},
    ring::{Ring, Stage},
};

use weft_window::{
    film::Film,
    view::{Overlays, Quantity, Scale},
};

use crate::{mesh_files::MeshFiles, outputs::check_file, shot::Studio};

pub struct RunOptions {
    pub session: Options,
    /// The GPU path instead of the CPU's.
    pub gpu: Option<GpuOptions>,
    /// `None`: 300, or without end when files are watched.
    pub frames: Option<u64>,
    pub record: Option<PathBuf>,
    pub shot: Option<PathBuf>,
    /// What the picture shows on the cloth, and in which colours.
    pub view: &'static Quantity,
    pub palette: Palette,
    /// Over the picture.
    pub overlay: Overlays,
    /// Width and height of the picture or film [pixels].
    pub size: Option<(u32, u32)>,
    /// A film, and the frame that it begins with.
    pub film: Option<(PathBuf, u64)>,
    pub json: bool,
    /// With how the tables lie in memory.
    pub verbose: bool,
    /// Compare with the scene's `expect`.
    pub check: bool,
    /// File of meshes, and the first frame in it where a range of frames is asked for.
    pub mesh: Option<(PathBuf, Option<u64>)>,
    /// Stop where this condition holds.
    pub until: Option<String>,
    pub resume: Resume,
}

/// Times of every frame, by stage.
#[derive(Default)]
struct Times {
    step: Vec<f32>,
    readings: Vec<f32>,
    wall: Vec<f32>,
    /// The device's own clock, of the whole frame; empty without timestamps.
    device: Vec<f32>,
    /// Stages inside the step, as the solver names them.
    inner: BTreeMap<String, Vec<f32>>,
}

/// Exit code of a run whose expectations, or whose condition, did not hold.
pub const UNMET: u8 = 3;

/// Of a picture and of a film, unless told otherwise [pixels].
pub const SHOT_SIZE: (u32, u32) = (1280, 720);
const FILM_SIZE: (u32, u32) = (640, 360);

pub fn run(options: RunOptions) -> Result<ExitCode, CommandError> {
    let watch = options.session.live;
    let named = !options.session.scene.as_os_str().is_empty();
    let Opened { mut session, from, mut done, notices, gpu, .. } =
        options.resume.open(options.session, named)?;
    let from_state = from.file.is_some() && !watch;
    let gpu = if from.file.is_some() { gpu } else { options.gpu };
    session.announce_path(gpu.as_ref());
    let mut rescue = watch.then(|| Rescue::try_start(&mut session, &from, None, done)).flatten();
    session.set_recovers(watch);
    match gpu {
        // Whoever watches sees the reason, and the next good save tries again.
        Some(gpu) if watch => session.switch_path(Some(gpu)),
        Some(gpu) => session.use_gpu(&gpu)?,
        None => {}
    }
    let until = options.until.as_deref().map_or(Ok(()), |until| match until.trim() {
        "" => Err("'': a condition such as 'max_speed > 10'".to_string()),
        until => session.set_stop(until),
    });
    until.map_err(|why| CommandError::Usage(format!("--until {why}")))?;
    let mut checks = options.check.then(|| Checks::new(&session)).transpose()?;
    let usual = checks.as_ref().map_or(300, Checks::frames);
    let frames = options.frames.unwrap_or(if watch { u64::MAX } else { done + usual });
    if from_state && frames <= done {
        let text = format!(
            "--frames {frames}: the state is of frame {done}; name a later one, where the run is to end"
        );
        return Err(CommandError::Usage(text));
    }
    if options.json {
        // Notes on the scene are no part of the one line.
        session.edit_run(|run| run.log.clear());
    }
    let mut recorder =
        options.record.map(|path| Recorder::create(&from.recording(path), &mut session)).transpose()?;
    // What cannot be drawn or written is said before the work, not after it.
    options.shot.as_deref().map_or(Ok(()), |shot| check_file("--shot", shot, "png"))?;
    let mesh = options.mesh.map(|(path, range)| MeshFiles::start(path, range, &session));
    let mut mesh = mesh.transpose()?;
    if let Some((film, _)) = &options.film {
        check_file("--film", film, "gif")?;
        if frames == 0 {
            return Err(CommandError::usage("--film: no frame is simulated; give --frames 1 or more"));
        }
    }
    let scale = Scale::new(options.view, options.palette);
    let mut studio = (options.shot.is_some() || options.film.is_some())
        .then(|| Studio::new(&session, scale, options.overlay))
        .transpose()?;
    let film_size = options.size.unwrap_or(FILM_SIZE);
    let mut film = match &options.film {
        Some((path, first)) => Some((Film::start(path, film_size, session.scene().step)?, *first)),
        None => None,
    };

    if !watch {
        // Before a run that may end in NaN: a warning with the number.
        let warning = weft_engine::stability::Explicit::of(session.run(), session.scene().step)
            .and_then(|_| session.ask_stability());
        warning.into_iter().for_each(|text| say::warn(format_args!("stability: {text}")));
    }
    let progress = if watch || options.json { ProgressBar::hidden() } else { ProgressBar::new(frames) };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames  {eta}");
    progress.set_style(style.map_err(|e| e.to_string())?);

    // Bringing the state back costs more than a step: on the GPU path only for those who look at each frame.
    let looks = session.gpu().is_none()
        || recorder.is_some()
        || checks.is_some()
        || mesh.as_ref().is_some_and(MeshFiles::each)
        || film.is_some();
    let (mut ring, mut times) = (Ring::default(), Times::default());
    announce(&session, &ring, recorder.as_mut(), &notices, options.json)?;
    let mut failure = None;
    while done < frames {
        let start = Instant::now();
        if let Some(rescue) = &mut rescue {
            rescue.tick(&mut session, None, done);
        }
        if watch {
            let polled = ring.time(Stage::Live, || session.poll());
            announce(&session, &ring, recorder.as_mut(), &polled.notices, options.json)?;
        }
        if session.is_paused() {
            // Only a watched run goes on from here: with the next good save.
            thread::sleep(Duration::from_millis(5));
            continue;
        }
        // Marks around each pass cost time themselves: the last frame has them.
        let last = done + 1 == frames;
        session.watch_device(last, looks || last);
        let step = |session: &mut Session| {
            let notices = session.step()?;
            if looks { session.try_read().map(|()| notices) } else { Ok(notices) }
        };
        match ring.time(Stage::Step, || step(&mut session)) {
            Ok(notices) => announce(&session, &ring, recorder.as_mut(), &notices, options.json)?,
            Err(error) if watch => {
                let notice = Notice::bad("step", format!("{error}; paused until the next save"));
                announce(&session, &ring, recorder.as_mut(), &[notice], options.json)?;
                continue;
            }
            Err(error) => {
                // What there is of the run is shown all the same: that of the last good frame.
                failure = Some(format!("frame {}: {error}", session.run().frame));
                break;
            }
        }
        if looks {
            ring.time(Stage::Readings, || {
                session.measure();
                recorder.iter_mut().for_each(|recorder| recorder.collect(&mut session));
            });
        }
        let frame = ring.close();
        times.step.push(frame.stage_ms[Stage::Step as usize]);
        times.readings.push(frame.stage_ms[Stage::Readings as usize]);
        times.wall.push(frame.wall_ms);
        times.device.extend(session.gpu().filter(|gpu| !gpu.profile).and_then(|gpu| gpu.frame_ms));
        for (name, time) in session.run().stages.iter() {
            times.inner.entry(name.to_string()).or_default().push(time.as_secs_f32() * 1e3);
        }
        if let Some(recorder) = &mut recorder {
            recorder.frame(&session, &frame)?;
        }
        if let Some(checks) = &mut checks {
            checks.after_step(&session);
        }
        if let Some(mesh) = &mut mesh {
            mesh.frame(&session)?;
        }
        done += 1;
        progress.inc(1);
        if let (Some((film, first)), Some(studio)) = (&mut film, &mut studio)
            && done >= *first
            && (done - *first).is_multiple_of(film.stride)
        {
            film.add(studio.pixels(&session, film_size)?)?;
        }
        if options.until.is_some() && session.stop().is_none() {
            break;
        }
        if watch {
            // Real time, so that the build gets the processor.
            let rest = Duration::from_secs_f32(session.scene().step).saturating_sub(start.elapsed());
            ring.time(Stage::Present, || thread::sleep(rest));
        }
    }
    progress.finish_and_clear();
    if !looks {
        session.try_read().map_err(|error| format!("after frame {}: {error}", session.run().frame))?;
        session.measure();
    }
    if let Some(recorder) = &mut recorder {
        recorder.finish(&mut session)?;
    }
    if let Some(text) = session.ask_stability() {
        say::warn(format_args!("stability: {text}"));
    }
    let why = failure.as_deref().unwrap_or("its time did not come: more --frames");
    let outcomes = checks.map(|checks| checks.finish(why));
    if options.json {
        print_json(&session, &times, outcomes.as_deref(), failure.as_deref());
    } else {
        print_table(&session, &times);
        if options.verbose {
            layout::lines(&session.run().state).iter().for_each(say::say);
        }
        outcomes.iter().for_each(|outcomes| print_checks(outcomes));
    }
    if let Some(recorder) = &recorder {
        say::warn(format_args!("recorded {} frames to {}", recorder.frames(), recorder.path().display()));
    }
    mesh.map_or(Ok(()), |mesh| mesh.finish(&session))?;
    if let (Some(studio), Some(path)) = (&mut studio, &options.shot) {
        studio.save(&session, options.size.unwrap_or(SHOT_SIZE), path)?;
    }
    // One without a picture leaves nothing.
    if let Some((film, _)) = film.filter(|(film, _)| film.count() > 0) {
        let (count, path) = (film.count(), film.finish()?);
        say::warn(format_args!("filmed {}: {count} pictures", path.display()));
    }
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    if let Some(stop) = session.stop() {
        say::warn(format_args!("--until {}: it did not hold within {done} frames", stop.text()));
        return Ok(ExitCode::from(UNMET));
    }
    let failed = outcomes.iter().flatten().filter(|outcome| outcome.status == Status::Fail).count();
    if failed > 0 {
        say::warn(format_args!("{failed} expectation(s) failed"));
        return Ok(ExitCode::from(UNMET));
    }
    Ok(ExitCode::SUCCESS)
}

fn print_checks(outcomes: &[Outcome]) {
    if outcomes.is_empty() {
        say::say("expect       nothing is expected of this solver here");
    }
    for outcome in outcomes {
        say::say(format_args!("expect       {outcome}"));
    }
}

fn json_of(outcome: &Outcome) -> serde_json::Value {
    serde_json::json!({
        "reading": outcome.reading,
        "expected": outcome.bounds.value,
        "low": outcome.bounds.low,
        "high": outcome.bounds.high,
        "measured": outcome.measured,
        "status": outcome.status.name(),
        "note": outcome.note,
    })
}

/// Rows of the table: name, times, and whether it is part of the one above.
fn rows(times: &Times) -> Vec<(String, &[f32])> {
    let mut rows = vec![("step".to_string(), times.step.as_slice())];
    rows.extend(times.inner.iter().map(|(name, values)| (format!("  {name}"), values.as_slice())));
    if !times.device.is_empty() {
        rows.push(("  device".to_string(), &times.device));
    }
    rows.push(("readings".to_string(), &times.readings));
    rows.push(("frame".to_string(), &times.wall));
    rows
}

fn print_table(session: &Session, times: &Times) {
    let (particles, constraints) = session.sizes();
    let params: Vec<String> =
        params(session).into_iter().map(|(name, value)| format!("{name} {value}")).collect();
    say::say(format_args!("{}", session.scene().title));
    say::say(format_args!(
        "solver       {} ({}), {} thread(s)",
        session.scene().solver.name,
        params.join(", "),
        session.engine().threads().count()
    ));
    if let Some(auto) = session.auto() {
        let wanted = 100.0 * session.scene().auto.stretch;
        say::say(format_args!("auto         {auto}; {wanted:.2} % wanted"));
    }
    if let Some(gpu) = session.gpu() {
        let (n, bound) = gpu.largest_grid();
        say::say(format_args!(
            "GPU path     {}, passes {}, {:.1} MiB on the device; largest cloth {n} x {n} particles, by {bound}",
            gpu.gpu.info.name,
            gpu.list.name,
            gpu.bytes() as f64 / f64::from(1 << 20)
        ));
    }
    say::say(format_args!("frames       {}  ({:.2} s)", session.run().frame, session.run().time));
    say::say(format_args!("particles    {particles}"));
    let tables = session.run().state.constraints();
    let tables: Vec<String> = tables.iter().map(|(name, rows)| format!("{rows} {name}")).collect();
    say::say(format_args!("constraints  {constraints}  ({})", tables.join(", ")));
    say::say(format_args!("ms              p50      p95      p99      max"));
    for (name, values) in rows(times) {
        if let Some(s) = Summary::of(values.iter().copied()) {
            say::say(format_args!("{name:12}{:8.3} {:8.3} {:8.3} {:8.3}", s.p50, s.p95, s.p99, s.max));
        }
    }
    if let Some(gpu) = session.gpu() {
        for (name, ms) in &gpu.pass_ms {
            say::say(format_args!("pass {name:20} {ms:8.3} ms, last frame"));
        }
        if gpu.pass_ms.is_empty() {
            say::say("passes               n/a: this adapter has no timestamps inside a pass");
        }
    }
    for reading in readings::all(&session.run().generation) {
        if let Some(value) = reading.of(&session.readings()) {
            let place = readings::place(reading.name, &session.readings());
            let place = place.map_or_else(String::new, |place| format!("  ({place})"));
            say::say(format_args!("{:20} {}{place}", reading.name, readings::text(value, reading.unit)));
        }
    }
    for (name, value) in readings::others(&session.readings()) {
        say::say(format_args!("{name:20} {}", readings::text(value, "")));
    }
    if let Some(verdict) = &session.report().stability().latest {
        say::say(format_args!("{:20} {verdict}", "stability"));
    }
    say::say(format_args!("state hash   {}", StateHash::of(&session.run().state)));
}

fn print_json(session: &Session, times: &Times, outcomes: Option<&[Outcome]>, failure: Option<&str>) {
    let (particles, constraints) = session.sizes();
    let stages: serde_json::Map<String, serde_json::Value> = rows(times)
        .into_iter()
        .filter_map(|(name, values)| {
            let s = Summary::of(values.iter().copied())?;
            let row = serde_json::json!({ "p50": s.p50, "p95": s.p95, "p99": s.p99, "max": s.max });
            Some((name.trim().to_string(), row))
        })
        .collect();
    let readings: serde_json::Map<String, serde_json::Value> = readings::all(&session.run().generation)
        .map(|reading| (reading.name.to_string(), reading.of(&session.readings()).into()))
        .chain(readings::others(&session.readings()).map(|(name, value)| (name.to_string(), value.into())))
        .collect();
    let places: BTreeMap<_, _> = readings::all(&session.run().generation)
        .filter_map(|reading| Some((reading.name, readings::place(reading.name, &session.readings())?)))
        .collect();
    let line = serde_json::json!({
        "scene": session.setup().path().display().to_string(),
        "solver": session.scene().solver.name,
        "params": params(session).into_iter().collect::<BTreeMap<_, _>>(),
        "auto": session.auto().map(|auto| serde_json::json!({
            "error": auto.error, "wanted": session.scene().auto.stretch, "param": auto.param, "value": auto.value,
            "held_back": auto.limit.map(|limit| format!("{limit:?}").to_lowercase()),
        })),
        "threads": session.engine().threads().count(),
        "gpu": session.gpu().map(|gpu| gpu.json(&times.device)),
        "frames": session.run().frame,
        "time_s": session.run().time,
        "particles": particles,
        "constraints": constraints,
        "rows": session.run().state.constraints().into_iter().collect::<BTreeMap<_, _>>(),
        "ms": stages,
        "readings": readings,
        "places": places,
        "state_hash": StateHash::of(&session.run().state).to_string(),
        "failure": failure,
        "expect": outcomes.map(|outcomes| outcomes.iter().map(json_of).collect::<Vec<_>>()),
    });
    say::say(format_args!("{line}"));
}
