//! Strands on the GPU path: places and frames of each list of passes against its twin.

use tests::{
    device::{Order, Twins, on_device},
    fixture::Fixture,
    left_out, long,
    state_points::{self, xyz},
};
use weft_core::{state::col, statistics::largest};
use weft_scene::Scene;

pub(super) const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// Rest lengths that the two paths may be apart after 20 substeps …
const TOLERANCE: f64 = 1e-3;
/// … radians that a frame of the two may be …
const TURN: f64 = 2e-3;
/// … or so many times what the CPU alone makes of one bit at the start, where hair sticks and slips.
const OWN: f64 = 2.0;

pub(super) const NEWTON: Order = ("strand_newton", "strand_newton", &[]);
const LEADER: Order = ("follow_the_leader", "follow_the_leader", &[]);
/// One of each kind, and all that were made for strands.
pub(super) const ORDERS: [Order; 10] = [
    NEWTON,
    ("strand_newton", "strand_newton", &[("strand_iterations", 1.0)]),
    LEADER,
    ("follow_the_leader", "follow_the_leader_fused", &[]),
    ("verlet", "verlet", &[("iterations", 5.0), ("damping", 2.0)]),
    ("xpbd", "xpbd_rods", &[("damping", 0.0), ("iterations", 3.0)]),
    ("pbd_jacobi", "pbd_jacobi", &[("iterations", 3.0), ("bend", 0.6)]),
    ("pbd_sor", "pbd_sor", &[("iterations", 3.0), ("stiffness", 0.7), ("bend", 0.6)]),
    ("implicit_jacobi", "implicit_jacobi", &[("substeps", 5.0), ("stiffest", 30.0)]),
    ("vbd", "vbd_rods", &[("iterations", 3.0)]),
];

pub(super) fn scene(solver: &str, rest: &str) -> Scene {
    let text = format!("(version: 1, solver: (name: \"{solver}\"), {rest})");
    let known = weft_scene::Vocabulary::default();
    weft_scene::parse_text("strands", &text, None, &known).unwrap_or_else(|why| panic!("{why:?}")).scene
}

/// A frame on both after `warm` ones; they end in the same places, with the same frames.
fn same(what: &str, order: &Order, rest: &str, warm: usize) -> Twins {
    same_after(what, order, rest, warm, &|_| {})
}

/// The same; `change` is done to both at the start.
pub(super) fn same_after(
    what: &str,
    order: &Order,
    rest: &str,
    warm: usize,
    change: &dyn Fn(&mut Fixture),
) -> Twins {
    let (solver, passes, params) = order;
    let params = [&[("substeps", 20.0)], *params].concat();
    let mut twins = Twins::with(&scene(solver, rest), &params, warm, Some(passes), change);
    let before = twins.cpu.x().to_vec();
    twins.frame();
    let own: Vec<_> =
        (0..4).map(|pattern| scattered(&twins.cpu.scene, &params, (warm, pattern), change)).collect();
    let far = |other: &Fixture| twins.rest_lengths(other.x());
    let turns = |other: &Fixture| turned(&twins.cpu, other);
    let apart: [f64; 2] = [far(&twins.fixture), largest(own.iter().map(far))];
    let turned = [turns(&twins.fixture), largest(own.iter().map(turns))];
    let [places, frames] = [apart, turned].map(|[path, bit]| format!("{path:.1e} (of one bit {bit:.1e})"));
    let text = format!("{what} {passes} {params:?}: {places} rest lengths, {frames} rad");
    println!("PARITY {text}");
    assert!(apart[0] <= TOLERANCE.max(OWN * apart[1]), "{text}");
    assert!(turned[0] <= TURN.max(OWN * turned[1]), "{text}");
    // What a bit does stays small, else nothing is said.
    assert!(apart[1] <= 0.2 && turned[1] <= 0.2, "{text}");
    assert!(state_points::apart(&before, twins.cpu.x()) > 1e-5, "{what} {passes}: nothing moved");
    twins
}

