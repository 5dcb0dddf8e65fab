//! The scenes with every solver for some frames, 5 s with `--long`: finite all the way, nothing far off, and pins do not move.

use tests::{fixture::solvers, places};
use weft_core::statistics::largest;
use weft_session::{Options, Session};

#[test]
fn every_solver_keeps_every_scene_finite_and_pins_in_place() {
    for (number, file) in places::SCENES.into_iter().chain(places::CONTACT_SCENES).enumerate() {
        let frames = if tests::long() { 300 } else { 12 };
        for (index, solver) in solvers().into_iter().enumerate() {
            // In the ordinary run every second one, and in the next scene the others.
            if !tests::long() && (index + number) % 2 > 0 {
                continue;
            }
            let cloths = weft_scene::load(places::scene(file), &weft_scene::Vocabulary::default())
                .unwrap_or_else(|e| panic!("{e}"))
                .scene
                .cloths;
            let overrides = (0..cloths.len()).flat_map(|i| {
                [("columns", "29"), ("rows", "17")]
                    .map(|(field, value)| (format!("cloths[{i}].shape.{field}"), value.to_string()))
            });
            let mut session = Session::open(Options {
                scene: places::scene(file),
                solver: Some(solver.into()),
                threads: 1,
                set: overrides.collect(),
                ..Options::default()
            })
            .unwrap_or_else(|e| panic!("{file} {solver}: {e}"));
            let pins = |session: &Session| -> Vec<(usize, [u32; 4])> {
                let rows = session.positions().iter().enumerate().filter(|(_, x)| x[3] == 0.0);
                rows.map(|(i, x)| (i, x.map(f32::to_bits))).collect()
            };
            let before = pins(&session);
            let free = ["drape_on_sphere.ron", "drape_on_mesh.ron", "incline_friction.ron"];
            assert_eq!(before.is_empty(), free.contains(&file), "{file}");
            for frame in 0..frames {
                session.step().unwrap_or_else(|e| panic!("{file} {solver}, frame {frame}: {e}"));
            }
            // Hands take theirs along.
            if cloths.iter().all(|cloth| cloth.handles.is_empty()) {
                assert_eq!(pins(&session), before, "{file} {solver}");
            }
            let far = largest(session.positions().iter().flat_map(|x| x[..3].iter().map(|c| c.abs())));
            assert!(far < 20.0, "{file} {solver}: {far} m away");
            session.measure();
            assert!(
                session.report().measured().rows.stretch.max.is_finite()
                    && session.report().measured().rows.stretch.mean_abs < 0.5,
                "{file} {solver}: {:?}",
                session.report().measured().rows
            );
        }
    }
}
