//! A session whose recording is made as it goes.

use std::path::Path;

use glam::Vec3;
use tests::places;
use weft_core::state::StateHash;
use weft_session::{
    Options, Session,
    recorder::Recorder,
    ring::{Ring, Stage},
};

/// A session that is recorded, driven as the window drives it.
pub(crate) struct Filmed {
    pub(crate) session: Session,
    recorder: Recorder,
    ring: Ring,
}

impl Filmed {
    /// `small`: fields of the scene that make it so.
    pub(crate) fn open(file: &Path, scene: &str, small: &[(&str, &str)]) -> Self {
        let set = small.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
        let options = Options { scene: places::scene(scene), threads: 2, set, ..Options::default() };
        let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
        session.set_history_budget(64);
        let recorder = Recorder::create(file, &mut session).unwrap_or_else(|e| panic!("{e}"));
        Self { session, recorder, ring: Ring::default() }
    }

    pub(crate) fn step(&mut self) {
        let Self { session, recorder, ring } = self;
        ring.time(Stage::Step, || session.step()).unwrap_or_else(|e| panic!("{e}"));
        session.measure();
        recorder.collect(session);
        recorder.frame(session, &ring.close()).unwrap_or_else(|e| panic!("{e}"));
    }

    pub(crate) fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.step());
    }

    pub(crate) fn place(&self, particle: usize) -> Vec3 {
        let [x, y, z, _] = self.session.positions()[particle];
        Vec3::new(x, y, z)
    }

    pub(crate) fn pull(&mut self, object: usize, particle: usize, count: usize) {
        let at = self.place(particle);
        self.session.grab(object, at, 0.08);
        for _ in 0..count {
            let target = self.session.hand().grab().expect("held").target;
            self.session.move_grab(target + Vec3::new(0.011, 0.023, 0.007));
            self.step();
        }
    }

    pub(crate) fn end(mut self) -> StateHash {
        self.recorder.finish(&mut self.session).unwrap_or_else(|e| panic!("{e}"));
        StateHash::of(&self.session.run().state)
    }
}
