//! What a scene file may be made of at most, and reports that stay short however much is wrong.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tests::places;
use weft_scene::{Loaded, SceneErrors, Vocabulary};

fn base() -> &'static Path {
    static BASE: OnceLock<PathBuf> = OnceLock::new();
    BASE.get_or_init(|| places::temporary("scene-limits"))
}

fn findings(text: &str) -> Result<Loaded, SceneErrors> {
    weft_scene::parse_text("bad.ron", text, Some(base()), &Vocabulary::default())
}

/// The message of each finding.
fn lines(text: &str) -> Vec<String> {
    let errors = findings(text).expect_err("refused");
    errors.list.into_iter().map(|finding| finding.message).collect()
}

/// What a program writes may stand on one line and be wrong everywhere.
#[test]
fn a_report_of_many_mistakes_is_short_and_of_one_size() {
    let pins = |count: usize, row: u32| {
        let pins = (0..count).map(|i| format!("Particle(column: {}, row: {row}), ", i % 40));
        format!(
            "(version: 1, cloths: [(id: \"a\", shape: Grid(columns: 40, rows: 40, width: 1, height: 1), pins: [{}])])",
            pins.collect::<String>()
        )
    };
    let errors = findings(&pins(1000, 9999)).expect_err("refused");
    let report = errors.to_string();
    assert!(report.lines().all(|line| line.chars().count() < 300), "{report}");
    assert!(
        report.len() < 20_000 && report.contains("and 180 more error(s), and perhaps others"),
        "{report}"
    );
    assert!(report.contains("... ") && report.contains("row: 9999"), "{report}");
    let all = findings(&pins(200, 9999)).expect_err("refused").to_string();
    assert!(all.contains("and 180 more error(s)\n") && !all.contains("perhaps"), "none were left out: {all}");
    let deep = "(".repeat(1 << 20);
    let errors = findings(&deep).expect_err("refused");
    assert!(errors.to_string().len() < 2000 && errors.one_line().len() < 500, "{errors}");
    let text =
        format!("(version: 1, cloths: [{}])", "(id: \"a\", shape: Disc(radius: 1, rings: 2)), ".repeat(3000));
    let errors = findings(&text).expect_err("refused");
    assert!(errors.to_string().len() < 20_000 && errors.list.len() == 200);
    // Right ones are read in time that grows as they do: four times as many pins took sixteen times as long.
    let start = std::time::Instant::now();
    assert!(findings(&pins(80_000, 1)).is_ok());
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn pictures_and_masses_that_cannot_be_are_refused() {
    let scene = |texture: &str, mass: f32| {
        format!(
            r#"(version: 1, cloths: [(id: "a", shape: Grid(columns: 9, rows: 9, width: 1, height: 1), look: (texture: "textures/{texture}.png"))],
            colliders: [(id: "b", shape: Sphere(radius: 0.1), mass: {mass:e})])"#
        )
    };
    std::fs::create_dir_all(base().join("textures")).unwrap();
    std::fs::copy(places::scene("textures/linen.png"), base().join("textures/linen.png")).unwrap();
    std::fs::write(base().join("textures/empty.png"), b"").unwrap();
    assert_eq!(findings(&scene("linen", 1.0)).map(|_| ()), Ok(()));
    let found = lines(&scene("empty", 1e-35));
    assert!(found.iter().any(|line| line.contains("not a PNG or JPEG that can be read")), "{found:?}");
    assert!(found.iter().any(|line| line.contains("a body has at least 0.000001 kg")), "{found:?}");
    // The head of a picture that nobody can hold.
    let large = [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(),
        &20000_u32.to_be_bytes(),
        &20000_u32.to_be_bytes(),
        b"\x08\x06\0\0\0",
    ]
    .concat();
    let check = !large[12..].iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    });
    let large = [large.as_slice(), &check.to_be_bytes(), b"\0\0\0\0IDAT\x35\xaf\x06\x1e"].concat();
    std::fs::write(base().join("textures/large.png"), large).unwrap();
    let found = lines(&scene("large", 1.0));
    assert!(found.iter().any(|line| line.contains("20000 x 20000 pixels are too many")), "{found:?}");
}

