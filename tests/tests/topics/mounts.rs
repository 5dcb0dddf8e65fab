//! Strands on bodies with a mass: what a strand gets its bodies lose, and a ball swings on its cord.

use glam::{DQuat, DVec3};
use sim_api::Key;
use tests::fixture::{Fixture, vector};
use weft_core::state::{col, image};
use weft_core::statistics::largest;
use weft_engine::left_out;
use weft_scene::{Vocabulary, parse_text};

fn scene(solver: &str, gravity: f64, strands: &str, colliders: &str) -> Fixture {
    Fixture::new(&format!(
        "(version: 1, gravity: (0, {gravity}, 0), air_damping: 0, wind: (coefficient: 0), solver: (name: \"{solver}\"),
          strands: [{strands}], colliders: [{colliders}])"
    ))
}

fn body(fixture: &Fixture, name: &'static str) -> Vec<DVec3> {
    fixture.run.state.get(Key::<[f32; 4]>::new("collider", name)).iter().map(|row| vector(*row)).collect()
}

/// Momentum and angular momentum about the origin, of free particles and of bodies; and the energy of motion of all [J].
fn momenta(fixture: &Fixture) -> ([DVec3; 2], f64) {
    let [x, v, spin, inertia] =
        ["position", "velocity", "spin", "inverse_inertia"].map(|name| body(fixture, name));
    let turns = fixture.run.state.get(col::collider::rotation);
    let inverse = fixture.run.state.get(col::collider::inverse_mass);
    let (mut linear, mut angular, mut energy) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for i in (0..x.len()).filter(|&i| inverse[i] > 0.0) {
        let p = v[i] / f64::from(inverse[i]);
        let turn = DQuat::from_array(turns[i].map(f64::from));
        let own = turn * ((turn.inverse() * spin[i]) / inertia[i]);
        linear += p;
        angular += x[i].cross(p) + own;
        energy += 0.5 * (p.dot(v[i]) + own.dot(spin[i]));
    }
    for ((x, v), m) in
        fixture.x().iter().zip(fixture.v()).zip(fixture.mass()).filter(|((x, _), _)| x[3] > 0.0)
    {
        let p = vector(*v) * f64::from(*m);
        linear += p;
        angular += vector(*x).cross(p);
        energy += 0.5 * p.dot(vector(*v));
    }
    ([linear, angular], energy)
}

/// A ball on a cord of 50 g, let go at 10 degrees; without a mass it stays.
fn pendulum(solver: &str, mass: f64) -> Fixture {
    let cord =
        "(id: \"cord\", length: 0.5, particles: 17, root: Pinned, tip: Pinned, tip_seat: Collider(\"ball\"),
                 roots: Points(at: [(0, 1, 0)], direction: (0.17365, -0.98481, 0)),
                 material: (young: 1e8, shear: 4e7, radius: (4e-3, 4e-3), density: 2000))";
    let ball = format!(
        "(id: \"ball\", shape: Sphere(radius: 0.01), at: (0.086824, 0.507596, 0), mass: {mass}, thickness: 0.001)"
    );
    scene(solver, -9.81, cord, &ball).cut(20)
}

/// Twice the way between two passes through the middle [s], by 180 frames, and how much longer than the cord its end was away.
fn swing(mut fixture: Fixture) -> (f64, f64) {
    let (mut passes, mut longest, mut before) = (Vec::new(), 0.0_f64, 0.0);
    for frame in 0..180 {
        fixture.frames(1);
        let at = body(&fixture, "position")[0];
        longest = largest([longest, at.distance(DVec3::Y) / 0.5 - 1.0]);
        if before * at.x < 0.0 {
            passes.push(f64::from(frame) - at.x / (at.x - before));
        }
        before = at.x;
    }
    let [first, .., last] = passes[..] else { return (f64::NAN, longest) };
    (2.0 * (last - first) / (passes.len() - 1) as f64 / 60.0, longest)
}

