//! Every table under every position-based solver, against closed forms.

use glam::DVec2;
use sim::constraints::{
    Energy, area::Area, hinge::Dihedral, neo_hookean::NeoHookean, st_venant_kirchhoff::StVenantKirchhoff,
};
use sim::lanes::V3;
use tests::{
    fixture::{Fixture, solvers, vector},
    grid,
    rows::{self, Hinge, Triangle},
};
use weft_core::state::Blueprint;
use weft_core::state::col;
use weft_core::statistics::{largest, least};

const COLOURED: f32 = 0.0;
const JACOBI: f32 = 1.0;
const PATCH: f32 = 2.0;

fn fixture(solver: &str, gravity: f32, air_damping: f32, blueprint: Blueprint) -> Fixture {
    let text = format!(
        r#"(version: 1, gravity: (0.0, {gravity:?}, 0.0), air_damping: {air_damping:?}, wind: (coefficient: 0.0),
            solver: (name: "{solver}"), cloths: [(id: "a", shape: Grid(columns: 2, rows: 2, width: 1, height: 1))])"#
    );
    Fixture::from_tables(Fixture::new(&text).scene, blueprint)
}

/// The triangle (0,0), (0.6,0), (0,0.5) in x and y; the last corner free, 1 kg. A fourth corner below, for hinges.
const CORNERS: [DVec2; 4] =
    [DVec2::new(0.0, 0.0), DVec2::new(0.6, 0.0), DVec2::new(0.0, 0.5), DVec2::new(0.3, -0.4)];
const FREE: usize = 2;

fn corner(extra: weft_core::state::TableRows) -> Blueprint {
    let at = |p: DVec2| [p.x as f32, p.y as f32, 0.0];
    let ends = [0, 1, 2, 3].map(|i| (at(CORNERS[i]), if i == FREE { 1.0 } else { 0.0 }));
    let mut blueprint = grid::particles(&ends, &[]);
    blueprint.tables.push(extra);
    blueprint
}

/// One free particle of 1 kg, `start` away from rest along `axis`, must go as implicit Euler does with stiffness `k`
/// and the damping time of eq. 26; `pulls_only` lets go where the way is negative.
fn goes_like_implicit_euler(
    name: &str,
    blueprint: &Blueprint,
    axis: usize,
    start: f64,
    k: f64,
    pulls_only: bool,
) {
    for (substeps, iterations, damping, order) in [
        (1, 1.0, 0.0, COLOURED),
        (5, 1.0, 0.0, COLOURED),
        (5, 4.0, 0.0, COLOURED),
        (5, 4.0, 0.02, COLOURED),
        (5, 2.0, 0.0, JACOBI),
        (5, 2.0, 0.02, PATCH),
    ] {
        let mut fixture = fixture("xpbd", 0.0, 0.0, blueprint.clone()).set("substeps", substeps as f32);
        fixture = fixture.set("iterations", iterations).set("damping", damping).set("order", order);
        let rest = f64::from(fixture.x()[FREE][axis]);
        fixture.x_mut()[FREE][axis] = (rest + start) as f32;
        let h = f64::from(fixture.scene.step) / f64::from(substeps);
        let (mut x, mut v) = (start, 0.0);
        for frame in 0..40 {
            fixture.frames(1);
            for _ in 0..substeps {
                // x' = x + h v - h² k (x' + damping (x' - x) / h)
                let (free, stiff) = (x + h * v, k * h * h);
                let drag = stiff * f64::from(damping) / h;
                let held = (free + drag * x) / (1.0 + stiff + drag);
                let slack = pulls_only && (free < 0.0 || stiff * held + drag * (held - x) < 0.0);
                let moved = if slack { free } else { held };
                (v, x) = ((moved - x) / h, moved);
            }
            let now = f64::from(fixture.x()[FREE][axis]) - rest;
            if pulls_only && x < -0.8 {
                // It is about to pass the anchor and be held from the other side.
                break;
            }
            let scale = start.abs().max(x.abs());
            assert!(
                (now - x).abs() < 0.01 * scale,
                "{name} {substeps}x{iterations} damping {damping} order {order} frame {frame}: {now} for {x}"
            );
        }
    }
}

