//! Broken threads as state: every table follows the marks, whatever way led there, and comes back with them.

use std::collections::{BTreeMap, BTreeSet};
use weft_core::state::col;

use glam::Vec2;
use sim_api::Class;
use tests::{
    fixture::{Fixture, small, solvers},
    places,
    random::Random,
};
use weft_core::state::{Snapshot, State, StateHash};
use weft_engine::run::Run;
use weft_scene::Tear;
use weft_session::{Options, Session};

/// Springs with tethers and self collision, StVK with dihedral hinges on a mesh, springs with area and flat hinges.
fn mixed(solver: &str) -> Fixture {
    Fixture::new(&format!(
        r#"(version: 1, wind: (coefficient: 0.2), solver: (name: "{solver}"), cloths: [
            (id: "a", shape: Grid(columns: 11, rows: 13, width: 0.5, height: 0.6), pins: [Edge(Top)],
                tethers: (slack: 0.02), self_collision: (thickness: 0.01), material: (tear: ())),
            (id: "b", shape: Disc(radius: 0.2, rings: 6), at: (1.0, 0.0, 0.0), material: (membrane: StVK,
                bending: Dihedral, sheet: (stretch: 300.0, bend: 1e-5), tear: (strain: 0.0))),
            (id: "c", shape: Grid(columns: 9, rows: 7, width: 0.4, height: 0.3), at: (-1.0, 0.0, 0.0),
                self_collision: (thickness: 0.01),
                material: (membrane: Area, sheet: (stretch: 300.0, shear: 30.0, bend: 1e-5), tear: (strain: 0.0))),
        ])"#
    ))
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn broken(state: &State) -> BTreeSet<[u32; 2]> {
    let marks = state.get(col::thread::broken);
    let ends = state.get(col::thread::ends);
    ends.iter().zip(marks).filter(|(_, mark)| **mark != 0).map(|(ends, _)| *ends).collect()
}

/// Breaks each thread with a chance of one in `of`.
fn break_some(state: &mut State, random: &mut Random, of: u32) {
    let marks = state.get_mut(col::thread::broken);
    marks.iter_mut().filter(|_| random.below(of) == 0).for_each(|mark| *mark = 1);
}

