//! The window. [`App::advance`] and [`App::show`] are the frame, top to bottom; `app/input.rs` is mouse and keys,
//! `app/pace.rs` how many steps a frame takes and how long it waits.

mod device;
mod events;
mod film;
mod input;
mod open;
mod pace;
#[cfg(target_arch = "wasm32")]
mod page;
mod picture;
mod playing;
mod pointer;
mod rebuild;
mod recording;
mod resume;
mod rewind;
mod settings;
mod shaders;
mod split;
mod states;
mod touch;

use std::collections::{HashMap, VecDeque};

use weft_core::clock::Instant;

use glam::Vec3;
use miniquad::window;

use weft_core::{pulse::Inside, say};
use weft_draw::{
    Camera, Renderer,
    gl::{Gl, GlShare},
};
use weft_gpu::GpuOptions;
use weft_session::{
    Notice, Polled, Session, announce,
    live::Rebuild,
    player::Player,
    recorder::Recorder,
    rescue::{Crash, Opened, Rescue},
    ring::{Ring, Stage},
};

use crate::{
    settings::{Settings, Store},
    ui::{Backend, Panel, PanelInput, Speed},
    view::{self, View},
};

pub use open::{SIZE, WindowOptions, open};
#[cfg(target_arch = "wasm32")]
pub use page::start;

use pace::{Hurry, Measured, Timed};
use playing::Playing;
use pointer::Pointer;
use touch::Fingers;

/// The panel's readings are taken this often, a recording's after every frame [s].
const READ_EVERY: f32 = 0.1;
/// On the GPU path at most one part in so many of the time goes into the panel's readings.
const READ_SHARE: f32 = 20.0;
/// Notices kept for the panel.
const NOTICES: usize = 40;

pub struct App {
    /// First of all fields, so that it is dropped first.
    rescue: Option<Rescue>,
    /// The whole program, being built.
    rebuild: Option<Rebuild>,
    session: Session,
    view: View,
    camera: Camera,
    pointer: Pointer,
    fingers: Fingers,
    ring: Ring,
    recorder: Option<Recorder>,
    /// A recording that plays.
    playing: Option<Playing>,
    /// Memory for frames to go back to while none plays [MB].
    history: usize,
    notices: VecDeque<(Instant, Notice)>,
    panel: Panel,
    ui: Backend,
    renderer: Renderer,
    gl: Gl,
    /// How the GPU path is asked for by key and panel.
    gpu: GpuOptions,
    /// Simulated time that the clock is ahead of the state [s].
    behind: f64,
    last_update: Instant,
    last_read: Instant,
    /// Since the last frame's end, while the next is waited for.
    handed_over: Option<Instant>,
    /// Time that it took [s].
    read_secs: f32,
    /// Close after this many drawn frames, those of an earlier process counted.
    frames: Option<u64>,
    drawn: u64,
    /// Pictures since the start, or since a shader was swapped in.
    drawn_since: u64,
    shader_swapped: bool,
    /// Texts of drawing shaders that were saved and draw, by file.
    saved_shaders: HashMap<String, String>,
    /// Until the next frame begins: the picture is shown after `draw` has returned.
    picture: Option<Inside>,
    /// Pictures were ended for the third time in a row: a display that is off is waited for.
    waits_for_display: bool,
    hurry: Hurry,
    /// Steps that are asked for although it is paused.
    single_steps: u32,
    speed: Speed,
    filming: Option<film::Filming>,
    /// What the frame times are of.
    timed: Timed,
    measured: Measured,
    /// The last time that something happened which may change the picture.
    stirred: Instant,
    kept: settings::Kept,
    #[cfg(target_arch = "wasm32")]
    known: page::Known,
}