/// Where the CPU goes from places of which the last bit is another: all one way, or by one of three patterns. What strands do that begin
/// to stick or to slip depends on which.
fn scattered(
    scene: &Scene,
    params: &[(&str, f32)],
    (warm, pattern): (usize, usize),
    change: &dyn Fn(&mut Fixture),
) -> Fixture {
    let fixture = Fixture::of(scene.clone());
    let mut fixture = params.iter().fold(fixture, |fixture, (name, value)| fixture.set(name, *value));
    change(&mut fixture);
    fixture.frames(warm);
    for (n, x) in fixture.x_mut().iter_mut().enumerate().filter(|(_, x)| x[3] > 0.0) {
        for (i, x) in x.iter_mut().take(3).enumerate() {
            *x = match (n * 7 + i * 3 + pattern * (n % 5 + 1)) % 3 {
                1 if pattern > 0 => x.next_down(),
                2 if pattern > 0 => *x,
                _ => x.next_up(),
            };
        }
    }
    fixture.frames(1);
    fixture
}

/// The largest angle between two frames of the same segment.
fn turned(a: &Fixture, b: &Fixture) -> f64 {
    let [a, b] = [a, b].map(|fixture| fixture.run.state.get(col::segment::rotation));
    // Of unit quaternions: |a - b| is half the angle, for small ones.
    let between = |(a, b): (&[f32; 4], &[f32; 4])| {
        let sum = |sign: f32| (0..4).map(|i| f64::from(a[i] - sign * b[i]).powi(2)).sum::<f64>().sqrt();
        2.0 * sum(1.0).min(sum(-1.0))
    };
    largest(a.iter().zip(b).map(between))
}

/// Hair that is cut, each strand elsewhere, and a ring that is.
#[test]
fn cut_strands_fall_as_their_twins_do() {
    if left_out("cut_strands_fall_as_their_twins_do", NEEDS) {
        return;
    }
    let material = "material: (young: 4e7, radius: (4e-4, 4e-4), tear: (strain: 0))";
    let hair = format!(
        "(id: \"hair\", length: 0.24, length_spread: 0.1, particles: 10, {material},
            roots: Row(from: (0, 1, 0), to: (0.1, 1, 0.02), count: 45, direction: (0, 0.3, 1)))"
    );
    let ring = format!(
        "(id: \"ring\", length: 0.5, particles: 16, root: Pinned, closed: true, {material},
            roots: Points(at: [(0.5, 1, 0)], direction: (0, 0, 1)))"
    );
    let wind = "wind: (velocity: (3, 0, 1), coefficient: 0.4, gust: 0.5)";
    let cut = |fixture: &mut Fixture| {
        let state = &mut fixture.run.state;
        let ends = state.get(col::thread::ends).to_vec();
        let spans = state.get(col::strand::span).to_vec();
        let marks = state.get_mut(col::thread::broken);
        for (strand, [first, stride, count]) in (0..).zip(spans) {
            let at = if count == 16 { 6 } else { 1 + strand % (count - 2) };
            let segment = [first + stride * at, first + stride * (at + 1)];
            marks[ends.binary_search(&segment).expect("a segment")] = 1;
        }
    };
    for order in &ORDERS {
        let twins = same_after("cut", order, &format!("{wind}, strands: [{hair}]"), 6, &cut);
        assert_eq!(twins.fixture.run.state.broken_threads(), 45);
    }
    let rings = ("strand_newton", "strand_newton_rings", &[][..]);
    for order in [rings, ("xpbd", "xpbd_rods", &[]), ("vbd", "vbd_rods", &[]), ("verlet", "verlet", &[])] {
        same_after("cut ring", &order, &format!("{wind}, strands: [{hair}, {ring}]"), 6, &cut);
    }
}

/// Hair so dense that it pushes, keeps the wind off and goes along with what is around.
#[test]
fn strands_feel_each_other_as_their_twins_do() {
    if left_out("strands_feel_each_other_as_their_twins_do", NEEDS) {
        return;
    }
    for order in &ORDERS {
        let rest = r#"wind: (velocity: (3, 0, 1), coefficient: 0.4, gust: 0.5),
            strands: [(id: "row", length: 0.24, length_spread: 0.1, particles: 10,
                roots: Row(from: (0, 1, 0), to: (0.1, 1, 0.02), count: 45, direction: (0, 0.3, 1)),
                material: (young: 4e7, radius: (4e-4, 3e-4)),
                between: (cell: 0.02, friction: 0.4, pressure: 0.3, shelter: 2)),
              (id: "alone", length: 0.24, particles: 10, material: (young: 4e7, radius: (4e-4, 3e-4)),
                roots: Row(from: (0, 1, 0), to: (0.1, 1, 0.02), count: 3, direction: (0, 0.3, 1)))]"#;
        same("grid", order, rest, 10);
    }
}

