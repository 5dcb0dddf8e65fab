//! Sweeps in a file and in shards: axes of their own, processes that are killed, a cluster's script, and what is wrong.

use std::{collections::BTreeSet, fs, path::Path, process::Command, thread, time::Duration};

use tests::{left_out, places, process};
use weft_core::{command::CommandError, memory};
use weft_proof::sweep::{Row, SweepFile, SweepOptions, run};

/// A sweep of a small scene beside it.
fn file(folder: &Path, more: &str) -> std::path::PathBuf {
    let scene = places::scene("hanging.ron");
    let text = format!("(\n    scenes: [{:?}],\n    {more}\n)\n", scene.display().to_string());
    let path = folder.join("small.sweep.ron");
    fs::write(&path, text).expect("target/ is writable");
    path
}

/// Its rows, by the program.
fn table(folder: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join("small.sweep.csv")).expect("a table named as the file");
    text.lines().map(|line| line.split(',').map(ToString::to_string).collect()).collect()
}

/// Values of a column, in the rows' order.
fn column(rows: &[Vec<String>], name: &str) -> Vec<String> {
    let place =
        rows[0].iter().position(|head| head == name).unwrap_or_else(|| panic!("{name}: {:?}", rows[0]));
    rows[1..].iter().map(|row| row[place].clone()).collect()
}

#[test]
fn resolutions_and_seeds_are_axes() {
    let folder = places::temporary("sweep_axes");
    let axis =
        |name: &str, values: &[&str]| (name.to_string(), values.iter().map(ToString::to_string).collect());
    let options = SweepOptions {
        scenes: vec![places::scene("hanging.ron"), places::scene("head_turn.ron")],
        solvers: vec!["xpbd".into()],
        axes: vec![axis("resolution", &["5", "9"]), axis("seed", &["0", "1", "2"])],
        frames: 4,
        threads: 1,
        out: folder.join("axes.csv"),
        ..SweepOptions::default()
    };
    let rows = run(&options, None).unwrap_or_else(|why| panic!("{why}"));
    let (good, heads): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.scene.contains("hanging"));
    assert!(heads.iter().all(|row| row.failure.contains("no scene here has one")), "{heads:?}");
    assert_eq!(good.iter().map(|row| row.particles).collect::<Vec<_>>(), [25, 25, 25, 81, 81, 81]);
    let hashes: BTreeSet<&str> = good.iter().map(|row| row.hash.as_str()).collect();
    assert_eq!(hashes.len(), 6, "each seed starts elsewhere");
    let wrong = SweepOptions { axes: vec![axis("seed", &["0", "x"])], ..options.clone() };
    let refused = run(&wrong, None).expect_err("a seed is a number");
    assert_eq!(refused, CommandError::usage("--set seed=x: give whole numbers from 0 on"));
    let nowhere = SweepOptions { scenes: vec![folder.join("nosuch.ron")], ..options.clone() };
    let refused = run(&nowhere, None).expect_err("no scene").to_string();
    assert!(
        refused.starts_with("there is no file ") && refused.contains("nosuch.ron\": looked for"),
        "{refused}"
    );
    // The same once more, and seed 0 is the scene as it stands.
    let again = SweepOptions { out: folder.join("again.csv"), ..options.clone() };
    let again = run(&again, None).unwrap_or_else(|why| panic!("{why}"));
    assert!(rows.iter().zip(&again).all(|(row, other)| row.hash == other.hash));
    let plain = SweepOptions {
        axes: vec![axis("resolution", &["9", "default"])],
        out: folder.join("plain.csv"),
        ..options
    };
    let plain = run(&plain, None).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(plain[0].hash, good[3].hash);
    assert!(plain[1].particles > 81 && plain[1].failure.is_empty(), "as the scene has it: {:?}", plain[1]);
}