#[test]
fn each_row_of_xpbd_is_implicit_euler_on_its_oscillator() {
    let row = |model| Triangle { corners: [0, 1, 2], model, mu: 300.0, lame: 200.0 };
    let membrane = |model| corner(rows::triangles(&CORNERS, &[row(model)]));
    let (base, height, area) = (0.6, 0.5, 0.15);
    let small = 2e-3;
    let uniaxial = area * (2.0 * 300.0 + 200.0) / (height * height);
    let shear = area * 300.0 / (height * height);
    goes_like_implicit_euler("StVK", &membrane(1), 1, small, uniaxial, false);
    goes_like_implicit_euler("StVK in shear", &membrane(1), 0, small, shear, false);
    goes_like_implicit_euler("neo-Hookean", &membrane(2), 1, small, uniaxial, false);
    goes_like_implicit_euler("neo-Hookean in shear", &membrane(2), 0, small, shear, false);
    // Area: A = base y / 2 is linear in y.
    let k = 300.0 / area * (base / 2.0_f64).powi(2);
    goes_like_implicit_euler("area", &membrane(3), 1, 0.1, k, false);

    let hinge = |model| Hinge { corners: [0, 1, 2, 3], model, rest_angle: 0.0, stiffness: 40.0 };
    let hinged = |model| corner(rows::hinges(&CORNERS, &[hinge(model)]));
    goes_like_implicit_euler("quadratic bend", &hinged(0), 2, 0.1, 40.0 / height.powi(2), false);
    goes_like_implicit_euler("dihedral", &hinged(1), 2, small, 40.0 / height.powi(2), false);

    let pin = corner(rows::attachments(&[(FREE as u32, [0.0, 0.5, 0.0], 1e-3)]));
    for axis in 0..3 {
        goes_like_implicit_euler("attachment", &pin, axis, 0.3, 1000.0, false);
    }
    let tether = corner(rows::tethers(&[(FREE as u32, 0, 0.5, 1e-3)]));
    goes_like_implicit_euler("tether", &tether, 1, 0.1, 1000.0, true);
}

#[test]
fn a_hinge_bends_by_its_torque() {
    // A flap of 0.4 kg held 0.5 m from the edge. Up is in front: k (angle - rest) = -m g r cos(angle).
    let (k, m, r, g) = (2.0, 0.4, 0.5, 9.81);
    let at = [DVec2::new(0.0, 0.0), DVec2::new(0.6, 0.0), DVec2::new(0.3, 0.5), DVec2::new(0.3, -0.5)];
    let mass = [0.0, 0.0, 0.0, m as f32];
    let ends: Vec<_> = (0..4).map(|i| ([at[i].x as f32, 0.0, -at[i].y as f32], mass[i])).collect();
    let side = 0.3_f32.hypot(0.5);
    for rest_angle in [0.0_f32, 0.7] {
        let mut blueprint = grid::particles(&ends, &[(0, 3, side, 0.0), (1, 3, side, 0.0)]);
        let row = Hinge { corners: [0, 1, 2, 3], model: 1, rest_angle, stiffness: k as f32 };
        blueprint.tables.push(rows::hinges(&at, &[row]));
        let mut fixture =
            fixture("xpbd", -g as f32, 3.0, blueprint).set("substeps", 20.0).set("iterations", 8.0);
        fixture.frames(400);
        let x = vector(fixture.x()[3]);
        let (angle, mut expected) = (x.y.atan2(x.z), 0.0_f64);
        for _ in 0..100 {
            let torque = k * (expected - f64::from(rest_angle)) + m * g * r * expected.cos();
            expected -= torque / (k - m * g * r * expected.sin());
        }
        assert!((angle - expected).abs() < 2e-3, "rest {rest_angle}: {angle} for {expected}");
    }
}

