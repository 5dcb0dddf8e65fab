//! A reload that changes columns keeps every value it can: each path of `State::reconcile`.

use sim_api::Key;
use sim_api::{ColumnDesc, Element, Fill, List, Str, TableDesc};
use tests::grid::{column, copy_of, schema, scratch, table};
use weft_core::state::col;
use weft_core::state::{Blueprint, ColumnSchema, Data, Report, Schema, State, TableRows};

fn position() -> ColumnSchema {
    column("position", Element::F32x4, Fill::Scene)
}

fn heat() -> ColumnSchema {
    column("heat", Element::F32, Fill::Zero)
}

fn with(columns: &[ColumnSchema]) -> Schema {
    schema(&[table("particle", columns)])
}

/// Three particles; `heat` and `weight` are what a scene would fill into columns of that name.
fn blueprint() -> Blueprint {
    let position = vec![[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]];
    let columns = vec![("position", Data::F32x4(position)), ("weight", Data::F32(vec![0.5, 0.25, 0.125]))];
    Blueprint { tables: vec![TableRows { name: "particle", rows: 3, columns }] }
}

/// A state whose positions differ from the scene's, with its bytes.
fn moved(schema: &Schema) -> (State, Vec<u8>) {
    let mut state = State::build(schema, &blueprint()).unwrap();
    for (row, x) in state.get_mut(col::particle::position).iter_mut().enumerate() {
        x[0] = f32::from_bits(0x3f80_0001 + row as u32);
    }
    let bytes = bytes(&state, "position");
    (state, bytes)
}

fn bytes(state: &State, name: &str) -> Vec<u8> {
    state.table("particle").unwrap().column(name).unwrap().bytes().to_vec()
}

const HEAT: Key<f32> = Key::new("particle", "heat");
const WHOLE_HEAT: Key<u32> = Key::new("particle", "heat");

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_string()).collect()
}

#[test]
fn kept_columns_keep_their_bytes_whatever_their_order() {
    let before = with(&[position(), heat()]);
    let (mut state, bytes_before) = moved(&before);
    state.get_mut(HEAT).copy_from_slice(&[1.5, 2.5, f32::from_bits(0x7fc0_1234)]);
    let heat_before = bytes(&state, "heat");
    let report = state.reconcile(&with(&[heat(), position()]), &blueprint()).unwrap();
    assert_eq!(report, Report { kept: 2, ..Report::default() });
    assert_eq!((bytes(&state, "position"), bytes(&state, "heat")), (bytes_before, heat_before));
    assert_eq!(state.table("particle").unwrap().columns[0].name, "heat", "columns follow the schema's order");
}

#[test]
fn an_added_column_is_filled_by_its_rule() {
    let (mut state, before) = moved(&with(&[position()]));
    let weight = column("weight", Element::F32, Fill::Scene);
    let start = copy_of("start", Element::F32x4, "position");
    let report = state.reconcile(&with(&[position(), heat(), weight, start]), &blueprint()).unwrap();
    assert_eq!(report.added, names(&["particle.heat", "particle.weight", "particle.start"]));
    assert_eq!(report.kept, 1);
    assert_eq!(report.to_string(), "kept 1, added 3 (particle.heat, particle.weight, particle.start)");
    assert_eq!(state.get(HEAT), [0.0; 3]);
    assert_eq!(state.get(Key::<f32>::new("particle", "weight")), [0.5, 0.25, 0.125]);
    assert_eq!(bytes(&state, "start"), before, "the copy is of the running state, not of the scene");
    assert_eq!(bytes(&state, "position"), before);
}

#[test]
fn a_copy_may_stand_before_its_source() {
    let start = copy_of("start", Element::F32x4, "position");
    let state = State::build(&with(&[start, position()]), &blueprint()).unwrap();
    assert_eq!(bytes(&state, "start"), bytes(&state, "position"));
}

#[test]
fn a_vanished_column_is_parked_and_comes_back_with_its_values() {
    let (both, one) = (with(&[position(), heat()]), with(&[position()]));
    let (mut state, before) = moved(&both);
    state.get_mut(HEAT).copy_from_slice(&[1.0, 2.0, 3.0]);
    let report = state.reconcile(&one, &blueprint()).unwrap();
    assert_eq!((report.parked, report.kept), (names(&["particle.heat"]), 1));
    assert!(state.get(HEAT).is_empty());
    // Another edit in between does not lose it.
    state.reconcile(&with(&[position(), column("wet", Element::U32, Fill::Zero)]), &blueprint()).unwrap();
    let report = state.reconcile(&both, &blueprint()).unwrap();
    assert_eq!(report.restored, names(&["particle.heat"]));
    assert_eq!(report.parked, names(&["particle.wet"]));
    assert_eq!(state.get(HEAT), [1.0, 2.0, 3.0]);
    assert_eq!(bytes(&state, "position"), before);
}

#[test]
fn another_type_starts_afresh_and_the_old_values_wait() {
    let (float, whole) =
        (with(&[position(), heat()]), with(&[position(), column("heat", Element::U32, Fill::Zero)]));
    let (mut state, _) = moved(&float);
    state.get_mut(HEAT).fill(7.5);
    let report = state.reconcile(&whole, &blueprint()).unwrap();
    assert_eq!((report.retyped, report.parked), (names(&["particle.heat"]), Vec::new()));
    assert_eq!(state.get(WHOLE_HEAT), [0; 3]);
    state.get_mut(WHOLE_HEAT).fill(9);
    let report = state.reconcile(&float, &blueprint()).unwrap();
    assert_eq!(report.restored, names(&["particle.heat"]));
    assert_eq!(state.get(HEAT), [7.5; 3]);
    let report = state.reconcile(&whole, &blueprint()).unwrap();
    assert_eq!(report.restored, names(&["particle.heat"]));
    assert_eq!(state.get(WHOLE_HEAT), [9; 3]);
}