/// Steps so short that a segment is no stiffer than positions can show.
#[test]
fn rods_are_held_back_in_short_steps_as_their_twins_are() {
    if left_out("rods_are_held_back_in_short_steps_as_their_twins_are", NEEDS) {
        return;
    }
    let params = &[("substeps", 32.0), ("iterations", 8.0), ("stiffest", 100.0)];
    let hair = "length: 0.05, particles: 20, material: (young: 4e9, radius: (4e-5, 4e-5))";
    let rest =
        format!("strands: [(id: \"hair\", {hair}, roots: Points(at: [(0, 0, 0)], direction: (1, 0, 0)))]");
    same("short steps", &("vbd", "vbd_rods", params), &rest, 2);
}

#[test]
fn strands_bend_in_the_wind_as_their_twins_do() {
    if left_out("strands_bend_in_the_wind_as_their_twins_do", NEEDS) {
        return;
    }
    for order in &ORDERS {
        let rest = r#"wind: (velocity: (3, 0, 1), coefficient: 0.4, gust: 0.5),
            strands: [(id: "row", length: 0.24, length_spread: 0.1, particles: 10,
                roots: Row(from: (0, 1, 0), to: (1, 1, 0), count: 35, direction: (0, 0.3, 1)),
                material: (young: 4e7, radius: (4e-4, 3e-4)))]"#;
        let twins = same("wind", order, rest, 10);
        if order.0 == "strand_newton" {
            let force = |fixture: &Fixture| fixture.run.state.get(col::distance::force).to_vec();
            let (here, there) = (force(&twins.cpu), force(&twins.fixture));
            let scale = largest(here.iter().map(|force| force.abs()));
            let apart = largest(here.iter().zip(&there).map(|(a, b)| (a - b).abs()));
            assert!(scale > 0.0 && apart <= 5e-2 * scale, "tensions are {apart} of {scale} N apart");
        }
    }
}

#[test]
fn curls_swing_from_a_seat_as_their_twins_do() {
    if left_out("curls_swing_from_a_seat_as_their_twins_do", NEEDS) {
        return;
    }
    let rest = r#"air_damping: 1.0,
        strands: [(id: "curls", length: 0.2, particles: 32, roots: Points(at: [(0, 1, 0), (0.1, 1, 0), (0.2, 1, 0)],
            direction: (0.4, 0.1, 1)), shape: Curl(radius: 0.009, pitch: 0.03, from: 0.1))]"#;
    let jacobi: Order =
        ("xpbd", "xpbd_rods_jacobi", &[("damping", 0.0), ("order", 1.0), ("iterations", 3.0)]);
    for order in ORDERS[..4].iter().chain([&ORDERS[5], &ORDERS[9], &jacobi]) {
        same("curls", order, rest, 12);
    }
}

/// Tips that a collider and the world hold.
/// Rows of curves, which solvers without frames bend by.
#[test]
fn arcs_bend_as_their_twins_do() {
    if left_out("arcs_bend_as_their_twins_do", NEEDS) {
        return;
    }
    let arcs = "strands: [(id: \"arcs\", length: 0.2, particles: 12, shape: Arc(angle: 80), material: (young: 4e6, radius: (8e-4, 6e-4)),
                           roots: Row(from: (0, 1, 0), to: (0.1, 1, 0.02), count: 45, direction: (1, 0.2, 0.3)))]";
    for order in &ORDERS[6..9] {
        let twins = same("arcs", order, arcs, 5);
        let models = twins.cpu.run.state.get(col::hinge::model);
        assert!(models.len() == 450 && models.iter().all(|model| *model == 2), "{models:?}");
    }
}

#[test]
fn strands_that_are_held_at_both_ends_sway_as_their_twins_do() {
    if left_out("strands_that_are_held_at_both_ends_sway_as_their_twins_do", NEEDS) {
        return;
    }
    let tips = ["tip: Clamped, tip_seat: Collider(\"hand\")", "tip: Clamped", "tip: Pinned"];
    for (number, tip) in tips.into_iter().enumerate() {
        let rest = format!(
            "strands: [(id: \"wires\", length: 0.24, particles: 14, shape: Arc(angle: 50), {tip},
                roots: Row(from: (0, 1, 0), to: (1, 1, 0), count: 35, direction: (0, 0.3, 1)),
                material: (young: 4e7, radius: (4e-4, 3e-4)))],
             colliders: [(id: \"hand\", shape: Sphere(radius: 0.01), at: (0, 3, 0), rotation: (10, 20, 30))]"
        );
        let orders = ORDERS[..3].iter().chain(&ORDERS[4..6]).chain(&ORDERS[10..]);
        // In the ordinary run each order with one of them.
        let (first, every) = if long() { (0, 1) } else { (number, tips.len()) };
        for order in orders.skip(first).step_by(every) {
            same(tip, order, &rest, 10);
        }
    }
}