/// Two triangles and a hinge hung by soft pins, at rest: the gradients of the energies carry the weight.
#[test]
fn at_rest_the_energies_carry_the_weight() {
    const G: f64 = 9.81;
    let at = [DVec2::new(0.0, 0.0), DVec2::new(0.4, 0.05), DVec2::new(0.1, 0.4), DVec2::new(0.35, -0.4)];
    let mass = [0.1, 0.2, 0.15, 0.1];
    let (mu, lame, bend, pin) = (60.0, 40.0, 0.05, 2e-3);
    for model in [1, 2] {
        for (order, iterations) in [(COLOURED, 20.0), (JACOBI, 60.0), (PATCH, 20.0)] {
            let ends: Vec<_> =
                (0..4).map(|i| ([at[i].x as f32, 0.0, -at[i].y as f32], mass[i] as f32)).collect();
            let faces = [[0, 1, 2], [1, 0, 3]].map(|corners| Triangle {
                corners,
                model,
                mu: mu as f32,
                lame: lame as f32,
            });
            let hinge = Hinge { corners: [0, 1, 2, 3], model: 1, rest_angle: 0.0, stiffness: bend as f32 };
            let targets = [2_u32, 3, 1].map(|i| (i, ends[i as usize].0, pin));
            let mut blueprint = grid::particles(&ends, &[]);
            blueprint.tables.extend([
                rows::triangles(&at, &faces),
                rows::hinges(&at, &[hinge]),
                rows::attachments(&targets),
            ]);
            let mut fixture = fixture("xpbd", -G as f32, 4.0, blueprint).set("substeps", 10.0);
            fixture = fixture.set("iterations", iterations).set("order", order);
            fixture.frames(900);
            let x: Vec<V3<f64>> =
                fixture.x().iter().map(|x| V3::new(x[0].into(), x[1].into(), x[2].into())).collect();
            let mut force = mass.map(|m| V3::new(0.0, -m * G, 0.0));
            for corners in [[0, 1, 2], [1, 0, 3]] {
                let (a, b) = (at[corners[1]] - at[corners[0]], at[corners[2]] - at[corners[0]]);
                let det = a.perp_dot(b);
                let (inverse_rest, area) = ([b.y, -a.y, -b.x, a.x].map(|x| x / det), det / 2.0);
                let points = corners.map(|i| x[i]);
                let gradient = if model == 1 {
                    StVenantKirchhoff { inverse_rest, area, mu, lame }.gradient(&points)
                } else {
                    NeoHookean { inverse_rest, area, mu, lame }.gradient(&points)
                };
                for (i, g) in corners.into_iter().zip(gradient) {
                    force[i] = force[i] - g;
                }
            }
            let gradient = Dihedral { rest_angle: 0.0, k: bend }.gradient(&[x[0], x[1], x[2], x[3]]);
            for i in 0..4 {
                force[i] = force[i] - gradient[i];
            }
            for (i, [tx, ty, tz], _) in targets {
                let target = V3::new(f64::from(tx), f64::from(ty), f64::from(tz));
                force[i as usize] = force[i as usize] - (x[i as usize] - target) * (1.0 / f64::from(pin));
            }
            for (i, f) in force.iter().enumerate() {
                let left = f.dot(*f).sqrt();
                assert!(left < 0.01 * mass[i] * G, "model {model} order {order} particle {i}: {left} N left");
            }
            let sag = -x[0].y;
            assert!((0.02..0.4).contains(&sag), "model {model}: it hangs {sag} m");
        }
    }
}

#[test]
fn pbd_makes_all_rows_rigid() {
    let at = [DVec2::new(0.0, 0.0), DVec2::new(0.5, 0.0), DVec2::new(0.1, 0.4), DVec2::new(0.3, -0.3)];
    for solver in solvers().into_iter().filter(|solver| solver.starts_with("pbd_")) {
        for model in [1, 2, 3] {
            for hinge_model in [0, 1] {
                let ends: Vec<_> = at.iter().map(|p| ([1.2 * p.x as f32, 0.1, -p.y as f32], 0.1)).collect();
                let faces =
                    [[0, 1, 2], [1, 0, 3]].map(|corners| Triangle { corners, model, mu: 0.0, lame: 0.0 });
                let hinge =
                    Hinge { corners: [0, 1, 2, 3], model: hinge_model, rest_angle: 0.0, stiffness: 0.0 };
                let mut blueprint = grid::particles(&ends, &[]);
                blueprint.tables.extend([
                    rows::triangles(&at, &faces),
                    rows::hinges(&at, &[hinge]),
                    rows::attachments(&[(0, [0.1, 0.2, 0.3], 10.0)]),
                ]);
                let mut fixture =
                    fixture(solver, 0.0, 5.0, blueprint).set("iterations", 200.0).set("bend", 1.0);
                fixture = fixture.set("shear", 1.0);
                fixture.x_mut()[2][1] = 0.3;
                fixture.frames(60);
                let x: Vec<_> = fixture.x().iter().map(|x| vector(*x)).collect();
                let name = format!("{solver} triangle {model} hinge {hinge_model}");
                let pin = (x[0] - glam::DVec3::new(0.1, 0.2, 0.3)).length();
                assert!(pin < 1e-3, "{name}: {pin} m off its pin");
                let area = |[a, b, c]: [usize; 3]| (x[b] - x[a]).cross(x[c] - x[a]).length() / 2.0;
                for (now, rest) in [(area([0, 1, 2]), 0.1), (area([1, 0, 3]), 0.075)] {
                    assert!((now - rest).abs() < 2e-3 * rest, "{name}: area {now} for {rest}");
                }
                let flat = (x[1] - x[0]).cross(x[2] - x[0]).normalize().dot((x[3] - x[0]).normalize());
                assert!(flat.abs() < 1e-2, "{name}: bent by {flat}");
                if model < 3 {
                    let length = (x[1] - x[0]).length();
                    assert!((length - 0.5).abs() < 1e-3, "{name}: {length} m long");
                }
            }
        }
    }
}

