//! What moves: energies, momenta and speeds of all particles, pinned ones included. The end of a strand that lies in its seat
//! (a stub, which nothing draws) belongs to the seat: no sum has its mass.

use glam::DVec3;
use weft_core::state::col;

use super::{Input, Reading, places, strands};
use weft_core::state::State;

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "kinetic_energy",
        unit: "J",
        doc: "m v²/2, summed over all particles",
        of: |input| Some(input.measured.motion.kinetic),
    },
    Reading {
        name: "potential_energy",
        unit: "J",
        doc: "-m g·x, summed over all particles but what of strands is inside their seats; 0 at (0, 0, 0)",
        of: |input| Some(input.measured.motion.potential),
    },
    Reading {
        name: "linear_momentum",
        unit: "kg m/s",
        doc: "|sum of m v|",
        of: |input| Some(input.measured.motion.momentum.length()),
    },
    Reading {
        name: "angular_momentum",
        unit: "kg m2/s",
        doc: "|sum of m (x - c) × v|, c the centre of mass",
        of: |input| Some(input.measured.motion.angular_momentum.length()),
    },
    Reading {
        name: "center_height",
        unit: "m",
        doc: "y of the centre of mass, without what of strands is inside their seats",
        of: |input| (input.measured.motion.mass > 0.0).then_some(input.measured.motion.center.y),
    },
    Reading {
        name: "max_speed",
        unit: "m/s",
        doc: "largest speed of a particle",
        of: |input| Some(input.measured.motion.max_speed),
    },
    Reading {
        name: "max_acceleration",
        unit: "m/s2",
        doc: "largest acceleration of a particle, over the last frame",
        of: |input| input.measured.motion.max_acceleration,
    },
    Reading {
        name: "max_stress",
        unit: "N/m",
        doc: "largest sum of the principal stresses at a particle, in the last frame",
        of: |input| input.measured.motion.max_stress,
    },
];

/// Where each largest one is.
pub(super) const PLACES: &[(&str, places::Place)] = &[
    ("max_speed", |input| farthest(input, input.state.get(col::particle::velocity))),
    ("max_acceleration", |input| farthest(input, input.state.get(col::particle::acceleration))),
    ("max_stress", |input| {
        place(input, input.state.get(col::particle::stress).iter().map(|s| f64::from(*s)))
    }),
];

fn farthest(input: &Input, rows: &[[f32; 4]]) -> Option<String> {
    place(input, rows.iter().map(|row| vector(*row).length_squared()))
}

/// The first particle with the largest value; none where all are 0, or after a step that failed.
fn place(input: &Input, values: impl Iterator<Item = f64>) -> Option<String> {
    let ahead = |(a, most): (usize, f64), (b, value): (usize, f64)| {
        if most >= value || most.is_nan() { (a, most) } else { (b, value) }
    };
    let (row, _) = values.enumerate().reduce(ahead).filter(|(_, most)| *most > 0.0 && most.is_finite())?;
    places::particle(input, row)
}

/// Sums and largest values over the particles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// [J]
    pub kinetic: f64,
    /// [J]; 0 at (0, 0, 0).
    pub potential: f64,
    /// [kg]
    pub mass: f64,
    /// Centre of mass [m].
    pub center: DVec3,
    /// [kg m/s]
    pub momentum: DVec3,
    /// About the centre of mass [kg m2/s].
    pub angular_momentum: DVec3,
    /// [m/s]
    pub max_speed: f64,
    /// [m/s2]; 0 before the first step, `None` where the present code has no such column.
    pub max_acceleration: Option<f64>,
    /// [N/m]; likewise.
    pub max_stress: Option<f64>,
}

impl Motion {
    /// The same motion at a place `way` [m] away; `gravity` [m/s2].
    pub fn move_by(&mut self, way: [f32; 3], gravity: [f32; 3]) {
        let [way, gravity] = [way, gravity].map(|vector| DVec3::from(vector.map(f64::from)));
        self.center += way;
        self.potential -= self.mass * gravity.dot(way);
    }

    /// `gravity` [m/s2].
    pub fn of(state: &State, gravity: [f32; 3]) -> Self {
        let position = state.get(col::particle::position);
        let velocity = state.get(col::particle::velocity);
        let mass = state.get(col::particle::mass);
        // Moments about a point of the cloth: far from the origin they would cancel.
        let origin = position.first().map_or(DVec3::ZERO, |x| vector(*x));
        let (mut moment, mut spin, mut sum) = (DVec3::ZERO, DVec3::ZERO, Self::default());
        let mut fastest = 0.0_f64;
        let mut add = |row: usize, part: f64| {
            let (r, v, m) =
                (vector(position[row]) - origin, vector(velocity[row]), part * f64::from(mass[row]));
            let (p, square) = (v * m, v.length_squared());
            sum.mass += m;
            sum.kinetic += 0.5 * m * square;
            sum.momentum += p;
            moment += r * m;
            spin += r.cross(p);
            fastest = fastest.max(square);
        };
        (0..position.len().min(velocity.len()).min(mass.len())).for_each(|row| add(row, 1.0));
        strands::parts_in_seats(state).for_each(|(row, part)| add(row, -part));
        let from_origin = moment / sum.mass.max(f64::MIN_POSITIVE);
        sum.center = origin + from_origin;
        sum.angular_momentum = spin - from_origin.cross(sum.momentum);
        let gravity = DVec3::from(gravity.map(f64::from));
        sum.potential = -sum.mass * gravity.dot(sum.center);
        sum.max_speed = fastest.sqrt();
        let squares = state.get(col::particle::acceleration).iter();
        sum.max_acceleration = largest(squares.map(|a| vector(*a).length_squared())).map(f64::sqrt);
        sum.max_stress = largest(state.get(col::particle::stress).iter().map(|s| f64::from(*s)));
        sum
    }
}

/// `None` without values, and where one is NaN: a scratch column after a step that failed.
fn largest(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.reduce(|a, b| if a >= b || a.is_nan() { a } else { b }).filter(|value| value.is_finite())
}

pub(super) fn vector([x, y, z, _]: [f32; 4]) -> DVec3 {
    DVec3::new(x.into(), y.into(), z.into())
}
