//! Bodies with a mass on the GPU path, on the software adapter: pushed by the cloth as on the CPU, and back after each frame.

use glam::{DVec3, Vec3};
use sim_api::Key;
use tests::{
    device::{self, ORDERS, Twins},
    fixture::{self, Fixture, vector, with_solver},
    left_out, long, places,
};
use weft_core::state::col;
use weft_core::state::{Snapshot, State, StateHash};
use weft_core::statistics::{largest, least};
use weft_gpu::GpuOptions;
use weft_session::{Options, Session};

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// Of `tests`, beside the scenes.
const IN_CLOTH: &str = "../tests/bodies_in_cloth.ron";

/// Rest lengths that the two paths may be apart after 20 substeps.
const TOLERANCE: f64 = 1e-3;

fn rows<'a>(state: &'a State, column: &'static str) -> &'a [[f32; 4]] {
    state.get(Key::new("collider", column))
}

/// Largest distance of a collider from its twin, and change of its axes [m].
fn bodies_apart(twins: &Twins) -> f64 {
    let states = [&twins.cpu.run.state, &twins.fixture.run.state];
    let apart = |column: &'static str| {
        let [a, b] = states.map(|state| rows(state, column));
        let far = |(a, b): (&[f32; 4], &[f32; 4])| {
            a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>().sqrt()
        };
        largest(a.iter().zip(b).map(far))
    };
    largest([apart("position"), apart("rotation")])
}

/// The scene of that name with another solver at its defaults.
fn caught(solver: &str, columns: u32, rows: u32) -> weft_scene::Scene {
    let mut scene = with_solver(fixture::small(IN_CLOTH, columns, rows), solver);
    scene.solver.params.clear();
    scene
}

#[test]
fn a_ball_and_a_crate_in_cloth_go_as_their_twins_do() {
    if left_out("a_ball_and_a_crate_in_cloth_go_as_their_twins_do", NEEDS) {
        return;
    }
    // With lengths alone the crate comes down elsewhere, at another time.
    let orders = ORDERS.into_iter().filter(|(solver, ..)| *solver != "verlet");
    for (solver, passes, params) in orders.step_by(if long() { 1 } else { 2 }) {
        let scene = caught(solver, 21, 23);
        let params = [params, &[("substeps", 20.0)]].concat();
        // The ball lies in the cloth; then the crate comes down too.
        let mut twins = Twins::new(&scene, &params, if long() { 24 } else { 34 }, Some(passes));
        let (mut apart, mut pushed, mut state) = (Vec::new(), [0.0_f64; 2], Snapshot::default());
        for _ in 0..if long() { 40 } else { 20 } {
            let [speeds, places] =
                ["velocity", "position"].map(|column| rows(&twins.cpu.run.state, column).to_vec());
            twins.frame();
            for (body, pushed) in pushed.iter_mut().enumerate() {
                let [was, is] = [speeds[body], rows(&twins.fixture.run.state, "velocity")[body]].map(vector);
                *pushed = largest([*pushed, (is - was - DVec3::new(0.0, -9.81 / 60.0, 0.0)).length()]);
            }
            // Of colliders without a mass nothing moved.
            assert_eq!(rows(&twins.fixture.run.state, "position")[2], places[2]);
            apart.push(largest([twins.apart(), bodies_apart(&twins) / twins.rest()]));
            // From the same state again.
            state.take(&twins.cpu.run.state);
            state.restore(&mut twins.fixture.run.state);
            twins.gpu.upload_state(&twins.fixture.run).unwrap();
        }
        // By what gravity does not explain.
        let pushes = pushed[usize::from(!long())..].iter().copied();
        assert!(least(pushes) > 0.02, "{passes}: the cloth pushed ball and crate by {pushed:?} m/s");
        // Where its last bit decides whether a particle meets a body in this substep or the next, it is farther from
        // its twin after that: in one of some twenty frames, whatever the order.
        let beyond = apart.iter().filter(|apart| !(..=TOLERANCE).contains(apart)).count();
        println!("BODIES {passes} {params:?}: {beyond} frames beyond, {apart:.6?} rest lengths");
        assert!(beyond <= apart.len() / 10, "{passes} {params:?}: {apart:?}");
    }
}

