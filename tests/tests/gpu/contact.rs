//! Contact on the GPU path, on the software adapter: cloth against cloth by particles, gas, colliders from meshes.

use glam::Vec3;
use sim_api::Key;
use tests::{
    crossings,
    device::{self, ORDERS, Order, Twins},
    fixture::{self, Fixture, with_solver},
    left_out, long,
    random::Random,
    state_points,
};
use weft_core::state::col;
use weft_core::statistics::largest;

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// A held sheet and a turned one above it, which falls on it, over a floor.
fn two_sheets(solver: &str) -> weft_scene::Scene {
    let own = "self_collision: (thickness: 0.01)";
    let text = format!(
        r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "{solver}"),
            cloths: [
                (id: "lower", at: (0.0, 0.5, 0.0), rotation: (-90.0, 0.0, 0.0), {own},
                    pins: [Corner(TopLeft), Corner(TopRight), Corner(BottomLeft), Corner(BottomRight)],
                    shape: Grid(columns: 17, rows: 17, width: 0.8, height: 0.8)),
                (id: "upper", at: (0.05, 0.58, 0.03), rotation: (-90.0, 30.0, 0.0), {own},
                    shape: Grid(columns: 19, rows: 18, width: 0.6, height: 0.6)),
            ], colliders: [(id: "floor", shape: Plane)])"#
    );
    weft_scene::parse_text("two_sheets", &text, None, &weft_scene::Vocabulary::default())
        .expect("a good scene")
        .scene
}

#[test]
fn sheets_that_fall_on_each_other_do_not_pass() {
    if left_out("sheets_that_fall_on_each_other_do_not_pass", NEEDS) {
        return;
    }
    for (solver, passes, params) in ORDERS.into_iter().step_by(if long() { 1 } else { 4 }) {
        let mut twins = Twins::new(&two_sheets(solver), params, 0, Some(passes));
        for second in 1..=if long() { 2 } else { 1 } {
            for _ in 0..if long() { 60 } else { 40 } {
                twins.step(&[]).unwrap();
            }
            twins.gpu.fetch(&mut twins.fixture.run).unwrap();
            let heights = [0..289, 289..631].map(|range: std::ops::Range<usize>| {
                range.clone().map(|i| f64::from(twins.fixture.x()[i][1])).sum::<f64>() / range.len() as f64
            });
            let crossings = crossings::of(&twins.fixture);
            println!("SELF {passes} after {second}: {crossings} crossings, heights {heights:.3?}");
            assert_eq!(crossings, 0, "{passes} after {second} s");
            // The upper one lies on the lower one, or slid off it as a whole.
            assert!(heights[1] < 0.58, "{passes}: it fell");
        }
        assert_eq!(twins.fixture.run.readings["self_overflow"], 0.0, "{passes}: pairs without room");
    }
}

#[test]
fn self_collision_repeats_bit_for_bit() {
    if left_out("self_collision_repeats_bit_for_bit", NEEDS) {
        return;
    }
    for (solver, passes, params) in [ORDERS[1], ORDERS[2], ORDERS[3]] {
        let [first, second] = [0, 1].map(|_| {
            let mut twins = Twins::new(&two_sheets(solver), params, 0, Some(passes));
            for _ in 0..if long() { 1000 } else { 12 } {
                twins.step(&[]).unwrap();
            }
            twins.gpu.fetch(&mut twins.fixture.run).unwrap();
            twins.fixture.hash()
        });
        assert_eq!(first, second, "{passes}");
    }
}

