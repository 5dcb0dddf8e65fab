//! Strands whose seat jumps go along as they are: places, velocities and frames are moved and turned with it, nothing else.
//!
//! A seat jumps if it goes farther in a frame than its strands say (`teleport`) or turns farther than [`MOST_TURN`], and if it
//! is put elsewhere: by a save, or by the hand while nothing moves.

use std::ops::Range;

use glam::{Quat, Vec3};
use sim_kernels::strands;
use weft_core::state::{State, col};
use weft_scene::{Root, Scene, Strands};

use super::Session;
use crate::{beside::Twin, on_device::Change};

/// Farthest that a seat turns in a frame [radians].
const MOST_TURN: f32 = std::f32::consts::FRAC_PI_3;

/// Where a collider is [m], and how it is turned.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Pose {
    at: Vec3,
    turn: Quat,
}

impl Pose {
    fn jumps(self, to: Self, farthest: f32) -> bool {
        self.at.distance(to.at) > farthest || self.turn.angle_between(to.turn) > MOST_TURN
    }
}

/// Of all colliders at the end of their way, where strands are between two steps.
pub(super) fn ends(state: &State) -> Vec<Pose> {
    poses(state.get(col::collider::position), state.get(col::collider::rotation))
}

/// At its start, where strands are in a step.
pub(super) fn begins(state: &State) -> Vec<Pose> {
    poses(state.get(col::collider::begin_position), state.get(col::collider::begin_rotation))
}

fn poses(at: &[[f32; 4]], turn: &[[f32; 4]]) -> Vec<Pose> {
    let pose = |(at, turn): (&[f32; 4], &[f32; 4])| Pose {
        at: Vec3::new(at[0], at[1], at[2]),
        turn: Quat::from_array(*turn),
    };
    at.iter().zip(turn).map(pose).collect()
}

/// The poses of the colliders of `scene`, of those that `old` had under the same names.
pub(super) fn by_name(old: &Scene, scene: &Scene, poses: &[Pose]) -> Vec<Option<Pose>> {
    let before = |id: &String| old.colliders.iter().position(|body| body.id == *id);
    scene.colliders.iter().map(|body| poses.get(before(&body.id)?).copied()).collect()
}

impl Session {
    /// Puts colliders at their place; strands that are on them as they are in `from` go along.
    pub(super) fn place_with_strands(&mut self, from: &[Pose]) {
        self.place_colliders();
        let from: Vec<Option<Pose>> = from.iter().copied().map(Some).collect();
        self.carry_seated(&from, |_| true);
    }

    /// Strands of which `goes` is told that it goes along are carried from where their seats were to where they are now.
    pub(super) fn carry_seated(&mut self, from: &[Option<Pose>], goes: impl Fn(&Strands) -> bool) {
        let to = ends(&self.engine.run().state);
        let way = |seat: usize| Some((from.get(seat).copied()??, *to.get(seat)?));
        let moved = |seat: usize| way(seat).filter(|(from, to)| from != to);
        let carried: Vec<_> = seated(self)
            .filter(|(strands, ..)| goes(strands))
            .filter_map(|(_, seat, particles)| Some((particles, moved(seat)?)))
            .collect();
        self.carry(&carried);
        if !carried.is_empty() {
            self.engine.forget_previous();
        }
    }

    /// Before a step, colliders at its start and end known: seats that jump begin where they end, and strands with them.
    pub(super) fn carry_jumped(&mut self) {
        if self.setup.scene().strands.is_empty() {
            return;
        }
        let state = &self.engine.run().state;
        let (from, to) = (begins(state), ends(state));
        let way = |seat: usize| Some((*from.get(seat)?, *to.get(seat)?));
        let jumps = |strands: &Strands, seat: usize| {
            way(seat).is_some_and(|(from, to)| from.jumps(to, strands.teleport))
        };
        let mut seats: Vec<usize> = seated(self)
            .filter(|(strands, seat, _)| jumps(strands, *seat))
            .map(|(_, seat, _)| seat)
            .collect();
        seats.dedup();
        let carried: Vec<_> = seated(self)
            .filter(|(_, seat, _)| seats.contains(seat))
            .filter_map(|(_, seat, particles)| Some((particles, way(seat)?)))
            .collect();
        self.carry(&carried);
        let state = &mut self.engine.run_mut().state;
        for seat in seats {
            let pairs = [
                (col::collider::begin_position, col::collider::position),
                (col::collider::begin_rotation, col::collider::rotation),
            ];
            for (begin, end) in pairs {
                let end = state.get(end)[seat];
                state.get_mut(begin)[seat] = end;
            }
        }
    }

