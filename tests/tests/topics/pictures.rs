//! `weft run` from the outside: pictures, recordings, JSON, and sentences instead of panics.

use std::path::Path;
use weft_core::state::col;

use tests::{
    left_out,
    picture::{Picture, brightness},
    places, process,
};
use weft_engine::generation::Generation;

/// Whether the program is there to be run; under `tests/run` it must be.
fn no_program(test: &str) -> bool {
    !places::weft().exists() && left_out(test, "the program beside it (cargo build)")
}

/// Runs it well; returns what it printed.
fn run(arguments: &[&str]) -> String {
    let output = process::weft(&places::root(), arguments);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    out.into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// A small picture of a scene after 50 frames.
fn shot(scene: &str, file: &Path, set: &[String]) -> Picture {
    let scene = places::scene(scene);
    let mut arguments =
        vec!["run", text(&scene), "--frames", "50", "--size", "320x200", "--shot", text(file)];
    arguments.extend(set.iter().flat_map(|set| ["--set", set.as_str()]));
    run(&arguments);
    let picture = Picture::png(file);
    assert_eq!((picture.width, picture.height), (320, 200));
    picture
}

fn is_magenta([r, g, b]: [u8; 3]) -> bool {
    r.min(b) > g.saturating_add(25)
}

#[test]
fn every_scene_draws_cloth_ground_and_shadow() {
    if no_program("every_scene_draws_cloth_ground_and_shadow") {
        return;
    }
    let folder = places::temporary("pictures");
    for scene in places::SCENES {
        let cloths = if scene == "curtain_pair.ron" { 2 } else { 1 };
        let of_all = |values: &[(&str, &str)]| -> Vec<String> {
            let of =
                |i: usize| values.iter().map(move |(field, value)| format!("cloths[{i}].{field}={value}"));
            (0..cloths).flat_map(of).collect()
        };
        let size = [("shape.columns", "41"), ("shape.rows", "41")];
        let plain = shot(scene, &folder.join(format!("{scene}.png")), &of_all(&size));
        assert!(plain.colors() > 500, "{scene}: {} colours", plain.colors());
        // The same again with the cloth in a colour that nothing else has: this is where the cloth is.
        let look = [("look.texture", ""), ("look.front", "(1,0,1)"), ("look.back", "(1,0,1)")];
        let painted = of_all(&[&size[..], &look[..]].concat());
        let painted = shot(scene, &folder.join(format!("{scene}-painted.png")), &painted);
        let cloth: Vec<bool> = painted.pixels.iter().map(|pixel| is_magenta(*pixel)).collect();
        let share = cloth.iter().filter(|&&is| is).count() as f64 / cloth.len() as f64;
        assert!((0.02..0.6).contains(&share), "{scene}: {share} of the picture is cloth");
        assert!(plain.share(is_magenta) < 0.01, "{scene}");
        // Elsewhere both are the same picture, but for cloth colour that the renderer lets shine through.
        let elsewhere: Vec<[u8; 3]> = plain
            .pixels
            .iter()
            .zip(&cloth)
            .skip(320 * 120)
            .filter(|(_, is)| !**is)
            .map(|(p, _)| *p)
            .collect();
        let mut light: Vec<u32> = elsewhere.iter().map(|pixel| brightness(*pixel)).collect();
        light.sort_unstable();
        let ground = light[light.len() / 2];
        let dark = light.iter().filter(|&&value| value * 10 < ground * 7).count();
        assert!(ground > 200, "{scene}: lit ground is bright ({ground})");
        assert!(dark > 100, "{scene}: there is a shadow on the ground ({dark} pixels)");
    }
}

/// Of `name [unit]`.
fn name(title: &str) -> &str {
    title.split(" [").next().unwrap_or_default()
}

#[test]
fn a_recording_has_a_finite_row_for_each_frame() {
    if no_program("a_recording_has_a_finite_row_for_each_frame") {
        return;
    }
    let file = places::temporary("recording").join("flag.csv");
    run(&["run", text(&places::scene("flag.ron")), "--frames", "37", "--record", text(&file)]);
    let csv = std::fs::read_to_string(&file).unwrap();
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(head[..4], ["frame", "time [s]", "at [ms]", "wall [ms]"]);
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 37);
    let column = |wanted: &str| head.iter().position(|title| name(title) == wanted).expect("a column");
    let energies = ["kinetic_energy", "potential_energy", "elastic_energy", "total_energy"].map(column);
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), head.len(), "{row:?}");
        let [kinetic, potential, elastic, total] = energies.map(|at| row[at].parse::<f64>().unwrap());
        assert!((kinetic + potential + elastic - total).abs() < 1e-5 * total.abs(), "{row:?}");
        assert_eq!(row[0], (i + 1).to_string());
        for (title, value) in head.iter().zip(row) {
            let name = name(title);
            let reading = weft_session::readings::find(&Generation::built_in(), name).is_some();
            // A stage that is not in the frame did not begin.
            if value.is_empty() && (reading || name == "others" || name.ends_with(" begin")) {
                continue;
            }
            let number: f64 = value.parse().unwrap_or_else(|_| panic!("{name} is {value:?}"));
            assert!(number.is_finite() && (number >= 0.0 || reading), "{name} {value}");
        }
    }
}

