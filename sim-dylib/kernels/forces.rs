//! What acts on every particle: gravity, air damping, wind. Shared by all solvers.
//!
//! Normals and the velocity of the air are worked out once a step, wind and damping themselves in every substep.

use glam::{Vec3, Vec4};
use sim_api::{Mapped, Par, Wind, World};

use crate::{
    lanes::{Real, V3},
    normals::xyz,
    state::Particle,
};

/// What a substep of `h` seconds does to a velocity, with everything that is the same for all particles worked out.
#[derive(Clone, Copy)]
pub struct Push {
    /// Wind's pressure per velocity, times h [N s2/m3].
    wind: f32,
    /// Velocity that gravity adds [m/s]; w is 0.
    fall: Vec4,
    /// Share of the velocity that air damping leaves.
    keep: f32,
    /// h c: what it takes, by what it leaves.
    drag: f32,
}

impl Push {
    pub fn new(world: &World, h: f32) -> Self {
        Self {
            wind: h * world.wind.coefficient,
            fall: Vec3::from_array(world.gravity).extend(0.0) * h,
            keep: 1.0 / (1.0 + h * world.air_damping),
            drag: h * world.air_damping,
        }
    }

    /// Velocity after gravity, wind and air damping [m/s]; w stays 0.
    ///
    /// Wind and air damping are implicit in the velocity, so no coefficient or step makes them unstable.
    /// `w` inverse mass [1/kg]; `normal`: unit normal, w area [m2]; `air` [m/s].
    #[inline]
    pub fn advance(&self, w: f32, v: Vec4, normal: Vec4, air: Vec4) -> Vec4 {
        // The drag slows what was there; a cloth at rest keeps its whole weight.
        let mut v = v * self.keep + self.fall;
        if self.wind > 0.0 {
            let rate = self.wind * w * normal.w;
            let slip = normal * (air - v);
            let push = (slip.x + slip.y + slip.z) * (rate / (1.0 + rate));
            v += normal.with_w(0.0) * push;
        }
        v
    }

    /// What air damping and wind took of a velocity that [`Push::advance`] returned [m/s], told from that alone; `around`: the
    /// normal and the air. 0 without both.
    #[inline]
    pub fn taken(&self, w: f32, after: Vec4, [normal, air]: [Vec4; 2]) -> Vec4 {
        let mut taken = Vec4::ZERO;
        if self.wind > 0.0 {
            let slip = normal * (air - after);
            taken -= normal.with_w(0.0) * ((slip.x + slip.y + slip.z) * (self.wind * w * normal.w));
        }
        // (v keep + fall) - (v + fall), for keep = 1 / (1 + drag).
        taken + (after + taken - self.fall) * self.drag
    }

    /// Whether there is wind.
    pub fn blows(&self) -> bool {
        self.wind > 0.0
    }

    /// [`Push::advance`] without wind, by lanes.
    #[inline(always)]
    pub fn fallen<R: Real>(&self, v: V3<R>) -> V3<R> {
        let fall = self.fall.to_array().mapped(R::from_f32);
        v * R::from_f32(self.keep) + V3 { x: fall[0], y: fall[1], z: fall[2] }
    }

    /// What wind adds to it.
    #[inline(always)]
    pub fn blown<R: Real>(&self, w: R, v: V3<R>, (normal, area): (V3<R>, R), air: V3<R>) -> V3<R> {
        let rate = R::from_f32(self.wind) * w * area;
        let slip = normal.dot(air - v);
        v + normal * (slip * (rate / (R::from_f32(1.0) + rate)))
    }
}

/// Force of gravity, wind and air damping [N], explicit in the velocity (seed formula `c (n . (u - v)) n`).
#[inline]
pub fn force(world: &World, mass: f32, v: Vec3, normal: [f32; 4], air: [f32; 4]) -> Vec3 {
    let mut force = Vec3::from_array(world.gravity) * mass - v * (world.air_damping * mass);
    if world.wind.coefficient > 0.0 {
        let n = xyz(normal);
        force += n * (n.dot(xyz(air) - v) * world.wind.coefficient * normal[3]);
    }
    force
}

/// Fills `particle.air`; without wind it is not read.
pub fn update_air(par: &Par, particle: &mut Particle, wind: &Wind, time: f32) {
    let (position, gusts) = (&*particle.position, Gusts::new(wind, time));
    par.rows(particle.air, |start, air| {
        for (air, x) in air.iter_mut().zip(&position[start..]) {
            *air = gusts.velocity(xyz(*x)).extend(0.0).to_array();
        }
    });
}

