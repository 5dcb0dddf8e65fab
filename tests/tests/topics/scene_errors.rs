//! Bad scenes are refused at the true token.
//!
//! Each file in `tests/bad_scenes` names what it expects in comments at its head:
//! `//! LINE:COL fragment of the message`, one line for each finding, all of them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use weft_scene::{ParamInfo, SceneErrors, SolverInfo, Vocabulary};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A folder with the textures and meshes that the scenes name.
fn base() -> &'static Path {
    static BASE: OnceLock<PathBuf> = OnceLock::new();
    BASE.get_or_init(|| {
        let base = std::env::temp_dir().join(format!("weft_scene_errors_{}", std::process::id()));
        std::fs::create_dir_all(base.join("textures")).unwrap();
        for name in ["linen", "tartan", "stripes", "denim", "checker"] {
            let picture = folder("../scenes/textures/stripes.png");
            std::fs::copy(picture, base.join(format!("textures/{name}.png"))).unwrap();
        }
        std::fs::write(base.join("textures/notes.txt"), b"").unwrap();
        std::fs::create_dir_all(base.join("meshes")).unwrap();
        let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n";
        let faces = [
            ("square", "f 1 2 3\nf 3 2 4\n"),
            ("wound", "f 1 2 3\nf 2 3 4\n"),
            ("loose", "f 1 2 3\n"),
            ("empty", ""),
        ];
        for (name, faces) in faces {
            std::fs::write(base.join(format!("meshes/{name}.obj")), format!("{corners}{faces}")).unwrap();
        }
        for (name, number) in [("nan", "nan"), ("infinite", "1e999")] {
            let text = format!("v 0 0 0\nv {number} 0 0\nv 0 1 0\nf 1 2 3\n");
            std::fs::write(base.join(format!("meshes/{name}.obj")), text).unwrap();
        }
        base
    })
}

fn known() -> Vocabulary {
    let number = |name: &str, min, max, integer| ParamInfo {
        name: name.to_owned(),
        doc: format!("{name} of the solver"),
        min,
        max,
        integer,
        ..ParamInfo::default()
    };
    let order = ParamInfo {
        name: "order".to_owned(),
        choices: vec!["colored".to_owned(), "wavefront".to_owned()],
        ..ParamInfo::default()
    };
    let params = vec![number("substeps", 1.0, 64.0, true), number("relaxation", 0.1, 1.9, false), order];
    let named = |name: &str| SolverInfo { name: name.to_owned(), doc: String::new(), params: params.clone() };
    let readings = weft_session::readings::all(&weft_engine::generation::Generation::built_in())
        .map(|reading| reading.name)
        .collect();
    Vocabulary { solvers: vec![named("xpbd"), named("newton")], readings }
}

/// All findings as `LINE:COL message`, pending ones as well.
fn findings(text: &str) -> (Vec<String>, Option<SceneErrors>) {
    let line = |d: &weft_scene::Diagnostic| format!("{}:{} {}", d.line, d.column, d.message);
    match weft_scene::parse_text("bad.ron", text, Some(base()), &known()) {
        Ok(loaded) => (loaded.pending.iter().map(line).collect(), None),
        Err(errors) => (errors.list.iter().map(line).collect(), Some(errors)),
    }
}

#[test]
fn every_bad_scene_is_refused_at_its_token() {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder("bad_scenes")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = String::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let expected: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//! ")).collect();
        let (found, _) = findings(&text);
        let fits = |(found, expected): (&String, &&str)| {
            let (place, fragment) = expected.split_once(' ').unwrap();
            found.starts_with(&format!("{place} ")) && found.contains(fragment)
        };
        if expected.is_empty() || found.len() != expected.len() || !found.iter().zip(&expected).all(fits) {
            writeln!(wrong, "{}\n  expected {expected:#?}\n  found {found:#?}", file.display()).unwrap();
        }
    }
    assert!(files.len() >= 60, "only {} bad scenes", files.len());
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn empty_and_cut_files_are_refused() {
    let (found, _) = findings("");
    assert_eq!(found, ["1:1 the file is empty"]);
    let (found, _) = findings("  \n// nothing\n");
    assert_eq!(found, ["1:1 the file has comments alone"]);
    let text = std::fs::read_to_string(folder("../scenes/curtain_pair.ron")).unwrap();
    let end = text.rfind(')').unwrap();
    for cut in (0..=end).filter(|&cut| text.is_char_boundary(cut)) {
        let (found, errors) = findings(&text[..cut]);
        assert!(errors.is_some() && !found.is_empty(), "cut at byte {cut}");
    }
}