/// Three sheets thrown into each other, every particle a little off, without gravity and without springs.
fn heap(change: &mut Random) -> (weft_scene::Scene, Vec<[f32; 4]>, Vec<[f32; 4]>) {
    let cloth = |i: usize| {
        format!(
            r#"(id: "c{i}", shape: Grid(columns: {}, rows: {}, width: 0.5, height: 0.4), at: (0.0, 0.0, {}),
                self_collision: (thickness: {}, friction: (static: 0.5, dynamic: 0.4)))"#,
            9 + 3 * i,
            8 + 2 * i,
            0.1 * i as f32,
            0.03 + 0.01 * i as f32,
        )
    };
    let cloths: Vec<String> = (0..3).map(cloth).collect();
    let text = format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0, step: 0.01, wind: (coefficient: 0.0),
            solver: (name: "xpbd", params: {{"substeps": 1}}), cloths: [{}])"#,
        cloths.join(", ")
    );
    let scene = weft_scene::parse_text("heap", &text, None, &weft_scene::Vocabulary::default())
        .expect("a good scene")
        .scene;
    let fixture = Fixture::of(with_solver(scene.clone(), "xpbd"));
    let mut row = |x: &[f32; 4], size: f32| {
        let mut row = *x;
        row[..3].iter_mut().for_each(|value| *value += size * change.signed());
        row
    };
    let x = fixture.x().iter().map(|x| row(x, 0.06)).collect();
    let v = fixture.v().iter().map(|v| row(v, 2.0)).collect();
    (scene, x, v)
}

/// What self_pair.wgsl says of a pair.
fn bound(before: Vec3, now: Vec3, limit: f32) -> Option<(Vec3, f32)> {
    let (start, way) = (before.length(), now - before);
    if start <= 0.0 || now.length_squared() >= limit * limit && way.length_squared() <= limit * limit {
        return None;
    }
    if start <= limit {
        return Some((before / start, limit.min(start + 0.1 * limit)));
    }
    let (a, b) = (way.length_squared(), before.dot(way));
    let free = b * b - a * (start * start - limit * limit);
    if b >= 0.0 || free < 0.0 {
        return None;
    }
    let share = (-b - free.sqrt()) / a;
    (share <= 1.0).then(|| ((before + way * share) / limit, limit))
}

/// A substep of `h` by all pairs: positions and velocities.
fn brute_force(fixture: &Fixture, room: &[f32], h: f32) -> (Vec<Vec3>, Vec<Vec3>, usize) {
    let at = |rows: &[[f32; 4]]| rows.iter().map(|row| Vec3::from_slice(row)).collect::<Vec<_>>();
    let (mut from, v, start) =
        (at(fixture.x()), at(fixture.v()), at(fixture.run.state.get(col::layer::start)));
    let weight: Vec<f32> = fixture.x().iter().map(|x| x[3]).collect();
    let mut x: Vec<Vec3> = from.iter().zip(&v).map(|(x, v)| x + v * h).collect();
    let mut inertial = x.clone();
    let count = x.len();
    let limit = |i: usize, j: usize| (0.5 * (room[i] + room[j])).min((start[i] - start[j]).length());
    let near: Vec<Vec<usize>> = (0..count)
        .map(|i| {
            let is_near = |&j: &usize| {
                let now = x[i] - x[j];
                let touches = bound(from[i] - from[j], now, limit(i, j)).is_some();
                j != i && (touches || now.length() < 1.2 * limit(i, j))
            };
            (0..count).filter(is_near).collect()
        })
        .collect();
    let met: Vec<f32> = (0..count)
        .map(|i| {
            let touches = |j: &&usize| bound(from[i] - from[**j], x[i] - x[**j], limit(i, **j)).is_some();
            near[i].iter().filter(touches).count().max(1) as f32
        })
        .collect();
    let mut touching = 0;
    for _ in 0..4 {
        let moves: Vec<(Vec3, Vec3)> = (0..count)
            .map(|i| {
                let (mut change, mut push) = (Vec3::ZERO, Vec3::ZERO);
                for &j in &near[i] {
                    let (before, now) = (from[i] - from[j], x[i] - x[j]);
                    let Some((normal, keep)) = bound(before, now, limit(i, j)) else { continue };
                    let depth = keep - normal.dot(now);
                    if depth <= 0.0 {
                        continue;
                    }
                    touching += 1;
                    let way = now - before;
                    let along = normal.dot(way);
                    let impulse = depth.min((0.2 * h - along).max(0.0));
                    let slip = way - normal * along;
                    let length = slip.length();
                    let taken = if length <= 0.5 * impulse { 1.0 } else { (0.4 * impulse / length).min(1.0) };
                    let share = weight[i] / ((weight[i] + weight[j]) * met[i].max(met[j]));
                    change += (normal * depth - slip * taken) * share;
                    push += normal * ((depth - impulse) * share);
                }
                (change, push)
            })
            .collect();
        for (i, (change, push)) in moves.into_iter().enumerate() {
            x[i] += change;
            from[i] += push;
            inertial[i] += push;
        }
    }
    let v = (0..count).map(|i| v[i] + (x[i] - inertial[i]) / h).collect();
    (x, v, touching)
}

