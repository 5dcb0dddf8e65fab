//! Energy of motion and height, and the frame in which it began to leave.
//!
//! The rule: gravity only turns motion into height and back, so a calm step changes their sum by what wind, friction,
//! the hand and the threads do. [`Pace`] is the usual size of that change: a running median that moves by [`DRIFT`] a
//! step, so that other wind becomes usual and a blow-up does not. A step is *wild* if the energy rises in it by more than
//! [`WILD`] times the pace, and by more than [`FLOOR`]. A blow-up is a chain of wild steps up to the end, with at most
//! [`GAP`] others between two (threads take some of the energy back for a moment while it grows); it began with the first
//! of them. All kept energies are read, one number a frame: wild steps are not sorted, so that halving could miss the
//! first one.
//!
//! It cannot see a growth of less than [`DRIFT`] a step, nor one mad particle of thousands before the energy shows it.

use crate::state::col;
use glam::DVec3;

use crate::state::State;

/// What a moment remembers of its energy: cheap enough for every frame, and free of gravity, which may be edited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Sum of m v²/2 [J].
    pub kinetic: f64,
    /// Sum of m x [kg m].
    pub moment: DVec3,
    /// Sum of m [kg].
    pub mass: f64,
}

impl Energy {
    /// One pass over the particles.
    pub fn of(state: &State) -> Self {
        let position = state.get(col::particle::position);
        let velocity = state.get(col::particle::velocity);
        let mass = state.get(col::particle::mass);
        let vector = |[x, y, z, _]: [f32; 4]| DVec3::new(x.into(), y.into(), z.into());
        let mut sum = Self::default();
        for ((x, v), m) in position.iter().zip(velocity).zip(mass) {
            let m = f64::from(*m);
            sum.kinetic += 0.5 * m * vector(*v).length_squared();
            sum.moment += vector(*x) * m;
            sum.mass += m;
        }
        sum
    }

    /// Kinetic energy and that of height [J]; `gravity` [m/s2].
    pub fn total(&self, gravity: [f32; 3]) -> f64 {
        self.kinetic - DVec3::from(gravity.map(f64::from)).dot(self.moment)
    }
}

/// Wild: this many times the usual change of a step.
pub const WILD: f64 = 20.0;
/// And this much energy for each kilogram [m²/s² = J/kg].
pub const FLOOR: f64 = 1e-3;
/// Share by which the usual change moves in a step.
pub const DRIFT: f64 = 0.03;
/// Other steps between two wild ones of one blow-up.
pub const GAP: usize = 4;
/// An alarm needs this many wild steps in a row: a jerk of the hand is over after one or two.
const ALARM_STEPS: u32 = 3;
/// And this rise in each of them for each kilogram [J/kg]: half a metre of height.
const ALARM: f64 = 5.0;
/// Steps that the first pace is made of.
const FIRST: usize = 5;

/// The usual change of energy in a step [J]: a running median.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    usual: f64,
}

impl Pace {
    /// From the first steps; a blow-up may be among them, so it is the lower quartile.
    fn of(first: &[f64]) -> Self {
        let mut changes = [f64::INFINITY; FIRST];
        let changes = &mut changes[..first.len().min(FIRST)];
        changes.iter_mut().zip(first).for_each(|(change, rise)| *change = rise.abs());
        changes.sort_by(f64::total_cmp);
        let usual = changes.get(changes.len() / 4).copied().unwrap_or(0.0);
        Self { usual: if usual.is_finite() { usual } else { 0.0 } }
    }

    /// Whether a rise [J] is wild above a floor [J]; it counts from then on. What is not finite is wild.
    fn wild(&mut self, rise: f64, floor: f64) -> bool {
        let limit = (WILD * self.usual).max(floor);
        // Never so small that it could not grow again.
        let usual = self.usual.max(floor / WILD);
        self.usual = if rise.abs() <= usual { usual / (1.0 + DRIFT) } else { usual * (1.0 + DRIFT) };
        rise.is_nan() || rise > limit
    }
}

/// Looks at every step for an alarm.
#[derive(Default)]
pub struct Watch {
    /// Energy after the last step [J]; `None` before the first.
    last: Option<f64>,
    /// The first rises [J]: until they are there, nothing is unusual.
    first: [f64; FIRST],
    steps: usize,
    pace: Pace,
    /// Wild steps in a row.
    wild: u32,
}

