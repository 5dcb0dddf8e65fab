//! Sliders under a running cloth: what they write is what assembling the scene anew makes, bit for bit, on both paths.

use weft_core::state::{State, StateHash};
use weft_gpu::GpuOptions;
use weft_scene::{
    Address, Balloon, Bending, Change, Edit, Scene, SelfCollision, Slot, Tear, Tethers,
    assemble::{assemble, refill},
    visit,
};
use weft_session::{Options, Session};

/// Two cloths, one of a mesh without a file, and a ball; everything a cloth may have.
const SCENE: &str = r#"(version: 1, cloths: [
    (id: "sheet", shape: Grid(columns: 13, rows: 11, width: 1.2, height: 1.0), at: (0.0, 2.0, 0.0), pins: [Edge(Top)]),
    (id: "disc", shape: Disc(radius: 0.3, rings: 5), at: (0.0, 0.5, 0.5), rotation: (90.0, 0.0, 0.0)),
], colliders: [(id: "ball", shape: Sphere(radius: 0.2), at: (0.0, 1.3, 0.1))])"#;

/// Fields of cloths and colliders that must not assemble the scene.
const QUICK: [&str; 12] = [
    "look.sheen",
    "look.front",
    "material.density",
    "material.friction",
    "material.compliance.structural",
    "material.compliance.shear",
    "material.compliance.bend",
    "material.spring_damping",
    "self_collision.thickness",
    "tethers.compliance",
    "balloon.pressure",
    "friction.static",
];

fn parsed(text: &str) -> Scene {
    weft_scene::parse_text("test", text, None, &weft_scene::Vocabulary::default()).unwrap().scene
}

fn full() -> Scene {
    let mut scene = parsed(SCENE);
    let sheet = &mut scene.cloths[0];
    sheet.pin_compliance = 1e-4;
    sheet.tethers = Some(Tethers::default());
    sheet.self_collision = Some(SelfCollision::default());
    sheet.material.tear = Some(Tear { strain: 0.5, spread: 0.1 });
    scene.cloths[1].balloon = Some(Balloon::default());
    scene
}

/// Every number of cloths and colliders with another value in its range.
fn edits(scene: &Scene) -> Vec<(String, Edit)> {
    let mut edits = Vec::new();
    visit(&mut scene.clone(), Address::Id, &mut |field| {
        let row = field.row;
        let other = |now: f32| {
            let wanted = if now == 0.0 { 0.01 * row.max.min(1.0) } else { now * 1.25 };
            if (row.min..=row.max).contains(&wanted) { wanted } else { 0.5 * (now + row.min) }
        };
        let numbers: Vec<f32> = match field.slot {
            Slot::Float(now) => vec![other(*now)],
            Slot::Vec3(now) => now.map(other).to_vec(),
            _ => return,
        };
        if field.path.starts_with("cloths.") || field.path.starts_with("colliders.") {
            edits.push((field.path, Edit::Numbers(numbers)));
        }
    });
    edits
}

#[test]
fn what_is_filled_in_is_what_assembling_makes() {
    let sheets = |stretch: f32, shear: f32, damping: f32| {
        let mut scene = full();
        for cloth in &mut scene.cloths {
            let sheet = &mut cloth.material.sheet;
            (sheet.stretch, sheet.shear, sheet.damping) = (stretch, shear, damping);
        }
        scene
    };
    let (mut quick, mut slow) = (0, Vec::new());
    for scene in [full(), sheets(500.0, 0.0, 0.0), sheets(500.0, 80.0, 0.01), sheets(0.0, 0.0, 0.01)] {
        let (before, objects) = {
            let made = assemble(&scene);
            (made.blueprint, made.objects)
        };
        for (path, value) in edits(&scene) {
            let (mut wanted, mut blueprint) = (scene.clone(), before.clone());
            let change = weft_scene::edit(&mut wanted, &path, &value).unwrap_or_else(|| panic!("{path}"));
            if refill(&scene, &wanted, &[change], &objects, &mut blueprint).is_some() {
                assert!(blueprint == assemble(&wanted).blueprint, "{path}: {value:?}");
                quick += 1;
            } else {
                assert!(blueprint == before, "{path}: nothing is written");
                slow.push(path);
            }
        }
    }
    assert!(quick > 100, "{quick}");
    let plain: Vec<&String> = slow.iter().take_while(|path| !path.starts_with("colliders")).collect();
    for field in QUICK {
        assert!(!plain.iter().any(|path| path.ends_with(field)), "{field} assembles: {plain:?}");
    }
}

#[test]
fn several_changes_go_in_together_or_not_at_all() {
    let scene = full();
    let (made, mut wanted) = (assemble(&scene), scene.clone());
    wanted.cloths[0].material.density *= 2.0;
    wanted.cloths[1].look.sheen = 0.9;
    let changes = weft_scene::diff(&scene, &wanted);
    let mut blueprint = made.blueprint.clone();
    let spans = refill(&scene, &wanted, &changes, &made.objects, &mut blueprint).expect("both are values");
    assert_eq!(spans.len(), 3, "mass and inverse mass of one cloth, here and at its start");
    wanted.cloths[0].at[1] += 1.0;
    let changes: Vec<Change> = weft_scene::diff(&scene, &wanted);
    let mut blueprint = made.blueprint.clone();
    assert!(refill(&scene, &wanted, &changes, &made.objects, &mut blueprint).is_none());
    assert!(blueprint == made.blueprint);
}

