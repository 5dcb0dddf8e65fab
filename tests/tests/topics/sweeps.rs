//! `weft sweep`: every cell is a row, failures too; what was interrupted goes on; the figure has what nothing beats.

use std::{fs, path::PathBuf};

use tests::{left_out, picture::Picture, places, process};
use weft_core::state::StateHash;
use weft_proof::sweep::{SweepOptions, run};
use weft_session::{Options, Session};

fn options(folder: &std::path::Path) -> SweepOptions {
    let axis =
        |path: &str, values: &[&str]| (path.to_string(), values.iter().map(ToString::to_string).collect());
    SweepOptions {
        scenes: vec![places::scene("hanging.ron")],
        solvers: vec!["xpbd".into(), "explicit".into()],
        axes: vec![
            axis("solver.iterations", &["1", "3"]),
            axis("cloths[0].shape.columns", &["9"]),
            axis("cloths[0].shape.rows", &["9"]),
        ],
        frames: 16,
        threads: 1,
        out: folder.join("sweep.csv"),
        pareto: Some(folder.join("sweep.png")),
        ..SweepOptions::default()
    }
}

#[test]
fn every_cell_is_a_row_and_an_interrupted_sweep_goes_on() {
    let folder = places::temporary("sweeps");
    let options = options(&folder);
    #[cfg(unix)]
    std::os::unix::fs::symlink("real.parquet", folder.join("sweep.parquet")).expect("a link");
    let rows = run(&options, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(rows.len(), 4);
    for row in &rows {
        // `explicit` has no iterations: a row with the reason.
        assert_eq!(row.failure.contains("no parameter `iterations`"), row.solver == "explicit", "{row:?}");
        assert_eq!(row.hash.is_empty(), row.solver == "explicit");
    }
    let set = rows[1].set.clone();
    let alone = Options { scene: options.scenes[0].clone(), set, threads: 1, ..Options::default() };
    let mut session = Session::open(alone).unwrap_or_else(|e| panic!("{e}"));
    (0..16).for_each(|_| _ = session.step().unwrap());
    assert_eq!(rows[1].hash, StateHash::of(&session.run().state).to_string());
    assert!(rows[0].ms_p50 > 0.0 && rows[0].stretch_max >= rows[0].stretch_p95 && rows[0].particles == 81);
    assert!(Picture::png(&folder.join("sweep.png")).colors() > 5);

    #[cfg(unix)]
    assert!(folder.join("sweep.parquet").is_symlink() && folder.join("real.parquet").is_file());

    // Cut in the middle of the second row: that and what follows is run once more, the first is not.
    let text = fs::read_to_string(&options.out).expect("it is there");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 5);
    fs::write(&options.out, format!("{}{}{}", lines[0], lines[1], &lines[2][..30]))
        .expect("target/ is writable");
    let again = run(&options, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        again[0].ms_p50.to_string(),
        format!("{:.6}", rows[0].ms_p50).parse::<f64>().unwrap().to_string()
    );
    let hashes =
        |rows: &[weft_proof::sweep::Row]| rows.iter().map(|row| row.hash.clone()).collect::<Vec<_>>();
    assert_eq!(hashes(&again), hashes(&rows));
    let text = fs::read_to_string(&options.out).expect("it is there");
    assert!(text.starts_with(lines[0]) && text.split_inclusive('\n').nth(1) == Some(lines[1]));
    assert_eq!(text.lines().count(), 5);
    // Nothing is left to do: the file stays as it is.
    run(&options, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(fs::read_to_string(&options.out).expect("it is there"), text);

    // A row that somebody broke is told, and nothing is written over it.
    let broken = text.replacen(",81,", ",8l,", 1);
    fs::write(&options.out, &broken).expect("target/ is writable");
    let said = run(&options, None).unwrap_err().to_string();
    assert!(said.contains("sweep.csv:2: ") && said.contains("`8l` as `particles`"), "{said}");
    assert_eq!(fs::read_to_string(&options.out).expect("it is there"), broken);

    let other = SweepOptions { axes: Vec::new(), ..options };
    assert!(run(&other, None).unwrap_err().to_string().contains("another sweep"));
    let wrong = SweepOptions { pareto: Some(PathBuf::from("a.jpg")), out: folder.join("b.csv"), ..other };
    assert!(run(&wrong, None).unwrap_err().to_string().contains("must end in .png or .svg"));
}

#[test]
fn the_command_takes_lists() {
    if !places::weft().exists() && left_out("the_command_takes_lists", "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("sweep_command");
    let scene = places::scene("hanging.ron");
    let scene = scene.to_str().expect("a plain path");
    let common = ["sweep", scene, "--solvers", "xpbd", "--frames", "4", "--set", "cloths[0].shape.columns=9"];
    let more =
        ["--set", "solver.substeps=4,8", "--set", "wind.velocity=(0,0,0),(1,0,0)", "--pareto", "p.svg"];
    let output = process::weft(&folder, &[&common[..], &more].concat());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("of 4 runs nothing beats these") && said.contains("substeps=4"), "{said}");
    let rows = fs::read_to_string(folder.join("sweep.csv")).expect("the default name");
    assert!(rows.lines().count() == 5 && rows.contains("\"(1,0,0)\""), "{rows}");
    assert!(fs::read_to_string(folder.join("p.svg")).expect("a figure").contains("stretch p95"));
    let again = [&common[..], &more, &["--against", "residual"]].concat();
    assert!(process::weft(&folder, &again).status.success());
    let figure = fs::read_to_string(folder.join("p.svg")).expect("a figure");
    assert!(figure.contains("residual") && !figure.contains("stretch p95"));
    let output = process::weft(&folder, &[&common[..], &["--set", "solver.substeps="]].concat());
    assert!(
        output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("empty value")
    );
}

#[test]
fn a_sweep_of_which_every_run_failed_ends_so() {
    if !places::weft().exists() && left_out("a_sweep_of_which_every_run_failed", "the program (cargo build)")
    {
        return;
    }
    let folder = places::temporary("sweep_failed");
    let scene = places::scene("hanging.ron");
    let scene = scene.to_str().expect("a plain path");
    let ends = |more: &[&str]| {
        let common = ["sweep", scene, "--solvers", "xpbd", "--frames", "2", "--limit", "0.000001"];
        let output = process::weft(&folder, &[&common[..], more].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = ends(&[]);
    assert!(code == Some(1) && said.contains("all 1 runs failed") && said.contains("longer than"), "{said}");
    // One that failed is told, and the rows of all are there.
    let one = ["--out", "one.csv", "--set", "solver.iterations=1"];
    let of = ["sweep", scene, "--solvers", "xpbd,explicit", "--frames", "2"];
    let output = process::weft(&folder, &[&of[..], &one].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("1 of 2 runs failed, the first"), "{said}");
    let rows = fs::read_to_string(folder.join("one.csv")).expect("its rows");
    assert!(rows.lines().count() == 3 && folder.join("one.parquet").is_file(), "{rows}");
    let output = process::weft(&folder, &["sweep", "oen.csv"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("there is no file \"oen.csv\": did you mean \"one.csv\"?"), "{said}");
    let (code, said) = ends(&["--set", "gravity=(0,0,0)", "--set", "gravity=(0,1,0)"]);
    assert!(code == Some(2) && said.contains("--set gravity: it is given twice"), "{said}");
    for more in [&["--solvers", "xpbd,vbd,xpbd"][..], &["--solvers", "vbd", scene]] {
        let output = process::weft(&folder, &[&["sweep", scene, "--frames", "2"], more].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("it is there twice"), "{said}");
    }
    let ponytail = places::scene("ponytail.ron");
    let output = process::weft(
        &folder,
        &["sweep", ponytail.to_str().expect("plain"), "--set", "resolution=9", "--frames", "2"],
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("`resolution` is for grids"), "{said}");
}
