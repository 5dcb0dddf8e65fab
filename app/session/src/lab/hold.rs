//! Particles in the hand: they follow the pointer, everything else follows them.

use glam::Vec3;
use sim_api::Hold;
use weft_core::state::col;

use super::Lab;
use weft_engine::run::Run;
use weft_gpu::Bring;

/// Fastest way of the hand in one frame [m]; a leap of the pointer is taken in several frames.
const MAX_WAY: f32 = 0.25;

/// A patch of cloth that was picked up.
pub struct Grab {
    /// Where the hand is now, and where the pointer wants it [m].
    pub at: Vec3,
    pub target: Vec3,
    /// Particle and its place seen from the hand [m].
    particles: Vec<(u32, Vec3)>,
    /// This frame's way of each particle.
    holds: Vec<Hold>,
}

impl Lab {
    /// Picks up the particles of one cloth within `radius` [m] of `at`, at least the nearest one.
    pub fn grab(&mut self, object: usize, at: Vec3, radius: f32) {
        self.end_loop();
        self.catch_up_with(Bring::Positions);
        let Some(object) = self.objects.get(object) else { return };
        let (first, positions) = (object.particles.start, &self.positions()[object.particles.clone()]);
        let offsets = positions.iter().map(|x| Vec3::new(x[0], x[1], x[2]) - at);
        let near = offsets.clone().zip(0..).filter(|(offset, _)| offset.length() <= radius);
        let mut particles: Vec<(u32, Vec3)> =
            near.map(|(offset, i): (Vec3, u32)| (first as u32 + i, offset)).collect();
        if particles.is_empty() {
            let nearest = offsets.zip(0..).min_by(|(a, _), (b, _)| a.length().total_cmp(&b.length()));
            particles.extend(nearest.map(|(offset, i): (Vec3, u32)| (first as u32 + i, offset)));
        }
        let holds = Vec::with_capacity(particles.len());
        self.grab = Some(Grab { at, target: at, particles, holds });
    }

    /// Lets go: the particles get back the inverse mass the scene gives them. A pin that was moved stays moved.
    pub fn release(&mut self) {
        // What comes back later would hold them again.
        self.follow_hand();
        let Some(grab) = self.grab.take() else { return };
        let_go(&mut self.run, grab.particles.iter().map(|(particle, _)| *particle));
    }

    /// Positions as they are, while something is held: its ways begin there.
    pub(super) fn follow_hand(&mut self) {
        if self.grab.is_some() || self.replay.is_some() || !self.held.is_empty() {
            self.catch_up_with(Bring::Positions);
        }
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

impl Grab {
    /// This frame's ways; the particles have infinite mass meanwhile.
    pub(super) fn holds(&mut self, positions: &mut [[f32; 4]]) -> &[Hold] {
        let way = (self.target - self.at).clamp_length_max(MAX_WAY);
        self.holds.clear();
        for &(particle, offset) in &self.particles {
            let Some(row) = positions.get_mut(particle as usize) else { continue };
            row[3] = 0.0;
            let begin = [row[0], row[1], row[2]];
            let end = (self.at + way + offset).to_array();
            self.holds.push(Hold { particle, begin, end });
        }
        &self.holds
    }

    /// What is held, where it is.
    pub(super) fn still(&self, positions: &[[f32; 4]]) -> Vec<Hold> {
        let hold = |&(particle, _): &(u32, Vec3)| {
            let [x, y, z, _] = *positions.get(particle as usize)?;
            Some(Hold { particle, begin: [x, y, z], end: [x, y, z] })
        };
        self.particles.iter().filter_map(hold).collect()
    }

    /// The frame counted: the hand is where it wanted to be.
    pub(super) fn moved(&mut self) {
        self.at += (self.target - self.at).clamp_length_max(MAX_WAY);
    }
}