fn open(name: &str, solver: &str, scene: &Scene) -> Session {
    let file = tests::places::temporary(name).join(format!("{solver}.ron"));
    std::fs::write(&file, weft_scene::write(scene)).expect("a file of a test");
    let options = Options { scene: file, solver: Some(solver.to_string()), threads: 1, ..Options::default() };
    Session::open(options).unwrap_or_else(|why| panic!("{solver}: {why}"))
}

fn steps(session: &mut Session, count: usize) {
    for _ in 0..count {
        session.step().unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Values of the scene in all tables.
fn given(state: &State) -> Vec<(String, Vec<u8>)> {
    let mut columns = Vec::new();
    for table in &state.tables {
        for column in table.columns.iter().filter(|column| column.class == sim_api::Class::Given) {
            columns.push((format!("{}.{}", table.name, column.name), column.bytes().to_vec()));
        }
    }
    columns
}

/// The same edits by slider, and with a change beside them that means nothing but takes an assembly.
fn slid_and_assembled(solver: &str, mut session: Session, mut other: Session) {
    let edits: [(&str, f32); 5] = [
        ("cloths.sheet.material.density", 0.3),
        ("cloths.sheet.material.compliance.structural", 2e-5),
        ("cloths.disc.material.compliance.bend", 1e-4),
        ("cloths.sheet.material.friction", 0.4),
        ("cloths.sheet.look.sheen", 0.9),
    ];
    for (path, value) in edits {
        steps(&mut session, 3);
        steps(&mut other, 3);
        assert_eq!(session.edit(path, &Edit::Numbers(vec![value])), Ok(Vec::new()), "{path}");
        let mut scene = other.scene().clone();
        weft_scene::edit(&mut scene, path, &Edit::Numbers(vec![value])).expect("another value");
        let bending = &mut scene.cloths[0].material.bending;
        *bending = if *bending == Bending::Auto { Bending::SkipOne } else { Bending::Auto };
        other.apply(scene).unwrap();
        assert!(session.run().blueprint == other.run().blueprint, "{solver}: {path}");
        assert_eq!(given(session.read_all()), given(other.read_all()), "{solver}: {path}");
        let [a, b] = [&session, &other].map(|session| StateHash::of(&session.run().state));
        assert_eq!(a, b, "{solver}: {path}");
    }
    steps(&mut session, 5);
    steps(&mut other, 5);
    let [a, b] = [&mut session, &mut other].map(|session| StateHash::of(session.read_all()));
    assert_eq!(a, b, "{solver}");
}

#[test]
fn a_run_goes_on_from_a_slider_as_from_a_scene_that_was_assembled() {
    for solver in ["xpbd", "vbd", "implicit_newton", "explicit", "projective_dynamics"] {
        let open = || open("sliders", solver, &parsed(SCENE));
        slid_and_assembled(solver, open(), open());
    }
}

#[test]
fn a_run_on_a_device_goes_on_in_the_same_way() {
    let options = GpuOptions::default();
    let (mut ran, mut scene) = (Vec::new(), parsed(SCENE));
    scene.colliders.clear();
    let names: Vec<String> =
        open("sliders_gpu", "xpbd", &scene).solvers().iter().map(|solver| solver.name.to_string()).collect();
    // In the ordinary run every second of them.
    for solver in names.into_iter().step_by(if tests::long() { 1 } else { 2 }) {
        let [a, b] = [(); 2].map(|()| {
            let mut session = open("sliders_gpu", &solver, &scene);
            let there = session.use_gpu(&options);
            (session, there)
        });
        match (a, b) {
            ((a, Ok(())), (b, Ok(()))) => {
                slid_and_assembled(&solver, a, b);
                ran.push(solver);
            }
            ((_, Err(why)), _) | (_, (_, Err(why))) => println!("{solver}: {why}"),
        }
    }
    if ran.is_empty() {
        tests::left_out("sliders on a device", "a Vulkan adapter");
        assert!(!tests::complete());
    }
    println!("on the device: {}", ran.join(", "));
}

#[test]
fn parameters_that_do_nothing_say_why() {
    let scene = tests::places::scene("hanging.ron");
    let mut session =
        Session::open(Options { scene, threads: 1, ..Options::default() }).expect("a good scene");
    let why = |session: &Session, name: &str| {
        let params = session.solver().expect("xpbd").params.as_slice();
        weft_engine::idle(
            session.run(),
            params.iter().find(|param| param.name.as_str() == name).expect("it has it"),
        )
    };
    assert_eq!(why(&session, "omega").as_deref(), Some("it acts with `order` jacobi or patch, not coloured"));
    assert!(why(&session, "coarse").is_some_and(|why| why.contains("the scene has none")));
    assert_eq!(why(&session, "substeps"), None);
    let order = *session.solver().expect("xpbd").param("order").expect("orders");
    session.set_param(&order, 1.0);
    assert_eq!(why(&session, "omega"), None, "jacobi takes it");
}