#[test]
fn what_cloth_and_bodies_do_repeats_bit_for_bit() {
    if left_out("what_cloth_and_bodies_do_repeats_bit_for_bit", NEEDS) {
        return;
    }
    for (solver, passes, params) in ORDERS.into_iter().step_by(if long() { 1 } else { 3 }) {
        let scene = caught(solver, 33, 35);
        let [first, second] = [0, 1].map(|_| {
            let mut twins = Twins::new(&scene, params, 26, Some(passes));
            for _ in 0..if long() { 1000 } else { 6 } {
                twins.step(&[]).unwrap();
            }
            twins.gpu.fetch(&mut twins.fixture.run).unwrap();
            let state = &twins.fixture.run.state;
            let bits = ["position", "rotation", "velocity", "spin"].map(|column| {
                rows(state, column).iter().flat_map(|row| row.map(f32::to_bits)).collect::<Vec<_>>()
            });
            (twins.fixture.hash(), bits)
        });
        assert_eq!(first, second, "{passes}");
    }
}

/// A free ball in front of a free sheet, without gravity.
fn thrown(solver: &str) -> weft_scene::Scene {
    let [columns, rows] = if long() { [41, 43] } else { [25, 27] };
    let text = format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0, wind: (coefficient: 0.0),
            solver: (name: "{solver}"),
            cloths: [(id: "a", shape: Grid(columns: {columns}, rows: {rows}, width: 1.0, height: 1.0),
                material: (density: 0.2, compliance: (structural: 1e-4, shear: 1e-3, bend: 1e-2)))],
            colliders: [(id: "ball", shape: Sphere(radius: 0.15), at: (0.1, 0.05, 0.2), mass: 2.0,
                velocity: (0.0, 0.0, -3.0), friction: (static: 0.4, dynamic: 0.3))])"#
    );
    weft_scene::parse_text("thrown", &text, None, &weft_scene::Vocabulary::default())
        .expect("a good scene")
        .scene
}

/// Momentum of cloth and ball together, off what the ball brought, as a share of it; and what the cloth has of it.
fn momentum(fixture: &Fixture) -> (f64, f64) {
    let ball = vector(rows(&fixture.run.state, "velocity")[0]) * 2.0;
    ((fixture.momentum() + ball - DVec3::new(0.0, 0.0, -6.0)).length() / 6.0, fixture.momentum().z)
}

#[test]
fn cloth_and_a_ball_keep_their_momentum_as_on_the_cpu() {
    if left_out("cloth_and_a_ball_keep_their_momentum_as_on_the_cpu", NEEDS) {
        return;
    }
    for (solver, passes, params) in ORDERS.into_iter().step_by(if long() { 1 } else { 3 }) {
        let params = [params, &[("substeps", 16.0)]].concat();
        let mut twins = Twins::new(&thrown(solver), &params, 0, Some(passes));
        let frames = 24;
        twins.cpu.frames(frames);
        for _ in 0..frames {
            twins.step(&[]).unwrap();
        }
        twins.gpu.fetch(&mut twins.fixture.run).unwrap();
        let ([cpu, _], (gpu, cloth)) = (<[f64; 2]>::from(momentum(&twins.cpu)), momentum(&twins.fixture));
        println!("MOMENTUM {passes}: off by {gpu:.1e} of it, {cpu:.1e} on the CPU; cloth {cloth:.3} kg m/s");
        assert!(gpu <= 1.05 * cpu + 1e-4, "{passes}: {gpu} for {cpu}");
        assert!(cloth < -0.1, "{passes}: the ball pushed the cloth: {cloth}");
    }
}

/// The plate of [`heap`].
const LIFT: usize = 3;

