//! What is said of recordings: statistics against another program, verdicts on simulated runs, and the commands.

use std::fs;

use tests::{
    alone::Alone,
    left_out, places,
    process::{self, poll},
};
use weft_timings::{
    Kind,
    bootstrap::{self, Random},
    compare::{MARGIN, Ratio, Verdict, judge, pairs, sets},
    read,
    statistics::{Row, Summary, median, quantile, sorted},
    student,
};

/// Relative.
const EXACT: f64 = 1e-9;

fn golden() -> serde_json::Value {
    let text = fs::read_to_string(places::root().join("tests/timings/golden.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn same(what: &str, ours: f64, theirs: &serde_json::Value) {
    let theirs = theirs.as_f64().unwrap_or_else(|| panic!("{what} is no number"));
    assert!((ours - theirs).abs() <= EXACT * theirs.abs().max(1e-6), "{what}: {ours}, not {theirs}");
}

fn numbers(list: &serde_json::Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

#[test]
fn statistics_are_those_of_another_program() {
    let golden = golden();
    let vectors = golden["vectors"].as_array().unwrap();
    assert!(vectors.len() >= 20);
    for (i, vector) in vectors.iter().enumerate() {
        let summary = Summary::of(&numbers(&vector["frames"]), 30.0).unwrap();
        let row = |name: &str, row: &Row| {
            for (number, value) in row.list() {
                same(&format!("vector {i}, {name} {number}"), value, &vector[name][number]);
            }
        };
        row("ms", &summary.ms);
        row("fps", &summary.fps);
        let low = &vector["low"];
        same(&format!("vector {i}, time integral"), summary.low.time_integral, &low["time_integral"]);
        same(&format!("vector {i}, slowest"), summary.low.mean_of_slowest, &low["mean_of_slowest"]);
        same(&format!("vector {i}, percentile"), summary.low.percentile, &low["percentile"]);
        same(&format!("vector {i}, stutter"), summary.stutter_ms, &vector["stutter_ms"]);
        same(&format!("vector {i}, below 30"), summary.below_ms, &vector["below_30_ms"]);
        assert_eq!(Some(summary.dropped as u64), vector["dropped"].as_u64());
    }
    assert_eq!(Summary::of(&[], 30.0), None);
    assert_eq!(Summary::of(&[0.0, f64::NAN, -1.0], 30.0), None);
    for entry in golden["student"].as_array().unwrap() {
        let [share, freedom, t] = numbers(entry)[..] else { panic!("{entry}") };
        same(&format!("t of {share} with {freedom}"), student::quantile(share, freedom), &t.into());
    }
    let runs = &golden["runs"];
    let (a, b, c) = (numbers(&runs["a"]), numbers(&runs["b"]), numbers(&runs["c"]));
    for (name, ours) in [("pairs", pairs(&a, &b)), ("welch", sets(&a, &c))] {
        same(&format!("{name} ratio"), ours.ratio, &runs[name]["ratio"]);
        same(&format!("{name} low"), ours.low, &runs[name]["low"]);
        same(&format!("{name} high"), ours.high, &runs[name]["high"]);
    }
}

/// About normal: mean 0, variance 1.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
}

/// Frames of 8 ms, each 0.7 of the one before's error and 4 % of its own.
fn frames(random: &mut Random, ms: f64, count: usize) -> Vec<f64> {
    let mut error = 0.0;
    let mut frame = || {
        error = 0.7 * error + 0.04 * normal(random);
        ms * f64::exp(error)
    };
    (0..count).map(|_| frame()).collect()
}

/// Medians of six runs each in turns on a machine that gets slower by 5 % meanwhile; each run is off by 0.5 % besides.
fn experiment(random: &mut Random, ratio: f64) -> [Vec<f64>; 2] {
    let mut both = [Vec::new(), Vec::new()];
    for slot in 0..12 {
        let side = [0, 1, 1, 0][slot % 4];
        let drift = 1.0 + 0.05 * slot as f64 / 12.0;
        let run = drift * f64::exp(0.005 * normal(random)) * if side == 1 { ratio } else { 1.0 };
        both[side].push(median(frames(random, 8.0 * run, 200)));
    }
    both
}

#[test]
fn equal_runs_are_rarely_called_different_and_three_percent_are_found() {
    let mut random = Random(7);
    let mut share = |ratio: f64, counts: fn(&Ratio) -> bool| {
        let trials = 400;
        let mut hit = || {
            let [a, b] = experiment(&mut random, ratio);
            counts(&pairs(&a, &b))
        };
        (0..trials).filter(|_| hit()).count() as f64 / f64::from(trials)
    };
    let wrong = |ratio: &Ratio| matches!(judge(ratio, MARGIN), Verdict::Faster | Verdict::Slower);
    let false_alarms = share(1.0, wrong);
    let found = share(1.03, |ratio| judge(ratio, MARGIN) == Verdict::Slower);
    let gained = share(0.95, |ratio| judge(ratio, MARGIN) == Verdict::Faster);
    let covered = share(1.03, |ratio| ratio.low <= 1.03 && 1.03 <= ratio.high);
    println!("false alarms {false_alarms}, 3 % found {found}, 5 % gained {gained}, covered {covered}");
    assert!(false_alarms <= 0.06, "{false_alarms}");
    assert!(found >= 0.9 && gained >= 0.9, "{found}, {gained}");
    assert!((0.92..=1.0).contains(&covered), "{covered}");
}

#[test]
fn verdicts_follow_from_the_interval() {
    let of = |low, high| judge(&Ratio { ratio: 1.0, low, high }, 0.03);
    assert_eq!(of(0.99, 1.02), Verdict::NoDifference);
    assert_eq!(of(1.005, 1.02), Verdict::NoDifference, "what is there matters not");
    assert_eq!(of(1.02, 1.05), Verdict::Slower);
    assert_eq!(of(0.9, 0.98), Verdict::Faster);
    assert_eq!(of(0.96, 1.01), Verdict::Repeat);
    assert_eq!(of(0.0, f64::INFINITY), Verdict::Repeat);
    let codes = [Verdict::NoDifference, Verdict::Faster, Verdict::Slower, Verdict::Repeat];
    assert_eq!(codes.map(Verdict::exit_code), [0, 0, 3, 4]);
}

#[test]
fn blocks_of_frames_give_intervals_that_hold_the_truth() {
    let mut random = Random(11);
    let (trials, mut in_blocks, mut one_by_one) = (120, 0, 0);
    for _ in 0..trials {
        let frames = frames(&mut random, 8.0, 300);
        let [low, high] = bootstrap::intervals(&frames, &[0.5])[0];
        in_blocks += i32::from(low <= 8.0 && 8.0 <= high);
        // The binomial interval of independent frames.
        let sorted = sorted(frames);
        let half = 0.98 / (sorted.len() as f64).sqrt();
        one_by_one += i32::from(quantile(&sorted, 0.5 - half) <= 8.0 && 8.0 <= quantile(&sorted, 0.5 + half));
    }
    println!("of {trials}: blocks {in_blocks}, one by one {one_by_one}");
    assert!(in_blocks * 100 >= 86 * trials, "{in_blocks}");
    assert!(one_by_one < in_blocks - trials / 10, "{one_by_one}, {in_blocks}");
}

fn no_program(test: &str) -> bool {
    !places::weft().is_file() && left_out(test, "the program")
}

/// Exit code, standard output and errors of `weft`, in the root of the tree.
fn weft(arguments: &[&str]) -> (i32, String, String) {
    let output = process::weft(&places::root(), arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_run_is_recorded_reported_and_compared() {
    if no_program("a_run_is_recorded_reported_and_compared") {
        return;
    }
    let folder = places::temporary("timings_commands");
    let name = |file: &str| folder.join(file).to_str().expect("a plain name").to_string();
    let record = |scene: &str, file: &str| {
        let size = ["--set", "cloths[0].shape.columns=32", "--set", "cloths[0].shape.rows=32"];
        let run = ["run", scene, "--frames", "40", "--threads", "1", "--record", &name(file)];
        let (code, _, said) = weft(&[&run[..], &size].concat());
        assert_eq!(code, 0, "{said}");
    };
    for file in ["a.weft", "b.weft", "a.csv", "a.trace.json"] {
        record("scenes/hanging.ron", file);
    }
    record("scenes/flag.ron", "other.weft");
    let recording = read(&folder.join("a.weft")).unwrap();
    assert_eq!((recording.frames.len(), recording.head.solver.as_str()), (40, "xpbd"));
    assert!(recording.head.scene_text.contains("cloths") && recording.head.time_unix.is_some());
    let (step, begin) = (recording.column(Kind::Stage, "step"), recording.column(Kind::Begin, "step"));
    let ends = recording.values(step.unwrap()).zip(recording.values(begin.unwrap())).map(|(ms, at)| at + ms);
    let inside = ends.zip(&recording.frames).all(|(end, frame)| end <= frame.wall_ms + 0.01);
    assert!(inside, "a stage lies in its frame");
    let trace: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("a.trace.json")).unwrap()).unwrap();
    let frames = trace.as_array().unwrap().iter().filter(|event| event["name"] == "frame");
    assert_eq!(frames.count(), 40);

    let (code, text, said) = weft(&["report", &name("a.weft"), &name("a.csv")]);
    assert_eq!(code, 0, "{said}");
    for part in
        ["step.solve", "1 % low, time integral", "1 % low, mean of the slowest", "stutter", "hanging.ron"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (_, json, _) = weft(&["report", "--json", &name("a.weft")]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["ms"]["step.solve"]["p95"].as_f64().is_some_and(|ms| ms > 0.0), "{json}");
    let (code, _, said) = weft(&["report", &name("a.weft"), "--html", &name("page.html")]);
    assert_eq!(code, 0, "{said}");
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.matches("<svg").count() == 4 && page.contains("prefers-color-scheme"));
    // The name of SVG's own words is the only address.
    assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org/2000/svg").count());

    let (code, _, said) = weft(&["report", &name("a.weft"), "--html", &name("a.weft")]);
    assert!(code != 0 && said.contains("must end in .html"), "{said}");

    let (code, text, said) = weft(&["compare", &name("a.weft"), "--", &name("b.weft")]);
    assert_eq!(code, 4, "{said}{text}");
    assert!(text.contains("a difference with an interval, not proof"), "{text}");
    let (code, _, said) = weft(&["compare", &name("a.weft"), "--", &name("other.weft")]);
    assert!(code == 2 && said.contains("different scenes") && said.contains("--force"), "{code} {said}");
    assert!(said.contains(", from line ") && said.contains("on: `"), "{said}");
    let (code, _, _) = weft(&["compare", "--force", &name("a.weft"), "--", &name("other.weft")]);
    assert_eq!(code, 4);
    let (code, _, said) = weft(&["compare", &name("a.weft"), "--", &name("none.weft")]);
    assert!(code == 2 && said.contains("none.weft"), "{said}");
    let (code, _, said) = weft(&["compare", "--by", "stop", &name("a.weft"), "--", &name("b.weft")]);
    assert!(code == 2 && said.contains("--by stop: both sides have frame, step"), "{said}");
}

#[test]
fn two_variants_run_in_turns() {
    if no_program("two_variants_run_in_turns") {
        return;
    }
    let out = places::temporary("timings_ab");
    let folder = out.to_str().unwrap();
    let a =
        "--threads 1 --set cloths[0].shape.columns=20 --set cloths[0].shape.rows=20 --set solver.substeps=2";
    // So many that the other programs of a busy machine do not hide it.
    let b = "--threads 1 --set cloths[0].shape.columns=20 --set cloths[0].shape.rows=20 --set 'solver.substeps=200'";
    let all = ["--pairs", "3", "--frames", "20", "--out", folder, "--by", "step", "--json"];
    let (code, json, said) = weft(&[&["ab", "scenes/hanging.ron", "--a", a, "--b", b], &all[..]].concat());
    assert_eq!(code, 3, "a hundred times the substeps are slower: {said}{json}");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["method"].as_str(), json["verdict"].as_str()), (Some("pairs"), Some("slower")));
    assert!(json["noise"].as_f64().is_some(), "{json}");
    let order = |side: &str, pair: usize| {
        read(&out.join(format!("{side}-{pair}.weft"))).unwrap().head.time_unix.unwrap()
    };
    assert!(order("a", 1) < order("b", 1) && order("b", 2) < order("a", 2) && order("a", 2) < order("a", 3));
    // Known as pairs by their starts alone.
    let files = |side: &str| (1..=3).map(|i| format!("{folder}/{side}-{i}.weft")).collect::<Vec<_>>();
    let (a, b) = (files("a"), files("b"));
    let mut arguments = vec!["compare", "--by", "step"];
    arguments.extend(a.iter().map(String::as_str).chain(["--"]).chain(b.iter().map(String::as_str)));
    let (code, text, _) = weft(&arguments);
    assert!(code == 3 && text.contains("pairs run in turns") && text.contains("noise "), "{text}");

    for (arguments, said) in [
        (vec!["ab", "scenes/hanging.ron", "--b", "--solver nonsense", "--pairs", "2"], "nonsense"),
        (vec!["ab", "scenes/hanging.ron", "--b", "--record x.csv"], "records by itself"),
        (vec!["ab", "scenes/hanging.ron", "--b", "--set 'x"], "not closed"),
        (vec!["ab", "scenes/none.ron"], "scenes/none.ron"),
        (vec!["ab", "scenes/hanging.ron", "--pairs", "1"], "--pairs 1"),
        (vec!["ab", "scenes/hanging.ron", "--b-rev", "no-such-revision"], "no-such-revision"),
    ] {
        let (code, _, why) = weft(&[&arguments[..], &["--out", folder]].concat());
        assert!(code == 2 && why.contains(said), "{arguments:?}: {code} {why}");
    }
}

