//! Colliders: nothing stays inside, Coulomb's angles and accelerations, bounces, and bodies that move.

use tests::{fixture::Fixture, places};
use weft_core::state::col;
use weft_core::statistics::largest;
use weft_session::{Options, Session, readings::Meter};

/// Opens a scene from its text.
fn session(name: &str, text: &str) -> Session {
    let file = places::temporary(&format!("contact-{name}")).join("scene.ron");
    std::fs::write(&file, text).unwrap();
    Session::open(Options { scene: file, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}

fn frames(session: &mut Session, count: usize) {
    for _ in 0..count {
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

fn mean(session: &Session) -> [f32; 3] {
    let count = session.positions().len() as f32;
    std::array::from_fn(|i| session.positions().iter().map(|x| x[i]).sum::<f32>() / count)
}

#[test]
fn nothing_settles_inside_a_collider() {
    for solver in tests::fixture::solvers() {
        let (columns, rows) = if tests::long() { ("31", "29") } else { ("19", "17") };
        let overrides = [("columns", columns), ("rows", rows)];
        let overrides = overrides.map(|(f, v)| (format!("cloths[0].shape.{f}"), v.to_string())).to_vec();
        let options = Options {
            scene: places::scene("drape_on_sphere.ron"),
            solver: Some(solver.into()),
            threads: 1,
            set: overrides,
            ..Options::default()
        };
        let mut session = Session::open(options).unwrap();
        frames(&mut session, 240);
        let (mut touching, bodies) = (0, &session.scene().colliders);
        assert_eq!(bodies.len(), 2);
        for body in bodies {
            for (i, x) in session.positions().iter().enumerate() {
                let to = glam::Vec3::new(x[0], x[1], x[2]) - glam::Vec3::from(body.at);
                let distance = match body.shape {
                    weft_scene::ColliderShape::Sphere { radius } => to.length() - radius,
                    _ => to.y,
                } - body.thickness;
                assert!(distance > -1e-4, "{solver}: particle {i} is {distance} m from {}", body.id);
                touching += usize::from(distance < 1e-3);
            }
        }
        assert!(touching > 10, "{solver}: it does lie on something ({touching})");
    }
}

/// What solvers with one equation for all particles leave at their defaults in 4 s: largest stretch of a row.
/// `baraff_witkin` alone solves its system closer than it does by itself: at a tolerance of 0.01 the cloth creeps off.
const DRAPED: &[(&str, f32)] = &[
    ("implicit_newton", 0.05),
    ("baraff_witkin", 0.12),
    ("implicit_jacobi", 0.1),
    ("implicit_chebyshev", 0.1),
    ("projective_dynamics", 0.12),
    ("vbd", 0.03),
];

#[test]
fn a_cloth_on_a_ball_neither_stretches_nor_gains_energy() {
    for &(solver, most) in DRAPED {
        let overrides = [("columns", "28"), ("rows", "28")];
        let overrides = overrides.map(|(f, v)| (format!("cloths[0].shape.{f}"), v.to_string())).to_vec();
        let mut session = Session::open(Options {
            scene: places::scene("drape_on_sphere.ron"),
            solver: Some(solver.into()),
            threads: 1,
            set: overrides,
            ..Options::default()
        })
        .unwrap();
        // Without what the scene has for this solver.
        session.edit_run(|run| run.params.clear());
        let ball = session.scene().colliders.iter().find(|body| body.id == "ball").unwrap().clone();
        let weft_scene::ColliderShape::Sphere { radius } = ball.shape else { panic!("a ball") };
        let (mut meter, mut least, mut stretch) = (Meter::default(), f64::MAX, 0.0_f32);
        for frame in 0..300 {
            frames(&mut session, 1);
            let now = meter.read(session.run(), session.scene().gravity);
            // Kinetic and potential [J/kg]: stretched threads give a little back when the fall ends.
            let energy = (now.motion.kinetic + now.motion.potential) / now.motion.mass;
            least = least.min(energy);
            assert!(energy < least + 1.0, "{solver} frame {frame}: from {least} to {energy} J/kg");
            stretch = stretch.max(now.rows.stretch.max);
            for (i, x) in session.positions().iter().enumerate() {
                let to = glam::Vec3::new(x[0], x[1], x[2]) - glam::Vec3::from(ball.at);
                let outside = to.length() - radius - ball.thickness;
                assert!(outside > -1e-5, "{solver} frame {frame}: particle {i} is {outside} m from the ball");
            }
        }
        let rest = meter.read(session.run(), session.scene().gravity).motion;
        assert!(stretch < most, "{solver}: {stretch}");
        assert!(rest.kinetic / rest.mass < 0.02, "{solver}: {} J/kg and no rest", rest.kinetic / rest.mass);
        assert!(mean(&session)[1] > 0.8, "{solver}: it still lies on the ball: {:?}", mean(&session));
    }
}

/// Four particles on a plane of slope `tan`: their way down it [m], and their speed [m/s], after each frame.
///
/// The friction is `mu` of the plane times `factor` of the cloth.
fn slide(solver: &str, [mu, factor]: [f32; 2], tan: f32, frames: usize) -> Vec<(f64, f64)> {
    let angle = tan.atan();
    let (thickness, degrees) = (0.004, angle.to_degrees());
    let at = [-thickness * angle.sin(), thickness * angle.cos(), 0.0];
    let mut fixture = Fixture::new(&format!(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "{solver}", params: {{"substeps": 10}}),
            cloths: [(id: "a", at: ({}, {}, 0.0), rotation: (-90.0, 0.0, {degrees:?}),
                shape: Grid(columns: 2, rows: 2, width: 0.1, height: 0.1),
                material: (friction: {factor:?}, compliance: (structural: 1.0, shear: 1.0, bend: 1.0)))],
            colliders: [(id: "slope", shape: Plane, rotation: (0.0, 0.0, {degrees:?}),
                thickness: {thickness:?}, friction: (static: {mu:?}, dynamic: {mu:?}))])"#,
        at[0], at[1]
    ));
    let down = glam::DVec3::new(-f64::from(angle.cos()), -f64::from(angle.sin()), 0.0);
    let center =
        |fixture: &Fixture| fixture.x().iter().map(|x| tests::fixture::vector(*x)).sum::<glam::DVec3>() / 4.0;
    let start = center(&fixture);
    let step = |_| {
        fixture.frames(1);
        ((center(&fixture) - start).dot(down), fixture.mean_velocity().dot(down))
    };
    (0..frames).map(step).collect()
}

#[test]
fn friction_holds_below_its_angle() {
    for solver in tests::fixture::solvers() {
        for mu in [0.3, 0.8] {
            let way = slide(solver, [mu, 1.0], 0.98 * mu, 120);
            let largest = largest(way.iter().map(|(x, _)| x.abs()));
            assert!(largest < 1e-3, "{solver} mu {mu}: {largest} m");
        }
    }
}

#[test]
fn friction_yields_above_its_angle() {
    for solver in tests::fixture::solvers() {
        for (mu, tan) in [(0.3_f32, 0.45_f32), (0.2, 1.0), (0.0, 0.5)] {
            let way = slide(solver, [mu, 1.0], tan, 90);
            let angle = f64::from(tan).atan();
            let expected = 9.81 * (angle.sin() - f64::from(mu) * angle.cos());
            let a = (way[89].1 - way[29].1) / 1.0;
            assert!((a / expected - 1.0).abs() < 0.01, "{solver} mu {mu} tan {tan}: {a} for {expected} m/s2");
        }
    }
}

#[test]
fn the_cloth_multiplies_the_friction() {
    for solver in tests::fixture::solvers() {
        for [mu, factor] in [[0.2, 2.0], [0.8, 0.5]] {
            let together = mu * factor;
            let way = slide(solver, [mu, factor], 0.98 * together, 120);
            let largest = largest(way.iter().map(|(x, _)| x.abs()));
            assert!(largest < 1e-3, "{solver} {mu} x {factor}: {largest} m below the angle");
            // Between the angle of both and that of the plane alone, or above both.
            let tan = 1.4 * together;
            let way = slide(solver, [mu, factor], tan, 90);
            let angle = f64::from(tan).atan();
            let expected = 9.81 * (angle.sin() - f64::from(together) * angle.cos());
            let a = way[89].1 - way[29].1;
            assert!((a / expected - 1.0).abs() < 0.01, "{solver} {mu} x {factor}: {a} for {expected} m/s2");
        }
    }
}

#[test]
fn each_cloth_has_its_own_friction_and_a_save_changes_it() {
    // More particles than a block; the slope holds with 0.4 of friction.
    let cloth = |id: &str, z: f32, factor: f32| {
        format!(
            r#"(id: "{id}", at: (0.0, 0.004, {z:?}), rotation: (-90.0, 0.0, 0.0), material: (friction: {factor:?}),
                shape: Grid(columns: 37, rows: 31, width: 0.4, height: 0.3))"#
        )
    };
    let mut session = session(
        "two",
        &format!(
            r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), gravity: (-3.5, -9.0, 0.0),
                solver: (name: "xpbd", params: {{"substeps": 10}}), cloths: [{}, {}],
                colliders: [(id: "floor", shape: Plane, friction: (static: 0.5, dynamic: 0.5), thickness: 0.004)])"#,
            cloth("smooth", -0.3, 0.5),
            cloth("rough", 0.3, 1.5),
        ),
    );
    let way = |session: &Session| {
        [0, 1].map(|i| {
            let rows = &session.positions()[session.objects()[i].particles.clone()];
            rows.iter().map(|x| x[0]).sum::<f32>() / rows.len() as f32
        })
    };
    frames(&mut session, 30);
    // Half a second of 3.5 - 0.25 * 9 m/s2.
    let [smooth, rough] = way(&session);
    assert!((smooth + 0.5 * 1.25 * 0.25).abs() < 0.01 && rough.abs() < 1e-3, "{smooth} {rough}");
    let mut scene = session.scene().clone();
    (scene.cloths[0].material.friction, scene.cloths[1].material.friction) = (1.5, 0.5);
    assert_eq!(session.apply(scene), Ok(vec![]));
    frames(&mut session, 30);
    let [smooth_then, rough_then] = way(&session);
    // From 0.625 m/s by 0.75 * 9 - 3.5 m/s2.
    assert!((smooth_then - smooth + 0.0601).abs() < 0.01, "it brakes: {smooth} {smooth_then}");
    assert!((rough_then - rough + 0.5 * 1.25 * 0.25).abs() < 0.01, "it slides: {rough} {rough_then}");
    frames(&mut session, 30);
    assert!((way(&session)[0] - smooth_then).abs() < 1e-3, "it stands: {:?} {smooth_then}", way(&session));
}

