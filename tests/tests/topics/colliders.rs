//! Colliders with real geometry: nothing passes through any kind of them, friction on their faces, bodies with a mass.

use sim_api::Key;
use std::fmt::Write as _;
use weft_core::state::col;
use weft_core::statistics::{largest, least};

use glam::{DQuat, DVec3};
use tests::{
    cloths::shell,
    fixture::{Fixture, solvers, vector},
    long, places,
    random::Random,
};

/// Random flights against each kind.
fn trials() -> usize {
    if long() { 100_000 } else { 10_000 }
}

const THICKNESS: f64 = 2e-3;

/// A solid in closed form, in its own frame.
#[derive(Clone, Copy)]
enum Form {
    Sphere(f64),
    Capsule(f64, f64),
    Box(DVec3),
}

impl Form {
    /// From the surface that a particle may touch [m].
    fn gap(self, x: DVec3) -> f64 {
        let distance = match self {
            Self::Sphere(radius) => x.length() - radius,
            Self::Capsule(radius, half) => (x - DVec3::Y * x.y.clamp(-half, half)).length() - radius,
            Self::Box(half) => {
                let beyond = x.abs() - half;
                beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0)
            }
        };
        distance - THICKNESS
    }

    /// Where the way from `a` to `b` first touches it, by looking everywhere: where the surface is some places away, those need no look.
    fn first(self, a: DVec3, b: DVec3) -> Option<DVec3> {
        const LOOKS: usize = 4000;
        let at = |share: f64| a.lerp(b, share);
        let place = |i: usize| i as f64 / LOOKS as f64;
        let apart = a.distance(b) / LOOKS as f64;
        let mut inside = 1;
        while inside <= LOOKS {
            let gap = self.gap(at(place(inside)));
            if gap < 0.0 {
                break;
            }
            inside += ((gap / apart) as usize).max(1);
        }
        if inside > LOOKS {
            return None;
        }
        let (mut out, mut into) = (place(inside - 1), place(inside));
        for _ in 0..40 {
            let middle = f64::midpoint(out, into);
            if self.gap(at(middle)) < 0.0 { into = middle } else { out = middle }
        }
        Some(at(out))
    }
}

/// Particles that hardly feel each other, one step of one substep a frame, without gravity.
fn loose(solver: &str, colliders: &str, count: usize) -> Fixture {
    let columns = count.div_ceil(50);
    let text = format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0, wind: (coefficient: 0.0),
            solver: (name: "{solver}"), step: 0.002,
            cloths: [(id: "a", at: (0.0, 7.0, 0.0), shape: Grid(columns: {columns}, rows: 50, width: 1.0, height: 1.0),
                material: (density: 100.0, compliance: (structural: 1000.0, shear: 1000.0, bend: 1000.0)))],
            colliders: [{colliders}])"#
    );
    let base = places::temporary("colliders-loose");
    std::fs::write(base.join("shell.obj"), shell()).unwrap();
    let scene = weft_scene::parse_text("loose", &text, Some(&base), &weft_scene::Vocabulary::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .scene;
    Fixture::of(scene).cut(1)
}

/// Sets particle `i` on its way.
fn launch(fixture: &mut Fixture, i: usize, from: DVec3, to: DVec3) {
    let h = f64::from(fixture.scene.step);
    let v = (to - from) / h;
    let row = fixture.x()[i];
    fixture.x_mut()[i] = [from.x as f32, from.y as f32, from.z as f32, row[3]];
    fixture.v_mut()[i] = [v.x as f32, v.y as f32, v.z as f32, 0.0];
}

fn range(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * (f64::from(random.signed()) * 0.5 + 0.5)
}

fn anywhere(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed().into(), random.signed().into(), random.signed().into())
}

/// xpbd holds them inside its loop, explicit after its step, implicit_newton inside of it.
const DETECTORS: [&str; 3] = ["xpbd", "explicit", "implicit_newton"];

