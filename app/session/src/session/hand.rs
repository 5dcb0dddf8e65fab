//! The hand: cloth it holds, colliders it drags. What is held follows the pointer, everything else follows that.

use glam::Vec3;
use sim_api::Hold;
use weft_core::state::{State, col};

use super::Session;
use crate::{
    drag::Drag,
    history::rebase,
    tape::{GrabImage, HandImage, Input},
};
use weft_engine::run::Run;
use weft_gpu::ReadbackScope;

/// Fastest way of the hand in one frame [m]; a leap of the pointer is taken in several frames.
const MAX_WAY: f32 = 0.25;
/// Pull of the cloth on the hand, as the mean stretch of the constraints around what it holds: up to the first the hand goes where
/// the pointer is, at the second it goes no further that way. Its force has a limit, as that of fingers has.
const SLIPS: [f32; 2] = [0.1, 0.3];

/// What acts on the run from outside of the scene. A particle in `held` has no inverse mass in the state.
#[derive(Default)]
pub struct Hand {
    grab: Option<Grab>,
    /// Where colliders were dragged, one for each.
    pub(super) drags: Vec<Drag>,
    /// Particles that the last step held, while history is on.
    pub(super) held: Vec<u32>,
    /// Ways of the particles that the next step holds.
    pub(super) holds: Vec<Hold>,
    /// Ways of an earlier step that the next one gets instead.
    pub(super) repeated: Option<Vec<Hold>>,
}

/// A patch of cloth that was picked up.
pub struct Grab {
    /// Where the hand is now, and where the pointer wants it [m].
    pub at: Vec3,
    pub target: Vec3,
    /// Particle and its place seen from the hand [m].
    particles: Vec<(u32, Vec3)>,
    /// Constraints between what is held and what is not: both particles, in this order, and the rest length [m].
    ties: Vec<([u32; 2], f32)>,
    /// What the next step adds to `at` [m].
    way: Vec3,
}

impl Hand {
    /// Empty; colliders where the scene has them.
    pub(super) fn new(colliders: usize) -> Self {
        Self { drags: vec![Drag::default(); colliders], ..Self::default() }
    }

    pub fn grab(&self) -> Option<&Grab> {
        self.grab.as_ref()
    }

    /// Whether it moves cloth or a collider in this step.
    pub(super) fn pulls(&self) -> bool {
        self.grab.is_some() || self.drags.iter().any(|drag| drag.at != drag.target)
    }

    pub(super) fn drop_grab(&mut self) -> Option<Grab> {
        self.grab.take()
    }

    /// Adds the ways of what was picked up; it has infinite mass meanwhile.
    pub(super) fn add_holds(&mut self, positions: &mut [[f32; 4]]) {
        let Some(grab) = &mut self.grab else { return };
        grab.way = grab.next_way(positions);
        let hand = grab.at + grab.way;
        for &(particle, offset) in &grab.particles {
            let Some(row) = positions.get_mut(particle as usize) else { continue };
            row[3] = 0.0;
            let begin = [row[0], row[1], row[2]];
            self.holds.push(Hold { particle, begin, end: (hand + offset).to_array() });
        }
    }

    /// The step counted: the hand is where it wanted to be.
    pub(super) fn moved(&mut self) {
        if let Some(grab) = &mut self.grab {
            grab.at += std::mem::take(&mut grab.way);
        }
    }

    /// What was held there.
    pub(super) fn take_image(&mut self, image: &HandImage, state: &State) {
        let particles = state.get(col::particle::position).len() as u32;
        self.held = image.held.iter().copied().filter(|held| *held < particles).collect();
        self.grab = image.grab.as_ref().map(|grab| {
            let all = grab.particles.iter().filter(|(particle, _)| *particle < particles);
            let particles = all.map(|(particle, offset)| (*particle, Vec3::from(*offset))).collect();
            Grab::new([grab.at, grab.target].map(Vec3::from), particles, state)
        });
    }

    /// Gives what the last step held the inverse mass of the scene.
    pub(super) fn let_go_held(&mut self, run: &mut Run) {
        let_go(run, self.held.drain(..));
    }
}

impl Grab {
    fn new([at, target]: [Vec3; 2], particles: Vec<(u32, Vec3)>, state: &State) -> Self {
        let mut held: Vec<u32> = particles.iter().map(|(particle, _)| *particle).collect();
        held.sort_unstable();
        let is_held = |particle| held.binary_search(&particle).is_ok();
        let rows = state.get(col::distance::idx).iter().zip(state.get(col::distance::rest));
        let ties = rows.filter_map(|(&[a, b], &rest)| match (is_held(a), is_held(b)) {
            (true, false) => Some(([a, b], rest)),
            (false, true) => Some(([b, a], rest)),
            _ => None,
        });
        Self { at, target, ties: ties.collect(), particles, way: Vec3::ZERO }
    }

