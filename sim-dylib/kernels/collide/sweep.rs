//! Continuous detection: where a particle on its way meets a collider, in the collider's own frame.
//!
//! ```text
//! way no longer than the thickness   nothing is thinner than twice that: the nearest surface at its end decides
//! from outside                       walk by the distance to the surface until it is met or the way ends;
//!                                    past a convex one as soon as its tangent plane shows that the rest is free
//! from the surface, or inside        the surface it came from holds it, unless it left along a convex one
//! ```
//! Walking by the distance (Hart: Sphere Tracing, 1996) cannot pass a surface, whatever the shape: the distance is never
//! more than the way to it. The first hit q with normal n gives the constraint n . (x - q) >= 0 (Müller et al.: Position
//! Based Dynamics, 2007, section 3.4), and behind a concave surface the way goes on along it to the next.
//!
//! A way that turns with its collider is taken as straight in the collider's frame.

use glam::Vec3;

use super::{near::Near, shape::Shape};

/// As far as this from a surface a particle touches it [m]: rounding of poses and positions a few metres from the origin.
const SKIN: f32 = 2e-5;
/// Steps of one walk; where they end a convex surface holds the particle, and at any other it stops.
const STEPS: usize = 512;
/// Least step, as a share of the thickness: what is twice as thick as that cannot be stepped over, and a way that grazes a
/// surface gets past it.
const LEAST: f32 = 0.25;
/// Surfaces met on one way.
const HITS: usize = 4;

/// What a particle met.
#[derive(Clone, Copy)]
pub(super) struct Met {
    /// How it is to be moved to be outside [m].
    pub out: Vec3,
    /// Of the surface there, outward, unit.
    pub normal: Vec3,
    /// How deep it would have been behind that surface [m].
    pub depth: f32,
}

/// Follows a particle that goes `from` one point `to` another of the frame, and keeps `thickness` [m] outside.
#[inline]
pub(super) fn meet(shape: &Shape, from: Vec3, to: Vec3, thickness: f32) -> Option<Met> {
    meet_near(shape, from, to, thickness, None)
}

/// [`meet`] for a particle that remembers its last look, with the same result.
#[inline]
pub(super) fn meet_near(
    shape: &Shape,
    from: Vec3,
    to: Vec3,
    thickness: f32,
    near: Option<Near>,
) -> Option<Met> {
    let length = (to - from).length();
    let (distance, normal) = shape.within_near(to, thickness + length, near)?;
    // Beyond the reach of the whole way.
    if distance - thickness > length {
        return None;
    }
    if length <= thickness || matches!(shape, Shape::Plane) {
        return at_rest(distance - thickness, normal);
    }
    follow(shape, from, to, thickness)
}

/// The nearest surface decides. `gap`: from the thickness' surface [m].
#[inline]
fn at_rest(gap: f32, normal: Vec3) -> Option<Met> {
    (gap < 0.0).then(|| Met { out: normal * -gap, normal, depth: -gap })
}

/// [`meet`] for a way on which something may be crossed.
fn follow(shape: &Shape, mut from: Vec3, to: Vec3, thickness: f32) -> Option<Met> {
    let mut met: Option<Met> = None;
    let mut goal = to;
    for _ in 0..HITS {
        let way = goal - from;
        let length = way.length();
        let next = if met.is_some() && length <= thickness {
            let (distance, normal) = shape.distance(goal, thickness);
            at_rest(distance - thickness, normal).map(|met| (met, goal + met.out))
        } else {
            hit(shape, from, goal, thickness)
        };
        let Some((one, start)) = next else { return met };
        goal += one.out;
        let depth = one.depth + met.map_or(0.0, |met| met.depth);
        met = Some(Met { out: goal - to, normal: one.normal, depth });
        if shape.is_convex() {
            return met;
        }
        from = start;
    }
    // Ever another surface: it stays where it met the last.
    met.map(|met| Met { out: from - to, ..met })
}

