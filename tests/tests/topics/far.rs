//! Far from zero a scene gives the same bits as at zero: its places are taken relative to an origin in the middle of its cloth.

use std::path::PathBuf;

use tests::{
    fixture::{Fixture, reading, solvers},
    left_out,
    picture::Picture,
    places, process,
};
use weft_core::{
    state::{StateHash, col},
    statistics::largest,
};
use weft_session::{
    Options, Session, readings,
    rescue::{Autosave, Crashes, choose},
};

/// Whole metres, as far as scenes go and along all axes.
const FAR: [f32; 3] = [9984.0, -512.0, 20.0];
const HOME: [f32; 3] = [0.0; 3];

/// Two cloths with pins and weights by place, pins that move and soft ones; colliders that stand, move, and have a mass.
fn text(solver: &str, at: [f32; 3]) -> String {
    let place = |way: [f32; 3]| {
        let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| at[axis] + way[axis]);
        format!("({x:?}, {y:?}, {z:?})")
    };
    format!(
        r#"(version: 1, solver: (name: "{solver}"), wind: (velocity: (1.0, 0.0, 0.5), gust: 0.5), cloths: [
            (id: "a", at: {a}, rotation: (-90.0, 10.0, 0.0), velocity: (0.0, 0.5, 0.0), spin: (0.0, 30.0, 0.0),
                shape: Grid(columns: 13, rows: 9, width: 1.0, height: 0.7), self_collision: (),
                pins: [Within(at: {corner}, radius: 0.2)], weights: [(on: [Within(at: {a}, radius: 0.1)], mass: 0.002)],
                handles: [(pins: [Edge(Right)], turns: 0.25, shift: (0.0, 0.1, 0.0), seconds: 1.0)], tethers: ()),
            (id: "b", at: {b}, pin_compliance: 1e-4, pins: [Edge(Top)],
                shape: Grid(columns: 7, rows: 6, width: 0.4, height: 0.3))],
          colliders: [
            (id: "slope", shape: Plane, at: {low}, rotation: (0.0, 0.0, 20.0)),
            (id: "swings", shape: Sphere(radius: 0.2), at: {ball},
                motion: Oscillate(offset: (0.0, 0.2, 0.0), period: 1.0)),
            (id: "falls", shape: Box(half: (0.1, 0.05, 0.1)), at: {high}, mass: 0.1)])"#,
        a = place([0.0, 0.25, 0.0]),
        b = place([0.25, -0.125, 0.5]),
        corner = place([-0.5, 0.25, 0.34375]),
        ball = place([0.0, -0.0625, 0.0]),
        low = place([0.0, -0.5, 0.0]),
        high = place([0.125, 0.5, 0.0625]),
    )
}

fn file(name: &str, text: &str) -> PathBuf {
    let file = places::temporary(name).join("scene.ron");
    std::fs::write(&file, text).expect("target/ is writable");
    file
}

fn open(scene: PathBuf, threads: usize) -> Session {
    Session::open(Options { scene, threads, ..Options::default() }).expect("a good scene")
}

fn steps(session: &mut Session, count: usize) {
    for _ in 0..count {
        session.step().expect("the step counts");
    }
    session.measure();
}

#[test]
fn a_scene_far_from_zero_gives_the_bits_of_the_one_at_zero() {
    for solver in solvers() {
        let run = |place: [f32; 3], name: &str, threads| {
            let mut session = open(file(name, &text(solver, place)), threads);
            steps(&mut session, 40);
            session
        };
        let (home, far) = (run(HOME, "far_home", 1), run(FAR, "far", 3));
        assert_eq!((home.scene().origin, far.scene().origin), (HOME, FAR));
        assert_eq!(StateHash::of(&far.run().state), StateHash::of(&home.run().state), "{solver}");
        for same in ["kinetic_energy", "elastic_energy", "body_speed", "max_speed"] {
            assert_eq!(reading(&far, same), reading(&home, same), "{solver} {same}");
        }
        // What is about a place is about the world.
        let lower = f64::from(FAR[1]);
        let mass: f64 = far.run().state.get(col::particle::mass).iter().copied().map(f64::from).sum();
        for (name, by) in
            [("center_height", lower), ("body_height", lower), ("potential_energy", 9.81 * mass * lower)]
        {
            let off = reading(&far, name) - reading(&home, name) - by;
            assert!(off.abs() < 1e-6 * by.abs(), "{solver} {name}: {off}");
        }
        let (first, seen) = (home.positions()[0], far.readings().world().next().expect("a particle"));
        for axis in 0..3 {
            assert_eq!(seen[axis], f64::from(first[axis]) + f64::from(FAR[axis]));
        }
    }
}