#[test]
fn a_bounce_gives_back_the_square_of_the_restitution() {
    for solver in tests::fixture::solvers() {
        for restitution in [0.0_f32, 0.5, 0.8] {
            let mut fixture = Fixture::new(&format!(
                r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0),
                    solver: (name: "{solver}", params: {{"substeps": 40}}),
                    cloths: [(id: "a", at: (0.0, 1.004, 0.0), rotation: (-90.0, 0.0, 0.0),
                        shape: Grid(columns: 2, rows: 2, width: 0.1, height: 0.1))],
                    colliders: [(id: "floor", shape: Plane, thickness: 0.004, restitution: {restitution:?})])"#
            ));
            // It falls for 0.4515 s, and rises for at most as long.
            let height = |fixture: &Fixture| f64::from(fixture.x()[0][1]) - 0.004;
            let mut heights = Vec::new();
            for _ in 0..54 {
                fixture.frames(1);
                heights.push(height(&fixture));
            }
            let peak = largest(heights[28..].iter().copied());
            let expected = f64::from(restitution).powi(2);
            assert!((peak - expected).abs() < 0.02 * expected.max(0.05), "{solver} {restitution}: {peak} m");
            assert!(heights.iter().all(|&y| y > -1e-4), "{solver} {restitution}: never inside");
        }
    }
}

