//! Cloth that tears on the GPU path, on the software adapter: as much of it as on the CPU, with every table following.

use glam::{Vec2, Vec3};
use tests::{
    device::{self, Order, Twins},
    fixture::{Fixture, small, with_solver},
    left_out, long, places,
    threads::holds_nothing_broken,
};
use weft_core::state::col;
use weft_core::state::{Snapshot, StateHash};
use weft_core::statistics::largest;
use weft_gpu::GpuOptions;
use weft_session::{Options, Session};

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// One of each way to sweep springs; cloth that tears neither repeats nor is cut into tiles.
const ORDERS: [Order; 10] = [
    ("xpbd", "xpbd_coloured", &[("order", 0.0), ("iterations", 2.0)]),
    ("xpbd", "xpbd_jacobi", &[("order", 1.0), ("iterations", 2.0)]),
    ("xpbd", "xpbd_fused_links", &[("order", 1.0)]),
    ("explicit", "explicit_fused_links", &[]),
    ("explicit", "explicit_pair", &[]),
    ("pbd_jacobi", "pbd_jacobi", &[]),
    ("pbd_sor", "pbd_sor", &[]),
    ("implicit_jacobi", "implicit_jacobi", &[]),
    ("implicit_chebyshev", "implicit_chebyshev", &[]),
    ("vbd", "vbd", &[]),
];

/// A pinned sheet that is too long, and that something pulls on at its lower end: it tears in the first frames.
fn pulled(solver: &str) -> (weft_scene::Scene, impl Fn(&mut Fixture)) {
    let text = format!(
        r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "{solver}"), cloths: [(id: "sheet",
            pins: [Edge(Top)], shape: Grid(columns: 23, rows: 19, width: 1.1, height: 0.9),
            material: (density: 0.2, compliance: (structural: 1e-3, shear: 1e-2, bend: 1e-1),
                tear: (strain: 0.15, spread: 0.4)))])"#
    );
    let scene = weft_scene::parse_text("pulled", &text, None, &weft_scene::Vocabulary::default())
        .expect("a good scene")
        .scene;
    let pull = |fixture: &mut Fixture| {
        let top = fixture.x()[0][1];
        let down: Vec<f32> = fixture.x().iter().map(|x| top - x[1]).collect();
        for (x, down) in fixture.x_mut().iter_mut().zip(&down) {
            // Strained by nothing at the top and by 0.4 at the bottom.
            x[1] -= 0.2 * down * down / 0.9;
        }
        for (v, down) in fixture.v_mut().iter_mut().zip(&down) {
            v[1] = -30.0 * down;
        }
    };
    (scene, pull)
}

fn marks(fixture: &Fixture) -> &[u32] {
    fixture.run.state.get(col::thread::broken)
}

#[test]
fn a_sheet_tears_where_its_twin_does() {
    if left_out("a_sheet_tears_where_its_twin_does", NEEDS) {
        return;
    }
    for (solver, passes, params) in ORDERS.into_iter().step_by(if long() { 1 } else { 2 }) {
        let (scene, pull) = pulled(solver);
        let params = [params, &[("substeps", 10.0)]].concat();
        let mut twins = Twins::with(&scene, &params, 0, Some(passes), &pull);
        let mut seen = Vec::new();
        for frame in 0..12 {
            twins.frame();
            let broken = [&twins.cpu, &twins.fixture].map(|fixture| fixture.run.state.broken_threads());
            holds_nothing_broken(&twins.fixture.run.state);
            seen.push(broken);
            let other = marks(&twins.cpu).iter().zip(marks(&twins.fixture)).filter(|(a, b)| a != b).count();
            assert!(frame > 1 || other <= broken[0] / 50, "{passes}: {other} other threads than on the CPU");
        }
        println!("TORN {passes}: {seen:?}");
        let [cpu, gpu] = seen[seen.len() - 1];
        assert!(cpu >= 5 && cpu > seen[0][0], "{passes}: {cpu} threads broke");
        assert!(cpu.abs_diff(gpu) <= 1 + cpu / 25, "{passes}: {gpu} threads broke, {cpu} on the CPU");
    }
}

/// The ball that falls through a sheet, with other orders of passes.
const THROUGH: [Order; 5] = [ORDERS[0], ORDERS[1], ORDERS[3], ORDERS[5], ORDERS[9]];

fn through((solver, passes, params): Order) -> Twins {
    let mut scene = with_solver(small("tearing.ron", 33, 33), solver);
    scene.solver.params.clear();
    Twins::new(&scene, &[params, &[("substeps", 20.0)]].concat(), 0, Some(passes))
}

#[test]
fn a_ball_goes_through_as_on_the_cpu() {
    if left_out("a_ball_goes_through_as_on_the_cpu", NEEDS) {
        return;
    }
    // In the ordinary run the first and the last order; others are to repeat.
    for order in THROUGH.into_iter().step_by(if long() { 1 } else { 4 }) {
        let (mut twins, mut other) = (through(order), 0);
        let mut state = Snapshot::default();
        for _ in 0..if long() { 90 } else { 45 } {
            twins.frame();
            other += marks(&twins.cpu).iter().zip(marks(&twins.fixture)).filter(|(a, b)| a != b).count();
            // From the same state again: where the ball leads is a matter of single threads.
            state.take(&twins.cpu.run.state);
            state.restore(&mut twins.fixture.run.state);
            twins.gpu.upload_state(&twins.fixture.run).unwrap();
        }
        let cpu = twins.cpu.run.state.broken_threads();
        println!("THROUGH {}: {cpu} threads broke, {other} times another one", order.1);
        assert!(cpu > 20 && other <= 1 + cpu / 25, "{}: {other} of {cpu} threads", order.1);
    }
}