/// The ball and a straight cord, of which the held ends weigh nothing: 2 pi sqrt(I / (g sum of m r)), and 1 + sin²(5 degrees) / 4 for the
/// angle. Cords of solvers that do not come to their lengths are longer, and `vbd` at its two iterations swings late.
#[test]
fn a_ball_swings_on_its_cord() {
    let mass = std::f64::consts::PI * 16e-6 * 2000.0 * 0.5 / 16.0;
    let parts = (1..16).map(|i| (mass, 0.5 * f64::from(i) / 16.0)).chain([(0.5, 0.5)]);
    let (inertia, moment) = parts.fold((0.0, 0.0), |(i, s), (m, r)| (i + m * r * r, s + m * r));
    let wanted = std::f64::consts::TAU * (inertia / (9.81 * moment)).sqrt() * (1.0 + 0.007_596 / 4.0);
    for (solver, late, long) in [
        ("strand_newton", 0.0..0.002, 0.003),
        ("verlet", -0.015..0.0, 0.01),
        ("pbd_gauss_seidel", -0.005..0.01, 0.03),
        ("pbd_sor", 0.0..0.02, 0.08),
        ("xpbd", 0.0..0.03, 0.1),
        ("pbd_jacobi", 0.0..0.03, 0.12),
        ("vbd", 0.1..0.25, 0.005),
    ] {
        let (period, longest) = swing(pendulum(solver, 0.5));
        println!("SWING {solver}: {period:.4} s for {wanted:.4}, {longest:.2e} too long");
        assert!(late.contains(&(period / wanted - 1.0)), "{solver}: {period} s for {wanted}");
        assert!(longest < long, "{solver}: the cord was {longest} too long");
    }
}

/// A body does not feel its strands under solvers without the table, and that is said.
#[test]
fn who_leaves_the_pull_out_says_so() {
    for solver in ["explicit", "implicit_newton", "projective_dynamics", "follow_the_leader"] {
        let rows = |mass: f64| {
            let fixture = pendulum(solver, mass);
            left_out::rows(&fixture.run.state, fixture.run.description().expect("a solver"))
        };
        assert_eq!(rows(0.5), rows(0.0) + 1, "{solver} says that it leaves the end on the ball out");
    }
}

const BALLS: &str =
    "(id: \"ball\", shape: Sphere(radius: 0.05), at: (0, 1, 0), mass: 0.4, velocity: (0, 0.5, 1)),
    (id: \"other\", shape: Box(half: (0.04, 0.03, 0.05)), at: (0.49, 1, 0), mass: 0.2, velocity: (0, 0, -1))";

/// What two seconds leave of the momenta of all, as shares of what was lost, and the most energy of motion, as one of the first.
fn kept(solver: &str, strands: &str) -> ([f64; 2], f64) {
    let mut fixture = scene(solver, 0.0, strands, BALLS).cut(10);
    fixture.run.state.get_mut(col::collider::spin)[0] = [0.0, 3.0, 6.0, 0.0];
    let (before, energy) = momenta(&fixture);
    let mut most = 0.0_f64;
    for _ in 0..24 {
        fixture.frames(5);
        most = largest([most, momenta(&fixture).1 / energy]);
    }
    let after = momenta(&fixture).0;
    ([0, 1].map(|i| (after[i] - before[i]).length() / before[i].length()), most)
}

/// Hair around a ball that spins, pinned and clamped, and a cord between two bodies that fly about each other. Angular momentum of what
/// turns about itself is lost as implicit steps lose it, by a share of the turn in a substep.
#[test]
fn what_strands_get_their_bodies_lose() {
    let hair = |root: &str, young: &str, count: u32| {
        format!(
            "(id: \"hair\", seat: Collider(\"ball\"), length: 0.2, particles: 12, root: {root},
              roots: Cap(axis: (1, 0, 0), angle: 70, count: {count}),
              material: (young: {young}, shear: {young}, radius: (6e-4, 6e-4), density: 800))"
        )
    };
    // As much as is let: half of what the ball takes to turn.
    let rod = "(id: \"rod\", seat: Collider(\"ball\"), length: 0.3, particles: 12, root: Clamped,
                roots: Points(at: [(0.05, 0, 0)], direction: (1, 0, 0)),
                material: (young: 1e11, shear: 1e11, radius: (2.97e-3, 2.97e-3), density: 800))";
    let cord =
        "(id: \"cord\", seat: Collider(\"ball\"), length: 0.4, particles: 12, root: Pinned, tip: Pinned,
                 tip_seat: Collider(\"other\"), roots: Points(at: [(0.05, 0, 0)], direction: (1, 0, 0)),
                 material: (young: 1e7, shear: 4e6, radius: (2e-3, 2e-3), density: 800))";
    let all = [
        ("pinned", hair("Pinned", "1e7", 20), [1e-3, 2e-3]),
        ("clamped", hair("Clamped", "1e8", 5), [1e-4, 1e-3]),
        ("rod", rod.to_string(), [1e-3, 1e-3]),
        ("cord", cord.to_string(), [2e-5, 0.08]),
    ];
    for solver in ["strand_newton", "xpbd", "vbd", "verlet", "pbd_gauss_seidel", "pbd_jacobi", "pbd_sor"] {
        for (name, strands, most) in &all {
            let (lost, energy) = kept(solver, strands);
            println!("KEPT {solver} {name}: {:.1e} and {:.1e} lost, energy {energy:.4}", lost[0], lost[1]);
            assert!((0..2).all(|i| lost[i] < most[i]), "{solver}: {name} loses {lost:?}");
            assert!(energy < 1.005, "{solver}: {name} has {energy} of its energy");
        }
    }
}

