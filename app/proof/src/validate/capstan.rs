//! V23: a belt over a round support (Euler's and Eytelwein's law): it holds while the heavier end pulls less than e^(mu pi) times
//! the lighter, and slides above. Its rows are 1e-5 m/N, its ends a hundred and three hundred times as heavy as a particle of it.
//! The limit here is that of the polygon that the belt is, with the weight of its own particles.

use std::f64::consts::PI;

use glam::DVec2;
use weft_core::state::col;
use weft_scene::{Vocabulary, assemble, parse_text};

use super::{Miss, Trial, fixture::Fixture, fixtures};
use crate::expect::Bounds;

pub const G: f64 = 9.81;
pub const MU: f64 = 0.3;
const THICKNESS: f64 = 0.004;
const BELT: Support = Support { radius: 0.2, arc: 40, tail: 10 };
/// Mass of a particle, and at the lighter end [kg].
const MASS: f64 = 1e-3;
const LIGHT: f64 = 0.1;
const COMPLIANCE: f32 = 1e-5;

/// A support [m] with what lies over half of it.
pub struct Support {
    pub radius: f64,
    /// Links on the support, and hanging on either side of it.
    pub arc: usize,
    pub tail: usize,
}

impl Support {
    /// Length of a link [m].
    pub fn chord(&self) -> f64 {
        2.0 * self.radius * (0.5 * PI / self.arc as f64).sin()
    }

    /// Particles from the heavy end to the light one, chords of the support's circle.
    pub fn line(&self) -> Vec<DVec2> {
        let down = |x: f64, i: usize| DVec2::new(x, -(self.chord() * i as f64));
        let left = (1..=self.tail).rev().map(|i| down(-self.radius, i));
        let angle = |i: usize| PI * (1.0 - i as f64 / self.arc as f64);
        let over = (0..=self.arc).map(|i| DVec2::from_angle(angle(i)) * self.radius);
        left.chain(over).chain((1..=self.tail).map(|i| down(self.radius, i))).collect()
    }

    /// Pull at the heavy side that is just held [N], by `pull` at the light one and particles of `mass` [kg]: the balance of each on the
    /// support, from the light end on, with its friction at its limit.
    pub fn limit(&self, mut pull: f64, mass: f64) -> f64 {
        let x = self.line();
        for i in (self.tail..=self.tail + self.arc).rev() {
            let (heavier, lighter) = ((x[i - 1] - x[i]).normalize(), (x[i + 1] - x[i]).normalize());
            let out = x[i].normalize();
            let contact = out + MU * DVec2::new(out.y, -out.x);
            // tension heavier + normal force contact = given
            let given = DVec2::new(0.0, mass * G) - pull * lighter;
            pull = given.perp_dot(contact) / heavier.perp_dot(contact);
        }
        pull
    }
}

pub(super) fn run(trial: &mut Trial) -> Result<(), Miss> {
    // A free fall of 3 % of the weight's surplus has 0.2 m/s in its last quarter.
    for (times, bounds) in [(0.97, Bounds::between(-2e-3, 2e-3)), (1.03, Bounds::at_least(0.2))] {
        let fixture = belt(trial.solver, times).belt();
        let fallen = falls(trial.placed(fixture))?;
        let reading = format!("speed of the heavy end at {times} of the limit [m/s]");
        trial.judge(reading, bounds, fallen, trial.known(&[&times.to_string()]));
    }
    Ok(())
}

/// Mass at the heavy end that is just held [kg].
fn limit() -> f64 {
    let hangs = BELT.tail as f64 * MASS;
    BELT.limit((LIGHT + hangs) * G, MASS) / G - hangs
}

/// A belt whose heavy end has so many times the mass of the limit.
pub fn belt(solver: &str, times: f64) -> Fixture {
    let x = BELT.line();
    let mut ends: Vec<_> = x.iter().map(|x| ([x.x as f32, x.y as f32, 0.0], MASS as f32)).collect();
    let last = ends.len() - 1;
    (ends[0].1, ends[last].1) = ((times * limit()) as f32, LIGHT as f32);
    let rows: Vec<_> =
        (0..last).map(|i| (i as u32, i as u32 + 1, (x[i + 1] - x[i]).length() as f32, COMPLIANCE)).collect();
    let text = format!(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "{solver}"),
            cloths: [(id: "a", shape: Grid(columns: 2, rows: 2, width: 0.1, height: 0.1))],
            colliders: [(id: "support", shape: Sphere(radius: {:?}), thickness: {THICKNESS:?},
                friction: (static: {MU:?}, dynamic: {MU:?}))])"#,
        BELT.radius - THICKNESS
    );
    let scene = parse_text("test", &text, None, &Vocabulary::default()).expect("a good scene").scene;
    let mut tables = assemble::assemble(&scene).blueprint;
    tables.tables.retain(|table| table.name == col::collider::kind.table);
    tables.tables.extend(fixtures::particles(&ends, &rows).tables);
    Fixture::from_tables(scene, tables)
}

/// Speed at which the heavy end falls [m/s], over the last quarter of 1.5 s; it has settled before.
pub fn falls(mut fixture: Fixture) -> Result<f64, Miss> {
    let height = |fixture: &Fixture| f64::from(fixture.x()[0][1]);
    fixture.try_frames(67)?;
    let before = height(&fixture);
    fixture.try_frames(23)?;
    Ok((before - height(&fixture)) * 60.0 / 23.0)
}
