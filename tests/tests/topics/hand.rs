//! The hand pulls with a force that has a limit: held cloth that cannot follow keeps it back, cloth that can goes along.

use glam::Vec3;
use tests::places;
use weft_session::{Options, Session};

/// A sheet of 0.8 m by 0.6 m in still air.
fn open(name: &str, pins: &str) -> Session {
    let text = format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), solver: (name: "xpbd", params: {{"substeps": 20, "iterations": 2}}),
            cloths: [(id: "sheet", at: (0.0, 2.0, 0.0), shape: Grid(columns: 17, rows: 13, width: 0.8, height: 0.6), pins: [{pins}])])"#
    );
    let scene = places::temporary(name).join("scene.ron");
    std::fs::write(&scene, text).expect("target/ is writable");
    Session::open(Options { scene, threads: 1, ..Options::default() }).expect("a good scene")
}

/// Takes the middle of the right edge by `way` in a second; where the hand is after each step.
fn pull(session: &mut Session, way: Vec3) -> Vec<Vec3> {
    let hold = |session: &Session| session.hand().grab().expect("held").at;
    if session.hand().grab().is_none() {
        session.grab(0, Vec3::new(0.4, 2.0, 0.0), 0.08);
    }
    let target = hold(session) + way;
    session.move_grab(target);
    (0..60)
        .map(|_| {
            session.step().unwrap_or_else(|error| panic!("{error}"));
            hold(session)
        })
        .collect()
}

#[test]
fn pinned_cloth_keeps_the_hand_back() {
    let mut session = open("hand-pinned", "Edge(Left)");
    let from = Vec3::new(0.4, 2.0, 0.0);
    let ways = pull(&mut session, Vec3::new(2.0, 0.0, 0.0));
    let reached = ways.last().expect("60 steps").distance(from);
    assert!((0.02..0.5).contains(&reached), "2 m were asked for, the hand went {reached} m");
    let rest = ways[40].distance(ways[59]);
    assert!(rest < 0.02, "it waits there: {rest} m in a third of a second");
    // Towards the cloth nothing keeps it.
    let back = pull(&mut session, Vec3::new(-0.3, 0.0, 0.0));
    let target = session.hand().grab().expect("held").target;
    assert!(back[3].distance(target) < 1e-3, "{} of {target}", back[3]);
}

#[test]
fn free_cloth_goes_along() {
    let mut session = open("hand-free", "");
    let ways = pull(&mut session, Vec3::new(1.5, 0.4, 0.0));
    let target = session.hand().grab().expect("held").target;
    let away = ways.last().expect("60 steps").distance(target);
    assert!(away < 1e-3, "{away} m short of {target}");
}

/// Where a particle is, and whether something holds it.
fn place(session: &Session, particle: usize) -> (Vec3, bool) {
    let [x, y, z, inverse_mass] = session.positions()[particle];
    (Vec3::new(x, y, z), inverse_mass == 0.0)
}

#[test]
fn pins_are_set_and_taken_out_by_hand() {
    let mut session = open("hand-pins", "Edge(Left)");
    session.edit("gravity", &weft_scene::Edit::Numbers(vec![0.0, -9.81, 0.0])).expect("gravity");
    let steps = |session: &mut Session, count: usize| {
        (0..count).for_each(|_| _ = session.step().unwrap_or_else(|error| panic!("{error}")));
    };
    steps(&mut session, 20);
    // The lower right corner, where it is now; then the middle of the edge that the scene holds.
    let (corner, middle) = (13 * 17 - 1, 6 * 17);
    let (fallen, held) = place(&session, corner);
    assert!(!held && place(&session, middle).1);
    assert!(session.toggle_pin(corner).expect("pinned").contains("pinned"));
    assert!(session.toggle_pin(middle).expect("let go").contains("let go"));
    let start = place(&session, middle).0;
    steps(&mut session, 40);
    assert_eq!(place(&session, corner), (fallen, true), "pinned where it had fallen to");
    assert!(
        !place(&session, middle).1 && place(&session, middle).0 != start,
        "it hangs between its neighbours"
    );
    assert!(
        (0..13).filter(|row| *row != 6).all(|row| place(&session, row * 17).1),
        "its neighbours stay pinned"
    );

    // What the file gets says the same, and undo takes both back.
    session.write_scene().expect("written");
    let file = session.setup().path().to_path_buf();
    let text = std::fs::read_to_string(file).expect("the scene");
    let read = weft_scene::parse_text("hand", &text, None, &weft_scene::Vocabulary::default())
        .expect("a scene")
        .scene;
    assert_eq!(read.cloths[0].pins, session.scene().cloths[0].pins, "{text}");
    assert_eq!(read.cloths[0].pins.len(), 13, "twelve of the edge and the corner");
    session.undo().expect("let go again");
    session.undo().expect("pinned again");
    assert!(!place(&session, corner).1 && place(&session, middle).1);
    assert_eq!(session.scene().cloths[0].pins.len(), 1, "Edge(Left)");

    let nothing = session.toggle_pin(100_000).unwrap_err();
    assert!(nothing.contains("no such particle"), "{nothing}");
}

#[test]
fn hair_that_goes_while_it_is_held_lets_the_hand_go() {
    let options = Options { scene: places::scene("fringe_on_cloth.ron"), threads: 1, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    (0..2).for_each(|_| assert!(session.step().is_ok()));
    let held_of = |session: &Session| {
        let others = session.objects().iter().filter(|object| object.id != "front");
        let particles = others.flat_map(|object| object.particles.clone());
        particles.filter(|particle| session.positions()[*particle][3] == 0.0).count()
    };
    let others = held_of(&session);
    let front = session.objects().iter().position(|object| object.id == "front").expect("a list of strands");
    // The middle of a strand: 32 lie side by side.
    let held = session.objects()[front].particles.start + 7 * 32 + 8;
    let [x, y, z, _] = session.positions()[held];
    session.grab(front, Vec3::new(x, y, z), 0.02);
    session.move_grab(Vec3::new(x, y, z + 0.05));
    assert!(session.step().is_ok() && session.positions()[held][3] == 0.0, "held");
    let shawl = |session: &Session| {
        let object = session.objects().iter().find(|object| object.id == "shawl").expect("a cloth");
        session.positions()[object.particles.clone()].to_vec()
    };
    let cloth = shawl(&session);
    let mut without = session.scene().clone();
    without.strands.retain(|strands| strands.id != "front");
    assert_eq!(session.apply(without), Ok(vec![]));
    assert!(session.hand().grab().is_none() && shawl(&session) == cloth);
    assert_eq!(held_of(&session), others, "nothing of what is left is held");
    assert!(session.step().is_ok());
}
