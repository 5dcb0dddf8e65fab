//! Colliders between frames: scripted motion, and what the hand drags.

use weft_core::state::col;

use glam::{Quat, Vec3, Vec4};

use super::{Hand, Session, seats};
use crate::{
    drag::{Drag, Offset},
    tape::Input,
};
use weft_core::state::State;
use weft_engine::run::Run;
use weft_scene::{Collider, ColliderShape, Scene};

impl Hand {
    /// Where a collider is at a time [s], seen from the scene's origin.
    fn pose(&self, scene: &Scene, collider: usize, time: f64) -> (Vec3, Quat) {
        let body = &scene.colliders[collider];
        let (position, rotation) = body.motion.pose(scene.local(body.at), body.rotation, time);
        let Offset { way, turn } = self.drags.get(collider).copied().unwrap_or_default().at;
        (position + way, if turn == Quat::IDENTITY { rotation } else { (turn * rotation).normalize() })
    }

    /// Last frame's end becomes this frame's begin; motion and drag give the new end.
    pub(super) fn move_colliders(&mut self, scene: &Scene, run: &mut Run) {
        for drag in &mut self.drags {
            drag.go_on();
        }
        begin_at_end(&mut run.state);
        self.write_poses(scene, &mut run.state, run.time + f64::from(scene.step));
    }

    /// Puts colliders at their place without sweeping them there: after a scene swap or a failed step.
    pub(super) fn place_colliders(&self, scene: &Scene, run: &mut Run) {
        self.write_poses(scene, &mut run.state, run.time);
        begin_at_end(&mut run.state);
    }

    /// Those with a mass go their own way.
    fn write_poses(&self, scene: &Scene, state: &mut State, time: f64) {
        for (i, _) in scene.colliders.iter().enumerate().filter(|(_, body)| body.mass == 0.0) {
            let (position, rotation) = self.pose(scene, i, time);
            let position = position.extend(0.0).to_array();
            let columns =
                [(col::collider::position, position), (col::collider::rotation, rotation.to_array())];
            for (column, value) in columns {
                if let Some(row) = state.get_mut(column).get_mut(i) {
                    *row = value;
                }
            }
        }
    }

    /// A collider that was dragged or turned stays as it is, unless the scene moved or turned it since `old`.
    pub(super) fn carry_drags(&mut self, old: &Scene, scene: &Scene) {
        let drag = |body: &Collider| {
            let before = old.colliders.iter().position(|before| before.id == body.id)?;
            let (mut drag, old) = (self.drags.get(before).copied()?, &old.colliders[before]);
            if (old.at, &old.motion) != (body.at, &body.motion) {
                drag.forget_way();
            }
            if (old.rotation, &old.motion) != (body.rotation, &body.motion) {
                drag.forget_turn();
            }
            Some(drag)
        };
        self.drags = scene.colliders.iter().map(|body| drag(body).unwrap_or_default()).collect();
    }
}

/// Every pose begins where the last one ended.
fn begin_at_end(state: &mut State) {
    let pairs = [
        (col::collider::begin_position, col::collider::position),
        (col::collider::begin_rotation, col::collider::rotation),
    ];
    for (to, from) in pairs {
        for row in 0..state.get(from).len() {
            let value = state.get(from)[row];
            if let Some(begin) = state.get_mut(to).get_mut(row) {
                *begin = value;
            }
        }
    }
}

/// Bodies with a mass after a save: those that the file moved start again, all others go on from the rows of `before`,
/// which are those of the colliders of `old`.
pub(super) fn carry_bodies(scene: &Scene, old: &Scene, before: &State, state: &mut State) {
    let moved = (Vec3::from(old.origin) - Vec3::from(scene.origin)).extend(0.0);
    for (i, body) in scene.colliders.iter().enumerate().filter(|(_, body)| body.mass > 0.0) {
        let same = |other: &Collider| {
            other.id == body.id
                && other.mass > 0.0
                && (other.at, other.rotation, other.velocity) == (body.at, body.rotation, body.velocity)
        };
        let from = old.colliders.iter().position(same);
        let vector = |value: [f32; 3]| Vec3::from(value).extend(0.0).to_array();
        let starts = [
            (col::collider::position, vector(scene.local(body.at))),
            (col::collider::rotation, weft_scene::rotation::euler(body.rotation).to_array()),
            (col::collider::velocity, vector(body.velocity)),
            (col::collider::spin, [0.0; 4]),
        ];
        for (column, start) in starts {
            let goes_on = from.and_then(|from| before.get(column).get(from)).copied();
            let value = goes_on.unwrap_or(start);
            if let Some(row) = state.get_mut(column).get_mut(i) {
                *row = value;
            }
        }
        if let (Some(_), true, Some(row)) =
            (from, moved != Vec4::ZERO, state.get_mut(col::collider::position).get_mut(i))
        {
            *row = (Vec4::from_array(*row) + moved).to_array();
        }
    }
}

impl Session {
    /// Colliders at their place: after a scene swap or a failed step.
    pub(super) fn place_colliders(&mut self) {
        self.hand.place_colliders(&self.setup.scene, self.engine.run_mut());
    }

    /// Moves a collider by hand [m]: it goes there in the next steps, or at once while nothing moves.
    pub fn drag_collider(&mut self, collider: usize, by: Vec3) {
        let input = |paused| Input::DragCollider { collider, by: by.to_array(), paused };
        self.move_collider(collider, Offset { way: by, ..Offset::NONE }, input);
    }

