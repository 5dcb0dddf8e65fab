//! What acts on every particle: gravity, air damping, wind. Shared by all solvers.

use glam::Vec3;
use sim_api::{Wind, World};

use crate::normals::xyz;

/// What a substep of `h` seconds does to a velocity, with everything that is the same for all particles worked out.
pub struct Push {
    wind: Wind,
    /// Speed that gravity adds [m/s].
    fall: Vec3,
    /// Share of the velocity that air damping leaves.
    keep: f32,
    time: f32,
    h: f32,
}

impl Push {
    pub fn new(world: &World, time: f32, h: f32) -> Self {
        let (fall, keep) = (Vec3::from_array(world.gravity) * h, 1.0 / (1.0 + h * world.air_damping));
        Self { wind: world.wind, fall, keep, time, h }
    }

    /// Velocity after gravity, wind and air damping [m/s].
    ///
    /// Wind and air damping are implicit in the velocity, so no coefficient or step makes them unstable.
    /// `x`: xyz position [m], w inverse mass [1/kg]; `normal`: unit normal, w area [m2].
    #[inline]
    pub fn advance(&self, x: [f32; 4], v: Vec3, normal: [f32; 4]) -> Vec3 {
        let mut v = v + self.fall;
        if self.wind.coefficient > 0.0 {
            let n = xyz(normal);
            let rate = self.h * x[3] * self.wind.coefficient * normal[3];
            let push = n.dot(air_velocity(&self.wind, xyz(x), self.time) - v);
            v += n * (push * (rate / (1.0 + rate)));
        }
        v * self.keep
    }
}

/// Force of gravity, wind and air damping [N], explicit in the velocity (seed formula `c (n . (u - v)) n`).
#[inline]
pub fn force(world: &World, time: f32, x: [f32; 4], v: Vec3, normal: [f32; 4], mass: f32) -> Vec3 {
    let mut force = Vec3::from_array(world.gravity) * mass - v * (world.air_damping * mass);
    if world.wind.coefficient > 0.0 {
        let n = xyz(normal);
        let push = n.dot(air_velocity(&world.wind, xyz(x), time) - v);
        force += n * (push * world.wind.coefficient * normal[3]);
    }
    force
}

/// Velocity of the air at a point [m/s]: the mean plus gusts that travel with it and swing sideways.
#[inline]
pub fn air_velocity(wind: &Wind, x: Vec3, time: f32) -> Vec3 {
    let mean = Vec3::from_array(wind.velocity);
    let speed = mean.length();
    if wind.gust == 0.0 || speed == 0.0 {
        return mean;
    }
    let along = mean / speed;
    let aside = Vec3::new(-along.z, 0.3, along.x);
    let phase = (x.dot(along) - speed * time) / wind.gust_length;
    let height = x.y / wind.gust_length;
    let swing = wave(phase + 0.23 * height) + 0.5 * wave(2.3 * phase - 0.41 * height + 0.37);
    let surge = wave(0.19 * phase + 0.5);
    mean * (1.0 + 0.5 * wind.gust * surge) + aside * (speed * wind.gust * 0.6 * swing)
}

/// A smooth wave of period 1 between -1 and 1 out of `+ - *` alone: the same bits on every platform.
#[inline]
fn wave(turns: f32) -> f32 {
    // `floor` by casts: a library call on the smallest x86-64.
    let whole = turns as i32 as f32;
    let t = turns - if whole > turns { whole - 1.0 } else { whole };
    let half = if t < 0.5 { t } else { t - 0.5 };
    let arch = 16.0 * half * (0.5 - half);
    if t < 0.5 { arch } else { -arch }
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
    fn strong_wind_and_drag_stay_bounded() {
        let wind = Wind { velocity: [10.0, 0.0, 0.0], coefficient: 1e9, gust: 0.0, gust_length: 1.0 };
        let world = World { gravity: [0.0; 3], air_damping: 1e9, wind };
        let push = Push::new(&world, 0.0, 1.0);
        let v = push.advance([0.0, 0.0, 0.0, 1e4], Vec3::ZERO, [1.0, 0.0, 0.0, 1.0]);
        assert!(v.length() <= 10.0);
    }
}