/// Two triangles back to back have an edge with one corner on both sides.
#[test]
fn a_closed_pair_of_triangles_is_a_cloth() {
    std::fs::write(base().join("pair.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n").unwrap();
    let text =
        r#"(version: 1, cloths: [(id: "a", shape: Mesh(file: "pair.obj"), material: (preset: "wool"))])"#;
    let scene = findings(text).unwrap_or_else(|errors| panic!("{errors}")).scene;
    let mut fixture = tests::fixture::Fixture::of(scene);
    fixture.frames(3);
    // Those that look to one side are one too many.
    for faces in [2, 3] {
        let obj = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{}", "f 1 2 3\n".repeat(faces));
        std::fs::write(base().join("pair.obj"), obj).unwrap();
        let refused = findings(text).expect_err("they lie on each other").to_string();
        assert!(refused.contains("repeats"), "{faces}: {refused}");
    }
}

/// A compliance that the weight of the cloth stretches by less than a position is rounded to: energies and forces are rounding.
#[test]
fn compliances_that_are_rounding_are_noted() {
    let notes = |cloth: &str| {
        let grid = "shape: Grid(columns: 10, rows: 10, width: 1.0, height: 1.0)";
        let text = format!("(version: 1, cloths: [(id: \"a\", pins: [Edge(Top)], {grid}, {cloth})])");
        findings(&text).unwrap_or_else(|e| panic!("{e}")).notes.join("\n")
    };
    for (field, soft, hard) in [
        ("material: (compliance: (structural: VALUE))", "1e-5", ["1e-12", "1e-45"]),
        ("pin_compliance: VALUE", "1e-3", ["1e-12", "1e-45"]),
        ("tethers: (compliance: VALUE)", "1e-3", ["1e-30", "1e-45"]),
    ] {
        let with = |value: &str| notes(&field.replace("VALUE", value));
        assert_eq!((with(soft), with("0")), (String::new(), String::new()), "{field}");
        for value in hard {
            assert!(
                with(value).contains("cloths.a: ") && with(value).contains("is rounded to"),
                "{field} {value}"
            );
        }
    }
}

/// Steps that single precision does not know the falls of: told whether the scene has their number or its solver.
#[test]
fn substeps_that_are_too_short_are_noted_at_defaults_as_well() {
    let known = weft_session::readings::vocabulary(&weft_engine::generation::Generation::built_in());
    let noted = |step: &str, solver: &str| {
        let text = format!(
            "(version: 1, step: {step}, solver: ({solver}), cloths: [(id: \"a\", at: (0, 2, 0), pins: [Edge(Top)],
              shape: Grid(columns: 10, rows: 10, width: 1.0, height: 1.0))])"
        );
        let found = weft_scene::parse_text("short.ron", &text, Some(base()), &known);
        found.unwrap_or_else(|e| panic!("{e}")).notes.iter().any(|note| note.contains("is rounded to"))
    };
    let written = "name: \"vbd\", params: {\"substeps\": 40}";
    assert!(noted("0.004", written) && noted("0.004", "name: \"vbd\""));
    assert!(!noted("0.016", written) && !noted("0.016", "name: \"vbd\""));
}

/// Damping by the stiffness of a sheet needs springs that have it from there.
#[test]
fn damping_that_acts_on_nothing_is_noted() {
    for (membrane, stretch, does_nothing) in
        [("Springs", 300, None), ("Springs", 0, Some("are 0")), ("StVK", 300, Some("StVK has no springs"))]
    {
        let material =
            format!("(membrane: {membrane}, sheet: (stretch: {stretch}, bend: 1e-6, damping: 0.01))");
        let grid = "shape: Grid(columns: 10, rows: 10, width: 1.0, height: 1.0)";
        let text =
            format!("(version: 1, cloths: [(id: \"a\", pins: [Edge(Top)], {grid}, material: {material})])");
        let notes = findings(&text).unwrap_or_else(|errors| panic!("{errors}")).notes;
        let said = notes.iter().find(|note| note.contains("it does nothing"));
        assert_eq!(said.is_some(), does_nothing.is_some(), "{membrane} {stretch}: {notes:?}");
        assert!(said.zip(does_nothing).is_none_or(|(said, why)| said.contains(why)), "{notes:?}");
    }
}

/// What git leaves in a file that two branches changed: told at its first mark, whatever stands around it.
#[test]
fn an_undecided_merge_is_told_as_one() {
    let text = std::fs::read_to_string(places::scene("curtain_pair.ron")).unwrap();
    for at in [
        0,
        text.find('\n').unwrap() + 1,
        text.rfind(']').map(|at| text[..at].rfind('\n').unwrap() + 1).unwrap(),
    ] {
        let merged = format!(
            "{}<<<<<<< HEAD\n    version: 1,\n=======\n    version: 2,\n>>>>>>> other\n{}",
            &text[..at],
            &text[at..]
        );
        let errors = findings(&merged).expect_err("merged");
        let [error] = errors.list.as_slice() else { panic!("{errors}") };
        assert_eq!(error.line, 1 + text[..at].matches('\n').count(), "{errors}");
        assert!(errors.to_string().contains("`=======`"), "{errors}");
    }
}