#[test]
fn the_report_reads_like_that_of_rustc() {
    let text = std::fs::read_to_string(folder("bad_scenes/density_negative.ron")).unwrap();
    let errors = findings(&text).1.unwrap();
    let report = errors.to_string();
    let place = &text.lines().next().unwrap()[4..].split(' ').next().unwrap();
    assert!(report.starts_with(&format!("bad.ron:{place}: `density` is -0.12 kg/m2")), "{report}");
    assert!(report.contains("(cloths[0].material.density)"), "{report}");
    assert!(report.contains("density: -0.12") && report.contains("help: mass per area"), "{report}");
    assert!(!report.contains('\x1b'), "{report}");
    assert!(
        errors.one_line().starts_with(&format!("bad.ron:{place}: ")) && !errors.one_line().contains('\n')
    );
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let missing = base().join("missing.ron");
    let error = weft_scene::load(&missing, &weft_scene::Vocabulary::default()).unwrap_err();
    assert!(error.one_line().contains("missing.ron:1:1: cannot read it"), "{error}");
    let bytes = base().join("bytes.ron");
    std::fs::write(&bytes, b"Scene(\n  title: \"\xff\")").unwrap();
    let error = weft_scene::load(&bytes, &weft_scene::Vocabulary::default()).unwrap_err();
    assert!(error.one_line().contains("bytes.ron:2:11: this byte is not UTF-8"), "{error}");
}