#[test]
fn cells_find_what_brute_force_finds() {
    if left_out("cells_find_what_brute_force_finds", NEEDS) {
        return;
    }
    let mut random = Random(5);
    for trial in 0..4 {
        let (scene, x, v) = heap(&mut random);
        let mut twins = Twins::with(&scene, &[], 0, Some("xpbd_coloured"), &|fixture: &mut Fixture| {
            fixture.run.state.get_mut(col::distance::compliance).fill(1e12);
            fixture.x_mut().copy_from_slice(&x);
            fixture.v_mut().copy_from_slice(&v);
        });
        let room = twins.gpu.read("layer", "room").unwrap().unwrap();
        let room: Vec<f32> = room.as_chunks().0.iter().map(|bytes| f32::from_ne_bytes(*bytes)).collect();
        let (x, v, touching) = brute_force(&twins.cpu, &room, twins.fixture.scene.step);
        let before = twins.fixture.momentum();
        twins.step(&[]).unwrap();
        twins.gpu.fetch(&mut twins.fixture.run).unwrap();
        let apart = |column: &[[f32; 4]], twin: &[Vec3]| {
            let pairs = column.iter().zip(twin);
            largest(pairs.map(|(a, b)| (Vec3::from_slice(a) - b).length()))
        };
        let (ways, speeds) = (apart(twins.fixture.x(), &x), apart(twins.fixture.v(), &v));
        println!("BRUTE FORCE trial {trial}: {touching} rows touch, {ways:.1e} m, {speeds:.1e} m/s apart");
        assert!(touching > 1000, "trial {trial}: {touching}");
        assert!(ways < 2e-6 && speeds < 5e-4, "trial {trial}: {ways} m, {speeds} m/s");
        assert_eq!(twins.fixture.run.readings["self_overflow"], 0.0);
        let change = (twins.fixture.momentum() - before).length();
        assert!(change < 1e-5 * twins.fixture.momentum_scale(), "trial {trial}: momentum {change}");
    }
}

/// Rest lengths that the two paths may be apart after 20 substeps.
const TOLERANCE: f64 = 1e-3;

/// What takes balloons.
const GAS: [Order; 8] = [
    ("xpbd", "xpbd_tiled_sweep", &[("iterations", 1.0)]),
    ("xpbd", "xpbd_coloured", &[("iterations", 3.0)]),
    ("xpbd", "xpbd_jacobi", &[("order", 1.0), ("iterations", 3.0)]),
    ("pbd_jacobi", "pbd_jacobi", &[("iterations", 3.0), ("bend", 0.0)]),
    ("pbd_sor", "pbd_sor", &[("iterations", 3.0), ("stiffness", 0.5), ("bend", 0.0)]),
    ("implicit_jacobi", "implicit_jacobi", &[("stiffest", 30.0)]),
    ("implicit_chebyshev", "implicit_chebyshev", &[("stiffest", 30.0)]),
    ("vbd", "vbd", &[("iterations", 3.0)]),
];

/// Volume inside the first cloth, by what its gas wants.
fn volume_ratio(fixture: &Fixture) -> f64 {
    let x = fixture.x();
    let six: f64 = crossings::of_scene(&fixture.scene)
        .iter()
        .map(|corners| {
            let [a, b, c] = corners.map(|corner| fixture::vector(x[corner as usize]));
            a.dot(b.cross(c))
        })
        .sum();
    let [wanted, rest, leaked] = ["pressure", "volume", "leaked"]
        .map(|name| f64::from(fixture.run.state.get(Key::<f32>::new("balloon", name))[0]));
    six / 6.0 / (wanted * rest * (1.0 - leaked))
}