#[test]
fn hair_lies_on_a_head_as_its_twin_does() {
    if left_out("hair_lies_on_a_head_as_its_twin_does", NEEDS) {
        return;
    }
    let rest = r#"strands: [(id: "hair", seat: Collider("head"), length: 0.2, particles: 20,
            roots: Cap(axis: (0, 1, -0.3), angle: 70, count: 40), material: (young: 3.9e7, radius: (4e-4, 3e-4)))],
        colliders: [(id: "head", shape: Sphere(radius: 0.1), at: (0, 1.5, 0), friction: (static: 0.25, dynamic: 0.25),
                thickness: 0.004),
            (id: "shoulders", shape: Capsule(radius: 0.08, half_height: 0.13), at: (0, 1.3, 0), rotation: (0, 0, 90))]"#;
    for order in ORDERS[..3].iter().chain(&ORDERS[4..6]) {
        let twins = same("head", order, rest, 25);
        // It lies on it: particles stand on the surface, and none is inside.
        let center = glam::DVec3::new(0.0, 1.5, 0.0);
        let high = |x: &[f32; 4]| (xyz(*x) - center).length() - 0.104;
        let free = || twins.fixture.x().iter().filter(|x| x[3] > 0.0);
        let on = free().filter(|x| high(x).abs() < 1e-3).count();
        let deepest = largest(free().map(|x| -high(x)));
        assert!(on > 10 && deepest < 2e-3, "{}: {on} particles on the head, {deepest} m deep", order.1);
    }
}

#[test]
fn a_ball_with_a_mass_is_pushed_by_ropes_as_by_their_twins() {
    if left_out("a_ball_with_a_mass_is_pushed_by_ropes_as_by_their_twins", NEEDS) {
        return;
    }
    let rest = r#"strands: [(id: "ropes", length: 0.4, particles: 16,
            roots: Row(from: (-0.1, 1.2, 0), to: (0.1, 1.2, 0), count: 5, direction: (0, 0.2, 1)),
            material: (young: 1e7, radius: (3e-3, 3e-3)))],
        colliders: [(id: "ball", shape: Sphere(radius: 0.08), at: (0, 1.04, 0.2), mass: 0.2)]"#;
    for order in &ORDERS[..3] {
        let twins = same("ball", order, rest, 8);
        let place = |fixture: &Fixture| fixture.run.state.get(col::collider::position)[0];
        let (here, there) = (place(&twins.cpu), place(&twins.fixture));
        assert!((here[1] - 1.04).abs() > 1e-3, "the ball moves");
        let apart = (xyz(here) - xyz(there)).length();
        assert!(apart < 1e-5, "{}: the balls are {apart} m apart", order.1);
    }
}

#[test]
fn cloth_beside_strands_moves_as_its_twin_does() {
    if left_out("cloth_beside_strands_moves_as_its_twin_does", NEEDS) {
        return;
    }
    let rest = r#"wind: (velocity: (1, 0, -2), coefficient: 0.5),
        cloths: [(id: "a", shape: Grid(columns: 17, rows: 14, width: 0.6, height: 0.5), rotation: (60, 0, 10),
            pins: [Corner(TopLeft), Corner(TopRight)])],
        strands: [(id: "row", length: 0.24, particles: 12,
            roots: Row(from: (0, 1, 0), to: (1, 1, 0), count: 9, direction: (0, 0.3, 1)),
            material: (young: 4e7, radius: (4e-4, 3e-4)))],
        colliders: [(id: "ball", shape: Sphere(radius: 0.2), at: (0.3, -0.2, 0.2))]"#;
    let cloth: Order = ("strand_newton", "strand_newton", &[("iterations", 3.0)]);
    for order in [&NEWTON, &cloth, &ORDERS[5], &ORDERS[9]] {
        same("cloth", order, rest, 20);
    }
}