#[test]
fn a_killed_process_loses_nothing_and_what_is_slow_is_a_row() {
    if !places::weft().exists() && left_out("a_killed_process_loses_nothing", "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("sweep_local");
    let sweep = file(
        &folder,
        r#"solvers: ["xpbd", "vbd"], set: [("resolution", [12, 16]), ("seed", [1, 2, 3, 4])], frames: 150, limit: 600"#,
    );
    let name = sweep.to_str().expect("a plain path");
    let mut command = Command::new(places::weft());
    command.args(["sweep", name, "--engine", "local", "--jobs", "2", "--shards", "4"]).current_dir(&folder);
    let mut child = command.stdout(std::process::Stdio::null()).spawn().expect("it starts");
    let killed = kill_a_child_of(child.id(), &folder);
    assert!(child.wait().expect("it ends").success());
    assert!(killed, "no process was there to be killed");
    let rows = table(&folder);
    assert_eq!(rows.len(), 17);
    assert!(column(&rows, "failure").iter().all(String::is_empty), "{rows:?}");
    // In the order of the cells, whoever ran them.
    assert_eq!(column(&rows, "seed")[..4], ["1", "2", "3", "4"]);
    assert!(!folder.join("small.sweep.csv.shards").exists() && folder.join("small.sweep.parquet").exists());

    // The bits do not depend on who runs it, and a limit makes rows.
    let output = process::weft(&folder, &["sweep", name, "--out", "nowhere/own.csv"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--out nowhere/own.csv: there is no such folder"), "{said}");
    let output = process::weft(&folder, &["sweep", name, "--out", "own.csv"]);
    assert!(output.status.success());
    let own: Vec<Vec<String>> = fs::read_to_string(folder.join("own.csv"))
        .expect("the table")
        .lines()
        .map(|line| line.split(',').map(ToString::to_string).collect())
        .collect();
    assert_eq!(column(&own, "state_hash"), column(&rows, "state_hash"));
    let output = process::weft(
        &folder,
        &["sweep", name, "--limit", "0.001", "--out", "slow.csv", "--engine", "local"],
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("and 15 more: stopped at frame") && said.contains("longer than 0.001 s"), "{said}");
    let output = process::weft(&folder, &["sweep", name, "--retry", "--frames", "150", "--out", "slow.csv"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!said.contains("failed"), "{said}");
}

/// What is asked for by nobody any more does not take the cores of what is measured next.
#[cfg(target_os = "linux")]
#[test]
fn processes_of_shards_end_with_the_sweep() {
    if !places::weft().exists() && left_out("processes_of_shards_end", "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("sweep_ended");
    let sweep = file(&folder, r#"solvers: ["xpbd"], set: [("seed", [1, 2])], frames: 100000"#);
    let mut command = Command::new(places::weft());
    command.args(["sweep", sweep.to_str().expect("a plain path"), "--engine", "local", "--jobs", "2"]);
    let mut sweep =
        command.current_dir(&folder).stdout(std::process::Stdio::null()).spawn().expect("it starts");
    let children = process::poll("two processes", || {
        Some(children_of(sweep.id())).filter(|children| children.len() == 2)
    });
    let term = Command::new("kill").args(["-TERM", &sweep.id().to_string()]).status();
    assert!(term.expect("kill is there").success() && !sweep.wait().expect("it ends").success());
    let runs = |child: &u32| {
        // A zombie waits for whoever takes over orphans here.
        fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    };
    process::poll("their end", || (!children.iter().any(runs)).then_some(()));
}

/// Processes that one started.
fn children_of(parent: u32) -> Vec<u32> {
    memory::processes().into_iter().filter(|[_, own]| *own == parent).map(|[child, _]| child).collect()
}

/// Ends one process that works on a shard, as a machine that goes down would.
fn kill_a_child_of(parent: u32, folder: &Path) -> bool {
    let at = || {
        fs::read_dir(folder.join("small.sweep.csv.shards")).is_ok_and(|mut files| {
            files.any(|file| file.is_ok_and(|file| file.path().extension().is_some_and(|end| end == "at")))
        })
    };
    for _ in 0..2000 {
        thread::sleep(Duration::from_millis(5));
        if !at() {
            continue;
        }
        if let Some(child) = children_of(parent).first() {
            let kill = Command::new("kill").args(["-9", &child.to_string()]).status();
            return kill.is_ok_and(|status| status.success());
        }
    }
    false
}

#[test]
fn a_cluster_gets_one_script_and_its_rows_come_back() {
    if !places::weft().exists() && left_out("a_cluster_gets_one_script", "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("sweep_slurm");
    let sweep = file(&folder, r#"solvers: ["xpbd"], set: [("resolution", [5, 6, 7, 8, 9])], frames: 12"#);
    let name = sweep.to_str().expect("a plain path");
    let with = |path: &str, arguments: &[&str]| {
        let mut command = Command::new(places::weft());
        command.args(["sweep", name]).args(arguments).current_dir(&folder).env("PATH", path);
        command.output().expect("it starts")
    };
    let output = with("/none", &["--engine", "slurm", "--threads", "2", "--print"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("#SBATCH --array=0-4") && said.contains("#SBATCH --cpus-per-task=2"), "{said}");
    assert!(said.contains("--shard $SLURM_ARRAY_TASK_ID/5"), "{said}");
    for (engine, what) in [("slurm", "`sbatch` is not installed"), ("hq", "`hq` is not installed")] {
        let output = with("/none", &["--engine", engine]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && said.contains(what) && said.contains("5 of 5 runs are missing"),
            "{said}"
        );
    }
    // What stands in for Slurm runs the array's tasks in turn, but loses one.
    let script = "#!/bin/sh\nfor i in 0 2 3 4; do SLURM_ARRAY_TASK_ID=$i sh \"$2\" || exit 1; done\n[ -z \"$LAST\" ] || SLURM_ARRAY_TASK_ID=1 sh \"$2\"\n";
    let sbatch = folder.join("sbatch");
    fs::write(&sbatch, script).expect("target/ is writable");
    assert!(Command::new("chmod").arg("+x").arg(&sbatch).status().is_ok_and(|status| status.success()));
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let output = with(&path, &["--engine", "slurm", "--shards", "5"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("1 of 5 runs are missing"), "{said}");
    assert_eq!(table(&folder).len(), 5);
    let output = with(&path, &["--engine", "slurm", "--shards", "5"]);
    assert!(
        output.status.success(),
        "what is left is one shard: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(column(&table(&folder), "particles"), ["25", "36", "49", "64", "81"]);
}

#[test]
fn mistakes_in_the_file_have_a_place() {
    let folder = places::temporary("sweep_mistakes");
    let wrong = |text: &str| {
        let path = folder.join("wrong.sweep.ron");
        fs::write(&path, text).expect("target/ is writable");
        assert!(SweepFile::is_one(&path), "{text}");
        SweepFile::read(&path).map(|_| ()).expect_err(text)
    };
    let why = wrong("(\n    scenes: [\"a.ron\"],\n    solver: [\"xpbd\"],\n)");
    assert!(why.contains("wrong.sweep.ron:3:") && why.contains("solver") && why.contains("solvers"), "{why}");
    assert!(wrong("(scenes: [])").contains("`scenes` is empty"));
    let why = wrong("(scenes: [\"a.ron\"], set: [(\"wind.gust\", [])])");
    assert!(why.contains("wrong.sweep.ron:1:27: wind.gust: it has no value"), "{why}");
    assert!(wrong("(\n  scenes: [\"a.ron\"],\n  frames: -3)").contains(":3:"));
    assert!(!SweepFile::is_one(&places::scene("flag.ron")));
    let scene = places::scene("hanging.ron");
    let checked = |rest: &str| {
        let path = folder.join("wrong.sweep.ron");
        fs::write(&path, format!("(\n  scenes: [{scene:?}],\n{rest}\n)")).expect("target/ is writable");
        let error = SweepFile::checked(&path).map(|_| ()).expect_err(rest);
        assert!(matches!(error, CommandError::Other(_)), "the command line is right: {error:?}");
        error.to_string()
    };
    for (rest, place, what) in [
        ("  solvers: [\"xpbd\", \"xpdb\"],", ":3:21:", "did you mean `xpbd`?"),
        (
            "  set: [(\"solver.substeps\", [5]),\n    (\"solver.substep\", [5, 10])],",
            ":4:25:",
            "no solver here",
        ),
        ("  set: [(\"resolution\", [9, 1])],", ":3:28:", "whole numbers from 2 on"),
        ("  set: [(\"seed\", [-1])],", ":3:19:", "whole numbers from 0 on"),
        ("  set: [(\"step\", [0.01]), (\"step\", [0.02])],", ":3:27:", "given twice"),
        ("  set: [(\"wind.gusts\", [1])],", ":3:25:", "wind.gusts=1"),
        ("  frames: 0,", ":3:11:", "nothing would be timed"),
        ("  out: \"rows.txt\",", ":3:8:", "must end in .csv"),
    ] {
        let why = checked(rest);
        assert!(why.contains(&format!("wrong.sweep.ron{place}")) && why.contains(what), "{why}");
    }
    let empty = folder.join("empty.sweep.ron");
    fs::write(&empty, "").expect("target/ is writable");
    assert!(SweepFile::is_one(&empty), "by its name");
    let why = SweepFile::checked(&empty).map(|_| ()).unwrap_err().to_string();
    assert!(why.contains("empty.sweep.ron:1:1:"), "{why}");
}