#[test]
fn every_number_is_refused_just_outside_its_range() {
    let text = std::fs::read_to_string(folder("../scenes/curtain_pair.ron")).unwrap();
    let loaded = weft_scene::parse_text("pair.ron", &text, None, &weft_scene::Vocabulary::default()).unwrap();
    let mut paths = Vec::new();
    weft_scene::visit(&mut loaded.scene.clone(), weft_scene::Address::Id, &mut |field| {
        paths.push((field.path.clone(), field.row, field.slot.components().len(), field.slot.written()));
    });
    let mut tried = 0;
    for (path, row, count, written) in paths {
        let bad = |value: f32| [value.next_up(), f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        for value in bad(row.max).into_iter().chain([row.min.next_down()]) {
            if count == 0 || written.parse::<u32>().is_ok() {
                continue;
            }
            for component in 0..count {
                let mut parts = vec![row.min; count];
                parts[component] = value;
                let parts: Vec<String> = parts.iter().map(|part| format!("{part:?}")).collect();
                let value = if count == 1 { parts[0].clone() } else { format!("({})", parts.join(", ")) };
                assert!(
                    weft_scene::set(&mut loaded.scene.clone(), &path, &value).is_err(),
                    "{path} = {value}"
                );
                tried += 1;
            }
        }
        if count == 1 {
            for value in [row.min, row.max] {
                let value =
                    if written.parse::<u32>().is_ok() { format!("{value}") } else { format!("{value:?}") };
                weft_scene::set(&mut loaded.scene.clone(), &path, &value).unwrap();
            }
        }
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn byte_order_marks_and_windows_line_ends_change_no_place() {
    let text = std::fs::read_to_string(folder("bad_scenes/density_negative.ron")).unwrap();
    let (plain, _) = findings(&text);
    assert_eq!(findings(&text.replace('\n', "\r\n")).0, plain);
    assert_eq!(findings(&format!("\u{feff}{text}")).0, plain);
}

#[test]
fn what_a_terminal_would_obey_is_written_out() {
    std::fs::write(base().join("meshes/clears.obj"), "v 0 \u{1b}[2J 0\n").unwrap();
    let mesh = "Mesh(file: \"meshes/clears.obj\")";
    for (gravity, shape, wanted) in [
        ("(0, 0, 0)", mesh, "line 1 is not a vertex: `v 0 \\u{1b}[2J 0`"),
        ("\"\u{1b}[2J\r\u{202e}\"", "Disc(radius: 1, rings: 2)", " gravity: \"\\u{1b}[2J\\r\\u{202e}\""),
    ] {
        let text =
            format!("Scene(version: 1,\n\tgravity: {gravity}, cloths: [Cloth(id: \"a\", shape: {shape})])");
        let errors = findings(&text).1.expect("it is refused");
        let report = errors.to_string() + &errors.one_line();
        assert!(report.contains(wanted) && !report.contains(['\u{1b}', '\r', '\u{202e}']), "{report:?}");
    }
}

#[test]
fn infinite_parameters_are_refused_without_a_solver() {
    let text = "Scene(version: 1, solver: (params: {\"a\": NaN}), cloths: [])";
    let errors = weft_scene::parse_text("a.ron", text, None, &weft_scene::Vocabulary::default()).unwrap_err();
    assert_eq!(errors.list.len(), 2);
    assert_eq!((errors.list[0].column, errors.list[0].path.as_str()), (42, "solver.params.a"));
}

/// `WEFT_FUZZ=1000000` for a longer run.
#[test]
fn random_edits_never_panic_and_never_slip_through() {
    let rounds: u64 = std::env::var("WEFT_FUZZ").ok().and_then(|text| text.parse().ok()).unwrap_or(2000);
    let mut seeds: Vec<String> = Vec::new();
    for (list, copies) in [(folder("bad_scenes"), 1), (folder("../scenes"), 20)] {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(list).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|ron| ron == "ron")) {
            let text = std::fs::read_to_string(file).unwrap();
            seeds.extend(std::iter::repeat_n(text, copies));
        }
    }
    let tokens = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "\"",
        "'",
        "r#\"",
        "/*",
        "*/",
        "//",
        "\\",
        "NaN",
        "-inf",
        "1e99",
        "99999999999999999999",
        "Some(",
        "None",
        "cloths",
        "id",
        "é",
        "\u{2028}",
        "#![enable(",
        "-",
        ".",
        "0x",
        "b\"",
    ];
    let known = known();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut last: Option<weft_scene::Scene> = None;
    let mut accepted = 0;
    for _ in 0..rounds {
        let mut text: Vec<char> = seeds[random(seeds.len())].chars().collect();
        for _ in 0..=random(4) {
            let (at, end) = (random(text.len() + 1), random(text.len() + 1));
            match random(7) {
                4.. => {
                    let digits: Vec<usize> =
                        (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
                    if let Some(&at) = digits.get(random(digits.len())) {
                        text[at] = ['0', '1', '2', '9', '.', '-'][random(6)];
                    }
                }
                0 => drop(text.drain(at.min(end)..(at.min(end) + random(12)).min(text.len()))),
                1 => drop(text.splice(at..at, tokens[random(tokens.len())].chars())),
                2 => {
                    let piece: Vec<char> = text[at.min(end)..at.max(end)].iter().take(60).copied().collect();
                    let to = random(text.len() + 1);
                    text.splice(to..to, piece);
                }
                _ => text.truncate(at.max(text.len() / 2)),
            }
        }
        let text: String = text.into_iter().collect();
        match weft_scene::parse_text("fuzz.ron", &text, None, &known) {
            Ok(loaded) => {
                accepted += 1;
                let scene = loaded.scene;
                weft_scene::visit(&mut scene.clone(), weft_scene::Address::Id, &mut |field| {
                    assert!(field.row.fault("", &field.slot).is_none(), "{text}");
                });
                if let Some(last) = &last {
                    weft_scene::diff(last, &scene);
                }
                if let Some(first) = scene.cloths.first() {
                    weft_scene::fate(&scene, &scene, &first.id);
                    if first.shape.particles() < 1_000_000 {
                        weft_scene::build(first);
                    }
                }
                for strands in scene.strands.iter().filter(|strands| strands.all_particles() < 1_000_000) {
                    weft_scene::fate(&scene, &scene, &strands.id);
                    let all = weft_scene::strands::build::build(strands, &scene);
                    let finite = |x: glam::Vec3| x.is_finite();
                    assert!(
                        all.iter().all(|own| finite(own.root) && finite(own.direction) && own.segment > 0.0)
                    );
                }
                last = Some(scene);
            }
            Err(errors) => {
                assert!(
                    !errors.list.is_empty()
                        && !errors.to_string().is_empty()
                        && !errors.one_line().is_empty()
                );
                for finding in &errors.list {
                    assert!(text.get(finding.span.clone()).is_some() && finding.line > 0, "{text}");
                }
            }
        }
    }
    println!("{accepted} of {rounds} accepted");
}

/// Every closing bracket of the shipped scenes left out in turn, with and without the comma after it: the
/// report names its opening one, or another one on the same line.
#[test]
fn a_missing_closing_bracket_is_blamed_on_its_opening_one() {
    let (mut right, mut near, mut all) = (0, 0, 0);
    let mut wrong = String::new();
    for name in ["flag", "drape_on_sphere", "hanging", "curtain_pair"] {
        let text = std::fs::read_to_string(folder(&format!("../scenes/{name}.ron"))).unwrap();
        let mut nodes = vec![weft_scene::tree::read(&text).0];
        while let Some(node) = nodes.pop() {
            let Some(group) = node.group else { continue };
            let line = 1 + text[..group.open].matches('\n').count();
            for comma in [false, true] {
                let mut cut = text.clone();
                cut.remove(group.close);
                if comma && cut[group.close..].starts_with(',') {
                    cut.remove(group.close);
                }
                let errors =
                    weft_scene::parse_text("cut.ron", &cut, None, &weft_scene::Vocabulary::default())
                        .unwrap_err();
                let first = &errors.list[0];
                all += 1;
                right += usize::from(first.span.start == group.open);
                near += usize::from(first.line == line);
                if first.line != line {
                    writeln!(wrong, "{name}, opened in line {line}: {}", errors.one_line()).unwrap();
                }
            }
            nodes.extend(group.entries.into_iter().map(|entry| entry.value));
        }
    }
    println!("{right} exact, {near} on the line, of {all}\n{wrong}");
    assert!(right * 100 >= all * 85 && near * 100 >= all * 95, "{right}, {near} of {all}\n{wrong}");
}

/// Every quote left out in turn: the report stands on its line.
#[test]
fn a_missing_quote_is_found_on_its_line() {
    for name in ["flag", "curtain_pair"] {
        let text = std::fs::read_to_string(folder(&format!("../scenes/{name}.ron"))).unwrap();
        for (at, _) in text.match_indices('"') {
            let mut cut = text.clone();
            cut.remove(at);
            let errors = weft_scene::parse_text("cut.ron", &cut, None, &weft_scene::Vocabulary::default())
                .unwrap_err();
            assert_eq!(errors.list[0].line, 1 + text[..at].matches('\n').count(), "{errors}");
        }
    }
}

/// Every comma of the shipped scenes left out in turn: the report stands right before the gap.
#[test]
fn a_missing_comma_is_found_where_it_was() {
    let text = std::fs::read_to_string(folder("../scenes/curtain_pair.ron")).unwrap();
    let mut nodes = vec![weft_scene::tree::read(&text).0];
    let mut tried = 0;
    while let Some(node) = nodes.pop() {
        let Some(group) = node.group else { continue };
        let count = group.entries.len();
        for entry in group.entries.iter().take(count.saturating_sub(1)) {
            let mut cut = text.clone();
            cut.remove(entry.extent.end - 1);
            let errors = weft_scene::parse_text("cut.ron", &cut, None, &weft_scene::Vocabulary::default())
                .unwrap_err();
            assert_eq!(errors.list[0].span.end, entry.value.span.end, "{errors}");
            tried += 1;
        }
        nodes.extend(group.entries.into_iter().map(|entry| entry.value));
    }
    assert!(tried > 100, "{tried}");
}