    /// Turns a collider by hand about its own place, in the same way.
    pub fn turn_collider(&mut self, collider: usize, by: Quat) {
        let input = |paused| Input::TurnCollider { collider, by: by.to_array(), paused };
        self.move_collider(collider, Offset { turn: by, ..Offset::NONE }, input);
    }

    /// `input` is what it is on the tape, in a session that is paused or not.
    fn move_collider(&mut self, collider: usize, by: Offset, input: impl FnOnce(bool) -> Input) {
        if by != Offset::NONE {
            self.end_loop();
            let paused = self.paused;
            self.note(|| input(paused));
        }
        if self.setup.scene.colliders.get(collider).is_some_and(|body| body.mass > 0.0) {
            self.pull(collider, by);
            return;
        }
        let Some(drag) = self.hand.drags.get_mut(collider) else { return };
        drag.target = drag.target.then(by);
        if self.paused && by != Offset::NONE {
            drag.at = drag.target;
            self.place_with_strands(&seats::ends(&self.engine.run().state));
        }
    }

    /// From where colliders are in an earlier state, to where the hand had them later: at once with the strands that grow from them,
    /// or while nothing moves; others are dragged there in the next steps.
    pub(super) fn drag_again(&mut self, later: &[Drag]) {
        let (scene, paused) = (&self.setup.scene, self.paused);
        let grown_on: Vec<usize> = scene.strands.iter().filter_map(|strands| strands.seat(scene)).collect();
        let mut moved = false;
        for (collider, (drag, later)) in self.hand.drags.iter_mut().zip(later).enumerate() {
            let at_once = paused || grown_on.contains(&collider);
            if drag.target == later.target {
                continue;
            }
            drag.target = later.target;
            if at_once {
                (drag.at, moved) = (drag.target, true);
            }
        }
        if moved {
            self.place_with_strands(&seats::ends(&self.engine.run().state));
        }
    }

    /// A body with a mass gets the speed and spin that take it there in the next step, or goes there at once while nothing moves.
    fn pull(&mut self, collider: usize, by: Offset) {
        let by = by.of_a_step();
        let (paused, step) = (self.paused, self.setup.scene.step);
        let from = seats::ends(&self.engine.run().state);
        let state = &mut self.engine.run_mut().state;
        if paused {
            if let Some(row) = state.get_mut(col::collider::position).get_mut(collider) {
                *row = (Vec3::new(row[0], row[1], row[2]) + by.way).extend(0.0).to_array();
            }
            if let Some(row) = state.get_mut(col::collider::rotation).get_mut(collider) {
                *row = (by.turn * Quat::from_array(*row)).normalize().to_array();
            }
            self.place_with_strands(&from);
            return;
        }
        let spin = 2.0 * by.turn.xyz() * by.turn.w.signum();
        for (column, way) in [(col::collider::velocity, by.way), (col::collider::spin, spin)] {
            if let Some(row) = state.get_mut(column).get_mut(collider) {
                *row = (way / step).extend(0.0).to_array();
            }
        }
    }

    /// What positions of the run are relative to [m], world space.
    pub fn origin(&self) -> Vec3 {
        Vec3::from(self.setup.scene.origin)
    }

    /// Solid colliders as the renderer and the picker want them, seen from the origin, with their place in the scene's list.
    /// `state` is that of the run or of one beside it; `share` is how far between the begin (0) and the end (1) of the last step.
    pub fn solids(
        &self,
        state: &State,
        share: f32,
        highlighted: Option<usize>,
        solids: &mut Vec<(usize, weft_draw::Solid)>,
    ) {
        solids.clear();
        let rows = |key| state.get(key);
        let (from, to) = (rows(col::collider::begin_position), rows(col::collider::position));
        let (turned_from, turned_to) = (rows(col::collider::begin_rotation), rows(col::collider::rotation));
        for (i, body) in self.setup.scene.colliders.iter().enumerate() {
            let Some(shape) = weft_draw::Shape::of(&body.shape) else { continue };
            let (Some(b), Some(turned)) = (to.get(i), turned_to.get(i)) else { continue };
            let (a, before) = (from.get(i).unwrap_or(b), turned_from.get(i).unwrap_or(turned));
            let (a, b) = (Vec3::new(a[0], a[1], a[2]), Vec3::new(b[0], b[1], b[2]));
            let rotation = Quat::from_array(*before).lerp(Quat::from_array(*turned), share);
            let (position, highlighted) = (a.lerp(b, share), highlighted == Some(i));
            let scalp = weft_draw::Scalp::of(&self.setup.scene, i);
            let color = body.color;
            solids.push((i, weft_draw::Solid { shape, position, rotation, color, scalp, highlighted }));
        }
    }

    /// The highest upright plane is drawn as the ground.
    pub fn ground(&self) -> Option<weft_draw::Ground> {
        let planes =
            self.setup.scene.colliders.iter().filter(|body| matches!(body.shape, ColliderShape::Plane));
        let level = planes.filter(|body| body.rotation == [0.0; 3]);
        let highest = level.max_by(|a, b| a.at[1].total_cmp(&b.at[1]))?;
        Some(weft_draw::Ground {
            height: self.setup.scene.local(highest.at)[1],
            color: highest.color,
            ..weft_draw::Ground::default()
        })
    }
}
