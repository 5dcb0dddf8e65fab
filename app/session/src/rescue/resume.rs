//! `--resume`: opens a session where another process left it, and says what happened to that one.

use std::{ffi::OsString, path::PathBuf};

use super::handler;
use crate::{
    autosave::{Autosave, Choice, Crash, Crashes, WindowState, choose},
    places,
};
use weft_core::{command::CommandError, project::Project, say};
use weft_gpu::{GpuOptions, Sources};

use crate::session::{Notice, Options, Session};

/// The options of `--resume`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Resume {
    /// Go on from the autosave of a program that ended by itself; without FILE, the newest one of this source tree
    ///
    /// Live programs save each second. On Unix one that crashes or hangs starts again by itself, with the last good
    /// code; on other systems it ends, and this option goes on from there.
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub resume: Option<Option<PathBuf>>,
    /// Go on from a state that was saved by name in the panel, or from the file of one, as the page hands it over
    #[arg(long, value_name = "NAME")]
    pub state: Option<String>,
    /// Crashes before this start, as the program itself writes them
    #[arg(long, hide = true, value_name = "RECORDS", value_parser = |list: &str| Ok::<_, String>(Crashes::parse(list)))]
    pub crashed: Option<Crashes>,
    /// The scene that ran then, as the program itself writes it
    #[arg(long, hide = true, value_name = "SCENE", value_parser = clap::builder::OsStringValueParser::new())]
    pub running: Option<OsString>,
    /// Panic at this frame, once: what a mistake in the program itself comes to
    #[arg(long, hide = true, value_name = "FRAME")]
    pub panic_at: Option<u64>,
}

/// Where a session came from.
#[derive(Clone, Debug, Default)]
pub struct From {
    /// The autosave that was read.
    pub file: Option<PathBuf>,
    pub crashes: Crashes,
    /// Frame at which to panic.
    pub panic_at: Option<u64>,
    /// Of the process before this one, which had the same number.
    pub(super) children: Vec<i32>,
}

impl From {
    /// Where to record to: a recording of the process before this one is not written over.
    pub fn recording(&self, path: PathBuf) -> PathBuf {
        if self.file.is_none() && self.crashes.0.is_empty() {
            return path;
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let end = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let others = (2..).map(|number| path.with_file_name(format!("{stem}-{number}.{end}")));
        std::iter::once(path.clone()).chain(others).find(|path| !path.exists()).unwrap_or(path)
    }
}

pub struct Opened {
    pub session: Session,
    pub from: From,
    pub window: Option<WindowState>,
    /// Frames of `--frames` that were done before.
    pub done: u64,
    /// The GPU path was asked for.
    pub gpu: Option<GpuOptions>,
    /// Shaders not to be drawn with.
    pub shaders: Vec<String>,
    /// To be said first.
    pub notices: Vec<Notice>,
}

impl Opened {
    /// A session that goes on from nothing.
    pub fn of(session: Session) -> Self {
        let (from, notices, shaders) = (From::default(), Vec::new(), Vec::new());
        let gpu = session.device().wanted().cloned();
        Self { session, from, window: None, done: 0, gpu, shaders, notices }
    }
}

impl Resume {
    /// Whether there is something to go on from.
    pub fn asked(&self) -> bool {
        self.resume.is_some() || self.state.is_some()
    }

    /// Opens the autosave, or the scene of `options`. `scene` says whether that scene was asked for by name.
    pub fn open(&self, mut options: Options, scene: bool) -> Result<Opened, CommandError> {
        let crashes = self.crashed.clone().unwrap_or_default();
        if let Some(crash) = crashes.last().filter(|_| crashes.many(Crash::ends)) {
            let again = match self.resume.iter().flatten().next() {
                None => "`weft --resume` tries again".into(),
                Some(file) if file.is_file() => format!("`weft --resume {}` tries again", file.display()),
                Some(_) => "no state could be kept: start it anew".into(),
            };
            let text = crash.text();
            return Err(CommandError::Other(format!(
                "stopped: this was the third time in a row ({text}); {again}"
            )));
        }
        options.carry.banned = crashes.banned();
        options.carry.last = crashes.0.iter().map(|crash| crash.generation).max().unwrap_or(0);
        let children = if self.asked() { handler::children() } else { Vec::new() };
        if let Some(file) = &self.resume {
            match Self::go_on(file.clone(), &options, &crashes) {
                Ok(mut opened) => {
                    opened.from.children = children;
                    return Ok(opened);
                }
                Err(why) if scene || !crashes.0.is_empty() => {
                    say::warn(format_args!("[rescue] cannot resume: {why}; starting afresh"))
                }
                Err(why) => return Err(CommandError::Other(format!("cannot resume: {why}"))),
            }
            // What ran, which is not what the command line says after the keys 1 to 9.
            let running = self.running.as_ref().map(PathBuf::from).filter(|running| running.is_file());
            options.scene = running.unwrap_or(options.scene);
        }
        if let Some(name) = self.state.as_ref().filter(|_| self.resume.is_none()) {
            return Self::open_state(name, &options, scene).map_err(CommandError::Other);
        }
        options.carry.wait = crashes.many(|crash| crash.by_code() || crash.in_host());
        let mut session = Session::open(options)?;
        let mut notices = Vec::new();
        if let Some(crash) = crashes.last() {
            let text = format!("restarted after {}; from the start of the scene", crash.text());
            session.problems_mut().restarted = Some(text.clone());
            notices.push(Notice::bad("rescue", text));
        }
        let shaders = crashes.shaders();
        session.ban_passes(passes(&shaders));
        refuse_device(&mut session, &crashes);
        // The process after it is not to end in the same way.
        let panic_at = self.panic_at.filter(|_| crashes.0.is_empty());
        let from = From { file: None, crashes, panic_at, children };
        Ok(Opened { session, from, window: None, done: 0, gpu: None, shaders, notices })
    }

