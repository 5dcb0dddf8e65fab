//! Impacts, and bodies with a mass: momentum, rest, the same bits for any number of threads.

use sim_api::Key;
use weft_core::statistics::largest;

use glam::DVec3;
use tests::{
    fixture::{Fixture, solvers, vector},
    long,
};

#[test]
fn an_impact_takes_mu_times_its_impulse_from_the_slip() {
    for solver in solvers() {
        for restitution in [0.0_f64, 0.6] {
            // It falls for 0.5 s and meets the floor somewhere in a substep: the friction must not depend on where.
            for height in [1.0, 1.007, 1.013] {
                let (mu, along) = (0.2, 3.0_f32);
                let mut fixture = Fixture::new(&format!(
                    r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0),
                        solver: (name: "{solver}", params: {{"substeps": 40}}),
                        cloths: [(id: "a", at: (0.0, {height}, 0.0), rotation: (-90.0, 0.0, 0.0),
                            shape: Grid(columns: 2, rows: 2, width: 0.1, height: 0.1))],
                        colliders: [(id: "floor", shape: Box(half: (9.0, 0.5, 9.0)), at: (0.0, -0.5, 0.0),
                            thickness: 0.004, restitution: {restitution:?},
                            friction: (static: {mu:?}, dynamic: {mu:?}))])"#
                ));
                fixture.v_mut().iter_mut().for_each(|v| v[0] = along);
                // The impact is in frame 28; then it flies on, or with restitution 0 goes on sliding.
                fixture.frames(27);
                let mut lost = 0.0;
                let speed = (2.0 * 9.81 * (height - 0.004_f64)).sqrt();
                for _ in 0..3 {
                    fixture.frames(1);
                    lost = f64::from(along) - fixture.mean_velocity().x;
                }
                let contact_s = 30.0 / 60.0 - speed / 9.81;
                let sliding = if restitution == 0.0 { mu * 9.81 * contact_s } else { 0.0 };
                let expected = mu * (1.0 + restitution) * speed + sliding;
                assert!(
                    (lost / expected - 1.0).abs() < 0.02,
                    "{solver} r {restitution} from {height} m: {lost} for {expected} m/s"
                );
            }
        }
    }
}

/// A free ball in front of a free sheet of two blocks, without gravity.
fn thrown(solver: &str, threads: usize) -> Fixture {
    thrown_at([41, 43], solver, threads)
}

fn thrown_at([columns, rows]: [usize; 2], solver: &str, threads: usize) -> Fixture {
    let text = format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0, wind: (coefficient: 0.0),
            solver: (name: "{solver}", params: {{"substeps": 16}}),
            cloths: [(id: "a", shape: Grid(columns: {columns}, rows: {rows}, width: 1.0, height: 1.0),
                material: (density: 0.2, compliance: (structural: 1e-4, shear: 1e-3, bend: 1e-2)))],
            colliders: [(id: "ball", shape: Sphere(radius: 0.15), at: (0.1, 0.05, 0.3), mass: 2.0,
                velocity: (0.0, 0.0, -3.0), friction: (static: 0.4, dynamic: 0.3))])"#
    );
    Fixture::new(&text).threads(threads)
}

fn ball(fixture: &Fixture, column: &'static str) -> DVec3 {
    vector(fixture.run.state.get(Key::<[f32; 4]>::new("collider", column))[0])
}

/// How far the momentum of cloth and ball is off after 0.75 s, as a share of all that the ball brought.
fn momentum_lost(mut fixture: Fixture) -> f64 {
    fixture.frames(45);
    let (cloth, ball) = (fixture.momentum(), ball(&fixture, "velocity") * 2.0);
    let off = (cloth + ball - DVec3::new(0.0, 0.0, -6.0)).length() / 6.0;
    println!(
        "MOMENTUM {}: cloth {:.3}, ball {:.3}, off {:.2} %",
        fixture.run.solver,
        cloth.z,
        ball.z,
        100.0 * off
    );
    assert!(cloth.z < -0.2, "{}: the ball pushed it: {cloth}", fixture.run.solver);
    off
}

/// Whatever cloth and ball give each other, it is as much one way as the other (`bodies.rs`); what iterations leave of an equation
/// is taken back after them (`sim-dylib/kernels/momentum.rs`), or is little where the equation is that of the whole cloth.
#[test]
fn cloth_and_a_ball_with_a_mass_keep_their_momentum() {
    let size = if long() { [41, 43] } else { [25, 27] };
    for solver in solvers().into_iter().filter(|solver| long() || *solver != "baraff_witkin") {
        let off = momentum_lost(thrown_at(size, solver, 1).set_if("tolerance", 1e-4));
        let whole = ["implicit_newton", "baraff_witkin", "projective_dynamics"].contains(&solver);
        assert!(off < if whole { 0.01 } else { 1e-4 }, "{solver}: {off}");
    }
}

#[test]
fn bodies_with_a_mass_are_the_same_for_any_number_of_threads() {
    let (frames, others) = if long() { (30, &[2, 3, 8][..]) } else { (12, &[3][..]) };
    for solver in ["xpbd", "implicit_newton"] {
        let hash = |threads: usize| {
            let mut fixture = thrown(solver, threads);
            fixture.frames(frames);
            (fixture.hash(), ball(&fixture, "velocity").to_array().map(f64::to_bits))
        };
        let one = hash(1);
        for &threads in others {
            assert_eq!(hash(threads), one, "{solver} with {threads} threads");
        }
    }
}

#[test]
fn bodies_fall_bounce_and_come_to_rest_on_other_colliders() {
    let fixture = |shape: &str, restitution: f32| {
        let mut fixture = Fixture::new(&format!(
            r#"(version: 1, cloths: [(id: "a", at: (5.0, 5.0, 5.0), shape: Grid(columns: 2, rows: 2, width: 0.1, height: 0.1),
                    pins: [Edge(Top)])],
                solver: (name: "xpbd", params: {{"substeps": 40}}),
                colliders: [(id: "b", shape: {shape}, at: (0.0, 1.2, 0.0), mass: 3.0, restitution: {restitution:?}),
                    (id: "floor", shape: Plane), (id: "plate", shape: Box(half: (2.0, 0.001, 2.0)), at: (0.0, 0.1, 0.0))])"#
        ));
        fixture.frames(1);
        fixture
    };
    // From 1.2 m down to the plate at 0.101 m with a radius of 0.1 m: r² of 0.999 m.
    let mut bounces = fixture("Sphere(radius: 0.1)", 0.7);
    let mut heights = Vec::new();
    for _ in 0..70 {
        bounces.frames(1);
        heights.push(ball(&bounces, "position").y - 0.201);
    }
    let peak = largest(heights[30..].iter().copied());
    assert!((peak / (0.49 * 0.999) - 1.0).abs() < 0.02, "{peak}");
    assert!(heights.iter().all(|&height| height > -1e-3), "never through the plate");
    for shape in ["Sphere(radius: 0.1)", "Box(half: (0.1, 0.1, 0.1))"] {
        let mut rests = fixture(shape, 0.0);
        rests.frames(120);
        let (at, v) = (ball(&rests, "position"), ball(&rests, "velocity"));
        assert!((at.y - 0.201).abs() < 2e-3 && v.length() < 0.02, "{shape}: {at} {v}");
    }
}