impl Watch {
    /// A step ended with this energy [J]. True when it begins to run away: some wild steps in a row, by more than a
    /// moving hand or a gust can do. `mass` in kg.
    pub fn alarm(&mut self, energy: f64, mass: f64) -> bool {
        let Some(last) = self.last.replace(energy) else { return false };
        let rise = energy - last;
        if self.steps < FIRST {
            self.first[self.steps] = rise;
            self.steps += 1;
            self.pace = Pace::of(&self.first[..self.steps]);
            return false;
        }
        let wild = self.pace.wild(rise, FLOOR * mass) && (rise.is_nan() || rise > ALARM * mass);
        self.wild = if wild { self.wild + 1 } else { 0 };
        self.wild == ALARM_STEPS
    }

    /// The state was replaced: what comes does not follow from what was.
    pub fn jumped(&mut self) {
        (self.last, self.wild) = (None, 0);
    }
}

/// Place of the last energy before a blow-up that lasts to the end; `None` if there is none. `mass` in kg, energies in
/// J, oldest first; what is not finite counts as a rise.
pub fn began(energies: &[f64], mass: f64) -> Option<usize> {
    let rises: Vec<f64> = energies.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut pace = Pace::of(&rises);
    let mut chain: Option<(usize, usize)> = None;
    for (place, rise) in rises.iter().enumerate() {
        if pace.wild(*rise, FLOOR * mass) {
            let first = chain.filter(|(_, last)| place - last <= GAP + 1).map_or(place, |(first, _)| first);
            chain = Some((first, place));
        }
    }
    chain.filter(|(_, last)| rises.len() - last <= GAP + 1).map(|(first, _)| first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A swing that loses a little, and from step 100 on grows by a half each step.
    fn blown(gap: bool) -> Vec<f64> {
        let quiet = |i: usize| 3.0 - 1e-3 * i as f64 + 1e-3 * (i as f64 * 0.7).sin();
        let grown = |i: usize| if i > 100 { 0.03 * 1.5_f64.powi(i as i32 - 100) } else { 0.0 };
        (0..130).map(|i| quiet(i) + if gap && i % 4 == 0 { 0.0 } else { grown(i) }).collect()
    }

    #[test]
    fn a_blow_up_is_found_where_it_begins() {
        assert_eq!(began(&blown(false), 1.0), Some(100));
        assert_eq!(began(&blown(true), 1.0), Some(100), "it falls back now and then");
        assert_eq!(began(&blown(false)[97..], 1.0), Some(3), "most of what is kept is wild");
        let mut nan = blown(false)[..101].to_vec();
        assert_eq!(began(&nan, 1.0), None, "still quiet");
        nan.push(f64::NAN);
        assert_eq!(began(&nan, 1.0), Some(100));
        let mut over = blown(false);
        over.extend(std::iter::repeat_n(2.9, 20));
        assert_eq!(began(&over, 1.0), None, "it ended");
        assert_eq!((began(&[], 1.0), began(&[1.0], 1.0), began(&[1.0, 1.0], 1.0)), (None, None, None));
    }

    #[test]
    fn what_stays_becomes_usual() {
        // Calm, then wind that shakes the cloth a hundred times as much, then a blow-up.
        let wind = |i: usize| if i < 200 { 1e-3 } else { 0.1 };
        let mut energies = vec![1.0];
        for i in 0..700 {
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            energies.push(energies[i] + sign * wind(i));
        }
        assert_eq!(began(&energies, 1.0), None);
        energies.extend((1..12).map(|i| 1.0 + 2.0_f64.powi(i)));
        assert!((700..703).contains(&began(&energies, 1.0).expect("it blows up")));
    }

    #[test]
    fn an_alarm_needs_several_steps() {
        let alarm = |energies: &[f64]| {
            let mut watch = Watch::default();
            energies.iter().filter(|energy| watch.alarm(**energy, 1.0)).count()
        };
        assert_eq!(alarm(&blown(false)), 1, "said once");
        assert_eq!(alarm(&blown(false)[..110]), 0, "too little yet");
        let mut jerk = blown(false)[..100].to_vec();
        jerk.extend([40.0, 80.0]);
        assert_eq!(alarm(&jerk), 0, "the hand");
        jerk.push(120.0);
        assert_eq!(alarm(&jerk), 1);
    }
}
