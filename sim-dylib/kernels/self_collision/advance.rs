//! Does a pair pass through itself on its way through the substep? Conservative advancement (Li, Kaufman, Jiang 2021,
//! algorithm 1): go as far as the distance allows, look again.

use glam::Vec3;
use sim_api::Mapped;

use super::distance::Nearest;
use crate::lanes::Real;

/// What a pair is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Corner 0 and the triangle of corners 1 to 3.
    PointTriangle = 0,
    /// The edge of corners 0 and 1 and that of 2 and 3.
    EdgeEdge = 1,
}

impl Form {
    pub fn of(number: u32) -> Self {
        if number == 0 { Self::PointTriangle } else { Self::EdgeEdge }
    }

    pub fn nearest(self, x: [Vec3; 4]) -> Nearest {
        Nearest::of(self, x)
    }

    /// Largest distance of the boxes around both along an axis [m]; negative where they overlap. They are no closer.
    pub fn boxes_apart(self, x: [Vec3; 4]) -> f32 {
        let [low, high, other_low, other_high] = match self {
            Self::PointTriangle => [x[0], x[0], x[1].min(x[2]).min(x[3]), x[1].max(x[2]).max(x[3])],
            Self::EdgeEdge => [x[0].min(x[1]), x[0].max(x[1]), x[2].min(x[3]), x[2].max(x[3])],
        };
        (low - other_high).max(other_low - high).max_element()
    }

    /// What two corners at most of different primitives add up to.
    #[inline(always)]
    pub fn most<R: Real>(self, of: [R; 4]) -> R {
        match self {
            Self::PointTriangle => of[0] + of[1].max(of[2]).max(of[3]),
            Self::EdgeEdge => of[0].max(of[1]) + of[2].max(of[3]),
        }
    }

    /// How far the nearest points may come towards each other at most while the corners go these ways [m].
    pub fn reach(self, way: [Vec3; 4]) -> f32 {
        let mean = (way[0] + way[1] + way[2] + way[3]) * 0.25;
        let squared = way.mapped(|way| (way - mean).length_squared());
        let (first, second) = match self {
            Self::PointTriangle => (squared[0], squared[1].max(squared[2]).max(squared[3])),
            Self::EdgeEdge => (squared[0].max(squared[1]), squared[2].max(squared[3])),
        };
        first.sqrt() + second.sqrt()
    }
}

/// Where a pair has come so close that it counts as passing through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Share of the way, 0..=1.
    pub time: f32,
    pub nearest: Nearest,
}

/// A pair must not come closer than this share of its distance at the start.
const LEAST: f32 = 0.1;
/// A pair is there when it has come this close.
const THERE: f32 = 0.2;
/// Looks at most; a pair that is followed that long counts as passing through.
const LOOKS: usize = 64;

/// Follows the corners from `from` to `to`; `None`: at no time closer than a tenth of the distance at the start.
pub fn advance(form: Form, from: [Vec3; 4], to: [Vec3; 4]) -> Option<Hit> {
    let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]];
    let reach = form.reach(way);
    let mean = (way[0] + way[1] + way[2] + way[3]) * 0.25;
    let at = |time: f32| {
        let place = |i: usize| (from[i] - from[0]) + (way[i] - mean) * time;
        form.nearest([place(0), place(1), place(2), place(3)])
    };
    let mut nearest = at(0.0);
    let start = nearest.distance();
    let (mut time, mut distance) = (0.0, start);
    for _ in 0..LOOKS {
        let free = distance - LEAST * start;
        if free >= (1.0 - time) * reach {
            return None;
        }
        time += free / reach;
        nearest = at(time);
        distance = nearest.distance();
        if distance <= THERE * start {
            break;
        }
    }
    Some(Hit { time, nearest })
}