/// The first surface on the way, and the place [m] on it where the way goes on.
fn hit(shape: &Shape, from: Vec3, to: Vec3, thickness: f32) -> Option<(Met, Vec3)> {
    let way = to - from;
    let length = way.length();
    if length == 0.0 {
        return None;
    }
    let direction = way / length;
    let (distance, normal) = shape.distance(from, thickness + length);
    let mut gap = distance - thickness;
    if gap >= length {
        return None;
    }
    if gap < SKIN {
        let start = from - normal * gap;
        if gap < -SKIN || direction.dot(normal) < 0.0 {
            let (end, at_end) = shape.distance(to, thickness);
            // Less than 60 degrees on: along the surface, not through the body.
            if shape.is_convex() && normal.dot(at_end) > 0.5 {
                return at_rest(end - thickness, at_end).map(|met| (met, to + met.out));
            }
            match behind(to, start, normal) {
                // Along the surface but for rounding: it goes on to what may stand on it.
                None => {}
                Some(met) if met.depth < 0.01 * SKIN => {}
                Some(met) => return Some((met, start)),
            }
            if gap < -SKIN && shape.is_convex() {
                return None;
            }
        }
        gap = SKIN;
    }
    let (mut walked, mut last, mut least) = (gap, 0.0, (LEAST * thickness).max(SKIN));
    for _ in 0..STEPS {
        if walked >= length {
            let (end, at_end) = shape.distance(to, thickness);
            return at_rest(end - thickness, at_end).map(|met| (met, to + met.out));
        }
        let at = from + direction * walked;
        let (distance, normal) = shape.distance(at, thickness + SKIN);
        let gap = distance - thickness;
        if gap < -SKIN && last > SKIN {
            // The least step led inside: the surface is half as far, or less.
            least = 0.5 * last;
            walked -= last - least;
            last = least;
            continue;
        }
        let on = at - normal * gap;
        if gap >= -SKIN && shape.is_convex() && normal.dot(to - on) >= 0.0 {
            // All of it lies behind this plane, and the rest of the way before it.
            return None;
        }
        if gap < SKIN
            && direction.dot(normal) < 0.0
            && let Some(met) = behind(to, on, normal)
        {
            return Some((met, on));
        }
        last = gap.max(least);
        walked += last;
    }
    let at = from + direction * walked.min(length);
    let (distance, normal) = shape.distance(at, thickness);
    if shape.is_convex() {
        let on = at - normal * (distance - thickness);
        return behind(to, on, normal).map(|met| (met, on));
    }
    let out = at - to;
    Some((Met { out, normal, depth: normal.dot(out).max(0.0) }, at))
}

/// The constraint normal . (x - on) >= 0, where `to` violates it.
fn behind(to: Vec3, on: Vec3, normal: Vec3) -> Option<Met> {
    at_rest(normal.dot(to - on), normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLATE: Shape = Shape::Box { half: Vec3::new(1.0, 1e-3, 1.0) };

    #[test]
    fn a_particle_that_crosses_a_plate_comes_back_to_its_own_side() {
        for (from, to) in [(0.5, -2.0), (-0.5, 2.0), (0.003, -0.3), (0.003, -0.004)] {
            let (from, to) = (Vec3::new(0.1, from, 0.2), Vec3::new(0.3, to, 0.1));
            let met = meet(&PLATE, from, to, 2e-3).expect("it hits");
            let at = to + met.out;
            assert!((at.y - 3e-3_f32.copysign(from.y)).abs() < 1e-6, "{from} {to}: {at}");
            assert!((met.depth - (at.y - to.y).abs()).abs() < 1e-6);
            assert_eq!((at.x, at.z), (to.x, to.z), "it goes on along the plate");
        }
    }

    #[test]
    fn what_passes_beside_or_stops_before_is_left_alone() {
        let past = [
            (Vec3::new(2.0, 1.0, 0.0), Vec3::new(2.0, -1.0, 0.0)),
            (Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.004, 0.0)),
            (Vec3::new(0.0, 0.003, 0.0), Vec3::new(0.5, 0.2, 0.0)),
            (Vec3::new(0.0, 0.003, 0.0), Vec3::new(0.5, 0.003, 0.0)),
        ];
        for (from, to) in past {
            assert!(meet(&PLATE, from, to, 2e-3).is_none_or(|met| met.depth < 1e-8), "{from} {to}");
        }
    }

    #[test]
    fn a_way_around_a_ball_is_no_way_through_it() {
        let ball = Shape::Sphere { radius: 0.5 };
        let around = meet(&ball, Vec3::new(0.0, 0.51, 0.0), Vec3::new(0.2, 0.48, 0.0), 0.01);
        assert!(around.is_none_or(|met| met.depth < 1e-4));
        let through = meet(&ball, Vec3::new(0.0, 0.51, 0.0), Vec3::new(0.1, -0.6, 0.0), 0.01).expect("held");
        assert!((-0.6 + through.out.y - 0.51).abs() < 1e-5);
    }
}