#[test]
fn nothing_passes_through_a_solid_in_one_step() {
    let turn = DQuat::from_euler(glam::EulerRot::ZYX, 0.7, -0.4, 0.3);
    let at = DVec3::new(0.3, 1.2, -0.2);
    let forms = [
        (Form::Sphere(0.05), "Sphere(radius: 0.05)"),
        (Form::Capsule(0.02, 0.2), "Capsule(radius: 0.02, half_height: 0.2)"),
        (Form::Box(DVec3::new(0.4, 0.001, 0.3)), "Box(half: (0.4, 0.001, 0.3))"),
        (Form::Box(DVec3::new(0.1, 0.15, 0.05)), "Box(half: (0.1, 0.15, 0.05))"),
    ];
    for solver in DETECTORS {
        for (form, text) in forms {
            let count = trials();
            let (x, y, z) = turn.to_euler(glam::EulerRot::ZYX);
            let collider = format!(
                r#"(id: "c", shape: {text}, at: (0.3, 1.2, -0.2), rotation: ({}, {}, {}), thickness: 0.002,
                    friction: (static: 0.0, dynamic: 0.0))"#,
                z.to_degrees(),
                y.to_degrees(),
                x.to_degrees()
            );
            let mut fixture = loose(solver, &collider, count);
            let mut random = Random(7);
            let mut ways = Vec::new();
            for i in 0..count {
                // From outside, at 5 to 1000 m/s, through the middle of the body more or less.
                let (mut from, mut to) = (DVec3::ZERO, DVec3::ZERO);
                while form.gap(from) < 1e-3 {
                    let aim = anywhere(&mut random) * 0.06;
                    from =
                        aim + anywhere(&mut random).normalize_or(DVec3::X) * range(&mut random, 0.005, 1.0);
                    to = from + (aim - from).normalize() * range(&mut random, 0.01, 2.0);
                }
                let world = |x: DVec3| turn * x + at;
                launch(&mut fixture, i, world(from), world(to));
                ways.push((from, to));
            }
            fixture.frames(1);
            let (mut hits, mut held, mut through) = (0, 0, Vec::new());
            for (i, (from, to)) in ways.into_iter().enumerate() {
                let now = turn.inverse() * (vector(fixture.x()[i]) - at);
                let inside = form.gap(now) < -1e-4;
                let Some(met) = form.first(from, to) else {
                    // Closer than rounding is a touch, and a walk along a surface may end before it is past.
                    held += usize::from(now.distance(to) > 1e-3);
                    if inside {
                        through.push((i, from, to, now));
                    }
                    continue;
                };
                hits += 1;
                // There is a way past the body: straight, or from where it touched on.
                let share = |k: i32| (f64::from(k) / 400.0).powi(3);
                let depth = |from: DVec3| least((0..=400).map(|k| form.gap(from.lerp(now, share(k)))));
                if inside || depth(met) < -2e-4 && depth(from) < -2e-4 {
                    through.push((i, from, to, now));
                }
            }
            println!("TUNNELLING {solver} {text}: {} of {hits} hits in {count} flights", through.len());
            assert!(hits > count / 20, "{solver} {text}: {hits} hits");
            assert!(held <= count / 500, "{solver} {text}: {held} of {count} held though they pass");
            assert!(through.is_empty(), "{solver} {text}: {:?}", &through[..through.len().min(3)]);
        }
    }
}

#[test]
fn nothing_passes_through_the_wall_of_a_mesh() {
    // The cavity in which a particle may be, the wall it may not be in, and outside.
    let (cavity, outer) = (0.498 - THICKNESS, 0.5 + THICKNESS);
    for solver in DETECTORS {
        let count = trials();
        let collider = r#"(id: "c", shape: Mesh(file: "shell.obj"), rotation: (20.0, 30.0, -10.0), thickness: 0.002,
            friction: (static: 0.1, dynamic: 0.1))"#;
        let mut fixture = loose(solver, collider, count);
        let turn = fixture.run.state.get(col::collider::rotation)[0].map(f64::from);
        let turn = DQuat::from_array(turn).normalize();
        let mut random = Random(11);
        let within = |i: usize| i.is_multiple_of(2);
        for i in 0..count {
            let (from, to) = loop {
                let side = if within(i) { cavity - 1e-3 } else { 1.5 };
                let (from, to) = (anywhere(&mut random) * side, anywhere(&mut random) * 3.0);
                if within(i) || from.abs().max_element() > outer + 1e-3 {
                    break (from, to);
                }
            };
            launch(&mut fixture, i, turn * from, turn * to);
        }
        for frame in 0..6 {
            fixture.frames(1);
            let wrong: Vec<_> = (0..count)
                .map(|i| (i, turn.inverse() * vector(fixture.x()[i])))
                .filter(|(i, x)| {
                    if within(*i) {
                        x.abs().max_element() > cavity + 1e-4
                    } else {
                        Form::Box(DVec3::splat(0.5)).gap(*x) < -1e-4
                    }
                })
                .collect();
            let first = &wrong[..wrong.len().min(3)];
            println!("TUNNELLING {solver} mesh, frame {frame}: {} of {count}", wrong.len());
            assert!(wrong.is_empty(), "{solver} frame {frame}: {} of {count}: {first:?}", wrong.len());
        }
    }
}

