//! A contract that changed is always noticed, and told line by line with the item that each is of.

use sim_api::{CONTRACT, SOURCES, fingerprint};
use tests::{places, random::Random};
use weft_core::project::Project;
use weft_session::live::contract;

/// The struct `name` of the contract with its fields as written, and where it stands.
fn fields_of(name: &str) -> (std::ops::Range<usize>, Vec<String>) {
    let start = CONTRACT.find(&format!("pub struct {name} {{")).expect("a struct of the contract");
    let open = start + CONTRACT[start..].find('{').expect("its fields") + 1;
    let close = open + CONTRACT[open..].find("\n}").expect("their end");
    let is_field = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase()) && line.ends_with(',');
    let fields = CONTRACT[open..close].lines().map(str::trim).filter(is_field).map(str::to_string).collect();
    (open..close, fields)
}

fn with_fields(place: &std::ops::Range<usize>, fields: &[String]) -> String {
    format!("{}\n{}{}", &CONTRACT[..place.start], fields.join("\n"), &CONTRACT[place.end..])
}

fn name_of(field: &str) -> &str {
    field.trim_start_matches("pub ").split(':').next().expect("a name")
}

#[test]
fn the_contract_of_this_build_is_the_one_on_disk() {
    let project = Project::above(std::path::Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the tree");
    let disk = contract::on_disk(&project).expect("readable");
    assert_eq!(fingerprint(CONTRACT), SOURCES);
    assert_eq!(fingerprint(&disk), SOURCES);
    assert_eq!(contract::difference(CONTRACT, &disk), [""; 0]);
}

#[test]
fn comments_and_indentation_are_no_change() {
    let other = CONTRACT.replace("    /// ", "  /// And so: ");
    assert_ne!(other, CONTRACT);
    assert_eq!(fingerprint(&other), SOURCES);
    assert_eq!(contract::difference(CONTRACT, &other), [""; 0]);
}

#[test]
fn each_of_1000_changed_layouts_is_noticed_and_named() {
    let mut random = Random(4);
    let mut pick = |below: usize| random.below(below as u32) as usize;
    let structs = [
        "Frame",
        "World",
        "Wind",
        "Hold",
        "Api",
        "SolverDesc",
        "ParamDesc",
        "TableView",
        "ColumnView",
        "Par",
        "ColumnDesc",
    ];
    let types = ["u8", "u16", "f64", "[f32; 5]", "*const f32", "Wind", "extern \"C\" fn(u32) -> u32"];
    for _ in 0..1000 {
        let name = structs[pick(structs.len())];
        let (place, mut fields) = fields_of(name);
        assert!(fields.len() > 1, "{name}: {fields:?}");
        let at = pick(fields.len());
        let (field, line) = (name_of(&fields[at]).to_string(), fields[at].clone());
        let told = match pick(5) {
            0 => {
                fields.remove(at);
                vec![line, "is gone".into()]
            }
            1 => {
                fields.insert(at, format!("pub extra: {},", types[pick(types.len())]));
                vec![fields[at].clone(), "is new, after".into()]
            }
            2 => {
                let other = |kind: &&&str| !fields[at].ends_with(&format!(": {kind},"));
                let others: Vec<&str> = types.iter().filter(other).copied().collect();
                let kind = others[pick(others.len())];
                fields[at] = format!("pub {field}: {kind},");
                vec![line, "is now".into(), fields[at].clone()]
            }
            3 => {
                fields[at] = fields[at].replacen(&field, "renamed", 1);
                vec![line, "is now".into(), fields[at].clone()]
            }
            // The same size: two fields change places.
            _ => {
                let other = (at + 1 + pick(fields.len() - 1)) % fields.len();
                fields.swap(at, other);
                vec![]
            }
        };
        let theirs = with_fields(&place, &fields);
        assert_ne!(fingerprint(&theirs), SOURCES, "accepted in silence: {name} {fields:?}");
        let lines = contract::difference(CONTRACT, &theirs);
        let file = CONTRACT[..place.start].rsplit("file: ").next().and_then(|text| text.lines().next());
        let (file, item) =
            (format!("sim-dylib/api/src/{}:", file.expect("its name")), format!(", struct {name}: `"));
        let names = |line: &String| {
            line.starts_with(&file) && line.contains(&item) && told.iter().all(|part| line.contains(part))
        };
        assert!(lines.iter().any(names), "{told:?}: {lines:?}");
    }
}

#[test]
fn other_changes_are_named() {
    let change = |from: &str, to: &str| {
        assert!(CONTRACT.contains(from), "{from}");
        let theirs = CONTRACT.replacen(from, to, 1);
        assert_ne!(fingerprint(&theirs), SOURCES);
        contract::difference(CONTRACT, &theirs).join("\n")
    };
    let line = |file: &str, text: &str| {
        let source = std::fs::read_to_string(places::root().join("sim-dylib/api/src").join(file)).unwrap();
        1 + source.lines().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{text} in {file}"))
    };
    let told =
        |file: &str, text: &str, rest: &str| format!("sim-dylib/api/src/{file}:{}, {rest}", line(file, text));
    assert_eq!(
        change("    BadFrame = 2,", "    BadFrame = 2,\n    Late = 3,"),
        format!(
            "sim-dylib/api/src/api.rs:{}, enum Status: `Late = 3,` is new, after `BadFrame = 2,`",
            line("api.rs", "BadFrame = 2,") + 1
        )
    );
    assert_eq!(
        change("    Panicked = 1,", "    Panicked = 7,"),
        told("api.rs", "Panicked = 1,", "enum Status: `Panicked = 1,` is now `Panicked = 7,`")
    );
    let step = change("-> Status;", "-> u64;");
    assert!(step.contains("type Step: `") && step.contains("-> Status;` is now `"), "{step}");
    let gone = change("#[repr(C)]\nstruct Message", "struct Message");
    assert!(gone.ends_with(", struct Message: `#[repr(C)]` is gone"), "{gone}");
    assert_eq!(
        change("        given kind: u32,\n", "        given kind: u32, given extra: f32,\n"),
        told(
            "tables.rs",
            "given kind: u32,",
            "table distance: `given kind: u32,` is now `given kind: u32, given extra: f32,`"
        )
    );
    assert!(
        change("compiler: rustc ", "compiler: rustc 0.")
            .starts_with("another compiler: this program has rustc ")
    );
    assert_eq!(
        change("!text.is_char_boundary(len)", "len > 0 && !text.is_char_boundary(len)"),
        told(
            "api.rs",
            "while !text.is_char_boundary(len) {",
            "fn write: `while !text.is_char_boundary(len) {` is now `while len > 0 && !text.is_char_boundary(len) {`"
        )
    );
}
