//! A scene that changes under a running state: what a class of change promises to keep is kept, bit for bit.

use sim_api::Key;
use std::path::PathBuf;
use weft_core::state::col;
use weft_core::statistics::largest;

use tests::{fixture::small, places};
use weft_core::state::StateHash;
use weft_scene::{Address, Class, Motion, Scene, Shape, Slot, Value};
use weft_session::{Options, Session};

/// A scene in the middle of its motion.
fn running(file: &str, frames: usize) -> Session {
    let scene = places::scene(file);
    let set = |path: &str, value: &str| (path.to_string(), value.to_string());
    let mut overrides = vec![set("cloths[0].shape.columns", "23"), set("cloths[0].shape.rows", "19")];
    if file == "curtain_pair.ron" {
        overrides.extend([set("cloths[1].shape.columns", "29"), set("cloths[1].shape.rows", "17")]);
    }
    let options = Options { scene, threads: 1, set: overrides, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    (0..frames).for_each(|_| assert!(session.step().is_ok()));
    session
}

type Bits = Vec<[u32; 3]>;

/// Positions and velocities of the particles of one cloth, or of all.
fn motion(session: &Session, cloth: Option<&str>) -> (Bits, Bits) {
    let object = cloth.map(|id| session.objects().iter().find(|object| object.id == id).expect("a cloth"));
    let range = object.map_or(0..session.positions().len(), |object| object.particles.clone());
    let bits = |name| -> Bits {
        let rows = &session.run().state.get(Key::<[f32; 4]>::new("particle", name))[range.clone()];
        rows.iter().map(|row| [row[0], row[1], row[2]].map(f32::to_bits)).collect()
    };
    (bits("position"), bits("velocity"))
}

/// All fields of a scene, as path and class.
fn fields(scene: &Scene) -> Vec<(String, Class)> {
    let mut fields = Vec::new();
    weft_scene::visit(&mut scene.clone(), Address::Id, &mut |field| {
        fields.push((field.path, field.row.class))
    });
    fields
}

/// `scene` with another value in the field at `path`, inside its range.
fn changed(scene: &Scene, path: &str) -> Scene {
    let mut other = scene.clone();
    weft_scene::visit(&mut other, Address::Id, &mut |field| {
        if field.path != path {
            return;
        }
        let (min, max) = (field.row.min, field.row.max);
        let next = |value: f32| {
            let up = value + (0.1 * value.abs()).max(1e-3);
            if up <= max { up } else { value - (0.1 * value.abs()).max(1e-3).min(value - min) }
        };
        match field.slot {
            Slot::Float(value) => *value = next(*value),
            Slot::Int(value) => *value += 1,
            Slot::Vec2(value) => *value = value.map(next),
            Slot::Vec3(value) => *value = value.map(next),
            Slot::Flag(value) => *value = !*value,
            Slot::Text(value) if path == "solver.name" => *value = "explicit".into(),
            Slot::Text(value) => value.push('x'),
            Slot::Choice(value) => value.choose((value.chosen() + 1) % value.names().len()),
            Slot::Param(value) => *value = Value::Number(3.0),
        }
    });
    assert_ne!(weft_scene::diff(scene, &other), [], "{path} did change");
    other
}

#[test]
fn every_live_field_keeps_every_bit() {
    for file in places::SCENES {
        let mut session = running(file, 20);
        let before = motion(&session, None);
        let original = session.scene().clone();
        let live: Vec<String> =
            fields(&original).into_iter().filter(|f| f.1 == Class::Live).map(|f| f.0).collect();
        assert!(live.len() > 25, "{file}: {}", live.len());
        for path in live {
            let scene = changed(&original, &path);
            assert_eq!(session.apply(scene.clone()), Ok(vec![]), "{path}");
            assert_eq!(*session.scene(), scene, "{path} is in");
            assert!(motion(&session, None) == before, "{file}: {path} moved the cloth");
        }
        session.apply(original).unwrap();
        assert!(motion(&session, None) == before);
        session.step().unwrap_or_else(|e| panic!("{e}"));
        assert!(motion(&session, None) != before, "it runs on");
    }
}

#[test]
fn rescaling_keeps_positions() {
    for file in places::SCENES {
        let mut session = running(file, 20);
        let before = motion(&session, None);
        let original = session.scene().clone();
        let rescale: Vec<String> =
            fields(&original).into_iter().filter(|f| f.1 == Class::Rescale).map(|f| f.0).collect();
        assert!(rescale.iter().any(|path| path.ends_with("density")), "{file}: {rescale:?}");
        for path in rescale {
            assert_eq!(session.apply(changed(&original, &path)), Ok(vec![]), "{path}");
            assert!(motion(&session, None).0 == before.0, "{file}: {path} moved the cloth");
            session.apply(original.clone()).unwrap();
        }
    }
}

#[test]
fn masses_and_rest_lengths_follow_the_scene() {
    let mut session = running("flag.ron", 10);
    let mass = |session: &Session| session.run().state.get(col::particle::mass).iter().sum::<f32>();
    let rest = |session: &Session| session.run().state.get(col::distance::rest).iter().sum::<f32>();
    let (before_mass, before_rest) = (mass(&session), rest(&session));
    let mut scene = session.scene().clone();
    scene.cloths[0].material.density *= 2.0;
    let Shape::Grid { width, height, .. } = &mut scene.cloths[0].shape else { panic!("a grid") };
    (*width, *height) = (*width * 1.5, *height * 1.5);
    assert_eq!(session.apply(scene), Ok(vec![]));
    assert!((mass(&session) / before_mass - 4.5).abs() < 1e-3);
    assert!((rest(&session) / before_rest - 1.5).abs() < 1e-4);
    let inverse = session.positions().iter().zip(session.run().state.get(col::particle::mass));
    for (x, m) in inverse.filter(|(x, _)| x[3] > 0.0) {
        assert!((x[3] * m - 1.0).abs() < 1e-5, "effective inverse mass follows");
    }
}

#[test]
fn pins_that_go_let_the_cloth_fall_from_where_it_is() {
    let mut session = running("flag.ron", 20);
    let before = motion(&session, None);
    let mut scene = session.scene().clone();
    scene.cloths[0].pins.clear();
    assert_eq!(session.apply(scene), Ok(vec![]));
    assert!(motion(&session, None) == before);
    assert!(session.positions().iter().all(|x| x[3] > 0.0));
}

#[test]
fn another_grid_starts_only_that_cloth_again() {
    let mut session = running("curtain_pair.ron", 30);
    let cotton = motion(&session, Some("cotton"));
    let denim = motion(&session, Some("denim"));
    let mut scene = session.scene().clone();
    let Shape::Grid { columns, .. } = &mut scene.cloths[0].shape else { panic!("a grid") };
    *columns += 4;
    assert_eq!(session.apply(scene.clone()), Ok(vec!["denim".to_string()]));
    assert!(motion(&session, Some("cotton")) == cotton, "cotton does not notice");
    let (x, v) = motion(&session, Some("denim"));
    assert_eq!((x.len(), denim.0.len()), (27 * 19, 23 * 19));
    assert!(v.iter().all(|v| v.iter().all(|bits| f32::from_bits(*bits) == 0.0)), "denim starts at rest");
    // A place of its own: also only that cloth.
    scene.cloths[1].at[1] += 0.1;
    let denim = motion(&session, Some("denim"));
    assert_eq!(session.apply(scene), Ok(vec!["cotton".to_string()]));
    assert!(motion(&session, Some("denim")) == denim);
    assert!(session.step().is_ok());
}

#[test]
fn a_cloth_that_goes_or_comes_leaves_the_others_alone() {
    let mut session = running("curtain_pair.ron", 30);
    let (cotton, both) = (motion(&session, Some("cotton")), session.scene().clone());
    let mut one = both.clone();
    one.cloths.remove(0);
    assert_eq!(session.apply(one), Ok(vec![]));
    assert_eq!(session.objects().len(), 1);
    assert!(motion(&session, Some("cotton")) == cotton);
    let mut swapped = both;
    swapped.cloths.reverse();
    assert_eq!(session.apply(swapped), Ok(vec!["denim".to_string()]));
    assert!(motion(&session, Some("cotton")) == cotton);
    // A running state may also lose its colliders.
    let mut bare = session.scene().clone();
    bare.colliders.clear();
    assert_eq!(session.apply(bare), Ok(vec![]));
    assert!(motion(&session, Some("cotton")) == cotton);
    assert!(session.step().is_ok());
}

/// Every column of class `state`, by name.
fn tables(session: &Session) -> Vec<(String, Vec<u8>)> {
    let tables = session.run().state.tables.iter();
    let columns = tables.flat_map(|table| table.columns.iter().map(move |column| (table, column)));
    columns
        .filter(|(_, column)| column.class == sim_api::Class::State)
        .map(|(table, column)| (format!("{}.{}", table.name, column.name), column.bytes().to_vec()))
        .collect()
}

#[test]
fn after_many_swaps_the_original_is_as_if_just_loaded() {
    let cold = running("curtain_pair.ron", 0);
    let mut session = running("curtain_pair.ron", 25);
    let original = session.scene().clone();
    let paths: Vec<String> = fields(&original).into_iter().map(|(path, _)| path).collect();
    for path in paths.iter().step_by(3) {
        session.apply(changed(&original, path)).unwrap_or_else(|e| panic!("{path}: {e}"));
        assert!(session.step().is_ok(), "{path}");
    }
    let mut other = original.clone();
    other.cloths.remove(1);
    other.colliders[0].motion = Motion::Still;
    other.cloths.push(small("drape_on_sphere.ron", 9, 8).cloths[0].clone());
    session.apply(other).unwrap();
    assert!(session.step().is_ok());
    session.apply(original.clone()).unwrap();
    assert_eq!(*session.scene(), original);
    session.reset().unwrap();
    for ((name, now), (cold_name, cold)) in tables(&session).into_iter().zip(tables(&cold)) {
        assert_eq!(name, cold_name);
        assert!(now == cold, "{name} is not as loaded");
    }
    let mut cold = cold;
    for _ in 0..20 {
        assert!(session.step().is_ok() && cold.step().is_ok());
    }
    assert_eq!(StateHash::of(&session.run().state), StateHash::of(&cold.run().state));
}

#[test]
fn a_broken_scene_is_placed_and_the_last_good_one_runs_on() {
    let mut session = running("hanging.ron", 10);
    let (before, scene) = (motion(&session, None), session.scene().clone());
    let text = std::fs::read_to_string(places::scene("hanging.ron")).unwrap();
    let folder = places::temporary("live-swap");
    let write = |name: &str, text: String| -> PathBuf {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let broken = write("broken.ron", text.replace("air_damping: 0.15", "air_damping: fast"));
    let line = 1 + text.split("air_damping").next().unwrap().matches('\n').count();
    let error = session.open_scene(&broken).unwrap_err();
    assert!(error.contains(&format!("broken.ron:{line}:18")), "{error}");
    assert!(session.open_scene(&folder.join("nowhere.ron")).unwrap_err().contains("cannot read"));
    assert!(motion(&session, None) == before && *session.scene() == scene);
    assert!(session.step().is_ok());
}

#[test]
fn another_solver_goes_on_with_the_same_state() {
    let mut session = running("drape_on_sphere.ron", 20);
    for _ in 0..session.solvers().len() {
        let before = tables(&session);
        session.next_solver();
        assert!(tables(&session) == before);
        assert!(session.step().is_ok());
    }
    assert_eq!(
        session.scene().solver,
        session.setup().file().solver,
        "once round, with the file's parameters"
    );
}

#[test]
fn what_the_hand_holds_follows_it_and_is_let_go_by_another_grid() {
    let mut session = running("hanging.ron", 20);
    let at = session.positions()[200];
    let at = glam::Vec3::new(at[0], at[1], at[2]);
    session.grab(0, at, 0.05);
    session.move_grab(at + glam::Vec3::new(0.0, 0.1, 0.2));
    (0..3).for_each(|_| assert!(session.step().is_ok()));
    let held = session.positions()[200];
    assert!(
        (glam::Vec3::new(held[0], held[1], held[2]) - at - glam::Vec3::new(0.0, 0.1, 0.2)).length() < 1e-5
    );
    assert_eq!(held[3], 0.0, "held: infinite mass");
    let mut scene = session.scene().clone();
    scene.cloths[0].material.density *= 1.5;
    session.apply(scene).unwrap();
    assert!(session.step().is_ok() && session.positions()[200][3] == 0.0, "a value does not open the hand");
    session.release();
    let (x, mass) = (session.positions()[200], session.run().state.get(col::particle::mass)[200]);
    assert!((x[3] * mass - 1.0).abs() < 1e-5, "let go: the new mass");
    session.grab(0, at, 0.5);
    let mut scene = session.scene().clone();
    let Shape::Grid { columns, .. } = &mut scene.cloths[0].shape else { panic!("a grid") };
    *columns += 1;
    session.apply(scene).unwrap();
    assert!(session.hand().grab().is_none(), "another grid does");
    assert!(session.positions().iter().filter(|x| x[3] == 0.0).count() == 2, "only the pins");
    assert!(session.step().is_ok());
}

#[test]
fn rows_of_another_material_keep_the_motion() {
    let mut session = running("flag.ron", 20);
    let rows =
        |session: &Session, table: &str| session.run().state.table(table).map_or(0, |table| table.rows);
    let before = motion(&session, None);
    let mut scene = session.scene().clone();
    let cloth = |scene: &mut Scene, edit: &dyn Fn(&mut weft_scene::Cloth)| edit(&mut scene.cloths[0]);
    type Step = (&'static str, Box<dyn Fn(&mut weft_scene::Cloth)>, &'static str, usize);
    let (particles, free, hinges) = (23 * 19, 22 * 19, 21 * 19 + 23 * 17 + 22 * 18);
    let structural = 22 * 19 + 23 * 18;
    let steps: [Step; 6] = [
        ("hinges", Box::new(|c| c.material.sheet.bend = 1e-5), "hinge", hinges),
        ("stiffer hinges", Box::new(|c| c.material.sheet.bend = 2e-5), "hinge", hinges),
        ("tethers", Box::new(|c| c.tethers = Some(weft_scene::Tethers::default())), "tether", free),
        ("soft pins", Box::new(|c| c.pin_compliance = 1e-3), "attachment", 19),
        (
            "a membrane",
            Box::new(|c| {
                (c.material.sheet.stretch, c.material.membrane) = (1000.0, weft_scene::Membrane::StVK)
            }),
            "distance",
            0,
        ),
        (
            "springs",
            Box::new(|c| c.material.membrane = weft_scene::Membrane::Springs),
            "distance",
            structural + 2 * 22 * 18,
        ),
    ];
    for (what, edit, table, count) in steps {
        cloth(&mut scene, &*edit);
        assert_eq!(session.apply(scene.clone()), Ok(vec![]), "{what}");
        assert_eq!(rows(&session, table), count, "{what}");
        assert!(motion(&session, None) == before, "{what} moved the cloth");
        session.measure();
        assert!(
            session.report().measured().rows.stretch.max.is_finite()
                && session.report().measured().rows.stretch.mean_abs > 0.0,
            "{what}: {:?}",
            session.report().measured().rows.stretch
        );
    }
    assert_eq!(session.positions().len(), particles);
    let stiffness = largest(session.run().state.get(col::hinge::stiffness).iter().copied());
    assert!(stiffness > 2e-5, "the hinges follow: {stiffness}");
    assert!(session.positions().iter().all(|x| x[3] > 0.0), "soft pins keep their mass");
    scene.cloths[0].pin_compliance = 0.0;
    assert_eq!(session.apply(scene), Ok(vec![]));
    assert_eq!(session.positions().iter().filter(|x| x[3] == 0.0).count(), 19);
    assert!(motion(&session, None) == before);
}

#[test]
fn a_saved_mesh_starts_its_cloth_again() {
    let folder = places::temporary("saved_mesh");
    let obj = |z: f32| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 {z}\nf 1 2 3\nf 3 2 4\n");
    let text = "Scene(version: 1, cloths: [
        Cloth(id: \"a\", shape: Mesh(file: \"a.obj\", scale: 0.5), pins: [Vertex(0)]),
        Cloth(id: \"b\", shape: Disc(radius: 0.2, rings: 2)),
    ])";
    std::fs::write(folder.join("a.obj"), obj(0.0)).unwrap();
    std::fs::write(folder.join("s.ron"), text).unwrap();
    let mut session =
        Session::open(Options { scene: folder.join("s.ron"), threads: 1, ..Options::default() }).unwrap();
    (0..10).for_each(|_| assert!(session.step().is_ok()));
    let before = motion(&session, Some("b"));
    let load = |folder: &std::path::Path| {
        weft_scene::load(folder.join("s.ron"), &weft_scene::Vocabulary::default()).map(|loaded| loaded.scene)
    };
    assert_eq!(weft_scene::diff(session.scene(), &load(&folder).unwrap()), []);
    std::fs::write(folder.join("a.obj"), obj(0.5)).unwrap();
    let saved = load(&folder).unwrap();
    let changes = weft_scene::diff(session.scene(), &saved);
    assert_eq!((changes[0].path.as_str(), changes[0].class), ("cloths.a.shape", Class::Retopology));
    assert_eq!(session.apply(saved), Ok(vec!["a".to_string()]));
    assert!(motion(&session, Some("b")) == before);
    assert_eq!(session.positions()[3][..3], [0.5, 0.5, 0.25]);
    // Its size is no start of its own: the cloth grows where it is.
    let mut larger = session.scene().clone();
    let Shape::Mesh { scale, .. } = &mut larger.cloths[0].shape else { panic!("a mesh") };
    *scale = 1.0;
    assert_eq!(session.apply(larger), Ok(vec![]));
    assert_eq!(session.run().state.get(col::distance::rest)[0], 1.0);
    std::fs::write(folder.join("a.obj"), "v 0 0 0\n").unwrap();
    assert!(load(&folder).unwrap_err().one_line().contains("a.obj: it has no faces"));
}