impl App {
    fn new(
        opened: Opened,
        recorder: Option<Recorder>,
        player: Option<Player>,
        (store, settings): (Store, &Settings),
    ) -> Result<Self, String> {
        let Opened { mut session, from, window, done, gpu, shaders, notices } = opened;
        session.announce_path(gpu.as_ref());
        // Before the driver compiles anything: that is where it crashes most often.
        // Of a recording there is nothing that an autosave has to keep.
        let rescue = if player.is_none() {
            Rescue::try_start(&mut session, &from, window.clone(), done)
        } else {
            None
        };
        let mut shared = Gl::alone(window::new_rendering_backend());
        let mut gl = shared.turn();
        let mut renderer = Renderer::new(&mut *gl, &view::shaders(&session, &shaders)).or_else(|why| {
            // A shader that was broken while no program ran must not keep the window from opening.
            say::warn(format_args!("{why}; starting with the built-in shaders"));
            Renderer::new(&mut *gl, &weft_draw::ShaderSources::built_in())
        })?;
        if weft_draw::software_gl() {
            renderer.set_quality(&mut *gl, weft_draw::Quality::Fast);
        }
        let ui = Backend::new(&mut *gl)?;
        drop(gl);
        let share = GlShare::current();
        share.iter().for_each(|share| shared.share(share));
        session.set_context(share);
        if gpu.is_some() {
            session.switch_path(gpu);
        }
        let playing = player.map(|player| Playing::new(player, &mut session));
        if playing.is_none() {
            session.show_listed();
        }
        let mut app = Self {
            rescue,
            rebuild: None,
            camera: view::camera(&session.scene().camera),
            view: View::default(),
            pointer: Pointer::default(),
            fingers: Fingers::default(),
            ring: Ring::default(),
            recorder,
            playing,
            history: 0,
            notices: VecDeque::new(),
            panel: Panel::default(),
            ui,
            renderer,
            gl: shared,
            gpu: session.device().asked().clone(),
            behind: 0.0,
            last_update: Instant::now(),
            last_read: Instant::now(),
            handed_over: None,
            read_secs: 0.0,
            frames: None,
            drawn: done,
            drawn_since: 0,
            hurry: Hurry::default(),
            shader_swapped: false,
            saved_shaders: HashMap::new(),
            picture: None,
            waits_for_display: from.crashes.many(Crash::holds_picture),
            single_steps: 0,
            speed: Speed::Times(1.0),
            filming: None,
            timed: Timed::default(),
            measured: Measured::default(),
            stirred: Instant::now(),
            kept: settings::Kept::new(store),
            #[cfg(target_arch = "wasm32")]
            known: page::Known::new(),
            session,
        };
        app.take_settings(settings);
        app.load_textures();
        window.into_iter().for_each(|state| app.take_up(&state));
        notices.into_iter().for_each(|notice| app.notify(notice));
        Ok(app)
    }

    /// Steps up to a frame and looks as it was looked at there.
    fn begin_at(&mut self, at: Option<(u64, [f32; 7])>) {
        let Some((frame, camera)) = at else { return };
        while self.session.run().frame < frame && self.session.step().is_ok() {}
        self.session.set_paused(true);
        self.look(camera);
    }

    /// Target x, y, z, distance, yaw, pitch and field of view.
    fn look(&mut self, [x, y, z, distance, yaw, pitch, fov_y]: [f32; 7]) {
        self.camera = Camera { target: Vec3::new(x, y, z), distance, yaw, pitch, fov_y };
    }

    /// What changed on disk: code and scene are in already, shaders and textures are the renderer's.
    fn take_in(&mut self, polled: Polled) {
        for notice in polled.notices {
            self.notify(notice);
        }
        for path in polled.shaders {
            self.reload_shader(&path).into_iter().for_each(|notice| self.notify(notice));
        }
        for path in &polled.textures {
            self.view.texture_saved(path);
        }
        if let Some(path) = &polled.opened {
            self.scene_opened(path);
        }
        if polled.view_changed {
            self.camera = view::camera(&self.session.scene().camera);
        }
        self.load_textures();
    }

    fn notify(&mut self, notice: Notice) {
        let written =
            announce(&self.session, &self.ring, self.recorder.as_mut(), std::slice::from_ref(&notice), false);
        if let Err(why) = written {
            self.recorder = None;
            say::warn(format_args!("{why}"));
        }
        #[cfg(target_arch = "wasm32")]
        crate::page::tell(&crate::page::Told::Notice {
            kind: notice.kind,
            text: &notice.text,
            good: notice.good,
        });
        self.notices.push_back((Instant::now(), notice));
        if self.notices.len() > NOTICES {
            self.notices.pop_front();
        }
    }