#[test]
fn what_tears_repeats_bit_for_bit() {
    if left_out("what_tears_repeats_bit_for_bit", NEEDS) {
        return;
    }
    for order in THROUGH.into_iter().skip(usize::from(!long())).step_by(if long() { 1 } else { 3 }) {
        let [first, second] = [0, 1].map(|_| {
            let mut twins = through(order);
            for _ in 0..if long() { 1000 } else { 30 } {
                twins.step(&[]).unwrap();
            }
            twins.gpu.fetch(&mut twins.fixture.run).unwrap();
            holds_nothing_broken(&twins.fixture.run.state);
            assert!(twins.fixture.x().iter().flatten().all(|x| x.is_finite()), "{}", order.1);
            (twins.fixture.hash(), marks(&twins.fixture).to_vec())
        });
        assert!(first == second, "{}", order.1);
        assert!(first.1.iter().sum::<u32>() > 20, "{}: hardly anything broke", order.1);
    }
}

/// A scene in a session on the GPU path.
fn open(file: &str) -> Session {
    let small = [("cloths[0].shape.columns", "23"), ("cloths[0].shape.rows", "19")];
    let set: &[_] = if file == "rings.ron" { &[] } else { &small };
    let set = set.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
    let options = Options { scene: places::scene(file), threads: 1, set, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    session.use_gpu(&on()).unwrap_or_else(|e| panic!("{e}"));
    session
}

fn on() -> GpuOptions {
    GpuOptions { adapter: Some(device::adapter()), ..GpuOptions::default() }
}

fn steps(session: &mut Session, count: usize) {
    for _ in 0..count {
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

fn hash(session: &mut Session) -> (StateHash, Vec<u32>) {
    session.try_read().unwrap_or_else(|e| panic!("{e}"));
    (StateHash::of(&session.run().state), session.run().state.get(col::thread::broken).to_vec())
}

#[test]
fn history_and_switches_keep_what_is_torn() {
    if left_out("history_and_switches_keep_what_is_torn", NEEDS) {
        return;
    }
    let mut session = open("tearing.ron");
    steps(&mut session, 20);
    let before = hash(&mut session);
    assert!(!before.1.contains(&1), "nothing is torn yet");
    let triangles = session.setup().triangles(0).len();
    steps(&mut session, 25);
    let after = hash(&mut session);
    assert!(after.1.contains(&1), "something is torn");
    assert!(session.setup().triangles(0).len() < triangles, "what is drawn follows");
    session.go_to(20).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(hash(&mut session), before);
    assert_eq!(session.setup().triangles(0).len(), triangles, "whole again");
    session.set_paused(false);
    steps(&mut session, 25);
    assert_eq!(hash(&mut session), after, "the same tear");
    // A path that begins with torn cloth, and one that goes back from there to where it was whole.
    session.use_cpu().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(hash(&mut session), after, "on the CPU");
    session.use_gpu(&on()).unwrap_or_else(|e| panic!("{e}"));
    steps(&mut session, 1);
    assert!(hash(&mut session).1.iter().zip(&after.1).all(|(now, was)| now >= was), "nothing heals");
    session.reset().unwrap_or_else(|e| panic!("{e}"));
    steps(&mut session, 45);
    assert_eq!(hash(&mut session), after, "from the start");
    assert!(session.gpu().is_some() && session.device().refusal().is_none());
}

#[test]
fn scissors_cut_on_the_device() {
    if left_out("scissors_cut_on_the_device", NEEDS) {
        return;
    }
    // Cloth that tears, cloth that becomes such by the cut, and strands.
    for file in ["tearing.ron", "hanging.ron", "rings.ron"] {
        let mut session = open(file);
        steps(&mut session, 5);
        let sides = session
            .positions()
            .iter()
            .fold([f32::MAX, f32::MIN], |[low, high], x| [low.min(x[0]), high.max(x[0])]);
        let middle = 0.5 * (sides[0] + sides[1]) + 0.011;
        // Seen from the front and from above alike: x, and a bit of everything else.
        let pixel = |x: Vec3| Some(Vec2::new(x.x, x.y + x.z));
        let cut = session.cut(Vec2::new(middle, -99.0), Vec2::new(middle, 99.0), pixel);
        let cut = cut.unwrap_or_else(|e| panic!("{e}"));
        assert!(cut >= 19, "{file}: {cut} threads were cut");
        // What is cut off a band falls on the others.
        steps(&mut session, if file == "rings.ron" { 30 } else { 15 });
        let (_, broken) = hash(&mut session);
        assert!(
            session.gpu().is_some() && session.device().refusal().is_none(),
            "{file}: {:?}",
            session.device().refusal()
        );
        assert!(broken.iter().sum::<u32>() as usize >= cut, "{file}");
        holds_nothing_broken(&session.run().state);
        // The halves come apart: no thread holds them together, and they moved.
        let x = session.positions();
        let ends = session.run().state.get(col::thread::ends);
        let apart = ends.iter().zip(&broken).filter(|(_, broken)| **broken != 0);
        let far = apart.map(|(ends, _)| {
            let [a, b] = ends.map(|end| Vec3::from_slice(&x[end as usize]));
            (b - a).length()
        });
        let far = largest(far);
        println!("CUT {file}: {cut} threads, at most {far:.3} m apart now");
        // Bands spring open.
        let least = if file == "rings.ron" { 0.05 } else { 0.15 };
        assert!(far > least, "{file}: the halves are {far} m apart");
    }
}
