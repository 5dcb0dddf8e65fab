//! Rods by sweeps (`xpbd`, `vbd`): curls that hold, momentum, the same bits on any threads, and what is beside them.

use tests::fixture::{Fixture, all_solvers, vector};
use weft_core::state::{StateHash, col};
use weft_core::statistics::largest;
use weft_session::{Options, Session};

/// Those that sweep over segments and joints.
const SWEEPING: [&str; 2] = ["xpbd", "vbd"];

/// Curls of 6 mm that stand still at rest; how far a particle goes in two seconds [m], and the most that a segment stretches.
fn sagged(solver: &str, material: &str, params: &[(&str, f32)]) -> (f64, f64) {
    let mut fixture = Fixture::new(&format!(
        "(version: 1, air_damping: 1, wind: (coefficient: 0), solver: (name: \"{solver}\"),
          strands: [(id: \"curls\", length: 0.15, particles: 40, roots: Points(at: [(0, 1, 0)], direction: (0.3, -1, 0)),
                     shape: Curl(radius: 0.006, pitch: 0.02, from: 0.1), material: {material})])"
    ));
    for (param, value) in params {
        fixture = fixture.set(param, *value);
    }
    let start = fixture.x().to_vec();
    fixture.frames(120);
    let moved = fixture.x().iter().zip(&start).map(|(now, then)| (vector(*now) - vector(*then)).length());
    (largest(moved), stretched(&fixture))
}

/// The most that a segment is longer or shorter than at rest, by its rest length.
fn stretched(fixture: &Fixture) -> f64 {
    let (state, x) = (&fixture.run.state, fixture.x());
    let rows = state.get(col::distance::idx).iter().zip(state.get(col::distance::rest));
    let strain = rows.map(|([a, b], rest)| {
        let way = vector(x[*b as usize]) - vector(x[*a as usize]);
        (way.length() / f64::from(*rest) - 1.0).abs()
    });
    largest(strain)
}