#[test]
fn a_plate_that_sweeps_past_takes_every_particle_along() {
    for solver in DETECTORS {
        for shape in ["Box(half: (2.0, 0.001, 2.0))", "Sphere(radius: 0.05)"] {
            let plate = shape.starts_with('B');
            let collider = format!(
                r#"(id: "c", shape: {shape}, at: (0.0, 1.0, 0.0), thickness: 0.002, friction: (static: 0.0, dynamic: 0.0))"#
            );
            let count = 2000;
            let mut fixture = loose(solver, &collider, count);
            let mut random = Random(3);
            let reach = if plate { 1.0 } else { 0.03 };
            for i in 0..count {
                let mut at = anywhere(&mut random) * reach;
                at.y = range(&mut random, -0.4, 0.4);
                launch(&mut fixture, i, at, at);
            }
            let before: Vec<DVec3> = (0..count).map(|i| vector(fixture.x()[i])).collect();
            // From 1 m to -1 m in one substep, 1000 m/s; the plate turns by 20 degrees on its way.
            let angle = if plate { 10.0_f32.to_radians() } else { 0.0 };
            let rows = |fixture: &mut Fixture, name: &'static str, row: [f32; 4]| {
                fixture.run.state.get_mut(Key::<[f32; 4]>::new("collider", name))[0] = row;
            };
            let turn = |angle: f32| [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()];
            rows(&mut fixture, "begin_rotation", turn(-angle));
            rows(&mut fixture, "rotation", turn(angle));
            rows(&mut fixture, "position", [0.0, -1.0, 0.0, 0.0]);
            fixture.frames(1);
            let tilt = DQuat::from_rotation_z(f64::from(angle));
            for (i, before) in before.into_iter().enumerate() {
                let local = tilt.inverse() * (vector(fixture.x()[i]) + DVec3::Y);
                if plate {
                    assert!(
                        local.y < -0.003 + 1e-4,
                        "{solver}: particle {i} from {before} is above: {local}"
                    );
                } else {
                    // It touched the sphere's front half, so it is before the sphere's tangent there.
                    let flat = (before.x.powi(2) + before.z.powi(2)).sqrt();
                    let dip = -(0.052_f64.powi(2) - flat.powi(2)).sqrt();
                    let normal = DVec3::new(before.x, dip, before.z) / 0.052;
                    let height = normal.dot(local) - 0.052;
                    assert!(height > -1e-3, "{solver}: particle {i} from {before} is {height} m behind");
                }
            }
        }
    }
}

/// A slab of the given slope as text of a collider, its upper face through the origin.
fn slope(shape: &str, degrees: f32, mu: f32) -> String {
    let (sin, cos) = (degrees.to_radians().sin(), degrees.to_radians().cos());
    format!(
        r#"(id: "slope", shape: {shape}, at: ({}, {}, 0.0), rotation: (0.0, 0.0, {degrees:?}), thickness: 0.004,
            friction: (static: {mu:?}, dynamic: {mu:?}))"#,
        0.5 * sin,
        -0.5 * cos
    )
}

/// Four particles on a face of slope `tan`: way down it [m] and speed [m/s] after each frame.
fn slide(solver: &str, shape: &str, mu: f32, tan: f32, frames: usize) -> Vec<(f64, f64)> {
    let degrees = tan.atan().to_degrees();
    let (sin, cos) = (degrees.to_radians().sin(), degrees.to_radians().cos());
    let text = format!(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0),
            solver: (name: "{solver}", params: {{"substeps": 10}}),
            cloths: [(id: "a", at: ({}, {}, 0.0), rotation: (-90.0, 0.0, {degrees:?}),
                shape: Grid(columns: 2, rows: 2, width: 0.1, height: 0.1),
                material: (compliance: (structural: 1.0, shear: 1.0, bend: 1.0)))],
            colliders: [{}])"#,
        -0.004 * sin,
        0.004 * cos,
        slope(shape, degrees, mu)
    );
    let base = places::temporary("colliders-slope");
    // A slab of 6 x 1 x 6 m.
    let slab =
        shell().lines().filter(|line| line.starts_with('v')).take(8).fold(String::new(), |mut text, line| {
            let numbers: Vec<f64> = line.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
            let _ = writeln!(text, "v {} {} {}", 6.0 * numbers[0], numbers[1], 6.0 * numbers[2]);
            text
        }) + "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
    std::fs::write(base.join("slab.obj"), slab).unwrap();
    let scene = weft_scene::parse_text("slope", &text, Some(&base), &weft_scene::Vocabulary::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .scene;
    let mut fixture = Fixture::of(scene);
    let down = DVec3::new(-f64::from(cos), -f64::from(sin), 0.0);
    let center = |fixture: &Fixture| fixture.x().iter().map(|x| vector(*x)).sum::<DVec3>() / 4.0;
    let start = center(&fixture);
    let step = |_| {
        fixture.frames(1);
        ((center(&fixture) - start).dot(down), fixture.mean_velocity().dot(down))
    };
    (0..frames).map(step).collect()
}