/// Every table by brute force.
fn assert_follows(state: &State, what: &str) {
    let broken = broken(state);
    let holds = |a: u32, b: u32| !broken.contains(&sorted(a, b));
    let triangles: BTreeSet<[u32; 3]> = state.get(col::triangle::idx).iter().copied().collect();
    assert!(triangles.iter().all(|&[a, b, c]| holds(a, b) && holds(b, c) && holds(c, a)), "{what}");
    let sides = |&[a, b, c]: &[u32; 3]| [sorted(a, b), sorted(b, c), sorted(c, a)];
    let edges: BTreeSet<[u32; 2]> = triangles.iter().flat_map(sides).collect();
    let threads: BTreeSet<[u32; 2]> = state.get(col::thread::ends).iter().copied().collect();
    let live: BTreeSet<[u32; 2]> = threads.difference(&broken).copied().collect();
    assert_eq!(live, edges, "{what}: what holds is beside a triangle");
    let mut tips: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for &[a, b, c] in &triangles {
        for (edge, tip) in [(sorted(a, b), c), (sorted(b, c), a), (sorted(c, a), b)] {
            tips.entry(edge).or_default().push(tip);
        }
    }
    let pairs =
        |tips: &Vec<u32>| tips.iter().flat_map(|a| tips.iter().map(|b| sorted(*a, *b))).collect::<Vec<_>>();
    let across: BTreeSet<[u32; 2]> = tips.values().flat_map(pairs).collect();
    let mut beside: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &[a, b] in &edges {
        beside.entry(a).or_default().push(b);
        beside.entry(b).or_default().push(a);
    }
    for &[a, b] in state.get(col::distance::idx) {
        assert!(holds(a, b), "{what}: row {a} {b}");
        // Along an edge, across one with both triangles there, or over two in a line.
        let over = || across.contains(&sorted(a, b));
        let between =
            || beside.get(&a).is_some_and(|near| near.iter().any(|m| edges.contains(&sorted(*m, b))));
        assert!(
            edges.contains(&sorted(a, b)) || over() || between(),
            "{what}: row {a} {b} has nothing under it"
        );
    }
    for &[a, b, c, d] in state.get(col::hinge::idx) {
        let sides = [sorted(a, c), sorted(b, c), sorted(a, d), sorted(b, d)];
        let lies = sides.iter().all(|side| edges.contains(side) || across.contains(side));
        assert!(edges.contains(&sorted(a, b)) && lies, "{what}: hinge {a} {b} {c} {d}");
    }
    // Self collision: the cloths a and c.
    let object = state.get(col::triangle::object);
    let own = state.get(col::triangle::idx).iter().zip(object).filter(|row| *row.1 != 1);
    let own: BTreeSet<[u32; 3]> = own.map(|row| *row.0).collect();
    let faces = state.get(col::face::corners);
    assert_eq!(faces.iter().copied().collect::<BTreeSet<_>>(), own, "{what}");
    let listed = state.get(col::node::faces);
    assert_eq!(listed.iter().map(|span| span[1] as usize).sum::<usize>(), own.len(), "{what}");
    let ends: BTreeSet<[u32; 2]> = state.get(col::edge::ends).iter().copied().collect();
    assert_eq!(ends, own.iter().flat_map(sides).collect(), "{what}");
    for (edge, beside) in ends_and_faces(state) {
        for face in beside.into_iter().filter(|face| *face != u32::MAX) {
            assert!(sides(&faces[face as usize]).contains(&edge), "{what}: edge {edge:?} of face {face}");
        }
    }
    let points: BTreeSet<u32> = state.get(col::point::particle).iter().copied().collect();
    assert_eq!(points, own.iter().flatten().copied().collect(), "{what}");
    for name in ["distance", "triangle", "hinge"] {
        let table = state.table(name).expect("a table");
        let idx = table.column("idx").expect("idx");
        let live = idx.len() * idx.element.size();
        let idx: Vec<u32> = idx.bytes()[..live]
            .chunks_exact(4)
            .map(|bytes| u32::from_ne_bytes(bytes.try_into().expect("four")))
            .collect();
        let particles = state.table("particle").expect("particles").rows;
        assert_eq!(table.coloring.check(&idx, idx.len() / table.rows.max(1), particles), Ok(()), "{what}");
    }
}

fn ends_and_faces(state: &State) -> Vec<([u32; 2], [u32; 2])> {
    let faces = state.get(col::edge::faces);
    state.get(col::edge::ends).iter().copied().zip(faces.iter().copied()).collect()
}

/// All that the hot code sees of the host's columns, by name.
fn lasting(state: &State) -> Vec<(String, Vec<u8>)> {
    let mut columns = Vec::new();
    for table in &state.tables {
        for column in table.columns.iter().filter(|column| column.class == Class::Given) {
            let bytes = column.bytes()[..column.len() * column.element.size()].to_vec();
            columns.push((format!("{}.{}", table.name, column.name), bytes));
        }
    }
    columns
}

/// The first column that differs.
fn differs(a: &State, b: &[(String, Vec<u8>)]) -> Option<String> {
    lasting(a).into_iter().zip(b).find(|(a, b)| a != *b).map(|(a, _)| a.0)
}

#[test]
fn every_table_follows_and_all_rows_come_back() {
    for solver in solvers() {
        let (mut fixture, mut fresh, mut random) = (mixed(solver), mixed(solver), Random(3));
        fixture.frames(1);
        for run in [&mut fixture.run, &mut fresh.run] {
            run.state.update_topology(&run.blueprint, true);
        }
        let whole = lasting(&fixture.run.state);
        assert_eq!(differs(&fresh.run.state, &whole), None, "{solver}: a step changes nothing of the host's");
        for round in 0..6 {
            break_some(&mut fixture.run.state, &mut random, 12);
            fixture.frames(2);
            assert_follows(&fixture.run.state, &format!("{solver}, round {round}"));
            assert!(fixture.x().iter().flatten().all(|x| x.is_finite()), "{solver}, round {round}");
        }
        assert!(fixture.run.state.table("distance").expect("rows").dead > 100);
        assert!(fixture.run.state.table("tether").expect("rows").dead > 10, "ways of tethers were cut");
        fixture.run.state.get_mut(col::thread::broken).fill(0);
        fixture.run.state.update_topology(&fixture.run.blueprint, true);
        assert_eq!(differs(&fixture.run.state, &whole), None, "{solver}: the rows are back where they were");
    }
}

