//! How cloth on colliders fares under every solver at its defaults: largest stretch, energy that appears from nowhere,
//! depth inside a collider, slip on a slope.
//!
//! ```text
//! target/checked/contact_table [SOLVER...]
//! ```
//! Prints CSV. Mechanical energy is kinetic and potential, over the mass; its rise is the most that it ever climbs above
//! an earlier value.

use std::time::Instant;
use weft_core::state::col;

use glam::{Quat, Vec3};
use tests::{fixture, places};
use weft_session::{Options, Session, readings::Meter};

/// Name, file or text of the scene, what is set in it, frames.
type Case = (&'static str, Source, &'static [(&'static str, &'static str)], usize);

enum Source {
    File(&'static str),
    Text(&'static str),
}

const SWUNG: &str = r#"(version: 1, air_damping: 0.5, wind: (coefficient: 0.0),
    cloths: [(id: "a", at: (0.0, 1.0, 0.0), pins: [Edge(Top)], material: (density: 0.2),
        shape: Grid(columns: 33, rows: 33, width: 1.0, height: 1.0))],
    colliders: [(id: "ball", shape: Sphere(radius: 0.2), at: (0.0, 0.8, 0.5), thickness: 0.006,
        motion: Oscillate(offset: (0.0, 0.0, -0.9), period: 2.0))])"#;

const SLOPE: &str = r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0),
    cloths: [(id: "a", at: (-0.002047, 0.003437, 0.0), rotation: (-90.0, 0.0, 30.77),
        shape: Grid(columns: 13, rows: 13, width: 0.4, height: 0.4), material: (density: 0.2))],
    colliders: [(id: "slope", shape: Plane, rotation: (0.0, 0.0, 30.77), thickness: 0.004,
        friction: (static: 0.6076, dynamic: 0.6076))])"#;

const CASES: [Case; 6] = [
    (
        "drape 32",
        Source::File("drape_on_sphere.ron"),
        &[("cloths[0].shape.columns", "32"), ("cloths[0].shape.rows", "32")],
        240,
    ),
    ("drape 80", Source::File("drape_on_sphere.ron"), &[], 240),
    ("poncho", Source::File("poncho.ron"), &[], 240),
    ("curtains", Source::File("curtain_pair.ron"), &[], 240),
    ("ball 33", Source::Text(SWUNG), &[], 240),
    ("slope 13", Source::Text(SLOPE), &[], 120),
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let (cases, chosen): (Vec<&String>, Vec<&String>) =
        wanted.iter().partition(|name| CASES.iter().any(|c| c.0 == **name));
    let own = std::env::var_os("OTHERS").is_some();
    println!(
        "scene,solver,stretch_max,stretch_max_last_s,stretch_p95_last,rise_j_per_kg,unrest_m2_per_s2,depth_mm,way_mm,ms,finite"
    );
    for (name, source, set, frames) in CASES {
        if !cases.is_empty() && !cases.iter().any(|c| **c == name) {
            continue;
        }
        for solver in fixture::solvers() {
            if !chosen.is_empty() && !chosen.iter().any(|s| **s == solver) {
                continue;
            }
            row(name, &source, set, frames, solver, own);
        }
    }
}

fn row(name: &str, source: &Source, set: &[(&str, &str)], frames: usize, solver: &str, own: bool) {
    let scene = match source {
        Source::File(file) => places::scene(file),
        Source::Text(text) => {
            let file = places::temporary(&format!("contact-table-{}-{solver}", name.replace(' ', "-")))
                .join("scene.ron");
            std::fs::write(&file, text).expect("a temporary file");
            file
        }
    };
    let set = set.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
    let options = Options { scene, solver: Some(solver.into()), threads: 1, set, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    if !own {
        session.edit_run(|run| run.params.clear());
    }
    for extra in std::env::var("SET").unwrap_or_default().split_whitespace() {
        let (param, value) = extra.split_once('=').expect("SET=param=value");
        let value = value.parse().expect("a number");
        session.edit_run(|run| run.params.insert(param.into(), value));
    }
    let (mut meter, gravity) = (Meter::default(), session.scene().gravity);
    let start = center(&session);
    let (mut most, mut late, mut p95, mut depth, mut way) = (0.0_f32, 0.0_f32, 0.0_f32, f32::MAX, 0.0_f32);
    let (mut least, mut rise, mut ms) = (f64::MAX, 0.0_f64, 0.0);
    let mut unrest = 0.0;
    for frame in 0..frames {
        let clock = Instant::now();
        if let Err(error) = session.step() {
            println!("{name},{solver},frame {frame}: {error}");
            return;
        }
        ms += clock.elapsed().as_secs_f64() * 1e3;
        let now = meter.read(session.run(), gravity);
        let energy = (now.motion.kinetic + now.motion.potential) / now.motion.mass;
        least = least.min(energy);
        rise = rise.max(energy - least);
        most = most.max(now.rows.stretch.max);
        if frame + 60 >= frames {
            late = late.max(now.rows.stretch.max);
            p95 = now.rows.stretch.p95;
            unrest = now.motion.kinetic / now.motion.mass;
        }
        depth = depth.min(distance(&session));
        if std::env::var_os("TRACE").is_some() && frame % 8 == 7 {
            let of = |name: &str| {
                session.run().readings.iter().find(|(n, _)| n.as_str() == name).map_or(0.0, |r| *r.1)
            };
            println!(
                "{frame}: way {:.1} mm, stretch {:.2} %, p95 {:.2} %, unrest {:.4}, residual {:.4}, rounds {}, cg {}",
                1e3 * (center(&session) - start).length(),
                100.0 * now.rows.stretch.max,
                100.0 * now.rows.stretch.p95,
                now.motion.kinetic / now.motion.mass,
                of("residual"),
                of("iterations"),
                of("cg_iterations"),
            );
        }
        way = way.max((center(&session) - start).length());
    }
    println!(
        "{name},{solver},{:.2}%,{:.2}%,{:.3}%,{rise:.3},{unrest:.5},{:.4},{:.3},{:.2},{}",
        100.0 * most,
        100.0 * late,
        100.0 * p95,
        1e3 * depth.min(0.0),
        1e3 * way,
        ms / frames as f64,
        session.positions().iter().flatten().all(|c| c.is_finite()),
    );
}

fn vector(row: [f32; 4]) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}

fn center(session: &Session) -> Vec3 {
    session.positions().iter().map(|x| vector(*x)).sum::<Vec3>() / session.positions().len() as f32
}

/// Least distance of any particle from any surface with its thickness [m].
fn distance(session: &Session) -> f32 {
    let state = &session.run().state;
    let mut least = f32::MAX;
    for (i, kind) in state.get(col::collider::kind).iter().enumerate() {
        let at = vector(state.get(col::collider::position)[i]);
        let turned = Quat::from_array(state.get(col::collider::rotation)[i]);
        let [radius, half, ..] = state.get(col::collider::size)[i];
        let thickness = state.get(col::collider::surface)[i][3];
        for x in session.positions() {
            let local = turned.inverse() * (vector(*x) - at);
            let from = match kind {
                0 => local.y,
                1 => local.length() - radius,
                _ => (local - Vec3::Y * local.y.clamp(-half, half)).length() - radius,
            };
            least = least.min(from - thickness);
        }
    }
    least
}
