//! `weft run`: a scene without a window, with a table, a recording or a picture at the end.

mod table;

use std::{path::PathBuf, process::ExitCode, thread, time::Duration};

use weft_core::clock::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use weft_core::{command::CommandError, say};
use weft_draw::Palette;
use weft_gpu::GpuOptions;
use weft_proof::expect::{Checks, Status};
use weft_session::{
    Notice, Options, Session, announce, layout,
    recorder::Recorder,
    rescue::{Opened, Rescue, Resume},
    ring::{Ring, Stage},
};

use weft_window::{
    film::Film,
    view::{Overlays, Quantity, Scale},
};

use table::Times;

use crate::{
    mesh_files::MeshFiles,
    outputs::{check_file, spare},
    shot::Studio,
};

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
    if !watch {
        // Of a state, also of one that a live program left behind, as many more are asked for.
        done = 0;
    }
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
    if watch && done > 0 && done >= frames {
        say::warn(format_args!(
            "--frames {frames}: it goes on from frame {done}, and frames are counted from the start: none is simulated; --frames {} does as \
             many more",
            done + frames
        ));
    }
    if options.json {
        // Notes on the scene are no part of the one line.
        session.edit_run(|run| run.log.clear());
    }
    let mesh_file = options.mesh.as_ref().map(|(path, _)| path);
    for (option, path) in
        [("--record", options.record.as_ref()), ("--shot", options.shot.as_ref()), ("--mesh", mesh_file)]
    {
        path.map_or(Ok(()), |path| spare(option, path, &session))?;
    }
    let mut recorder =
        options.record.map(|path| Recorder::create(&from.recording(path), &mut session)).transpose()?;
    // What cannot be drawn or written is said before the work, not after it.
    options.shot.as_deref().map_or(Ok(()), |shot| check_file("--shot", shot, "png"))?;
    let mesh = options.mesh.map(|(path, range)| MeshFiles::start(path, range, frames, &session));
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
    if let Some(checks) = &mut checks {
        checks.at_start(&mut session);
    }
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
        let device = session.gpu().filter(|gpu| !gpu.profile).and_then(|gpu| gpu.frame_ms);
        device.into_iter().for_each(|ms| times.device.push(ms));
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
        table::json(&session, &times, outcomes.as_deref(), failure.as_deref());
    } else {
        table::text(&session, &times);
        if options.verbose {
            layout::lines(&session.run().state).iter().for_each(say::say);
        }
        outcomes.iter().for_each(|outcomes| table::checks(outcomes));
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
        let end = if count == 1 { "" } else { "s" };
        say::warn(format_args!("filmed {}: {count} picture{end}", path.display()));
    }
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    if let Some(stop) = session.stop() {
        let why = session.stop_without_value().map_or_else(String::new, |why| format!("; {why}"));
        say::warn(format_args!("--until {}: it did not hold within {done} frames{why}", stop.text()));
        return Ok(ExitCode::from(UNMET));
    }
    let failed = outcomes.iter().flatten().filter(|outcome| outcome.status == Status::Fail).count();
    if failed > 0 {
        say::warn(format_args!("{failed} expectation(s) failed"));
        return Ok(ExitCode::from(UNMET));
    }
    Ok(ExitCode::SUCCESS)
}