/// Balls and boxes that fall on a slope, a shell and each other, one of them over a plate that is lifted.
fn heap() -> weft_scene::Scene {
    let text = r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "xpbd", params: {"substeps": 10}),
        cloths: [(id: "away", shape: Grid(columns: 3, rows: 3, width: 0.2, height: 0.2), at: (7.0, 0.0, 0.0))],
        colliders: [
            (id: "ball", shape: Sphere(radius: 0.1), at: (0.0, 0.4, 0.0), mass: 1.0, velocity: (0.5, 0.0, 0.1),
                restitution: 0.4, friction: (static: 0.5, dynamic: 0.4)),
            (id: "floor", shape: Plane, rotation: (0.0, 0.0, 10.0), friction: (static: 0.6, dynamic: 0.5)),
            (id: "box", shape: Box(half: (0.1, 0.06, 0.08)), at: (0.05, 0.8, 0.02), rotation: (20.0, 30.0, 40.0),
                mass: 2.0, friction: (static: 0.5, dynamic: 0.4), restitution: 0.3),
            (id: "lift", shape: Box(half: (0.3, 0.05, 0.3)), at: (-1.0, 0.1, 0.0)),
            (id: "crate", shape: Box(half: (0.1, 0.1, 0.1)), at: (-1.0, 0.4, 0.05), rotation: (0.0, 25.0, 10.0),
                mass: 1.5, friction: (static: 0.4, dynamic: 0.3)),
            (id: "gourd", shape: Mesh(file: "meshes/gourd.obj"), at: (1.2, 0.0, 0.0)),
            (id: "drop", shape: Sphere(radius: 0.05), at: (1.2, 0.9, 0.02), mass: 0.3),
        ])"#;
    let folder = places::scene("");
    weft_scene::parse_text("heap", text, Some(&folder), &weft_scene::Vocabulary::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .scene
}

#[test]
fn bodies_meet_everything_as_on_the_cpu() {
    if left_out("bodies_meet_everything_as_on_the_cpu", NEEDS) {
        return;
    }
    let mut twins = Twins::new(&heap(), &[], 0, Some("xpbd_coloured"));
    let start = rows(&twins.cpu.run.state, "velocity").to_vec();
    let (mut apart, mut bounced) = (Vec::new(), vec![0.0_f64; start.len()]);
    for _ in 0..if long() { 120 } else { 60 } {
        let before = rows(&twins.cpu.run.state, "velocity").to_vec();
        for fixture in [&mut twins.cpu, &mut twins.fixture] {
            let place = rows(&fixture.run.state, "position")[LIFT];
            fixture.run.state.get_mut(col::collider::begin_position)[LIFT] = place;
            fixture.run.state.get_mut(col::collider::position)[LIFT][1] += 0.004;
        }
        twins.frame();
        apart.push(bodies_apart(&twins));
        for ((was, is), bounced) in
            before.iter().zip(rows(&twins.cpu.run.state, "velocity")).zip(&mut bounced)
        {
            let change = vector(*is) - vector(*was) + DVec3::new(0.0, 9.81 / 60.0, 0.0);
            *bounced = largest([*bounced, change.length()]);
        }
        // From the same state again: corners of boxes make a little of a difference large.
        for column in ["position", "rotation", "velocity", "spin"] {
            let rows = rows(&twins.cpu.run.state, column).to_vec();
            twins.fixture.run.state.get_mut(Key::<[f32; 4]>::new("collider", column)).copy_from_slice(&rows);
        }
    }
    apart.sort_by(f64::total_cmp);
    let (most, worst) = (apart[apart.len() * 19 / 20], apart[apart.len() - 1]);
    println!(
        "HEAP: {most:.1e} m apart in 19 of 20 frames, at most {worst:.1e}; changes of velocity {bounced:.2?} m/s"
    );
    assert!(most < 1e-4, "{apart:?} m apart after a frame");
    // Where its last bit decides whether a corner hits in this substep or the next: its way in a substep.
    assert!(worst < 0.02, "{apart:?} m apart after a frame");
    for body in [0, 2, 4, 6] {
        assert!(bounced[body] > 0.3, "body {body} met nothing");
    }
}