/// Hair of 50 g on a head of 5 kg, as on one that has no mass and is let fall: what it weighs moves the head by so little.
#[test]
fn a_heavy_head_carries_its_hair() {
    let hair = "(id: \"hair\", seat: Collider(\"ball\"), length: 0.25, particles: 12,
                 roots: Cap(axis: (0, 1, 0), angle: 80, count: 100),
                 material: (young: 1e9, shear: 4e8, radius: (8e-4, 8e-4), density: 1000))";
    let ball = "(id: \"ball\", shape: Sphere(radius: 0.1), at: (0, 1, 0), mass: 5, velocity: (0.3, 3, 0))";
    let mut fixture = scene("strand_newton", -9.81, hair, ball).cut(8);
    let base = fixture.x().len() - fixture.run.state.get(col::segment::rest).len();
    let (idx, rest) = (col::distance::idx, col::distance::rest);
    let mut longest = 0.0_f64;
    for _ in 0..60 {
        fixture.frames(1);
        let length = |[a, b]: [u32; 2]| {
            vector(fixture.x()[base + a as usize]).distance(vector(fixture.x()[base + b as usize]))
        };
        let rows = fixture.run.state.get(idx).iter().zip(fixture.run.state.get(rest));
        let longer = rows.map(|(ends, rest)| length(*ends) / f64::from(*rest) - 1.0);
        longest = largest(longer.chain([longest]));
    }
    // The centre of all falls freely, so the head by that but for what its hair swings.
    let at = body(&fixture, "position")[0];
    println!("HEAD at {at:.4}, strands longer by {longest:.1e}");
    assert!(
        (at.x - 0.3).abs() < 0.02 && (at.y - (1.0 + 3.0 - 9.81 / 2.0)).abs() < 0.1,
        "the head is at {at}"
    );
    assert!(longest < 0.01, "strands are {longest} too long");
}