#[test]
fn a_vanished_table_is_parked_whole_and_comes_back() {
    let strand = table("strand", &[column("curl", Element::F32, Fill::Scene)]);
    let mut scene = blueprint();
    scene.tables.push(TableRows {
        name: "strand",
        rows: 2,
        columns: vec![("curl", Data::F32(vec![0.1, 0.2]))],
    });
    let one = with(&[position()]);
    let both = schema(&[strand, one.tables[0].clone()]);
    let mut state = State::build(&both, &scene).unwrap();
    state.get_mut(Key::<f32>::new("strand", "curl")).copy_from_slice(&[5.0, 6.0]);
    let report = state.reconcile(&one, &scene).unwrap();
    assert_eq!((report.parked, report.kept), (names(&["strand.curl"]), 1));
    assert_eq!(state.tables[0].name, "particle", "declared tables come first: they are bound by place");
    let report = state.reconcile(&both, &scene).unwrap();
    assert_eq!(report.restored, names(&["strand.curl"]));
    assert_eq!(state.get(Key::<f32>::new("strand", "curl")), [5.0, 6.0]);
}

#[test]
fn a_new_table_gets_the_scenes_rows_sorted_by_colour() {
    let mut scene = blueprint();
    let idx = Data::U32x2(vec![[0, 1], [1, 2], [0, 2]]);
    let rest = Data::F32(vec![10.0, 20.0, 30.0]);
    scene.tables.push(TableRows { name: "distance", rows: 3, columns: vec![("idx", idx), ("rest", rest)] });
    let (mut state, before) = moved(&with(&[position()]));
    let columns =
        [column("idx", Element::U32x2, Fill::Scene), column("rest", Element::F32, Fill::Scene), heat()];
    let next = schema(&[table("particle", &[position()]), table("distance", &columns)]);
    let report = state.reconcile(&next, &scene).unwrap();
    assert_eq!(report.added, names(&["distance.idx", "distance.rest", "distance.heat"]));
    let distance = state.table("distance").unwrap();
    assert_eq!(distance.coloring.ends, [1, 2, 3], "a triangle of springs takes three colours");
    for (row, &of) in distance.coloring.order.iter().enumerate() {
        assert_eq!(state.get(col::distance::rest)[row], 10.0 * (of + 1) as f32);
    }
    assert_eq!(bytes(&state, "position"), before);
}

#[test]
fn scratch_is_neither_parked_nor_restored() {
    let (mut state, _) = moved(&with(&[position(), scratch("force", Element::F32x4)]));
    let report = state.reconcile(&with(&[position()]), &blueprint()).unwrap();
    assert_eq!(report, Report { kept: 1, ..Report::default() });
    assert!(state.table("particle").unwrap().parked.is_empty());
}

#[test]
fn a_row_that_names_no_particle_is_refused() {
    let mut scene = blueprint();
    let idx = Data::U32x2(vec![[0, 3]]);
    scene.tables.push(TableRows { name: "distance", rows: 1, columns: vec![("idx", idx)] });
    let columns = [column("idx", Element::U32x2, Fill::Scene)];
    let error = State::build(&schema(&[table("distance", &columns)]), &scene).err().unwrap();
    assert_eq!(error, "table `distance` names particle 3 of 3");
}

const fn desc(name: &'static str, element: Element, source: &'static str) -> ColumnDesc {
    ColumnDesc {
        name: Str::new(name),
        element,
        class: sim_api::Class::State,
        fill: if source.is_empty() { Fill::Zero } else { Fill::Copy },
        source: Str::new(source),
        doc: Str::new(" In K. "),
    }
}

/// What `Schema::read` says about one table with these columns.
fn read(columns: &'static [ColumnDesc]) -> Result<Schema, String> {
    Schema::read(&[TableDesc { name: Str::new("particle"), columns: List::new(columns) }])
}

#[test]
fn schema_errors_name_the_column() {
    static TWICE: [ColumnDesc; 2] = [desc("heat", Element::F32, ""), desc("heat", Element::U32, "")];
    static NOWHERE: [ColumnDesc; 1] = [desc("start", Element::F32, "heat")];
    static OTHER_TYPE: [ColumnDesc; 2] =
        [desc("heat", Element::U32, ""), desc("start", Element::F32, "heat")];
    static ITSELF: [ColumnDesc; 1] = [desc("start", Element::F32, "start")];
    static GOOD: [ColumnDesc; 2] = [desc("heat", Element::F32, ""), desc("start", Element::F32, "heat")];
    assert_eq!(read(&TWICE).unwrap_err(), "column `particle.heat` is declared twice");
    for bad in [&NOWHERE[..], &OTHER_TYPE, &ITSELF] {
        let error = read(bad).unwrap_err();
        assert!(error.contains("column `particle.start` copies from"), "{error}");
    }
    let good = read(&GOOD).unwrap();
    assert_eq!(good.tables[0].columns[0].doc, "In K.");
    let table = TableDesc { name: Str::new("particle"), columns: List::new(&GOOD) };
    assert_eq!(Schema::read(&[table, table]).unwrap_err(), "table `particle` is declared twice");
}