#[test]
fn gas_pushes_as_its_twin_does() {
    if left_out("gas_pushes_as_its_twin_does", NEEDS) {
        return;
    }
    for (solver, passes, params) in GAS {
        let mut scene = with_solver(fixture::small("validate/balloon_120.ron", 9, 9), solver);
        // Springs alone: what all of these lists take.
        scene.cloths[0].material.sheet = weft_scene::Sheet::default();
        scene.cloths[0].material.compliance =
            weft_scene::Compliance { structural: 1e-3, shear: 1e-3, bend: 1e-3 };
        scene.cloths[0].balloon.as_mut().expect("it holds gas").leak = 0.2;
        let params = [&[("substeps", 20.0)], params].concat();
        let mut twins = Twins::new(&scene, &params, 8, Some(passes));
        let before = twins.cpu.x().to_vec();
        twins.frame();
        let (apart, moved) = (twins.apart(), state_points::apart(&before, twins.cpu.x()));
        let ratios = [&twins.cpu, &twins.fixture].map(volume_ratio);
        println!("GAS {passes} {params:?}: {apart:.2e} rest lengths, volume ratios {ratios:.6?}");
        assert!(apart <= TOLERANCE, "{passes}: {apart} rest lengths");
        assert!((ratios[0] - ratios[1]).abs() < 1e-3, "{passes}: {ratios:?}");
        assert!(moved > 1e-5, "{passes}: nothing moved");
        let leaked =
            [&twins.cpu, &twins.fixture].map(|fixture| fixture.run.state.get(col::balloon::leaked)[0]);
        assert!(leaked[0] > 0.0 && (leaked[0] - leaked[1]).abs() < 1e-6, "{passes}: {leaked:?} leaked");
    }
}

#[test]
fn a_balloon_takes_the_volume_that_its_gas_wants() {
    if left_out("a_balloon_takes_the_volume_that_its_gas_wants", NEEDS) {
        return;
    }
    // V17.
    for file in ["validate/balloon_100.ron", "validate/balloon_120.ron"] {
        let scene = fixture::small(file, 9, 9);
        let params = [("substeps", 20.0), ("iterations", 4.0)];
        let mut twins = Twins::new(&scene, &params, 0, None);
        for _ in 0..if long() { 180 } else { 30 } {
            twins.step(&[]).unwrap();
        }
        twins.gpu.fetch(&mut twins.fixture.run).unwrap();
        let ratio = volume_ratio(&twins.fixture);
        println!("V17 {file} {}: {ratio:.6}", twins.gpu.list.name);
        assert!((ratio - 1.0).abs() < 1e-3, "{file}: {ratio}");
    }
}