#[test]
fn json_parses_and_has_the_hash_of_the_same_run_in_process() {
    if no_program("json_parses_and_has_the_hash_of_the_same_run_in_process") {
        return;
    }
    let scene = places::scene("hanging.ron");
    let line = run(&["run", text(&scene), "--frames", "20", "--threads", "2", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((json["frames"].as_u64(), json["threads"].as_u64()), (Some(20), Some(2)));
    assert_eq!(json["solver"], "xpbd");
    for stage in ["step", "frame", "solve"] {
        assert!(json["ms"][stage]["p50"].as_f64().is_some_and(|ms| ms > 0.0), "{stage}: {line}");
    }
    let options = weft_session::Options { scene, threads: 1, ..Default::default() };
    let mut session = weft_session::Session::open(options).unwrap();
    (0..20).for_each(|_| assert!(session.step().is_ok()));
    assert_eq!(json["state_hash"], weft_core::state::StateHash::of(&session.run().state).to_string());
    // What the solver says is no part of the one line.
    let rings = places::scene("rings.ron");
    let line = run(&["run", text(&rings), "--solver", "verlet", "--frames", "1", "--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "{line}");
}

#[test]
fn views_show_numbers_in_the_colours_of_their_scale() {
    if no_program("views_show_numbers_in_the_colours_of_their_scale") {
        return;
    }
    let (folder, scene) = (places::temporary("views"), places::scene("hanging.ron"));
    let draw = |view: &str, palette: &str| {
        let file = folder.join(format!("{view}-{palette}.png"));
        let mut arguments = vec!["run", text(&scene), "--frames", "50", "--size", "320x200"];
        arguments.extend(["--shot", text(&file), "--view", view, "--palette", palette]);
        let output = process::weft(&places::root(), &arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        (Picture::png(&file), said)
    };
    let (texture, said) = draw("texture", "viridis");
    assert!(!said.contains(" 0 to "), "a texture has no scale: {said}");
    let (viridis, stress) = draw("stress", "viridis");
    let (hsv, _) = draw("stress", "hsv");
    let (acceleration, line) = draw("acceleration", "viridis");
    assert!(stress.contains("N/m (95th percentile), viridis"), "{stress}");
    for (a, b) in [(&texture, &viridis), (&viridis, &hsv), (&viridis, &acceleration)] {
        let differ = a.pixels.iter().zip(&b.pixels).filter(|(a, b)| a != b).count();
        assert!(differ > 3000, "{differ} pixels differ");
    }
    // Only the hues pass through pure blue; viridis ends in yellow, where blue is least.
    let blue = |[r, g, b]: [u8; 3]| b > 150 && r < 80 && g < 130;
    let yellow = |[r, g, b]: [u8; 3]| r > 150 && g > 130 && b < 80;
    let blues = [&hsv, &texture, &viridis].map(|picture| picture.share(blue));
    assert!(blues[0] > 0.02 && blues[1] < 0.001 && blues[2] < 0.001, "{blues:?}");
    let yellows = [&viridis, &texture].map(|picture| picture.share(yellow));
    assert!(yellows[0] > 0.002 && yellows[1] < 0.001, "{yellows:?}");
    // The scale ends at the 95th percentile of the same run in process.
    let mut session =
        weft_session::Session::open(weft_session::Options { scene, threads: 1, ..Default::default() })
            .unwrap();
    (0..50).for_each(|_| assert!(session.step().is_ok()));
    let rows = session.run().state.get(col::particle::acceleration).iter();
    let mut sizes: Vec<f32> = rows.map(|a| (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()).collect();
    sizes.sort_by(f32::total_cmp);
    let expected = sizes[(0.95 * sizes.len() as f64).ceil() as usize - 1];
    let said = line.split("acceleration 0 to ").nth(1).and_then(|rest| rest.split(' ').next());
    let top: f32 = said.and_then(|top| top.parse().ok()).unwrap_or_else(|| panic!("{line}"));
    assert!((top - expected).abs() < 1e-3 * expected, "{top} is not {expected}");
}

#[test]
fn lists_are_printed() {
    if no_program("lists_are_printed") {
        return;
    }
    let solvers = run(&["solvers"]);
    assert!(tests::fixture::solvers().iter().all(|solver| solvers.lines().any(|line| line == *solver)));
    let readings = run(&["readings"]);
    assert!(
        weft_session::readings::all(&Generation::built_in()).all(|reading| readings.contains(reading.name))
    );
    let schema = run(&["schema"]);
    assert!(schema.contains("cloths.ID.material.density") && schema.contains("cloths.ID.material.friction"));
    assert!(run(&["--help"]).contains("weft run scenes/flag.ron"));
    let mut arguments = vec!["check"];
    let scenes = places::SCENES.map(|name| format!("scenes/{name}"));
    arguments.extend(scenes.iter().map(String::as_str));
    assert_eq!(run(&arguments).matches(": ok").count(), 4);
}

#[test]
fn bad_input_is_a_sentence_and_never_a_panic() {
    if no_program("bad_input_is_a_sentence_and_never_a_panic") {
        return;
    }
    let folder = places::temporary("bad-input");
    let flag = std::fs::read_to_string(places::scene("flag.ron")).unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    for folder in [folder.join("textures"), folder.join("no_image/textures")] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::copy(places::scene("textures/tartan.png"), folder.join("textures/tartan.png")).unwrap();
    write("no_image/textures/tartan.png", "this is no picture");
    let no_image = write("no_image/flag.ron", &flag);
    let broken = write("broken.ron", &flag.replace("gust: 0.5", "gust: 0.5 0.5"));
    let empty = write("empty.ron", "");
    let no_solver = write("no_solver.ron", &flag.replace("\"xpbd\"", "\"xpdb\""));
    let pending = write("pending.ron", &flag.replace("\"iterations\"", "\"iteration\""));
    let picture = folder.join("picture.png");
    let good = places::scene("flag.ron");
    let good = good.to_str().unwrap();
    let picture = text(&picture);
    let set = |value| vec!["run", good, "--frames", "2", "--set", value];
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["run", "no/such.ron"], "cannot read"),
        (vec!["run", &empty], "empty"),
        (vec!["run", &broken], "broken.ron:7:"),
        (vec!["run", &no_solver], "xpdb"),
        (vec!["run", &pending], "iteration"),
        (vec!["check", &broken, good], "1 of 2"),
        (vec!["run", &no_image, "--frames", "1", "--shot", picture], "tartan.png"),
        (vec!["run", good, "--solver", "leapfrog"], "there is no solver `leapfrog`"),
        (vec!["run", good, "--record", "x.txt"], "must end in .weft"),
        (vec!["run", good, "--record", "/no/such/folder/x.csv"], "cannot create"),
        (vec!["run", good, "--frames", "1", "--shot", "/no/such/folder/x.png"], "/no/such/folder/x.png"),
        (vec!["run", good, "--frames", "1", "--shot", "x.jpg"], "must end in .png"),
        (set("cloths.flag.material.density=-1"), "must be between"),
        (set("gravity=(NaN,0,0)"), "is not a number"),
        (set("gravity=(inf,0,0)"), "must be between"),
        (set("wind.velocity=3"), "three numbers"),
        (set("wind.velocty=(1,2,3)"), "did you mean `wind.velocity`"),
        (set("solver.substeps=9999"), "between 1 and 500"),
        (set("solver.substep=3"), "no parameter `substep`"),
        (set("cloths[7].at=(0,0,0)"), "no such field"),
        (set("cloths.flag.coarse.spacing=4"), "cloths.flag has no `coarse` (write `coarse: (...)` there;"),
        (set("cloths.flag.material.tear.strain=0.1"), "cloths.flag.material has no `tear`"),
        (set("cloths.flag.corse.spacing=4"), "no such field"),
    ];
    for (arguments, part) in cases {
        let output = process::weft(&places::root(), &arguments);
        let said =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        let option =
            arguments.iter().any(|word| ["--solver", "--set"].contains(word) || word.starts_with("x."));
        let code = if option { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        assert!(said.contains(part), "{arguments:?} should say `{part}`:\n{said}");
    }
    for arguments in [
        vec!["run", good, "--size", "1x1"],
        vec!["run", good, "--set", "gravity"],
        vec!["run", good, "--view", "stress"],
        vec!["run", good, "--shot", picture, "--view", "force"],
    ] {
        let output = process::weft(&places::root(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: wrong use, says clap");
    }
}

#[test]
fn without_a_display_it_says_so_and_runs_on() {
    if no_program("without_a_display_it_says_so_and_runs_on") {
        return;
    }
    for display in [None, Some(""), Some(":4711")] {
        let mut command = std::process::Command::new(places::weft());
        command.args([text(&places::scene("flag.ron")), "--frames", "5"]).env_remove("DISPLAY");
        display.map(|display| command.env("DISPLAY", display));
        let output = command.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{display:?}: {err}");
        assert!(err.contains("no display") && err.contains("running without one"), "{display:?}: {err}");
        assert!(out.contains("frames       5 "), "{out}");
    }
}
