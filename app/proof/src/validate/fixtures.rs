//! States without a scene file: what the cases start from, and what shakes it.

use weft_core::state::{Blueprint, Data, TableRows};

use super::{fixture::Fixture, random::Random};

/// The text of a scene with one cloth, no gravity and no air; `extra` goes into the cloth.
fn weightless_text(solver: &str, columns: u32, rows: u32, extra: &str) -> String {
    format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0, wind: (coefficient: 0.0),
            solver: (name: "{solver}"), cloths: [(id: "a",
                shape: Grid(columns: {columns}, rows: {rows}, width: 0.8, height: 0.5), {extra})])"#
    )
}

/// A cloth without gravity and air; `extra` goes into it.
pub fn weightless(solver: &str, columns: u32, rows: u32, extra: &str) -> Fixture {
    Fixture::new(&weightless_text(solver, columns, rows, extra))
}

/// Strands of one list, without wind; `world` is what the scene says of all, beside them.
pub fn strands(solver: &str, world: &str, list: &str) -> Result<Fixture, String> {
    let text = format!(
        r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "{solver}"), {world}, strands: [(id: "hair", {list})])"#
    );
    let scene = weft_scene::parse_text("strands", &text, None, &weft_scene::Vocabulary::default());
    Ok(Fixture::of(scene.map_err(|error| error.to_string())?.scene))
}

/// A material soft enough for explicit steps of 1/60 s.
pub const SOFT: &str = "material: (compliance: (structural: 0.1, shear: 0.2, bend: 0.5))";

/// No gravity, no air, these particles and springs as in [`particles`].
pub fn springs(solver: &str, ends: &[([f32; 3], f32)], rows: &[(u32, u32, f32, f32)]) -> Fixture {
    Fixture::from_tables(weightless(solver, 2, 2, "").scene, particles(ends, rows))
}

/// Free, not symmetric: every particle off its place by up to 4 mm and moving by up to `speed` [m/s] and 0.3 m/s more.
pub fn shake(fixture: &mut Fixture, speed: f32) {
    let mut random = Random(7);
    fixture.x_mut().iter_mut().for_each(|x| (0..3).for_each(|i| x[i] += 0.004 * random.signed()));
    fixture.v_mut().iter_mut().for_each(|v| (0..3).for_each(|i| v[i] += speed * random.signed()));
    fixture.v_mut().iter_mut().for_each(|v| v[0] += 0.3);
}

/// Adds a rotation about z [rad/s].
pub fn spin(fixture: &mut Fixture, rate: f32) {
    let x = fixture.x().to_vec();
    for (v, x) in fixture.v_mut().iter_mut().zip(x) {
        (v[0], v[1]) = (v[0] - rate * x[1], v[1] + rate * x[0]);
    }
}

/// A square lattice of n x n particles of 1 kg, 1 m apart in the xy plane, its centre at the origin: springs to the 4
/// nearest, the 4 diagonal and the 4 second neighbours, all of one compliance [m/N].
pub fn lattice(n: u32, compliance: f32) -> Blueprint {
    let middle = 0.5 * (n - 1) as f32;
    let place = |i: u32| ([(i % n) as f32 - middle, (i / n) as f32 - middle, 0.0], 1.0);
    let ends: Vec<_> = (0..n * n).map(place).collect();
    let mut rows = Vec::new();
    for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2)] {
        let rest = ((right * right + down * down) as f32).sqrt();
        for i in 0..n * n {
            let column = (i % n).checked_add_signed(right).filter(|&column| column < n);
            let row = Some(i / n + down as u32).filter(|&row| row < n);
            if let (Some(column), Some(row)) = (column, row) {
                rows.push((i, row * n + column, rest, compliance));
            }
        }
    }
    particles(&ends, &rows)
}

/// Particles (xyz, mass; mass 0 is pinned with 1 kg) joined by springs of (a, b, rest, compliance).
pub fn particles(particles: &[([f32; 3], f32)], springs: &[(u32, u32, f32, f32)]) -> Blueprint {
    let w = |mass: f32| if mass > 0.0 { 1.0 / mass } else { 0.0 };
    let position = particles.iter().map(|([x, y, z], m)| [*x, *y, *z, w(*m)]).collect();
    let mass = particles.iter().map(|(_, m)| if *m > 0.0 { *m } else { 1.0 }).collect();
    let rows = springs.len();
    Blueprint {
        tables: vec![
            TableRows {
                name: "particle",
                rows: particles.len(),
                columns: vec![
                    ("position", Data::F32x4(position)),
                    ("velocity", Data::F32x4(vec![[0.0; 4]; particles.len()])),
                    ("mass", Data::F32(mass)),
                    ("area", Data::F32(vec![1.0; particles.len()])),
                    ("friction", Data::F32(vec![1.0; particles.len()])),
                ],
            },
            TableRows {
                name: "distance",
                rows,
                columns: vec![
                    ("idx", Data::U32x2(springs.iter().map(|s| [s.0, s.1]).collect())),
                    ("rest", Data::F32(springs.iter().map(|s| s.2).collect())),
                    ("compliance", Data::F32(springs.iter().map(|s| s.3).collect())),
                    ("damping", Data::F32(vec![0.0; rows])),
                    ("kind", Data::U32(vec![0; rows])),
                    ("width", Data::F32(vec![1.0; rows])),
                    ("object", Data::U32(vec![0; rows])),
                ],
            },
        ],
    }
}