const CURTAIN: &str = r#"(version: 1, air_damping: 0.5, wind: (coefficient: 0.0),
    cloths: [(id: "a", at: (0.0, 1.0, 0.0), pins: [Edge(Top)],
        shape: Grid(columns: 21, rows: 21, width: 1.0, height: 1.0))],
    colliders: [(id: "ball", shape: Sphere(radius: 0.2), at: (0.0, 0.8, 0.5), motion: MOTION)])"#;

#[test]
fn a_moving_ball_pushes_the_cloth_before_it() {
    let still = CURTAIN.replace("MOTION", "Still");
    let moving = CURTAIN.replace("MOTION", "Oscillate(offset: (0.0, 0.0, -0.9), period: 4.0)");
    let (mut still, mut moving) = (session("still", &still), session("moving", &moving));
    frames(&mut still, 110);
    frames(&mut moving, 110);
    let ball = moving.run().state.get(col::collider::position)[0];
    assert!(ball[2] < -0.3, "the ball is through: {ball:?}");
    assert!(mean(&still)[2].abs() < 1e-3, "{:?}", mean(&still));
    assert!(mean(&moving)[2] < -0.1, "{:?}", mean(&moving));
    for x in moving.positions() {
        let to = glam::Vec3::new(x[0] - ball[0], x[1] - ball[1], x[2] - ball[2]);
        assert!(to.length() > 0.2 + 0.004 - 1e-4, "inside the ball: {x:?}");
    }
}

#[test]
fn a_moving_floor_carries_the_cloth_by_friction() {
    let scene = |friction: f32| {
        format!(
            r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0),
                cloths: [(id: "a", at: (0.0, 0.005, 0.0), rotation: (-90.0, 0.0, 0.0),
                    shape: Grid(columns: 6, rows: 5, width: 0.5, height: 0.4))],
                colliders: [(id: "floor", shape: Plane, friction: (static: {friction:?}, dynamic: {friction:?}),
                    motion: Oscillate(offset: (0.6, 0.0, 0.0), period: 4.0))])"#
        )
    };
    let (mut rough, mut smooth) = (session("rough", &scene(0.9)), session("smooth", &scene(0.0)));
    frames(&mut rough, 120);
    frames(&mut smooth, 120);
    assert!((mean(&rough)[0] - 0.6).abs() < 0.01, "{:?}", mean(&rough));
    assert!(mean(&smooth)[0].abs() < 0.01, "{:?}", mean(&smooth));
}
