//! Bodies with a mass: how high they are, how fast, and how much energy they have.

use glam::{DQuat, DVec3};
use weft_core::state::col;

use super::{Input, Reading, motion::vector};

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "body_height",
        unit: "m",
        doc: "y of the centre of the lowest body with a mass",
        of: |input| bodies(input).map(|body| body.position.y).reduce(f64::min),
    },
    Reading {
        name: "body_speed",
        unit: "m/s",
        doc: "largest speed of the centre of a body with a mass",
        of: |input| bodies(input).map(|body| body.velocity.length()).reduce(f64::max),
    },
    Reading {
        name: "body_momentum",
        unit: "kg m/s",
        doc: "|sum of m v| of the bodies with a mass",
        of: |input| {
            let momenta = bodies(input).map(|body| body.velocity * body.mass);
            momenta.reduce(|a, b| a + b).map(DVec3::length)
        },
    },
    Reading {
        name: "body_energy",
        unit: "J",
        doc: "m v²/2, w·I w/2 and -m g·x, summed over the bodies with a mass; 0 at rest at (0, 0, 0)",
        of: |input| {
            let gravity = DVec3::from(input.scene.gravity.map(f64::from));
            let energy = |body: Body| {
                let moving = 0.5 * (body.mass * body.velocity.length_squared() + body.turning);
                moving - body.mass * gravity.dot(body.position)
            };
            bodies(input).map(energy).reduce(|a, b| a + b)
        },
    },
];

struct Body {
    /// [kg]
    mass: f64,
    /// [m]
    position: DVec3,
    /// [m/s]
    velocity: DVec3,
    /// Twice the energy of its spin [J].
    turning: f64,
}

/// Those of the scene, in its order.
fn bodies<'a>(input: &Input<'a>) -> impl Iterator<Item = Body> + use<'a> {
    use col::collider as key;
    let (state, origin) = (input.state, input.origin());
    let [position, rotation, velocity, spin, inertia] =
        [key::position, key::rotation, key::velocity, key::spin, key::inverse_inertia]
            .map(|key| state.get(key));
    let inverse = state.get(col::collider::inverse_mass);
    // A column that the present code does not have is empty.
    inverse.iter().enumerate().filter(|(_, inverse)| **inverse > 0.0).filter_map(move |(i, inverse)| {
        let rotation = DQuat::from_array(rotation.get(i)?.map(f64::from));
        let turned = rotation.inverse() * vector(*spin.get(i)?);
        let moment = vector(*inertia.get(i)?).map(|inverse| if inverse > 0.0 { 1.0 / inverse } else { 0.0 });
        Some(Body {
            mass: 1.0 / f64::from(*inverse),
            position: origin + vector(*position.get(i)?),
            velocity: vector(*velocity.get(i)?),
            turning: (turned * turned).dot(moment),
        })
    })
}
