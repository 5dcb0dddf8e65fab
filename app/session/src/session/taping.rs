//! What a session puts on a tape, and the same done again.

use std::sync::{Arc, Mutex};

use glam::{Quat, Vec3};
use sim_api::Hold;
use weft_core::state::col;
use weft_engine::generation::Generation;

use super::{Change, Drag, Grab, Session, seats};
use crate::tape::{Code, Draft, HandImage, Head, Input, Repeated, Tape, Taping, What};
use weft_scene::KeptMeshes;

impl Session {
    /// Everything that acts on the session is put on this tape from now on, until it is dropped. It begins with all of the
    /// session as it is.
    pub fn start_tape(&mut self) -> Arc<Mutex<Tape>> {
        let tape = Arc::<Mutex<Tape>>::default();
        self.taping = Taping::new(&tape);
        self.jumped("the recording begins");
        self.take_jump();
        tape
    }

    /// An input came in; it is put on the tape before it is done.
    pub(super) fn note(&self, input: impl FnOnce() -> Input) {
        let frame = self.engine.run().frame;
        self.taping.with(|tape| tape.line(frame, What::Input(input())));
    }

    /// Other code comes in.
    pub(super) fn note_code(&self, code: &Code) {
        self.note(|| Input::Code { number: code.number, hash: code.hash });
        self.taping.with(|tape| tape.code(code));
    }

    /// The next step does not follow from the inputs so far.
    pub(super) fn jumped(&self, why: &str) {
        self.taping.with(|tape| tape.jump(why));
    }

    /// Before a step: all of the session, if it jumped since the last one.
    pub(super) fn take_jump(&mut self) {
        if self.taping.with(|tape| tape.has_jumped()) != Some(true) {
            return;
        }
        let (draft, code) = (self.whole(), Code::clone(&self.engine.run().generation));
        self.taping.with(|tape| {
            tape.code(&code);
            tape.whole(draft);
        });
    }

    /// All of the session as it is.
    pub fn whole(&mut self) -> Draft {
        self.read_all();
        // Who reads it knows neither this process nor this minute, and a pass of a loop begins as the one before.
        let mut save = self.autosave(None, 0, Vec::new());
        (save.process, save.at, save.paused) = (0, 0, false);
        save.good.clear();
        let (file, scene) = (self.setup.file.clone(), self.setup.scene.clone());
        let hand = HandImage { grab: self.hand.grab().map(Grab::image), held: self.hand.held.clone() };
        let head = Head { frame: self.engine.run().frame, hand, ..Head::default() };
        Draft { head, save, file, scene }
    }

    /// Does an input again, by the function that it came in by.
    pub fn take_input(&mut self, input: &Input) -> Result<(), String> {
        match input {
            Input::Grab { object, at, radius } => self.grab(*object, Vec3::from(*at), *radius),
            Input::MoveGrab { target } => self.move_grab(Vec3::from(*target)),
            Input::Release => self.release(),
            Input::DragCollider { collider, by, paused } => {
                self.as_paused(*paused, |session| session.drag_collider(*collider, Vec3::from(*by)));
            }
            Input::TurnCollider { collider, by, paused } => {
                self.as_paused(*paused, |session| session.turn_collider(*collider, Quat::from_array(*by)));
            }
            Input::Cut { threads } => _ = self.cut_threads(threads),
            Input::Solver { name } => {
                self.knows_solver(name)?;
                self.choose_solver(name);
            }
            Input::Param { name, value } => {
                let params = self.solver().map_or(&[][..], |solver| solver.params.as_slice());
                let param = params.iter().find(|param| param.name.as_str() == name);
                let solver = &self.setup.scene.solver.name;
                let param = param.ok_or_else(|| format!("the solver {solver} has no parameter `{name}`"))?;
                self.set_param(param, *value);
            }
            Input::Edit { path, value } => self.edit(path, value).map(drop)?,
            Input::Scene { file, scene } => self.take_scene(file, scene)?,
            Input::Reset => self.reset()?,
            // What it names is the player's to find: what runs goes on, from the same tables.
            Input::Code { .. } => {
                let code = Arc::clone(&self.engine.run().generation);
                self.swap_engine(code).map(drop)?;
            }
            Input::Pass { .. } => {}
            Input::Path { gpu: Some(options) } => self.use_gpu_as_kept(options)?,
            Input::Path { gpu: None } => self.use_cpu().map_err(|why| why.to_string())?,
            Input::Repeat(repeated) => self.repeat(repeated.clone()),
        }
        Ok(())
    }

    /// Does something as in a session that is paused or not.
    fn as_paused(&mut self, paused: bool, what: impl FnOnce(&mut Self)) {
        let now = std::mem::replace(&mut self.paused, paused);
        what(self);
        self.paused = now;
    }

    /// Other code, in its place on a tape.
    pub fn take_code(&mut self, code: Arc<Generation>) -> Result<(), String> {
        self.swap_engine(code).map(drop)
    }

    fn knows_solver(&self, name: &str) -> Result<(), String> {
        let known = self.solvers().iter().any(|solver| solver.name.as_str() == name);
        known.then_some(()).ok_or_else(|| format!("there is no solver `{name}`"))
    }

    /// A scene that was read from a file or built in the panel, as text; meshes are those that run.
    fn take_scene(&mut self, file: &str, scene: &str) -> Result<(), String> {
        let kept = KeptMeshes::of([&self.setup.file, &self.setup.scene]);
        let name = self.setup.path().display().to_string();
        let [file, scene] = [file, scene].map(|text| super::taken::scene(&name, text, &kept));
        let (file, scene) = (file?, scene?);
        self.setup.file = file;
        self.apply(scene).map(drop)
    }

    /// The next step gets what the hand did in an earlier one.
    pub(super) fn repeat(&mut self, repeated: Repeated) {
        // A collider that was dragged while the session stood still jumped.
        let jumped = self.hand.drags.iter().zip(&repeated.drags).any(|(now, then)| !now.same_place(then));
        self.hand.drags = repeated.drags;
        self.hand.drags.resize(self.setup.scene.colliders.len(), Drag::default());
        if jumped {
            self.place_with_strands(&seats::ends(&self.engine.run().state));
        }
        let hold = |(particle, [begin, end]): (u32, [[f32; 3]; 2])| Hold { particle, begin, end };
        self.hand.repeated = Some(repeated.holds.into_iter().map(hold).collect());
    }

    /// It is counted in the steps that follow, for a while, how long each thread is at work.
    pub fn ask_threads(&mut self) {
        self.engine.run_mut().stages.ask_threads();
    }

    /// Threads of these rows break. Returns how many did.
    pub(super) fn cut_threads(&mut self, threads: &[u32]) -> usize {
        self.read_all();
        let broken = self.engine.run_mut().state.get_mut(col::thread::broken);
        let mut cut = 0;
        for thread in threads {
            if let Some(broken) = broken.get_mut(*thread as usize) {
                cut += usize::from(std::mem::replace(broken, 1) == 0);
            }
        }
        if cut > 0 {
            self.setup.update_surfaces(&mut self.engine.run_mut().state);
            self.engine.refresh(Change::State);
            self.restart_beside();
        }
        cut
    }

    /// What a tape says of the hand, into a session that was put where the tape says.
    pub(super) fn take_hand(&mut self, image: &HandImage) {
        self.hand.take_image(image, &self.engine.run().state);
    }
}