    /// Where the hand goes in a step [m]: towards the pointer, and less far the more the cloth pulls it back.
    fn next_way(&self, positions: &[[f32; 4]]) -> Vec3 {
        let way = (self.target - self.at).clamp_length_max(MAX_WAY);
        let place = |particle: u32| positions.get(particle as usize).map(|x| Vec3::new(x[0], x[1], x[2]));
        let pulls = self.ties.iter().filter_map(|&([held, free], rest)| {
            let across = place(free)? - place(held)?;
            let length = across.length();
            (length > rest).then(|| across * ((length / rest - 1.0) / length))
        });
        let pull = pulls.sum::<Vec3>() / self.ties.len().max(1) as f32;
        let against = -way.normalize_or_zero().dot(pull);
        let [bears, most] = SLIPS;
        way * (1.0 - (against - bears) / (most - bears)).clamp(0.0, 1.0)
    }

    pub(super) fn image(&self) -> GrabImage {
        let particles = self.particles.iter().map(|(particle, offset)| (*particle, offset.to_array()));
        let [at, target] = [self.at, self.target].map(|place| place.to_array());
        GrabImage { at, target, particles: particles.collect() }
    }

    /// What is held, as rows of the particle table.
    pub fn particles(&self) -> impl Iterator<Item = u32> + '_ {
        self.particles.iter().map(|(particle, _)| *particle)
    }

    /// What is held, where it is.
    pub(super) fn still(&self, positions: &[[f32; 4]]) -> Vec<Hold> {
        let hold = |&(particle, _): &(u32, Vec3)| {
            let [x, y, z, _] = *positions.get(particle as usize)?;
            Some(Hold { particle, begin: [x, y, z], end: [x, y, z] })
        };
        self.particles.iter().filter_map(hold).collect()
    }
}

/// Gives particles the inverse mass that the scene has for them.
pub(super) fn let_go(run: &mut Run, particles: impl Iterator<Item = u32>) {
    let scene = run.blueprint.get(col::particle::position);
    let rows = run.state.get_mut(col::particle::position);
    for particle in particles {
        if let (Some(row), Some(scene)) = (rows.get_mut(particle as usize), scene.get(particle as usize)) {
            row[3] = scene[3];
        }
    }
}

impl Session {
    /// Picks up the particles of one cloth within `radius` [m] of `at`, at least the nearest one.
    pub fn grab(&mut self, object: usize, at: Vec3, radius: f32) {
        self.end_loop();
        // One hand holds one patch.
        self.release();
        self.note(|| Input::Grab { object, at: at.to_array(), radius });
        self.read(ReadbackScope::Positions);
        let Some(object) = self.setup.objects().get(object) else { return };
        let (first, positions) = (object.particles.start, &self.engine.positions()[object.particles.clone()]);
        let offsets = positions.iter().map(|x| Vec3::new(x[0], x[1], x[2]) - at);
        let near = offsets.clone().zip(0..).filter(|(offset, _)| offset.length() <= radius);
        let mut particles: Vec<(u32, Vec3)> =
            near.map(|(offset, i): (Vec3, u32)| (first as u32 + i, offset)).collect();
        if particles.is_empty() {
            let nearest = offsets.zip(0..).min_by(|(a, _), (b, _)| a.length().total_cmp(&b.length()));
            particles.extend(nearest.map(|(offset, i): (Vec3, u32)| (first as u32 + i, offset)));
        }
        self.hand.holds.reserve(particles.len() + self.setup.pins.len());
        self.hand.grab = Some(Grab::new([at; 2], particles, &self.engine.run().state));
    }

    /// Takes what was picked up to a place [m], in as many steps as it needs.
    pub fn move_grab(&mut self, target: Vec3) {
        if self.hand.grab.as_ref().is_some_and(|grab| grab.target != target) {
            self.note(|| Input::MoveGrab { target: target.to_array() });
            self.hand.grab.iter_mut().for_each(|grab| grab.target = target);
        }
    }

    /// Lets go: the particles get back the inverse mass the scene gives them. A pin that was moved stays moved.
    pub fn release(&mut self) {
        // What comes back later would hold them again.
        self.read_held();
        let Some(grab) = self.hand.drop_grab() else { return };
        self.note(|| Input::Release);
        let_go(self.engine.run_mut(), grab.particles.iter().map(|(particle, _)| *particle));
    }

    /// Positions as they are, while something is held: its ways begin there.
    pub(super) fn read_held(&mut self) {
        if self.hand.grab.is_some() || self.timeline.replay().is_some() || !self.hand.held.is_empty() {
            self.read(ReadbackScope::Positions);
        }
    }

    /// What the next step holds: the recorded ways in a loop, else those of moving pins and of the hand.
    pub(super) fn collect_holds(&mut self) {
        let (time, hand) = (self.engine.run().time, &mut self.hand);
        let state = &mut self.engine.run_mut().state;
        hand.holds.clear();
        let repeated = hand.repeated.take();
        let repeats = repeated.is_some();
        if let Some(mut ways) = repeated {
            rebase(&mut ways, state.get_mut(col::particle::position));
            hand.holds.append(&mut ways);
        } else if !self.timeline.recorded_holds(state.get_mut(col::particle::position), &mut hand.holds) {
            self.setup.pins.add_holds(&self.setup.scene, time, state, &mut hand.holds);
            hand.add_holds(state.get_mut(col::particle::position));
        }
        if self.timeline.note_holds(&hand.holds) || repeats {
            hand.held.extend(hand.holds.iter().map(|hold| hold.particle));
        }
    }
}