#[test]
fn the_order_of_rows_does_not_depend_on_the_way_that_led_there() {
    let (mut straight, mut random) = (mixed("xpbd"), Random(8));
    break_some(&mut straight.run.state, &mut random, 5);
    let marks = straight.run.state.get(col::thread::broken).to_vec();
    straight.frames(1);
    let mut detour = mixed("xpbd");
    for part in [3, 2] {
        let rows = detour.run.state.get_mut(col::thread::broken).iter_mut().zip(&marks);
        rows.enumerate().filter(|(i, _)| i % part == 0).for_each(|(_, (row, mark))| *row = *mark);
        detour.run.state.compact();
    }
    detour.run.state.get_mut(col::thread::broken).copy_from_slice(&marks);
    detour.frames(1);
    assert_eq!(differs(&straight.run.state, &lasting(&detour.run.state)), None);
    assert_eq!(straight.hash(), detour.hash());
}

#[test]
fn snapshots_and_images_bring_torn_cloth_back() {
    for solver in ["xpbd", "vbd", "projective_dynamics"] {
        let (mut fixture, mut random) = (mixed(solver), Random(4));
        let (mut early, mut late) = (Snapshot::default(), Snapshot::default());
        fixture.frames(1);
        early.take(&fixture.run.state);
        break_some(&mut fixture.run.state, &mut random, 9);
        fixture.frames(3);
        late.take(&fixture.run.state);
        let image = fixture.run.image();
        fixture.frames(5);
        let (hash, tables) = (fixture.hash(), lasting(&fixture.run.state));
        // To the whole cloth, back to the torn one, and on.
        early.restore(&mut fixture.run.state);
        assert!(
            broken(&fixture.run.state).is_empty()
                && fixture.run.state.table("distance").expect("rows").dead == 0
        );
        late.restore(&mut fixture.run.state);
        assert_follows(&fixture.run.state, solver);
        fixture.frames(5);
        assert!(
            fixture.hash() == hash && lasting(&fixture.run.state) == tables,
            "{solver}: another way from the snapshot"
        );
        // In another process.
        let params = fixture.run.params.clone();
        fixture.run = Run::from_image(fixture.run.generation.clone(), &image).expect("an image");
        fixture.run.params = params;
        fixture.run.time = image.time;
        fixture.frames(5);
        assert_eq!(fixture.hash(), hash, "{solver}: another way from the image");
        // A swap of code keeps it all.
        let code = fixture.run.generation.clone();
        fixture.run.swap(code).expect("the same schema");
        assert_eq!((differs(&fixture.run.state, &tables), fixture.hash()), (None, hash), "{solver}: a swap");
    }
}

#[test]
fn a_balloon_that_tears_loses_its_gas() {
    let mut scene = small("balloon_in_net.ron", 15, 15);
    let at = scene.cloths.iter().position(|cloth| cloth.balloon.is_some()).expect("a balloon");
    scene.cloths[at].material.tear = Some(Tear::default());
    let mut fixture = Fixture::of(scene);
    fixture.frames(2);
    assert_eq!(fixture.run.state.table("balloon").expect("a table").rows, 1);
    fixture.run.state.get_mut(col::thread::broken)[7] = 1;
    fixture.frames(1);
    assert_eq!(fixture.run.state.table("balloon").expect("a table").rows, 0);
    fixture.frames(20);
}