/// A scene in a session on the GPU path.
fn open(file: &str, set: &[(&str, &str)]) -> Session {
    let own = [("cloths[0].shape.columns", "23"), ("cloths[0].shape.rows", "19")];
    let set = own.iter().chain(set).map(|(path, value)| ((*path).into(), (*value).into())).collect();
    let options = Options { scene: places::scene(file), threads: 1, set, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    let on = GpuOptions { adapter: Some(device::adapter()), ..GpuOptions::default() };
    session.use_gpu(&on).unwrap_or_else(|e| panic!("{e}"));
    session
}

fn steps(session: &mut Session, count: usize) {
    for _ in 0..count {
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

fn hash(session: &mut Session) -> (StateHash, Vec<u32>) {
    session.try_read().unwrap_or_else(|e| panic!("{e}"));
    let speeds = ["velocity", "spin"].map(|column| rows(&session.run().state, column).to_vec()).concat();
    (StateHash::of(&session.run().state), speeds.iter().flat_map(|row| row.map(f32::to_bits)).collect())
}

fn ball(session: &Session) -> Vec3 {
    Vec3::from_slice(&rows(&session.run().state, "position")[0])
}

#[test]
fn the_cloth_catches_the_ball() {
    if left_out("the_cloth_catches_the_ball", NEEDS) {
        return;
    }
    let heights = |gpu: bool| {
        let mut session = open("ball_caught.ron", &[]);
        if !gpu {
            session.use_cpu().unwrap_or_else(|e| panic!("{e}"));
        }
        let mut heights = Vec::new();
        for _ in 0..9 {
            steps(&mut session, if long() { 30 } else { 10 });
            heights.push([0, 1].map(|body| rows(&session.run().state, "position")[body][1]));
        }
        heights
    };
    let (gpu, cpu) = (heights(true), heights(false));
    println!("CAUGHT GPU {gpu:.3?}\n       CPU {cpu:.3?}");
    for (gpu, cpu) in gpu.iter().zip(&cpu) {
        for (gpu, cpu) in gpu.iter().zip(cpu) {
            assert!((gpu - cpu).abs() < 0.05, "{gpu} m, on the CPU {cpu} m");
        }
    }
    // Not on the floor.
    assert!(gpu.last().is_some_and(|[ball, _]| *ball > 0.4), "{gpu:?}");
}

#[test]
fn switches_history_and_the_hand_keep_bodies_bit_for_bit() {
    if left_out("switches_history_and_the_hand_keep_bodies_bit_for_bit", NEEDS) {
        return;
    }
    let mut session = open(IN_CLOTH, &[("solver.params.substeps", "8")]);
    steps(&mut session, 30);
    let there = hash(&mut session);
    session.use_cpu().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(hash(&mut session), there, "to the CPU");
    let on = GpuOptions { adapter: Some(device::adapter()), ..GpuOptions::default() };
    session.use_gpu(&on).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(hash(&mut session), there, "and back");
    // The device goes on from it as it would have without the two switches.
    steps(&mut session, 5);
    let after = hash(&mut session);
    session.go_to(30).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(hash(&mut session), there, "a moment of history");
    session.set_paused(false);
    steps(&mut session, 5);
    assert_eq!(hash(&mut session), after, "the same frames again");
    // A pull by hand takes the ball along, and nothing but the ball.
    let (was, crate_was) = (ball(&session), rows(&session.run().state, "position")[1]);
    session.drag_collider(0, Vec3::new(0.0, 0.05, 0.0));
    steps(&mut session, 1);
    let lifted = ball(&session) - was;
    assert!((lifted.y - 0.05).abs() < 0.02, "{lifted}");
    let fell = rows(&session.run().state, "position")[1][1] - crate_was[1];
    assert!(fell < 0.01, "the crate went its own way: {fell} m");
    session.reset().unwrap_or_else(|e| panic!("{e}"));
    steps(&mut session, 1);
    assert!((ball(&session).y - 2.1).abs() < 0.01, "{}", ball(&session));
    assert!(session.device().refusal().is_none() && session.gpu().is_some());
}