    fn carry(&mut self, carried: &[(Range<usize>, (Pose, Pose))]) {
        if carried.is_empty() {
            return;
        }
        self.read_all();
        let twins = self.timeline.beside.twins_mut().iter_mut().filter_map(Twin::edit);
        for state in [&mut self.engine.run_mut().state].into_iter().chain(twins) {
            carried.iter().for_each(|(particles, (from, to))| turn_all(state, particles, *from, *to));
        }
        self.engine.refresh(Change::State);
    }
}

/// Strands that hold on to a collider and to nothing else: its row, and their particles.
fn seated(session: &Session) -> impl Iterator<Item = (&Strands, usize, Range<usize>)> {
    let scene = session.setup.scene();
    let objects = session.setup.objects().iter().skip(scene.cloths.len());
    let elsewhere = |strands: &Strands| strands.tip != Root::Free && strands.tip_seat != strands.seat;
    let held = scene.strands.iter().zip(objects);
    let held = held.filter(move |(strands, _)| strands.held() > 0 && !elsewhere(strands));
    held.filter_map(|(strands, object)| Some((strands, strands.seat(scene)?, object.particles.clone())))
}

/// Turns strands, but for what is cut off.
fn turn_all(state: &mut State, particles: &Range<usize>, from: Pose, to: Pose) {
    let base = state.first_of_strands();
    let rows = seated_rows(state, particles, base);
    let turn = (to.turn * from.turn.inverse()).normalize();
    let vector = |row: &[f32; 4]| Vec3::new(row[0], row[1], row[2]);
    let mut each = |key, first: usize, turned: &dyn Fn(&[f32; 4]) -> [f32; 4]| {
        let all: &mut [[f32; 4]] = state.get_mut(key);
        for &i in &rows {
            if let Some(row) = all.get_mut(i - first) {
                *row = turned(row);
            }
        }
    };
    each(col::particle::position, 0, &|row| {
        (to.at + turn * (vector(row) - from.at)).extend(row[3]).to_array()
    });
    each(col::particle::velocity, 0, &|row| (turn * vector(row)).extend(row[3]).to_array());
    each(col::segment::rotation, base, &|row| (turn * Quat::from_array(*row)).normalize().to_array());
    each(col::segment::spin, base, &|row| (turn * vector(row)).extend(0.0).to_array());
}

/// Those of these particles that hang together with their roots, or with tips that are held.
fn seated_rows(state: &State, particles: &Range<usize>, base: usize) -> Vec<usize> {
    let stretch = state.get(col::segment::stretch);
    let own = particles.start.saturating_sub(base)..particles.end.saturating_sub(base);
    let cut = stretch.get(own).is_some_and(|own| own.iter().any(|stretch| strands::is_cut(*stretch)));
    if !cut {
        return particles.clone().collect();
    }
    let positions = state.get(col::particle::position);
    let spans = state.get(col::strand::span).iter().filter(|span| particles.contains(&(span[0] as usize)));
    let rows = |span: &[u32; 3]| {
        let [first, stride, count] = span.map(|number| number as usize);
        let row = move |i: usize| first + stride * i;
        let held = positions[row(count - 1)][3] == 0.0;
        let last_cut = (0..count - 1).rev().find(|i| held && strands::is_cut(stretch[row(*i) - base]));
        let tip = last_cut.map_or(count, |cut| cut + 1)..count;
        let hanging = strands::hanging(stretch, *span, base, 0);
        std::iter::once(0).chain(hanging).chain(tip).map(row).collect::<Vec<_>>()
    };
    spans.flat_map(rows).collect()
}
