//! A loop over kept frames: every pass starts from the same moment and gets the same input, with the newest code.

use sim_api::Hold;

use weft_core::state::StateHash;

/// Farthest that a particle is taken in one step [m]: other code may have it elsewhere when the hand takes it.
const MAX_WAY: f32 = 0.5;

/// The frames that repeat.
pub struct Replay {
    /// First and last frame: a pass is `end - start` steps.
    pub start: u64,
    pub end: u64,
    /// Passes done since the loop began.
    pub passes: u64,
    /// State at the end of the last pass.
    pub hash: Option<StateHash>,
    /// Whether the last two passes ended in the same state, bit for bit.
    pub same: Option<bool>,
}

impl Replay {
    pub fn new(start: u64, end: u64) -> Self {
        Self { start, end, passes: 0, hash: None, same: None }
    }

    /// A pass ended in this state.
    pub fn ended(&mut self, hash: StateHash) {
        self.passes += 1;
        self.same = self.hash.map(|before| before == hash);
        self.hash = Some(hash);
    }
}

/// Lets recorded ways begin where the particles of another state are; they get infinite mass.
pub(crate) fn rebase(holds: &mut Vec<Hold>, positions: &mut [[f32; 4]]) {
    holds.retain_mut(|hold| {
        let Some(row) = positions.get_mut(hold.particle as usize) else { return false };
        row[3] = 0.0;
        hold.begin = [row[0], row[1], row[2]];
        let (begin, end) = (glam::Vec3::from(hold.begin), glam::Vec3::from(hold.end));
        if begin.distance(end) > MAX_WAY {
            hold.end = (begin + (end - begin).clamp_length_max(MAX_WAY)).to_array();
        }
        true
    });
}