#[test]
fn a_tether_holds_under_every_position_based_solver() {
    for solver in solvers().into_iter().filter(|s| s.starts_with("pbd_") || *s == "xpbd") {
        let ends = [([0.0; 3], 0.0), ([0.5, 0.0, 0.0], 0.3)];
        let mut blueprint = grid::particles(&ends, &[]);
        blueprint.tables.push(rows::tethers(&[(1, 0, 0.7, 0.0)]));
        let mut fixture = fixture(solver, -9.81, 0.5, blueprint);
        let mut longest = 0.0_f64;
        for _ in 0..300 {
            fixture.frames(1);
            longest = largest([longest, vector(fixture.x()[1]).length()]);
        }
        assert!((0.699..0.701).contains(&longest), "{solver}: {longest}");
    }
}

#[test]
fn all_tables_together_run_under_every_solver() {
    for solver in solvers() {
        let mut fixture = fixture(solver, -9.81, 0.2, rows::sheet(9, 7));
        fixture.frames(90);
        let lowest = least(fixture.x().iter().map(|x| x[1]));
        assert!(fixture.x().iter().flatten().all(|x| x.is_finite()), "{solver}");
        assert!((-3.0..-0.05).contains(&lowest), "{solver}: {lowest}");
    }
}

#[test]
fn each_order_has_the_same_bits_on_every_number_of_threads() {
    // 1,073 particles: one patch and a bit.
    let hash = |order, threads| {
        let sheet = rows::sheet(37, 29);
        let mut fixture =
            fixture("xpbd", -9.81, 0.2, sheet).threads(threads).set("order", order).set("iterations", 3.0);
        fixture.frames(5);
        fixture.hash().to_string()
    };
    let ones = [COLOURED, JACOBI, PATCH].map(|order| hash(order, 1));
    assert!(ones[0] != ones[1] && ones[1] != ones[2] && ones[0] != ones[2], "the orders differ");
    for (order, one) in [COLOURED, JACOBI, PATCH].into_iter().zip(&ones) {
        for threads in [2, 3, 8] {
            assert_eq!(&hash(order, threads), one, "order {order}, {threads} threads");
        }
    }
}

#[test]
fn all_orders_converge_to_one_answer() {
    let after = |order, iterations| {
        let mut fixture = fixture("xpbd", -9.81, 0.2, rows::sheet(37, 29)).set("substeps", 1.0);
        fixture = fixture.set("order", order).set("iterations", iterations);
        fixture.frames(1);
        fixture.x().iter().map(|x| vector(*x)).collect::<Vec<_>>()
    };
    let reference = after(COLOURED, 600.0);
    let off = |order, iterations| {
        let pairs = after(order, iterations).into_iter().zip(&reference).map(|(a, b)| (a - b).length());
        largest(pairs)
    };
    for order in [JACOBI, PATCH] {
        let (early, late) = (off(order, 3.0), off(order, 1000.0));
        assert!(late < 1e-4 && late < 0.03 * early, "order {order}: {early} m, then {late} m");
    }
}