#[test]
fn what_is_saved_while_it_runs_is_a_mark() {
    if no_program("what_is_saved_while_it_runs_is_a_mark") {
        return;
    }
    let alone = Alone::new("timings-marks");
    let scene = alone.folder.join("hanging.ron");
    let text = fs::read_to_string(&scene).unwrap();
    let mut program = alone.start(&["run", "hanging.ron", "--watch", "--record", "marks.weft"]);
    let file = alone.folder.join("marks.weft");
    poll("first frames", || read(&file).ok().filter(|recording| !recording.frames.is_empty()));
    let marks = 4;
    for mark in 1..=marks {
        let field = format!("density: 0.3{mark}");
        let old = text.split("density: ").nth(1).unwrap().split(',').next().unwrap();
        fs::write(&scene, text.replacen(&format!("density: {old}"), &field, 1)).unwrap();
        program.wait_for(&["[scene] 1 change(s)"]);
    }
    // What is refused swaps nothing.
    fs::write(&scene, text.replacen("density", "densty", 1)).unwrap();
    program.wait_for(&["the last good scene runs on"]);
    program.wait_for(&["help: did you mean `density`?"]);
    poll("frames after the last", || {
        let recording = read(&file).ok()?;
        let last = recording.events.iter().rfind(|event| event.kind == "scene refused")?.frame;
        (recording.frames.last()?.number > last + 5).then_some(())
    });
    drop(program);
    let recording = read(&file).unwrap();
    let events: Vec<_> = recording.events.iter().filter(|event| event.kind == "scene").collect();
    assert_eq!(events.len(), marks, "{events:?}");
    for event in events {
        let frame = recording.frames.iter().find(|frame| frame.at_ms >= event.at_ms).unwrap();
        assert_eq!(frame.number, event.frame + 1, "the next frame");
    }
    let json = weft_timings::json(&recording, 30.0).unwrap();
    assert_eq!(json["swaps"].as_array().map(Vec::len), Some(marks), "{}", json["swaps"]);
    let ms = |swap: usize, part: &str| json["swaps"][swap][part].as_f64();
    assert!(ms(0, "before_ms").is_some() && ms(marks - 1, "after_ms").is_some(), "{}", json["swaps"]);
    assert!((0..marks).all(|swap| ms(swap, "swap_ms").is_some()));
    // Swaps in frames one behind the other have none between them.
    let mut close = read(&file).unwrap();
    let at_ms = close.frames[1].at_ms;
    close.events.truncate(0);
    for at_ms in [close.frames[0].at_ms, at_ms] {
        let (kind, text) = ("scene".to_string(), "1 change(s)".to_string());
        close.events.push(weft_timings::Event { kind, text, frame: 0, at_ms });
    }
    let said = weft_timings::text(&close, 30.0).unwrap();
    assert!(said.contains("before -, swap") && !said.contains("NaN"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_and_a_reader_that_left_are_said() {
    use std::{io::Read, os::unix::fs::symlink};
    if no_program("a_full_disk_and_a_reader_that_left_are_said") {
        return;
    }
    let folder = places::temporary("timings_full");
    for end in ["weft", "csv", "trace.json"] {
        let file = folder.join(format!("full.{end}"));
        symlink("/dev/full", &file).unwrap();
        let (code, _, said) =
            weft(&["run", "scenes/hanging.ron", "--frames", "5", "--record", file.to_str().unwrap()]);
        assert!(
            code == 1 && said.contains(&format!("full.{end}")) && said.contains("No space"),
            "{code} {said}"
        );
        assert!(!said.contains("panicked"), "{said}");
    }
    let pipe = folder.join("pipe.csv");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()));
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut byte = [0];
            fs::File::open(pipe).unwrap().read_exact(&mut byte).unwrap();
        }
    });
    let (code, _, said) =
        weft(&["run", "scenes/hanging.ron", "--frames", "20000", "--record", pipe.to_str().unwrap()]);
    reader.join().unwrap();
    assert!(code == 1 && said.contains("pipe.csv") && said.contains("went away"), "{code} {said}");
}