    /// The state of this name; a scene that was asked for beside it has to be its own.
    fn open_state(name: &str, options: &Options, scene: bool) -> Result<Opened, String> {
        let fail = |why: String| format!("--state {name}: {why}");
        let file = places::find_state(Project::find().as_ref(), name).map_err(fail)?;
        let own = Autosave::read(&file).map_err(fail)?.scene_file();
        let full = |path: &std::path::Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if scene && full(&own) != full(&options.scene) {
            let (own, other) = (own.display(), options.scene.display());
            return Err(fail(format!("it is a state of {own}, not of {other}: leave the scene out")));
        }
        let mut opened = Self::go_on(Some(file), options, &Crashes::default()).map_err(fail)?;
        let reset = opened.session.lay_over(&options.overrides())?;
        if !reset.is_empty() {
            let text =
                format!("{} starts again: what --set asks for is not what the state has", reset.join(", "));
            opened.notices.push(Notice::bad("state", text));
        }
        opened.session.set_paused(false);
        opened.from = From::default();
        Ok(opened)
    }

    fn go_on(file: Option<PathBuf>, options: &Options, crashes: &Crashes) -> Result<Opened, String> {
        let file = match file {
            Some(file) => file,
            None => places::newest(&places::folder(Project::find().as_ref()))?,
        };
        let file = std::path::absolute(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let read = |saved: Result<Autosave, String>| {
            let saved = saved?;
            let choice = choose(&saved, crashes);
            let (session, notes) = Session::resume(&saved, &choice, options, &places::meshes(&file))?;
            Ok::<_, String>((saved, choice, session, notes))
        };
        let newest = Autosave::read(&file);
        // The one from before the code that crashed, where the newest may be spoilt or is not there.
        let older = newest.as_ref().map_or(true, |saved| choose(saved, crashes).older);
        let older = older.then(|| read(Autosave::read(&places::older(&file)))).and_then(Result::ok);
        let (saved, choice, mut session, notes) = older.map_or_else(|| read(newest), Ok)?;
        let text = banner(&saved, &choice, crashes.last(), &session);
        let mut notices: Vec<Notice> = notes.into_iter().map(|note| Notice::bad("rescue", note)).collect();
        notices.push(if crashes.last().is_some() {
            session.problems_mut().restarted = Some(text.clone());
            Notice::bad("rescue", text)
        } else {
            Notice::good("rescue", text)
        });
        let from = From { file: Some(file), crashes: crashes.clone(), ..From::default() };
        session.ban_passes(passes(&choice.shaders));
        refuse_device(&mut session, crashes);
        let (window, done, gpu, shaders) = (saved.window, saved.done, choice.gpu, choice.shaders);
        Ok(Opened { session, from, window, done, gpu, shaders, notices })
    }
}

/// Three failures of a device in a row: runs beside are not brought there again.
fn refuse_device(session: &mut Session, crashes: &Crashes) {
    if crashes.many(Crash::in_device) {
        session.refuse_device("three failures of the GPU path in a row; the key g tries again");
    }
}

/// Those of the files that are passes of the GPU path, with their texts.
fn passes(files: &[String]) -> Vec<(String, String)> {
    let Ok(sources) = Sources::find() else { return Vec::new() };
    let text = |file: &String| Some((file.clone(), sources.text(file)?.to_string()));
    files.iter().filter_map(text).collect()
}

/// What happened, from which time the state is, which code runs, and what to do.
fn banner(saved: &Autosave, choice: &Choice, crash: Option<&Crash>, session: &Session) -> String {
    let code = match session.run().generation.number {
        0 => "the built-in code runs".to_string(),
        number => format!("generation {number} runs"),
    };
    let frame = saved.run.frame;
    let hash = weft_core::state::StateHash::of(&session.run().state);
    let Some(crash) = crash else {
        return format!("resumed at frame {frame}, {:.2} s, state {hash}; {code}", saved.run.time);
    };
    let lost = crash.frame.saturating_sub(frame) as f64 * f64::from(session.scene().step);
    let mut text = format!(
        "restarted after {}; state {hash} of frame {frame}, {lost:.1} s before; {code}",
        crash.text()
    );
    if let Some(shader) = &crash.shader {
        let does = if crash.of_pass() { "computes" } else { "draws" };
        text.push_str(&format!("; the shader {shader} hung or crashed the driver: the built-in one {does}"));
    }
    if crash.in_device() && saved.gpu.is_some() && choice.gpu.is_none() {
        text.push_str("; three failures of the GPU path in a row: the CPU goes on");
    }
    if choice.hold {
        text.push_str("; three crashes in a row: paused, and nothing is built until the next save");
    } else if crash.by_code() && session.run().generation.number != crash.generation {
        text.push_str("; save a fix");
    }
    text
}