    fn draw_cloth(&mut self) {
        let highlighted = self.pointer.collider().or(self.pointer.over_collider);
        self.view.update(&self.session, self.share(), highlighted);
        if self.view.on_device {
            self.paint();
            if self.view.painted.is_none() {
                self.view.update(&self.session, 1.0, highlighted);
            }
        }
        self.camera = self.view.clear(&self.session, self.camera);
        self.draw_pictures();
    }

    fn draw_ui(&mut self) {
        if let Err(why) = self.ui.paste() {
            self.notify(Notice::bad("paste", why));
        }
        let recording = self.recorder.as_ref().map(Recorder::frames);
        let playing = self.playing.as_ref().map(Playing::place);
        let mut actions = Vec::new();
        let (panel, session, ring, notices) = (&mut self.panel, &mut self.session, &self.ring, &self.notices);
        let view = &mut self.view;
        let film = self.filming.as_ref().map(film::Filming::progress);
        let rebuild = self.rebuild.as_ref().map(|rebuild| (rebuild.since.elapsed(), rebuild.crates));
        let (speed, real_time) = (self.speed, self.measured.real_time);
        self.ui.frame(&mut self.gl, |context| {
            let input = PanelInput {
                ring,
                notices,
                speed,
                real_time,
                recording,
                playing,
                film,
                rows_for_one: self.renderer.rows_for_one(),
                hairs_for_one: self.renderer.hairs_for_one(),
                rebuild,
            };
            actions = panel.show(context, session, view, &input);
        });
        for action in actions {
            self.act(action);
        }
    }

    /// The first half of a frame: what was saved, pointer and keys, steps, readings.
    fn advance(&mut self) {
        self.picture = None;
        let rested = self.handed_over.take().map(|since| since.elapsed());
        rested.into_iter().for_each(|time| self.ring.add(Stage::Present, time));
        let start = Instant::now();
        #[cfg(target_arch = "wasm32")]
        self.obey();
        let polled = self.session.poll();
        if polled.is_news() {
            self.stir();
        }
        self.take_in(polled);
        self.take_rebuilt();
        self.ring.add(Stage::Live, start.elapsed());

        let start = Instant::now();
        self.move_camera_by_keys();
        self.move_colliders_by_keys();
        self.drag();
        self.ring.add(Stage::Input, start.elapsed());

        self.ask_device();
        self.seek();
        self.steps();

        let start = Instant::now();
        // The whole state comes back for it: where that takes long, not so often.
        let slow = if self.session.any_on_device() { READ_SHARE * self.read_secs } else { 0.0 };
        if self.recorder.is_some() || self.last_read.elapsed().as_secs_f32() >= READ_EVERY.max(slow) {
            self.last_read = start;
            self.session.measure();
            self.recorder.iter_mut().for_each(|recorder| recorder.collect(&mut self.session));
            self.read_secs = start.elapsed().as_secs_f32();
        }
        self.ring.add(Stage::Readings, start.elapsed());
    }

    /// The second half: the picture, the panel, and the wait for the next one.
    fn show(&mut self) {
        if self.is_still() || self.hurry == Hurry::Asked {
            // What is on the screen stays there.
            self.hurry = Hurry::Done;
            self.keep();
            self.rest();
            return;
        }
        self.hurry = Hurry::No;
        self.enter_draw();
        if self.panel.is_new() {
            // Panels say where the picture is.
            self.draw_ui();
        }
        let start = Instant::now();
        self.draw_cloth();
        self.film_picture();
        self.ring.add(Stage::Draw, start.elapsed());

        let start = Instant::now();
        self.draw_ui();
        self.ring.add(Stage::Ui, start.elapsed());

        self.ring.time(Stage::Present, || self.gl.turn().commit_frame());
        self.keep();
        let frame = self.ring.close();
        self.record(&frame);
        self.keep_settings();
        self.watch_timed();
        self.drawn += 1;
        if self.frames.is_some_and(|frames| self.drawn >= frames) {
            self.keep_settings_now();
            window::order_quit();
        }
        let start = Instant::now();
        self.rest();
        self.handed_over = Some(start);
    }
}

impl Drop for App {
    /// The context is gone by now: what was made on it must not be freed.
    fn drop(&mut self) {
        // What was filmed so far is a film.
        let filming = self.filming.take().filter(|_| !std::thread::panicking());
        filming.into_iter().for_each(|filming| self.end_film(filming));
        self.session.leave_context();
    }
}
