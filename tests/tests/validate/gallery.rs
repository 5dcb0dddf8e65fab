//! Every scene that comes with the program says what comes of it (`expect`), and that comes of it: all particles, its own
//! solver.

use tests::{long, places};
use weft_proof::expect::{self, Status};
use weft_session::{Options, Session};

/// Of these `topics/self_collision_rest.rs` asks the same, on the way to what else it asks.
const THERE: [&str; 2] = ["stack_of_ten_sheets.ron", "twisted_cloth.ron"];

#[test]
fn every_scene_does_what_it_expects() {
    let folder = std::fs::read_dir(places::root().join("scenes")).unwrap();
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ron"));
    files.sort();
    assert!(files.len() >= 15);
    let mut wrong = Vec::new();
    for scene in files {
        let name = scene.file_name().unwrap().display().to_string();
        if !long() && THERE.contains(&name.as_str()) {
            continue;
        }
        let options = Options { scene, threads: 1, ..Options::default() };
        let mut session = Session::open(options).unwrap_or_else(|e| panic!("{name}: {e}"));
        match expect::run(&mut session) {
            Err(error) => wrong.push(error),
            Ok(outcomes) => {
                assert!(!outcomes.is_empty(), "{name} expects nothing of its own solver");
                for outcome in outcomes {
                    println!("{name}: {outcome}");
                    if outcome.status != Status::Pass {
                        wrong.push(format!("{name}: {outcome}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
