//! The window is opened.

use std::path::PathBuf;

use miniquad::EventHandler;

use weft_core::{command::CommandError, say};
use weft_gpu::GpuOptions;
use weft_session::{
    Notice, Options,
    player::{CodeChoice, Player},
    recorder::Recorder,
    rescue::{Opened, Resume},
};

use super::App;
use crate::{
    scenes,
    settings::{Settings, Store},
};

/// Of a window at first [pixels].
pub const SIZE: (u32, u32) = (1280, 720);

pub struct WindowOptions {
    pub session: Options,
    /// The GPU path instead of the CPU's.
    pub gpu: Option<GpuOptions>,
    /// How a device is asked for later, and by runs beside.
    pub device: GpuOptions,
    pub record: Option<PathBuf>,
    /// A recording that plays instead of a scene, and with which code.
    pub recording: Option<(PathBuf, CodeChoice)>,
    /// Close after this many drawn frames.
    pub frames: Option<u64>,
    /// Memory for frames to go back to [MB]; 0: none.
    pub history: usize,
    /// [pixels]; `None`: as it was in the last run.
    pub size: Option<(u32, u32)>,
    /// What is kept between runs is neither read nor written.
    pub fresh: bool,
    pub resume: Resume,
    /// The scene was asked for by name.
    pub named: bool,
    /// A frame to begin at, paused, and the camera there: target x, y, z, distance, yaw, pitch and field of view.
    pub at: Option<(u64, [f32; 7])>,
}

/// Opens the window and returns when it is closed.
pub fn open(mut options: WindowOptions) -> Result<(), CommandError> {
    let (mut opened, player, wanted) = if let Some((file, code)) = &options.recording {
        let (player, session) = Player::open(file, options.session.threads, *code)?;
        (Opened::of(session), Some(player), None)
    } else {
        let wanted = scenes::wait_for(&mut options.session, &options.resume);
        (options.resume.open(options.session, options.named)?, None, wanted)
    };
    if let Some(path) = wanted {
        opened.session.ask_scene(&path)?;
    }
    // A recording has a time line of its own.
    opened.session.set_history_budget(if player.is_some() { 0 } else { options.history });
    opened.session.set_recovers(true);
    opened.session.set_device(options.device);
    if opened.from.file.is_none() && player.is_none() {
        opened.gpu = options.gpu;
    }
    let recorder =
        options.record.map(|path| Recorder::create(&opened.from.recording(path), &mut opened.session));
    let recorder = recorder.transpose()?;
    let (store, settings, problem) =
        if options.fresh { (Store::none(), Settings::default(), None) } else { Store::open() };
    opened.notices.extend(problem.map(|why| Notice::bad("settings", why)));
    let title = format!("Weft: {}", opened.session.scene().title);
    let (width, height) = opened
        .window
        .as_ref()
        .map_or_else(|| options.size.or(settings.size.map(Into::into)).unwrap_or(SIZE), |window| window.size);
    let mut conf = weft_draw::window_conf(&title, width as i32, height as i32);
    if weft_draw::software_gl() {
        conf.sample_count = 1;
    }
    let (frames, history, at) = (options.frames, options.history, options.at);
    miniquad::start(conf, move || match App::new(opened, recorder, player, (store, &settings)) {
        Ok(mut app) => {
            (app.frames, app.history) = (frames, history);
            app.begin_at(at);
            Box::new(app) as Box<dyn EventHandler>
        }
        Err(why) => {
            say::warn(format_args!("cannot draw: {why}"));
            #[cfg(target_arch = "wasm32")]
            crate::page::tell(&crate::page::Told::Notice { kind: "start", text: &why, good: false });
            std::process::exit(1);
        }
    });
    Ok(())
}