/// Places between whole metres have the bits that a scene file can give them, and a cloth has all of its own.
#[test]
fn a_cloth_far_from_zero_starts_unstrained() {
    let fixture = Fixture::new(
        r#"(version: 1, cloths: [(id: "a", at: (9999.3, -8000.7, 9000.1), rotation: (10.0, 20.0, 30.0),
            shape: Grid(columns: 33, rows: 33, width: 0.5, height: 0.5))])"#,
    );
    let state = &fixture.run.state;
    let rows = state.get(col::distance::idx).iter().zip(state.get(col::distance::rest));
    let strain = rows.map(|([a, b], rest)| {
        let [a, b] = [a, b].map(|end| glam::Vec4::from_array(fixture.x()[*end as usize]).truncate());
        f64::from((a.distance(b) / rest - 1.0).abs())
    });
    let strain = largest(strain);
    assert!(strain < 2e-5, "{strain}");
}

#[test]
fn the_origin_stays_while_cloth_goes_on_and_is_in_autosaves() {
    let path = file("far_live", &text("xpbd", HOME));
    let mut session = open(path.clone(), 1);
    steps(&mut session, 10);
    let hash = StateHash::of(&session.run().state);
    // One of two cloths is moved: the other one goes on to the bit.
    let mut scene = session.scene().clone();
    scene.cloths[1].at[0] += 100.0;
    assert_eq!(session.apply(scene), Ok(vec!["b".to_string()]));
    assert_eq!(session.scene().origin, HOME);
    let b = session.objects()[1].particles.start;
    assert!((session.positions()[b][0] - 100.05).abs() < 1e-3, "{:?}", session.positions()[b]);
    // As text the scene has another origin; what runs is about the one that it ran about.
    let saved = Autosave {
        file: weft_scene::write(session.setup().file()),
        scene: weft_scene::write(session.scene()),
        ..session.autosave(None, 0, Vec::new())
    };
    let saved = Autosave::from_bytes(&saved.to_bytes()).expect("it was just written");
    let options = Options { scene: path.clone(), threads: 1, ..Options::default() };
    let (mut again, notes) =
        Session::resume(&saved, &choose(&saved, &Crashes::default()), &options, &path).expect("it goes on");
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(again.scene().origin, HOME);
    for session in [&mut session, &mut again] {
        steps(session, 5);
    }
    assert_eq!(StateHash::of(&again.run().state), StateHash::of(&session.run().state));
    assert_ne!(StateHash::of(&again.run().state), hash);
}

#[test]
fn cloth_that_starts_again_far_away_is_seen_from_there() {
    let mut session = open(file("far_moved", &text("xpbd", HOME)), 1);
    steps(&mut session, 10);
    let body = reading(&session, "body_height");
    let mut scene = session.scene().clone();
    for cloth in &mut scene.cloths {
        cloth.at[1] += 64.0;
    }
    assert_eq!(session.apply(scene).map(|again| again.len()), Ok(2));
    session.measure();
    assert_eq!(session.scene().origin, [0.0, 64.0, 0.0]);
    assert!((reading(&session, "center_height") - 64.0).abs() < 1.0);
    // The body goes on where it is in the world.
    let off = reading(&session, "body_height") - body;
    assert!(off.abs() < 1e-5, "{off}");
    steps(&mut session, 10);
    assert!(reading(&session, "body_height") < body);
}

/// What is drawn, picked and held is seen from the origin as well; the camera is the scene's.
#[test]
fn the_picture_of_a_scene_far_from_zero_is_that_of_the_one_at_zero() {
    if !places::weft().exists()
        && left_out("the_picture_of_a_scene_far_from_zero", "the program beside it (cargo build)")
    {
        return;
    }
    let known = readings::vocabulary(&weft_engine::generation::Generation::built_in());
    let mut scene =
        weft_scene::load(places::scene("drape_on_sphere.ron"), &known).expect("a good scene").scene;
    // Places that have the same bits far away.
    (scene.cloths[0].at, scene.colliders[0].at) = ([0.0625, 1.4375, 0.03125], [0.0, 0.875, 0.0]);
    let picture = |way: [f32; 3], name: &str| {
        let mut scene = scene.clone();
        let go = |at: &mut [f32; 3]| (0..3).for_each(|axis| at[axis] += way[axis]);
        go(&mut scene.camera.target);
        scene.cloths.iter_mut().for_each(|cloth| {
            cloth.look.texture.clear();
            go(&mut cloth.at);
        });
        scene.colliders.iter_mut().for_each(|body| go(&mut body.at));
        let scene = file(name, &weft_scene::write(&scene));
        let shot = scene.with_extension("png");
        let [scene, shot_name] = [&scene, &shot].map(|path| path.to_str().expect("a plain path"));
        let arguments = ["run", scene, "--frames", "20", "--size", "320x200", "--shot", shot_name];
        let output = process::weft(&places::root(), &arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Picture::png(&shot)
    };
    let [home, far] = [(HOME, "far_picture_home"), ([FAR[0], 0.0, FAR[2]], "far_picture")]
        .map(|(way, name)| picture(way, name));
    assert!(home.colors() > 500, "{} colours", home.colors());
    // What the ground has far from its middle is rounded there.
    let difference = home.difference(&far, 4);
    assert!(difference < 1e-3, "{difference} of the pixels differ");
}
