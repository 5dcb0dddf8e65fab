//! Every scene that comes with the program says what comes of it (`expect`), and that comes of it: all particles, its own
//! solver. Scenes of strands in `scenes/validate/` say it of more solvers; those of cloth there are cases of `weft validate`.

use std::path::PathBuf;

use tests::{fixture::all_solvers, long, places};
use weft_proof::expect::{self, Status};
use weft_scene::Vocabulary;
use weft_session::{Options, Session};

/// Of these `topics/self_collision_rest.rs` asks the same, on the way to what else it asks.
const THERE: [&str; 2] = ["stack_of_ten_sheets.ron", "twisted_cloth.ron"];

fn scenes(folder: &str) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(places::root().join(folder)).unwrap();
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ron"));
    files.sort();
    files
}

/// What is not as a scene expects it of a solver, its own or another.
fn wrong(scene: &std::path::Path, solver: Option<&str>) -> Vec<String> {
    let name = scene.file_name().unwrap().display().to_string();
    let called = solver.map_or_else(|| name.clone(), |solver| format!("{name} {solver}"));
    let solver = solver.map(str::to_string);
    let own = solver.is_none();
    let options = Options { scene: scene.to_path_buf(), solver, threads: 1, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{called}: {e}"));
    match expect::run(&mut session) {
        Err(error) => vec![error],
        Ok(outcomes) => {
            assert!(!outcomes.is_empty(), "{called} expects nothing");
            let failed = |status| status == Status::Fail || own && status == Status::KnownFailure;
            outcomes.iter().for_each(|outcome| println!("{called}: {outcome}"));
            let failed = outcomes.iter().filter(|outcome| failed(outcome.status));
            failed.map(|outcome| format!("{called}: {outcome}")).collect()
        }
    }
}

#[test]
fn every_scene_does_what_it_expects() {
    let mut files = scenes("scenes");
    assert!(files.len() >= 15);
    files.retain(|path| long() || !THERE.iter().any(|there| path.ends_with(there)));
    let wrong: Vec<String> = files.iter().flat_map(|scene| wrong(scene, None)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// In a `--long` run with every solver that it says something of, known failures among them.
#[test]
fn scenes_of_strands_do_what_they_expect() {
    let (mut count, mut all) = (0, Vec::new());
    for path in scenes("scenes/validate") {
        let scene = weft_scene::load(&path, &Vocabulary::default()).unwrap_or_else(|e| panic!("{e}")).scene;
        if scene.strands.is_empty() {
            continue;
        }
        count += 1;
        all.extend(wrong(&path, None));
        let others = all_solvers().into_iter().filter(|solver| *solver != scene.solver.name);
        let said = |solver: &&str| scene.expect.iter().any(|expect| expect.is_for(solver));
        for solver in others.filter(|solver| long() && said(solver)) {
            all.extend(wrong(&path, Some(solver)));
        }
    }
    assert!(count > 25, "{count} scenes");
    assert!(all.is_empty(), "{}", all.join("\n"));
}