#[test]
fn momentum_stays_in_every_order() {
    for order in [COLOURED, JACOBI, PATCH] {
        let mut sheet = rows::sheet(37, 29);
        // Free of pins: inner forces only.
        sheet.tables.retain(|table| !["tether", "attachment"].contains(&table.name));
        let mut fixture = fixture("xpbd", 0.0, 0.0, sheet).set("order", order).set("iterations", 2.0);
        fixture.x_mut()[0][3] = 500.0;
        for (i, v) in fixture.v_mut().iter_mut().enumerate() {
            *v = [0.3, 0.2 * ((i % 7) as f32 - 3.0), 0.1 * ((i % 5) as f32 - 2.0), 0.0];
        }
        // The corner was pinned: its mass in the table is 1 kg, not that of 1/w.
        let momentum = |fixture: &Fixture| {
            fixture
                .x()
                .iter()
                .zip(fixture.v())
                .map(|(x, v)| vector(*v) / f64::from(x[3]))
                .sum::<glam::DVec3>()
        };
        let (before, scale) =
            (momentum(&fixture), fixture.v().iter().map(|v| vector(*v).length() * 0.002).sum::<f64>());
        fixture.frames(20);
        let drift = (momentum(&fixture) - before).length() / scale;
        assert!(drift < 1.5e-4, "order {order}: {drift}, where rounding leaves 1.2e-4");
    }
}

#[test]
fn readings_say_iterations_and_what_is_left() {
    // A chain of three: one sweep leaves what the second row broke in the first.
    let ends = [([0.0; 3], 0.0), ([1.0, 0.0, 0.0], 1.0), ([2.0, 0.0, 0.0], 2.0)];
    let (alpha, g) = (1e-4_f32, 9.81);
    let chain = || grid::particles(&ends, &[(0, 1, 0.8, alpha), (1, 2, 0.9, alpha)]);
    let mut last = f32::INFINITY;
    for iterations in [1.0, 3.0, 9.0] {
        let mut fixture =
            fixture("xpbd", -g, 0.0, chain()).set("substeps", 1.0).set("iterations", iterations);
        let h = f64::from(fixture.scene.step);
        fixture.frames(1);
        let (order, rest) = (fixture.run.state.table("distance").unwrap().coloring.order.clone(), [0.8, 0.9]);
        let force: Vec<f32> = fixture.run.state.get(col::distance::force).to_vec();
        let stretch = |x: &[glam::DVec3], row: usize| (x[row + 1] - x[row]).length() - rest[row];
        let after: Vec<_> = fixture.x().iter().map(|x| vector(*x)).collect();
        let fall = glam::DVec3::Y * (-f64::from(g) * h * h);
        let before = [glam::DVec3::ZERO, glam::DVec3::X + fall, glam::DVec3::X * 2.0 + fall];
        let (mut left, mut first) = (0.0, 0.0);
        for (at, &row) in order.iter().enumerate() {
            // alpha~ lambda = -alpha F
            left += (stretch(&after, row as usize) - f64::from(alpha) * f64::from(force[at])).powi(2);
            first += stretch(&before, row as usize).powi(2);
        }
        let (expected, reading) = ((left / first).sqrt(), fixture.run.readings["residual"]);
        assert!((f64::from(reading) - expected).abs() < 1e-3 * expected + 1e-6, "{reading} for {expected}");
        assert!(reading < 0.7 * last, "{iterations} iterations leave {reading}");
        last = reading;
        assert_eq!(fixture.run.readings["iterations"], iterations);
    }
    for solver in ["pbd_gauss_seidel", "pbd_jacobi", "pbd_sor"] {
        let left = |iterations| {
            let mut fixture =
                fixture(solver, -g, 0.0, chain()).set("substeps", 3.0).set("iterations", iterations);
            fixture.frames(1);
            assert_eq!(fixture.run.readings["iterations"], 3.0 * iterations, "{solver}");
            fixture.run.readings["residual"]
        };
        let (few, many) = (left(1.0), left(8.0));
        assert!(many < 0.8 * few && few > 0.0, "{solver}: {few}, {many}");
    }
}

/// The area row's energy is what the XPBD row means, too.
#[test]
fn an_area_row_balances_a_pull() {
    let blueprint =
        corner(rows::triangles(&CORNERS, &[Triangle { corners: [0, 1, 2], model: 3, mu: 300.0, lame: 0.0 }]));
    let mut fixture = fixture("xpbd", 9.81, 3.0, blueprint).set("substeps", 2.0);
    fixture.frames(600);
    let weight = 9.81;
    let x = [0, 1, 2].map(|i| {
        let p = vector(fixture.x()[i]);
        V3::new(p.x, p.y, p.z)
    });
    let pull = Area { area: 0.15, k: 300.0 }.gradient(&x)[FREE].y;
    assert!((pull - weight).abs() < 0.003 * weight, "{pull} for {weight}");
}