/// Rings that fall on a ball, one that is held, and an open strand among them in another list.
#[test]
fn rings_move_as_their_twins_do() {
    if left_out("rings_move_as_their_twins_do", NEEDS) {
        return;
    }
    let rubber = "material: (young: 4e6, shear: 1.6e6, radius: (2e-3, 2e-3), density: 1000)";
    let rest = format!(
        r#"wind: (velocity: (1, 0, 0), coefficient: 0.3), air_damping: 0.5,
        strands: [(id: "rings", closed: true, root: Free, length: 0.4, particles: 21, twist: 200,
                roots: Row(from: (0, 1, 0), to: (0.04, 1.2, 0), count: 11, direction: (0.2, 1, 0)), {rubber}),
            (id: "held", closed: true, root: Pinned, length: 0.4, particles: 20, shape: Arc(angle: 360),
                roots: Points(at: [(0.5, 1, 0)], direction: (0, 0, 1)), {rubber}),
            (id: "open", length: 0.2, particles: 12, roots: Points(at: [(1, 1, 0)], direction: (1, 0, 0)), {rubber})],
        colliders: [(id: "ball", shape: Sphere(radius: 0.1), at: (0.05, 0.85, 0))]"#
    );
    for order in
        [("strand_newton", "strand_newton_rings", &[][..]), ORDERS[4], ORDERS[5], ORDERS[6], ORDERS[9]]
    {
        same("rings", &order, &rest, 9);
    }
}

/// Strands that nothing holds, as they slide off a ball: friction asks where each particle began the substep.
#[test]
fn free_strands_fall_on_a_ball_as_their_twins_do() {
    if left_out("free_strands_fall_on_a_ball_as_their_twins_do", NEEDS) {
        return;
    }
    let rest = r#"wind: (velocity: (1, 0, 0), coefficient: 0.3), air_damping: 0.5,
        strands: [(id: "loose", root: Free, length: 0.4, particles: 21,
                roots: Row(from: (-0.2, 1, 0), to: (-0.16, 1.2, 0), count: 11, direction: (1, 0.2, 0)),
                material: (young: 4e6, shear: 1.6e6, radius: (2e-3, 2e-3), density: 1000))],
        colliders: [(id: "ball", shape: Sphere(radius: 0.1), at: (0.05, 0.85, 0))]"#;
    for order in [LEADER, NEWTON, ORDERS[4]] {
        for warm in [12, 16] {
            same("free", &order, rest, warm);
        }
    }
}

/// A fringe that pulls at a sheet which falls over a ball, and strands on its faces.
#[test]
fn roots_on_cloth_pull_as_their_twins_do() {
    if left_out("roots_on_cloth_pull_as_their_twins_do", NEEDS) {
        return;
    }
    let yarn =
        "length: 0.1, particles: 10, material: (young: 1e7, shear: 1e6, radius: (8e-4, 8e-4), density: 800)";
    let rest = |bodies: &str| {
        format!(
            r#"wind: (velocity: (1, 0, -2), coefficient: 0.3),
        cloths: [(id: "a", shape: Grid(columns: 17, rows: 14, width: 0.6, height: 0.5), at: (0, 1, 0), rotation: (-60, 0, 10),
            pins: [Corner(TopLeft), Corner(TopRight)])],
        strands: [(id: "fringe", seat: Cloth("a"), roots: Edge(side: Bottom, count: 37), {yarn}),
            (id: "tufts", seat: Cloth("a"), root: Pinned, roots: Surface(count: 20), {yarn})], {bodies}"#
        )
    };
    let jacobi: Order =
        ("xpbd", "xpbd_rods_jacobi", &[("damping", 0.0), ("order", 1.0), ("iterations", 3.0)]);
    for order in [NEWTON, ORDERS[4], ORDERS[5], ORDERS[9]] {
        same("roots", &order, &rest(""), 12);
        same("roots over a ball", &order, &rest(BALL), 20);
    }
    // Straight strands have hinges, which it does not take.
    let curls = rest("").replace("length: 0.1", "shape: Curl(radius: 0.004, pitch: 0.03), length: 0.1");
    same("roots of curls", &jacobi, &curls, 12);
    for solver in ["implicit_jacobi", "pbd_jacobi"] {
        let mut fixture = Fixture::of(scene(solver, &rest("")));
        let why = on_device(&mut fixture, None).err().unwrap_or_default();
        assert!(why.contains("a scene without strands on cloth"), "{why}");
    }
}

const BALL: &str = r#"colliders: [(id: "ball", shape: Sphere(radius: 0.15), at: (0, 0.75, 0.1))]"#;