#[test]
fn colliders_from_meshes_hold_cloth_as_on_the_cpu() {
    if left_out("colliders_from_meshes_hold_cloth_as_on_the_cpu", NEEDS) {
        return;
    }
    let mut random = Random(9);
    for (solver, passes, params) in ORDERS.into_iter().step_by(if long() { 1 } else { 3 }) {
        let mut scene = with_solver(fixture::small("drape_on_mesh.ron", 21, 19), solver);
        scene.cloths.iter_mut().for_each(|cloth| cloth.self_collision = None);
        let params = [params, &[("substeps", 20.0)]].concat();
        let mut twins = Twins::new(&scene, &params, 45, Some(passes));
        let touching = twins.cpu.run.state.get(col::particle::contact);
        let touching = touching.iter().filter(|contact| contact[3] > 0.0).count();
        twins.frame();
        let apart = twins.apart();
        println!("MESH {passes} {params:?}: {apart:.2e} rest lengths, {touching} particles touch");
        assert!(apart <= TOLERANCE, "{passes} {params:?}: {apart} rest lengths");
        assert!(touching > 5, "{passes}: {touching} touch");
    }
    // Loose particles at any speed, among them such as cross all of it in one substep. Where two ways around an edge are as
    // good the last bit decides, on the CPU as well.
    let (mut elsewhere, mut unsure) = (0, 0);
    for trial in (0..6).step_by(if long() { 1 } else { 2 }) {
        let mut scene = with_solver(fixture::small("drape_on_mesh.ron", 40, 40), "xpbd");
        scene.cloths.iter_mut().for_each(|cloth| cloth.self_collision = None);
        let mut twins =
            Twins::with(&scene, &[("substeps", 1.0)], 0, Some("xpbd_coloured"), &|fixture: &mut Fixture| {
                fixture.run.state.get_mut(col::distance::compliance).fill(1e12);
            });
        let (speed, down) = (3.0 * trial as f32, 20.0 * trial as f32);
        let mut row = || [speed * random.signed(), -down, speed * random.signed(), 0.0];
        let v: Vec<[f32; 4]> = twins.cpu.x().iter().map(|_| row()).collect();
        let mut nudged = Fixture::of(scene.clone()).set("substeps", 1.0);
        nudged.run.state.get_mut(col::distance::compliance).fill(1e12);
        nudged.x_mut().iter_mut().for_each(|x| x[0] += 1e-7);
        for fixture in [&mut twins.cpu, &mut twins.fixture, &mut nudged] {
            fixture.v_mut().copy_from_slice(&v);
        }
        twins.gpu = device::on_device(&mut twins.fixture, Some("xpbd_coloured")).unwrap();
        twins.frame();
        nudged.frames(1);
        let far = |fixture: &Fixture| {
            let pairs = twins.cpu.x().iter().zip(fixture.x());
            pairs.filter(|(a, b)| (fixture::vector(**a) - fixture::vector(**b)).length() > 1e-4).count()
        };
        println!("MESH trial {trial}: {} of {}, nudged {}", far(&twins.fixture), v.len(), far(&nudged));
        elsewhere += far(&twins.fixture);
        unsure += far(&nudged);
    }
    assert!(elsewhere <= 2 * unsure + 4, "{elsewhere} particles are elsewhere, {unsure} by a nudge");
}

#[test]
fn pairs_without_room_are_told() {
    if left_out("pairs_without_room_are_told", NEEDS) {
        return;
    }
    let mut random = Random(3);
    let (scene, ..) = heap(&mut random);
    let mut twins = Twins::with(&scene, &[], 0, Some("xpbd_coloured"), &|fixture: &mut Fixture| {
        // All in one place, but for a little.
        fixture.x_mut().iter_mut().for_each(|x| x[..3].iter_mut().for_each(|value| *value *= 0.05));
    });
    twins.step(&[]).unwrap();
    let lost = twins.fixture.run.readings["self_overflow"];
    assert!(lost > 100.0, "{lost}");
}

#[test]
fn a_rho_that_is_too_large_is_held_back() {
    if left_out("a_rho_that_is_too_large_is_held_back", NEEDS) {
        return;
    }
    let scene = with_solver(fixture::small("hanging.ron", 20, 17), "implicit_chebyshev");
    let mut twins = Twins::new(&scene, &[("iterations", 10.0), ("rho", 0.9999)], 0, None);
    for _ in 0..60 {
        twins.step(&[]).unwrap();
    }
    twins.gpu.fetch(&mut twins.fixture.run).unwrap();
    let used = twins.gpu.read("spectrum", "rho").unwrap().unwrap();
    assert_eq!(f32::from_ne_bytes(used.try_into().unwrap()), 0.96);
    let notes = twins.gpu.notes(&twins.fixture.run);
    assert_eq!(notes, ["rho 0.9999 is more than 10 iterations bear: 0.9600 is used"]);
    let fastest = largest(twins.fixture.v().iter().map(|v| fixture::vector(*v).length()));
    assert!(fastest < 10.0, "{fastest} m/s: it ran away");
}