/// A curl of 15 cm that nothing holds hangs 10 cm lower. What sweeps leave is known, and may get neither worse nor better unseen.
#[test]
fn curls_hold_as_far_as_iterations_bear_them() {
    const HAIR: &str = "()";
    const WIRE: &str = "(young: 1e9, shear: 4e8, radius: (1e-3, 1e-3))";
    let cases = [
        ("xpbd", HAIR, [40.0, 1.0], 0.0462, 0.033),
        ("xpbd", HAIR, [40.0, 4.0], 0.0255, 0.0075),
        ("vbd", HAIR, [40.0, 2.0], 0.0352, 0.00342),
        ("vbd", WIRE, [40.0, 4.0], 0.0034, 0.0033),
    ];
    let mut wrong = Vec::new();
    for (solver, material, [substeps, iterations], wanted, most) in cases {
        let params = [("substeps", substeps), ("iterations", iterations)];
        let (moved, strain) = sagged(solver, material, &params);
        let near = (moved - wanted).abs() < 0.2 * wanted && (strain - most).abs() < 0.2 * most;
        if !near {
            let what = format!("{solver} {substeps} x {iterations}, {material}");
            wrong.push(format!("{what}: moved {moved} m, stretched {strain}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let (limp, _) = sagged("pbd_gauss_seidel", HAIR, &[]);
    assert!((limp - 0.0772).abs() < 0.01, "without frames curls open: {limp} m");
}

/// What comes of a strand that nobody holds, bent and spun at the start, in a second: the share of its momentum that is lost, and of
/// its angular momentum about its middle.
fn lost(solver: &str, params: &[(&str, f32)]) -> [f64; 2] {
    let mut fixture = Fixture::new(&format!(
        "(version: 1, gravity: (0, 0, 0), air_damping: 0, wind: (coefficient: 0), solver: (name: \"{solver}\"),
          strands: [(id: \"rod\", length: 0.3, particles: 16, root: Free, roots: Points(at: [(0, 0, 0)], direction: (1, 0, 0)),
                     shape: Arc(angle: 60), material: (young: 1e7, shear: 4e6, radius: (2e-3, 1e-3)))])"
    ));
    for (param, value) in params {
        fixture = fixture.set(param, *value);
    }
    for (i, v) in fixture.v_mut().iter_mut().enumerate() {
        let i = i as f32;
        *v = [0.3 + 0.02 * i, 0.5 - 0.06 * i, 0.04 * i - 0.2, 0.0];
    }
    let (before, turning) = (fixture.momentum(), fixture.angular_momentum());
    let scale = fixture.momentum_scale();
    fixture.frames(60);
    let turned = (fixture.angular_momentum() - turning).length() / turning.length();
    [(fixture.momentum() - before).length() / scale, turned]
}

#[test]
fn a_free_rod_keeps_its_momentum() {
    let [xpbd, vbd] = SWEEPING.map(|solver| lost(solver, &[("substeps", 20.0), ("iterations", 4.0)]));
    let newton = lost("strand_newton", &[("substeps", 20.0)]);
    println!("xpbd {xpbd:?}, vbd {vbd:?}, strand_newton {newton:?}");
    // Each projection gives both ends the same: what is left is the rounding of positions, 1,200 times.
    assert!(xpbd[0] < 1e-3 && newton[0] < 1e-3, "xpbd {xpbd:?}, strand_newton {newton:?}");
    assert!(xpbd[1] < 0.03 && newton[1] < 0.03, "xpbd {xpbd:?}, strand_newton {newton:?}");
    // A particle that steps against neighbours which have yet to move does not: a known failure.
    assert!(vbd[0] < 0.02 && vbd[1] < 0.1, "vbd {vbd:?}");
}

/// 45 strands on a head and a floor, cloth and a loose rod beside them: groups of eight and single ones.
#[test]
fn the_same_bits_on_any_number_of_threads() {
    for solver in SWEEPING {
        for damping in [0.0, 0.002] {
            let run = |threads: usize| {
                let fixture = Fixture::new(&format!(
                    "(version: 1, solver: (name: \"{solver}\", params: {{\"substeps\": 5, \"iterations\": 3}}),
                      cloths: [(id: \"sheet\", shape: Grid(columns: 9, rows: 7, width: 0.3, height: 0.3), at: (0.6, 1, 0), pins: [Edge(Top)])],
                      strands: [(id: \"hair\", seat: Collider(\"head\"), length: 0.3, length_spread: 0.2, particles: 20,
                                 roots: Cap(axis: (0, 1, 0), angle: 80, count: 45), shape: Curl(radius: 0.004, pitch: 0.03)),
                                (id: \"loose\", length: 0.2, particles: 9, root: Free, roots: Points(at: [(0.5, 0.1, 0)], direction: (1, 0, 0)),
                                 material: (radius: (1e-3, 1e-3), young: 1e7, shear: 4e6))],
                      colliders: [(id: \"head\", shape: Sphere(radius: 0.1), at: (0, 0.3, 0), motion: Spin(axis: (0, 1, 0), period: 2)),
                                  (id: \"floor\", shape: Plane)])"
                ));
                let mut fixture = fixture.set_if("damping", damping).threads(threads);
                fixture.frames(20);
                fixture.hash()
            };
            let one: StateHash = run(1);
            assert!(run(2) == one && run(7) == one, "{solver}");
        }
    }
}

/// Strands beside cloth move as strands alone, and cloth beside strands as cloth alone, bit for bit.
#[test]
fn rods_and_cloth_that_do_not_meet_do_not_change_each_other() {
    const CLOTH: &str = "cloths: [(id: \"sheet\", shape: Grid(columns: 9, rows: 7, width: 0.3, height: 0.3), pins: [Edge(Top)])],";
    const STRANDS: &str = "strands: [(id: \"hair\", length: 0.2, particles: 12, roots: Row(from: (2, 1, 0), to: (3, 1, 0), count: 11))],";
    for solver in SWEEPING {
        for order in [0.0, 1.0] {
            let run = |parts: &str| {
                let fixture = Fixture::new(&format!(
                    "(version: 1, wind: (velocity: (1, 0, 2)), solver: (name: \"{solver}\", params: {{\"iterations\": 3}}), {parts}
                      colliders: [(id: \"ball\", shape: Sphere(radius: 0.2), at: (2.5, 0.9, 0.1))])"
                ));
                let mut fixture = fixture.set_if("order", order);
                fixture.frames(20);
                fixture.x().to_vec()
            };
            let (both, cloth, hair) = (run(&format!("{CLOTH}{STRANDS}")), run(CLOTH), run(STRANDS));
            assert!(both[..63] == cloth[..] && both[63..] == hair[..], "{solver}");
        }
    }
}

/// With `damping` a swing that bends comes to rest sooner.
#[test]
fn damping_of_xpbd_acts_on_joints() {
    let swings = |damping: f32| {
        let mut fixture = Fixture::new(
            "(version: 1, gravity: (0, -0.5, 0), air_damping: 0, wind: (coefficient: 0),
              solver: (name: \"xpbd\", params: {\"substeps\": 20, \"iterations\": 50}),
              strands: [(id: \"wire\", length: 0.1, particles: 6, roots: Points(at: [(0, 0, 0)], direction: (1, 0, 0)),
                         material: (young: 1e7, shear: 4e6, radius: (1e-3, 1e-3), sag_free: 0))])",
        )
        .set("damping", damping);
        let mut fastest = 0.0_f64;
        for frame in 0..120 {
            fixture.frames(1);
            if frame >= 90 {
                fastest = largest(fixture.v().iter().map(|v| f64::from(v[1]).abs()).chain([fastest]));
            }
        }
        fastest
    };
    let (free, damped) = (swings(0.0), swings(0.02));
    println!("damping: {free} {damped}");
    assert!(damped < 0.2 * free && damped.is_finite(), "{damped} m/s for {free}");
}

/// Each solver after another, every half second, under curls of human hair on a head that turns, each at its defaults: none leaves a
/// number that is none, and none takes a particle far in a frame. In the long run each comes after each other one.
#[test]
fn any_solver_follows_any_other_on_running_curls() {
    let solvers = all_solvers();
    let folder = std::env::temp_dir().join(format!("weft_strand_rods_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("curls.ron");
    let scene = "(version: 1, wind: (coefficient: 0.1), air_damping: 1, solver: (name: \"strand_newton\"),
          strands: [(id: \"curls\", seat: Collider(\"head\"), length: 0.15, particles: 32, roots: Cap(axis: (0, 1, 0), angle: 80, count: 9),
                     shape: Curl(radius: 0.006, pitch: 0.04, from: 0.1))],
          colliders: [(id: \"head\", shape: Sphere(radius: 0.05), at: (0, 1, 0), motion: Spin(axis: (0, 1, 0), period: 3))])";
    std::fs::write(&file, scene).expect("a scene");
    let open = Options { scene: file, threads: 1, ..Options::default() };
    let mut session = Session::open(open).unwrap_or_else(|e| panic!("{e}"));
    let order: Vec<&str> = if tests::long() {
        let pairs = solvers.iter().flat_map(|a| solvers.iter().flat_map(move |b| [*a, *b]));
        pairs.collect()
    } else {
        solvers.iter().chain(solvers.iter().rev()).copied().collect()
    };
    let (mut worst, mut before) = (0.0_f64, "");
    for solver in order {
        if solver == before {
            continue;
        }
        session.choose_solver(solver);
        for frame in 0..30 {
            let start = session.positions().to_vec();
            session.step().unwrap_or_else(|e| panic!("{solver} after {before}, frame {frame}: {e}"));
            let ways = session.positions().iter().zip(&start);
            let far = largest(ways.map(|(now, then)| (vector(*now) - vector(*then)).length()));
            worst = worst.max(far);
            assert!(far < 0.1, "{solver} after {before}, frame {frame}: {far} m in a frame");
        }
        before = solver;
    }
    println!("at most {worst} m in a frame");
}