/// Velocity of the air [m/s] at one point [m], for the host's reference solution.
pub fn air(wind: &Wind, time: f32, x: Vec3) -> Vec3 {
    Gusts::new(wind, time).velocity(x)
}

/// The air at one moment: the mean plus gusts that travel with it and swing sideways.
struct Gusts {
    /// [m/s]
    mean: Vec3,
    /// The mean's direction over the length of a gust [1/m].
    along: Vec3,
    /// Sideways velocity of the strongest swing [m/s].
    aside: Vec3,
    /// Share of the mean that a surge adds.
    surge: f32,
    /// Gusts that have passed.
    passed: f32,
    per_length: f32,
}

impl Gusts {
    fn new(wind: &Wind, time: f32) -> Self {
        let mean = Vec3::from_array(wind.velocity);
        let speed = mean.length();
        let along = mean / speed.max(f32::MIN_POSITIVE);
        let per_length = 1.0 / wind.gust_length;
        Self {
            mean,
            along: along * per_length,
            aside: Vec3::new(-along.z, 0.3, along.x) * (0.6 * speed * wind.gust),
            surge: 0.5 * wind.gust,
            passed: speed * time * per_length,
            per_length,
        }
    }

    /// [m/s] at a point [m].
    #[inline]
    fn velocity(&self, x: Vec3) -> Vec3 {
        let (phase, height) = (x.dot(self.along) - self.passed, x.y * self.per_length);
        let swing = wave(phase + 0.23 * height) + 0.5 * wave(2.3 * phase - 0.41 * height + 0.37);
        let surge = wave(0.19 * phase + 0.5);
        self.mean * (1.0 + self.surge * surge) + self.aside * swing
    }
}

/// A smooth wave of period 1 between -1 and 1 out of `+ - *` alone: the same bits on every platform.
#[inline]
fn wave(turns: f32) -> f32 {
    // `floor` by casts: a library call on the smallest x86-64. No branch depends on the place in the wave.
    let whole = turns as i32 as f32;
    let t = turns - whole - if whole > turns { -0.5 } else { 0.5 };
    -16.0 * t * (0.5 - t.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wave_is_periodic_bounded_and_continuous() {
        for i in -400..400 {
            let t = i as f32 / 100.0;
            assert!(wave(t).abs() <= 1.0 + 1e-6);
            assert!((wave(t) - wave(t + 1.0)).abs() < 1e-4);
            assert!((wave(t) - wave(t + 1e-3)).abs() < 1e-2);
        }
    }

    #[test]
    fn what_air_took_is_told_from_what_it_left() {
        let wind = Wind { velocity: [3.0, -1.0, 2.0], coefficient: 1.5, gust: 0.0, gust_length: 1.0 };
        let world = World { gravity: [0.0, -9.81, 0.0], air_damping: 2.0, wind };
        let (push, h) = (Push::new(&world, 0.01), 0.01);
        let (normal, air) = (Vec4::new(0.6, 0.0, 0.8, 2e-3), Vec4::new(3.0, -1.0, 2.0, 0.0));
        let before = Vec4::new(-1.0, 5.0, 0.5, 0.0);
        let after = push.advance(500.0, before, normal, air);
        let alone = before + Vec4::new(0.0, -9.81 * h, 0.0, 0.0);
        assert!((after - alone).length() > 0.02, "{after}");
        let back = after + push.taken(500.0, after, [normal, air]);
        assert!((back - alone).length() < 1e-5, "{back} for {alone}");
    }

    #[test]
    fn strong_wind_and_drag_stay_bounded() {
        let wind = Wind { velocity: [10.0, 0.0, 0.0], coefficient: 1e9, gust: 0.0, gust_length: 1.0 };
        let world = World { gravity: [0.0; 3], air_damping: 1e9, wind };
        let air = Gusts::new(&wind, 0.0).velocity(Vec3::ZERO).extend(0.0);
        let normal = Vec4::new(1.0, 0.0, 0.0, 1.0);
        let v = Push::new(&world, 1.0).advance(1e4, Vec4::ZERO, normal, air);
        assert!(v.length() <= 10.0);
    }
}