fn open(file: &str, set: &[(&str, &str)]) -> Session {
    let set = set.iter().map(|(path, value)| (path.to_string(), value.to_string())).collect();
    let options = Options { scene: places::scene(file), threads: 1, set, ..Options::default() };
    Session::open(options).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn history_goes_back_to_whole_cloth() {
    let mut session =
        open("tearing.ron", &[("cloths[0].shape.columns", "33"), ("cloths[0].shape.rows", "33")]);
    session.set_history_budget(128);
    let mut seen = Vec::new();
    for _ in 0..40 {
        seen.push((StateHash::of(&session.run().state), session.setup().triangles(0).len()));
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
    let last = (StateHash::of(&session.run().state), session.setup().triangles(0).len());
    assert!(last.1 + 20 < seen[0].1, "{} of {} triangles are left", last.1, seen[0].1);
    for frame in [39, 25, 31, 0, 12] {
        session.go_to(frame).unwrap_or_else(|e| panic!("{e}"));
        let now = (StateHash::of(&session.run().state), session.setup().triangles(0).len());
        assert_eq!(now, seen[frame as usize], "frame {frame}");
    }
    for _ in 12..40 {
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
    assert_eq!(
        (StateHash::of(&session.run().state), session.setup().triangles(0).len()),
        last,
        "the same way again"
    );
    session.reset().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(session.setup().triangles(0).len(), seen[0].1);
}

#[test]
fn a_cut_goes_through_cloth_that_does_not_tear_and_stays() {
    let file = places::temporary("cut").join("cut.ron");
    let text = r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "xpbd"), cloths: [(id: "sheet",
        at: (0.0, 2.0, 0.0), pins: [Edge(Top)], shape: Grid(columns: 15, rows: 15, width: 0.7, height: 0.7),
        material: (compliance: (structural: 0.0, shear: 1e-5, bend: 1e-3)))])"#;
    std::fs::write(&file, text).expect("a scene");
    let mut session =
        Session::open(Options { scene: file, threads: 1, ..Options::default() }).expect("a session");
    (0..10).for_each(|_| _ = session.step().expect("steps"));
    let (hash, whole) = (StateHash::of(&session.run().state), session.setup().triangles(0).len());
    // Seen from the front, a pixel is a metre: a line below the sixth row.
    let pixel = |at: glam::Vec3| Some(Vec2::new(at.x, at.y));
    let y = session.positions()[6 * 15][1] - 0.025;
    assert_eq!(
        session.cut(Vec2::new(-9.0, y + 5.0), Vec2::new(9.0, y + 5.0), pixel),
        Ok(0),
        "above the cloth"
    );
    assert_eq!(session.setup().triangles(0).len(), whole);
    let cut = session.cut(Vec2::new(-9.0, y), Vec2::new(9.0, y), pixel).expect("a cut");
    // 15 threads and 14 diagonals.
    assert_eq!((cut, whole - session.setup().triangles(0).len()), (29, 28));
    assert_eq!(StateHash::of(&session.run().state), hash, "a cut moves nothing");
    let low = session.positions()[14 * 15 + 7][1];
    (0..20).for_each(|_| _ = session.step().expect("steps"));
    let fell = low - session.positions()[14 * 15 + 7][1];
    // 9.81 m/s2 for a third of a second; it swings a little before.
    assert!((0.4..0.65).contains(&fell), "the lower part fell by {fell} m");
    // Other values under the same rows, then other rows: the cut stays.
    let left = session.setup().triangles(0).len();
    let mut scene = session.scene().clone();
    scene.cloths[0].material.compliance.shear = 1e-4;
    session.apply(scene.clone()).expect("other values");
    session.step().expect("steps");
    scene.cloths[0].self_collision = Some(weft_scene::SelfCollision::default());
    assert_eq!(session.apply(scene).expect("other rows"), Vec::<String>::new());
    assert_eq!(session.setup().triangles(0).len(), left);
    session.step().expect("steps");
    assert_eq!(session.run().state.get(col::face::corners).len(), left);
    assert_eq!(session.setup().triangles(0).len(), left);
    session.reset().expect("a reset");
    assert_eq!(session.setup().triangles(0).len(), whole);
}
