//! Where the hand has a collider.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Farthest that a collider is moved in one step [m], and turned [radians]; a leap of the pointer is taken in several steps.
const MOST: (f32, f32) = (0.1, 0.2);

/// Where a collider is, seen from where the scene has it, and where the hand wants it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drag {
    pub(crate) at: Offset,
    pub(crate) target: Offset,
}

/// A way [m], and a turn about the collider's own place, on top of the scene's rotation. In files three and four numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f32; 7]", into = "[f32; 7]")]
pub struct Offset {
    pub(crate) way: Vec3,
    pub(crate) turn: Quat,
}

impl Offset {
    pub(crate) const NONE: Self = Self { way: Vec3::ZERO, turn: Quat::IDENTITY };

    /// This one and then another.
    pub(crate) fn then(self, next: Self) -> Self {
        Self { way: self.way + next.way, turn: (next.turn * self.turn).normalize() }
    }

    /// No more of it than a step takes.
    pub(crate) fn of_a_step(self) -> Self {
        let mut drag = Drag { at: Self::NONE, target: self };
        drag.go_on();
        drag.at
    }
}

impl Drag {
    /// Takes the collider as far towards its target as it goes in a step.
    pub(crate) fn go_on(&mut self) {
        let (most_way, most_turn) = MOST;
        self.at.way += (self.target.way - self.at.way).clamp_length_max(most_way);
        // Without a sine: a tape has the same bits on every machine.
        let share = most_turn / self.at.turn.angle_between(self.target.turn).max(most_turn);
        self.at.turn =
            if share < 1.0 { self.at.turn.lerp(self.target.turn, share) } else { self.target.turn };
    }

    /// The collider is where the scene has it.
    pub(crate) fn forget_way(&mut self) {
        (self.at.way, self.target.way) = (Vec3::ZERO, Vec3::ZERO);
    }

    /// It is turned as the scene has it.
    pub(crate) fn forget_turn(&mut self) {
        (self.at.turn, self.target.turn) = (Quat::IDENTITY, Quat::IDENTITY);
    }

    /// Whether the collider is where the other has it.
    pub(crate) fn same_place(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl From<[f32; 7]> for Offset {
    fn from([x, y, z, turn @ ..]: [f32; 7]) -> Self {
        // What comes from a file need not be a rotation.
        let turn = Quat::from_array(turn);
        let turn =
            if turn.is_finite() && turn.length_squared() > 0.0 { turn.normalize() } else { Quat::IDENTITY };
        Self { way: Vec3::new(x, y, z), turn }
    }
}

impl From<Offset> for [f32; 7] {
    fn from(Offset { way, turn }: Offset) -> Self {
        let ([x, y, z], [a, b, c, d]) = (way.to_array(), turn.to_array());
        [x, y, z, a, b, c, d]
    }
}
