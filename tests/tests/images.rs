//! Runs and scenes as bytes that another process goes on with, and guards beside columns.

use tests::places;
use weft_core::state::StateHash;
use weft_engine::run::{Run, RunImage};
use weft_proof::validate::fixture::Fixture;

fn fixture(name: &str) -> Fixture {
    Fixture::of(
        weft_scene::load(places::scene(name), &weft_scene::Vocabulary::default())
            .unwrap_or_else(|e| panic!("{e}"))
            .scene,
    )
}

fn scenes() -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = ["scenes", "scenes/validate"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(places::root().join(folder)).expect("a folder of scenes"))
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "ron"))
        .collect();
    files.sort();
    assert!(files.len() > 10);
    files
}

#[test]
fn a_written_scene_reads_back_equal() {
    for path in scenes() {
        let loaded =
            weft_scene::load(&path, &weft_scene::Vocabulary::default()).unwrap_or_else(|e| panic!("{e}"));
        let text = weft_scene::write(&loaded.scene);
        let again = weft_scene::parse_text("again", &text, path.parent(), &weft_scene::Vocabulary::default())
            .unwrap_or_else(|e| panic!("{e}"));
        assert!(again.scene == loaded.scene, "{}:\n{text}", path.display());
    }
}

#[test]
fn a_run_goes_on_from_its_image_with_the_same_bits() {
    for name in ["flag.ron", "poncho.ron", "validate/cantilever_10.ron"] {
        let mut fixture = fixture(name);
        fixture.frames(3);
        let bytes = postcard::to_stdvec(&fixture.run.image()).expect("plain data");
        let image: RunImage = postcard::from_bytes(&bytes).expect("the same data");
        let before = StateHash::of(&fixture.run.state);
        fixture.frames(4);
        let there = StateHash::of(&fixture.run.state);
        let generation = fixture.run.generation.clone();
        fixture.run = Run::from_image(generation, &image).expect("it fits the same code");
        assert_eq!(StateHash::of(&fixture.run.state), before, "{name}");
        fixture.frames(4);
        assert_eq!(StateHash::of(&fixture.run.state), there, "{name}");
        assert_eq!(fixture.run.frame, image.frame + 4);
    }
}

#[test]
fn a_damaged_image_is_refused() {
    let fixture = fixture("hanging.ron");
    let image = fixture.run.image();
    let size = image.state.len();
    for cut in [0, 1, 7, 100, size / 2, size - 1] {
        let short = RunImage { state: image.state[..cut].to_vec(), ..image.clone() };
        assert!(Run::from_image(fixture.run.generation.clone(), &short).is_err(), "{cut} of {size} bytes");
    }
}

#[test]
fn a_write_beside_a_column_is_found_once_and_named() {
    let mut fixture = fixture("hanging.ron");
    assert_eq!(fixture.run.state.hit(), None);
    for before in [false, true] {
        let table = fixture.run.state.table_mut("distance").expect("rows");
        let column = table.column_mut("rest").expect("a column");
        let size = column.bytes().len();
        // SAFETY: a guard line stands on both sides of the rows.
        unsafe { *if before { column.data().sub(1) } else { column.data().add(size) } = 0 };
        assert!(!column.intact());
        assert_eq!(fixture.run.state.hit().as_deref(), Some("distance.rest"));
        assert_eq!(fixture.run.state.hit(), None);
    }
}
