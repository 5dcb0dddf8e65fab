//! Runs and scenes as bytes that another process goes on with, and guards beside columns.

use sim_api::Class;
use tests::places;
use weft_core::state::{Data, StateHash, Table, image};
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
    for name in ["flag.ron", "poncho.ron", "fringe_on_cloth.ron", "validate/cantilever_10.ron"] {
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

/// The image of a run that `spoil` changed, read again.
fn crafted(spoil: impl FnOnce(&mut Run)) -> String {
    crafted_of(fixture("poncho.ron"), spoil)
}

fn crafted_of(mut fixture: Fixture, spoil: impl FnOnce(&mut Run)) -> String {
    fixture.frames(1);
    fixture.run.state.update_topology(&fixture.run.blueprint, true);
    spoil(&mut fixture.run);
    let image = fixture.run.image();
    Run::from_image(fixture.run.generation.clone(), &image).err().unwrap_or_default()
}

#[test]
fn an_image_whose_rows_would_race_or_lead_outside_is_refused() {
    fn table<'a>(run: &'a mut Run, name: &str) -> &'a mut Table {
        run.state.table_mut(name).expect("a table")
    }
    fn idx(run: &mut Run) -> &mut Vec<[u32; 2]> {
        let distance = run.blueprint.table_mut("distance").expect("rows");
        let Some(Data::U32x2(idx)) = distance.column_mut("idx") else { panic!("pairs") };
        idx
    }
    assert_eq!(crafted(|_| ()), "");
    let all = |run: &mut Run| {
        let distance = table(run, "distance");
        distance.coloring.ends = vec![distance.rows as u32];
    };
    let says = crafted(all);
    assert!(says.starts_with("table `distance` colour 0 holds particle "), "{says}");
    let says = crafted(|run| table(run, "distance").coloring.order.swap(0, 1));
    assert_eq!(says, "table `distance` has other rows than the scene");
    let says =
        crafted(|run| table(run, "distance").column_mut("idx").expect("rows").rows_mut()[0] = [1_u32, 7]);
    assert_eq!(says, "table `distance` has other rows than the scene");
    let says = crafted(|run| idx(run)[0] = [1, 1 << 30]);
    assert!(says.starts_with("table `distance` names particle 1073741824 of "), "{says}");
    let says = crafted(|run| _ = idx(run).pop());
    assert!(says.starts_with("column `idx` has ") && says.ends_with(" of 8"), "{says}");
    let says =
        crafted(|run| table(run, "vertex").column_mut("particle").expect("rows").rows_mut()[5] = u32::MAX);
    assert!(says.starts_with("table `vertex` does not hold each of "), "{says}");
    let says = crafted(|run| table(run, "collider").coloring.ends = vec![1]);
    assert_eq!(says, "table `collider` is coloured, and its rows name no particle");
    let says = crafted(|run| {
        let twice = table(run, "hinge").clone();
        run.state.tables.push(twice);
    });
    assert_eq!(says, "table `hinge` is there twice");
    let strands = |spoil: fn(&mut [[u32; 3]])| {
        let scene = "(version: 1, strands: [(id: \"row\", length: 0.2, particles: 5,
                      roots: Row(from: (0, 1, 0), to: (1, 1, 0), count: 3))])";
        crafted_of(Fixture::new(scene), |run| {
            spoil(table(run, "strand").column_mut("span").expect("rows").rows_mut());
        })
    };
    assert_eq!(strands(|_| ()), "");
    let says = strands(|spans| spans[1] = spans[0]);
    assert!(says.starts_with("table `strand` has particle 0 twice"), "{says}");
    let says = strands(|spans| spans[2][1] = u32::MAX);
    assert!(says.starts_with("table `strand` has particle "), "{says}");
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

/// Found by the fuzz target `state`: the step after it never ended.
#[test]
fn a_tree_that_leads_back_is_refused() {
    let sheet = Fixture::new(
        r#"(version: 1, cloths: [(id: "a", self_collision: (thickness: 0.005),
            shape: Grid(columns: 5, rows: 4, width: 0.4, height: 0.3))])"#,
    );
    for (fixture, table, column) in
        [(sheet, "node", "skip"), (fixture("drape_on_mesh.ron"), "solid_node", "link")]
    {
        let bytes = image::write(&fixture.run.state, &fixture.run.blueprint);
        let (mut state, blueprint) = image::read(&bytes).expect("its own image");
        let links = state.table_mut(table).and_then(|table| table.column_mut(column)).expect("a tree");
        let row = links.element.size();
        links.bytes_mut()[row..row + 4].fill(0);
        let why = image::read(&image::write(&state, &blueprint)).err().expect("refused");
        assert_eq!(why, format!("table `{table}` leads from node 1 back to 0"));
    }
}

/// Found by the fuzz target `state`: 15 TB were asked for.
#[test]
fn a_table_of_scratch_alone_has_rows_that_fit() {
    let fixture = fixture("hanging.ron");
    let bytes = image::write(&fixture.run.state, &fixture.run.blueprint);
    let (mut state, blueprint) = image::read(&bytes).expect("its own image");
    let scratch = |table: &&mut Table| {
        table.columns.iter().chain(&table.parked).all(|column| column.class == Class::Scratch)
    };
    let table = state.tables.iter_mut().find(scratch).expect("a table of scratch alone");
    table.rows = 1 << 40;
    let name = table.name.clone();
    let why = image::read(&image::write(&state, &blueprint)).err().expect("refused");
    assert_eq!(why, format!("table `{name}` has 1099511627776 rows, at most 67108864 fit"));
}

/// Found by the fuzz target `state`: margins of infinity were made narrower for ever.
#[test]
fn a_list_of_pairs_ends_whatever_margins_a_state_holds() {
    let mut fixture = Fixture::new(
        r#"(version: 1, cloths: [(id: "a", self_collision: (thickness: 0.005, pairs: 4),
            shape: Grid(columns: 12, rows: 12, width: 0.04, height: 0.03))])"#,
    );
    let margins = fixture.run.state.table_mut("batch").and_then(|table| table.column_mut("margins"));
    margins.expect("the margins of batches").rows_mut::<f32>()[0] = f32::INFINITY;
    fixture.frames(2);
}