/// A ball on a cord from the hem of cloth, whose corners may be pinned themselves: the cord bears it, and no number is lost.
#[test]
fn a_ball_hangs_from_cloth() {
    for pins in ["Edge(Top), Edge(Bottom)", "Edge(Top)"] {
        let mut fixture = Fixture::new(&format!(
            "(version: 1, air_damping: 2, wind: (coefficient: 0), solver: (name: \"strand_newton\", params: {{\"substeps\": 20}}),
              cloths: [(id: \"sheet\", shape: Grid(columns: 9, rows: 9, width: 0.4, height: 0.4), at: (0, 1.5, 0), pins: [{pins}],
                        material: (density: 1.0, compliance: (structural: 1e-6, shear: 1e-5, bend: 0.1)))],
              strands: [(id: \"cord\", seat: Cloth(\"sheet\"), length: 0.3, particles: 10, root: Pinned, tip: Pinned,
                         tip_seat: Collider(\"ball\"), roots: Edge(side: Bottom, count: 1),
                         material: (young: 1e8, shear: 4e7, radius: (2e-3, 2e-3), density: 900))],
              colliders: [(id: \"ball\", shape: Sphere(radius: 0.02), at: (0, 0.98, 0), mass: 0.2, thickness: 0.001)])"
        ));
        let start = body(&fixture, "position")[0];
        fixture.frames(60);
        let at = body(&fixture, "position")[0];
        println!("HANGS from {pins}: {start:.3} to {at:.3}");
        assert!(at.is_finite() && (at.y - start.y).abs() < 0.15, "{pins}: the ball is at {at}");
    }
}

/// A body that hangs at rest from a cord of 4 mm, from a place at a height [m].
fn hung(solver: &str, top: f64, length: f64, particles: usize, body: &str) -> Fixture {
    let cord = format!(
        "(id: \"cord\", length: {length}, particles: {particles}, root: Pinned, tip: Pinned, tip_seat: Collider(\"body\"),
          roots: Points(at: [(0, {top}, 0)], direction: (0, -1, 0)),
          material: (young: 1e8, shear: 4e7, radius: (2e-3, 2e-3), density: 1000))"
    );
    scene(solver, -9.81, &cord, &format!("(id: \"body\", at: (0, 0.5, 0), {body})"))
}

/// A long light box hangs at its upper end: across the cord that gives way forty times as far as along it, and yet each segment is as
/// long as what hangs at it says, within the rounding of places.
#[test]
fn a_light_box_pulls_no_harder_than_it_weighs() {
    let mut fixture = hung("strand_newton", 1.0, 0.4, 16, "shape: Box(half: (0.02, 0.1, 0.02)), mass: 0.02");
    fixture.frames(120);
    let x: Vec<DVec3> = fixture.x().iter().map(|row| vector(*row)).collect();
    let area = std::f64::consts::PI * 4e-6;
    let segment = area * 1000.0 * 0.4 / 15.0;
    for (i, pair) in x.windows(2).enumerate() {
        let strain = pair[0].distance(pair[1]) * 15.0 / 0.4 - 1.0;
        let wanted = 9.81 * (0.02 + segment * (14.0 - i as f64)) / (1e8 * area);
        assert!((strain - wanted).abs() < 1e-5, "segment {i}: {strain} for {wanted}");
    }
}

/// A ball that hangs at a long lever stays there under a solver whose blocks are the same in all directions, and gains nothing.
#[test]
fn a_lever_at_rest_gains_no_energy() {
    let mut fixture = hung("vbd", 1.03, 0.2, 12, "shape: Sphere(radius: 0.03), mass: 0.4");
    let energy = |fixture: &Fixture| momenta(fixture).1 + 9.81 * 0.4 * (body(fixture, "position")[0].y - 0.5);
    for frame in 1..=120 {
        fixture.frames(1);
        let energy = energy(&fixture);
        assert!(energy < 1e-3, "frame {frame}: {energy} J");
    }
}

/// What a body cannot feel is refused, with what to write instead.
#[test]
fn what_a_body_cannot_feel_is_refused() {
    let told = |own: &str, mass: f64, wanted: &str, help: &str| {
        let text = format!(
            "(version: 1, strands: [\n(id: \"a\", seat: Collider(\"ball\"), length: 0.3, particles: 12,
                 roots: Points(at: [(0, -0.05, 0)]), {own})\n],
              colliders: [(id: \"ball\", shape: Sphere(radius: 0.05), at: (0, 1, 0), mass: {mass})])"
        );
        let why = parse_text("a.ron", &text, None, &Vocabulary::default()).expect_err(wanted).to_string();
        assert!(why.contains(wanted) && why.contains(help) && why.contains("a.ron:3:"), "{why}");
    };
    let thick = "material: (radius: (0.005, 0.005), density: 1000)";
    told(&format!("root: Clamped, {thick}"), 0.4, "more than half of what \"ball\" does", "`root: Pinned`");
    told("tip: Pinned, root: Clamped", 5.0, "only if their tips are free", "`root: Pinned`");
    told(
        "root: Pinned, tip: Clamped, tip_seat: Collider(\"ball\")",
        5.0,
        "not how it is clamped",
        "`tip: Pinned`",
    );
}

/// What ends name is written without a look: a state that names what is not there, or an end twice, is refused.
#[test]
fn a_state_with_ends_on_nothing_is_refused() {
    let hair = "(id: \"hair\", seat: Collider(\"ball\"), length: 0.2, particles: 12, root: Pinned,
                 roots: Cap(axis: (1, 0, 0), angle: 70, count: 20))";
    let fixture = scene("strand_newton", 0.0, hair, BALLS);
    let bytes = image::write(&fixture.run.state, &fixture.run.blueprint);
    for (column, value, wanted) in [
        ("end", 2_u32, "names row 2 twice"),
        ("end", 40, "names row 40 of 40"),
        ("body", 2, "names row 2 of 2"),
    ] {
        let (mut state, blueprint) = image::read(&bytes).expect("its own image");
        let rows = state.table_mut("mount").and_then(|table| table.column_mut(column)).expect("rows");
        rows.bytes_mut()[..4].copy_from_slice(&value.to_ne_bytes());
        let why = image::read(&image::write(&state, &blueprint)).err().expect("refused");
        assert!(why.contains(&format!("column `{column}` of table `mount` {wanted}")), "{why}");
    }
}