#[test]
fn boxes_and_meshes_hold_and_let_slide_as_coulomb_has_it() {
    for shape in ["Box(half: (10.0, 0.5, 10.0))", r#"Mesh(file: "slab.obj")"#] {
        for solver in solvers() {
            let still = slide(solver, shape, 0.5, 0.49, 120);
            let largest = largest(still.iter().map(|(x, _)| x.abs()));
            let moving = slide(solver, shape, 0.3, 0.45, 90);
            let angle = 0.45_f64.atan();
            let (a, expected) = (moving[89].1 - moving[29].1, 9.81 * (angle.sin() - 0.3 * angle.cos()));
            println!(
                "INCLINE {shape} {solver}: slip {largest:.1e} m, {:+.3} %",
                100.0 * (a / expected - 1.0)
            );
            assert!(largest < 1e-3, "{shape} {solver}: {largest} m below the angle");
            assert!((a / expected - 1.0).abs() < 0.01, "{shape} {solver}: {a} for {expected} m/s2");
        }
    }
}

/// The first finding.
fn refused(collider: &str) -> String {
    let base = places::temporary("colliders-refused");
    std::fs::write(base.join("shell.obj"), shell()).unwrap();
    let inside_out = shell().lines().fold(String::new(), |text, line| match line.strip_prefix("f ") {
        Some(corners) => text + "f " + &corners.split(' ').rev().collect::<Vec<_>>().join(" ") + "\n",
        None => text + line + "\n",
    });
    std::fs::write(base.join("inside_out.obj"), inside_out).unwrap();
    std::fs::write(base.join("open.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    std::fs::write(base.join("nan.obj"), "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let text = format!(
        "(version: 1, cloths: [(id: \"a\", shape: Grid(columns: 2, rows: 2, width: 0.1, height: 0.1))],\n colliders: [(id: \"c\", {collider})])"
    );
    match weft_scene::parse_text("bad", &text, Some(&base), &weft_scene::Vocabulary::default()) {
        Ok(loaded) => format!("accepted: {}", loaded.notes.join("; ")),
        Err(errors) => errors.to_string(),
    }
}

#[test]
fn bad_colliders_are_refused_with_file_and_line() {
    let cases = [
        (r#"shape: Mesh(file: "nan.obj")"#, "vertex 1 (line 2)"),
        (r#"shape: Mesh(file: "missing.obj")"#, "there is no file \"missing.obj\""),
        (r#"shape: Mesh(file: "inside_out.obj")"#, "its faces look inwards"),
        (r#"shape: Mesh(file: "open.obj"), thickness: 0.0"#, "3 edge(s) without two faces"),
        (r#"shape: Mesh(file: "shell.obj", scale: 1e5)"#, "m large; it must be between"),
        (r#"shape: Mesh(file: "shell.obj"), mass: 1.0"#, "only a Sphere or a Box may have a mass"),
        (
            "shape: Sphere(radius: 0.1), mass: 1.0, motion: Spin(axis: (0, 1, 0), period: 2)",
            "goes its own way",
        ),
        ("shape: Sphere(radius: 0.1), velocity: (1, 0, 0)", "only a body with a mass"),
        ("shape: Box(half: (0.1, 0.0, 0.1))", "`half.y` is 0 m"),
        (
            "shape: Plane, motion: Keyframes(keys: [(1, (0, 0, 0), (0, 0, 0)), (1, (0, 0, 0), (0, 0, 0))])",
            "does not come after",
        ),
    ];
    for (collider, message) in cases {
        let told = refused(collider);
        assert!(told.contains(message) && told.contains("bad:2:"), "{collider}: {told}");
    }
    let open = refused(r#"shape: Mesh(file: "open.obj")"#);
    assert!(open.starts_with("accepted") && open.contains("it has no inside: a shell"), "{open}");
    let closed = refused(r#"shape: Mesh(file: "shell.obj")"#);
    assert!(closed.contains("24 faces") && closed.contains("MB; closed"), "{closed}");
}

#[test]
fn the_gpu_path_takes_all_kinds_of_colliders() {
    use weft_gpu::{Sources, choice::Situation, passes::Passes};
    for collider in [
        r#"(id: "c", shape: Box(half: (0.1, 0.1, 0.1)))"#,
        r#"(id: "c", shape: Mesh(file: "shell.obj"))"#,
        r#"(id: "c", shape: Sphere(radius: 0.1), mass: 1.0)"#,
    ] {
        let fixture = loose("xpbd", collider, 100);
        let passes = Passes::read(&Sources::built_in()).unwrap_or_else(|e| panic!("{e:?}"));
        let situation = Situation::new(&fixture.run, Vec::new());
        let chosen = situation.choose(&passes, Some("xpbd_coloured")).map(|list| list.name.as_str());
        assert_eq!(chosen, Ok("xpbd_coloured"), "{collider}");
    }
}
