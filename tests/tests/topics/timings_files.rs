//! Recordings as files: what is written is read, whole after any cut; what is none is refused in words.

use std::{fs, path::Path};

use tests::{left_out, places};
use weft_session::{
    Options, Session,
    recorder::Recorder,
    ring::{Ring, Stage},
};
use weft_timings::{Event, Frame, Head, Kind, Log, Recording, read, thread_name};

fn head() -> Head {
    Head {
        scene: "some.ron".into(),
        scene_text: "(cloths: [])".into(),
        solver: "xpbd".into(),
        ..Head::default()
    }
}

/// Frames, events, a column that comes late, and a number that is not always there.
fn written(file: &Path, frames: u64) -> Recording {
    let mut log = Log::create(file, head()).expect("a recording");
    for number in 1..=frames {
        let ms = number as f64;
        log.put(Kind::Stage, "step", "ms", 3.0 + ms / 8.0);
        log.put(Kind::Begin, "step", "ms", 0.125);
        log.put(Kind::Inner, "solve", "ms", 2.0);
        log.put(Kind::Inner, "contact", "ms", 0.5);
        log.put(Kind::Thread, &thread_name("solve", 2), "ms", 1.25);
        if number % 2 == 0 {
            log.put(Kind::Device, "device", "ms", 1.5);
        }
        log.put(Kind::Reading, "stretch_p95", "%", 1.0 / 3.0 + ms);
        if number == 3 {
            let text = "generation 1 runs: \"kept\", 36\nof 36".to_string();
            log.event(&Event { kind: "reload".into(), text, frame: number - 1, at_ms: 8.0 * ms - 4.0 })
                .unwrap();
        }
        if number >= 4 {
            log.put(Kind::Reading, "newer", "1", -0.25);
        }
        let fixed = Frame {
            number,
            time_s: ms / 64.0,
            at_ms: 8.0 * ms,
            wall_ms: 8.0,
            particles: 9,
            constraints: 20,
            values: Vec::new(),
        };
        log.frame(&fixed).unwrap();
    }
    log.finish().unwrap();
    assert_eq!(log.frames(), frames);
    read(file).expect("a recording that is read")
}

fn named(recording: &Recording, kind: Kind, name: &str) -> Vec<Option<f64>> {
    let column = recording.column(kind, name).unwrap_or_else(|| panic!("{name}: {:?}", recording.columns));
    recording.values(column).map(|value| Some(value).filter(|value| !value.is_nan())).collect()
}

#[test]
fn what_is_written_is_read() {
    let folder = places::temporary("timings_read");
    for end in ["weft", "csv"] {
        let file = folder.join(format!("a.{end}"));
        let recording = written(&file, 5);
        assert_eq!((recording.frames.len(), recording.note.as_ref()), (5, None), "{end}");
        let frame = &recording.frames[4];
        assert_eq!(
            (frame.number, frame.time_s, frame.at_ms, frame.wall_ms),
            (5, 5.0 / 64.0, 40.0, 8.0),
            "{end}"
        );
        assert_eq!((frame.particles, frame.constraints), (9, 20));
        assert_eq!(named(&recording, Kind::Stage, "step")[2], Some(3.375));
        assert_eq!(named(&recording, Kind::Begin, "step")[0], Some(0.125));
        assert_eq!(named(&recording, Kind::Inner, "contact")[4], Some(0.5));
        let device = [None, Some(1.5), None, Some(1.5), None];
        assert_eq!(named(&recording, Kind::Device, "device"), device, "{end}: n/a is not 0");
        let stretch = named(&recording, Kind::Reading, "stretch_p95")[1].unwrap();
        let exact = if end == "weft" { 0.0 } else { 1e-7 };
        assert!((stretch - (1.0 / 3.0 + 2.0)).abs() <= exact * stretch, "{stretch}");
        assert_eq!(named(&recording, Kind::Reading, "newer"), [None, None, None, Some(-0.25), Some(-0.25)]);
        let event = &recording.events[0];
        assert_eq!((event.kind.as_str(), event.frame, event.at_ms), ("reload", 2, 20.0), "{end}");
        assert!(event.text.starts_with("generation 1 runs: \"kept\", 36"), "{}", event.text);
        assert_eq!(recording.head.scene_hash.len(), if end == "weft" { 16 } else { 0 });
    }
}

#[test]
fn a_file_cut_at_any_byte_gives_every_frame_before() {
    let folder = places::temporary("timings_cut");
    let (file, cut) = (folder.join("a.weft"), folder.join("cut.weft"));
    let whole = written(&file, 6);
    let bytes = fs::read(&file).unwrap();
    let (mut most, mut readable) = (0, 0);
    for end in 0..bytes.len() {
        fs::write(&cut, &bytes[..end]).unwrap();
        match read(&cut) {
            Ok(recording) => {
                readable += 1;
                let frames = recording.frames.len();
                assert!(frames >= most, "{end}: {frames} frames, and {most} of a shorter piece");
                most = frames;
                for (a, b) in recording.frames.iter().zip(&whole.frames) {
                    assert_eq!((a.number, a.at_ms), (b.number, b.at_ms), "{end}");
                }
                assert!(recording.note.is_none_or(|note| note.contains("cut or damaged at byte")), "{end}");
            }
            Err(why) => {
                assert!(most == 0 && readable == 0, "{end}: {why}");
                assert!(why.contains("cut.weft"), "{why}");
            }
        }
    }
    // The last byte is the last frame's.
    assert_eq!((most, whole.frames.len()), (5, 6));
    assert!(readable > bytes.len() / 2, "the head is the smaller part");
}

#[test]
fn damage_in_the_middle_is_said() {
    let folder = places::temporary("timings_damage");
    let (file, bad) = (folder.join("a.weft"), folder.join("bad.weft"));
    written(&file, 6);
    let bytes = fs::read(&file).unwrap();
    for at in (12..bytes.len()).step_by(7) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x40;
        fs::write(&bad, bytes).unwrap();
        match read(&bad) {
            Ok(recording) => assert!(recording.note.is_some() && recording.frames.len() < 6, "byte {at}"),
            Err(why) => assert!(why.contains("bad.weft"), "{why}"),
        }
    }
}

#[test]
fn what_is_no_recording_is_refused_by_name() {
    let folder = places::temporary("timings_foreign");
    let mut newer = b"\x89WEFTREC".to_vec();
    newer.extend(7_u32.to_le_bytes());
    let mut random = weft_timings::bootstrap::Random(3);
    let noise: Vec<u8> = (0..4000).map(|_| (random.unit() * 256.0) as u8).collect();
    let with = |row: &str| -> Vec<u8> {
        format!("frame,time [s],at [ms],wall [ms],step [ms],particles,constraints,top [m],others\n{row}\n")
            .into()
    };
    let files: [(&str, Vec<u8>, &str); 11] = [
        ("newer.weft", newer, "format 7, and this program reads up to 2"),
        ("noise.weft", noise, "no recording of Weft"),
        ("empty.csv", Vec::new(), "the file is empty"),
        ("foreign.csv", b"a,b,c\n1,2,3\n".to_vec(), "no recording of Weft"),
        ("trace.trace.json", b"[\n{}\n]\n".to_vec(), "no recording of Weft"),
        (
            "short.csv",
            b"frame,time [s],at [ms],wall [ms],particles,constraints,others\n1,2\n3,4\n".to_vec(),
            "line 2 has 2 cells, the head has 7",
        ),
        (
            "words.csv",
            b"frame,time [s],at [ms],wall [ms],particles,constraints,others\none,1,1,1,1,1,\n".to_vec(),
            "line 2: `frame`, its time and the wall time must be numbers",
        ),
        ("wall.csv", with("1,1,1,1e308,1,1,1,1,"), "line 2: `wall [ms]` is 1e308: no run has such a number"),
        ("step.csv", with("1,1,1,1,1e308,1,1,1,"), "line 2: `step [ms]` is 1e308"),
        ("many.csv", with("1,1,1,1,1,1e308,1,1,"), "line 2: `particles` is 1e308"),
        ("high.csv", with("1,1,1,1,1,1,1,-1e308,"), "line 2: `top [m]` is -1e308"),
    ];
    for (name, bytes, said) in files {
        let file = folder.join(name);
        fs::write(&file, bytes).unwrap();
        let why = read(&file).expect_err(name);
        assert!(why.contains(said) && why.contains(name), "{why}");
    }
    // What blew up is infinite, and what newer code adds is no reason to refuse the rest.
    fs::write(folder.join("inf.csv"), with("1,1,1,1,1,1,1,inf,newer=1e308")).unwrap();
    let recording = read(&folder.join("inf.csv")).expect("a run that blew up");
    let said = weft_timings::text(&recording, 30.0).unwrap()
        + &weft_timings::json(&recording, 30.0).unwrap().to_string();
    assert!(!said.contains("inf ") && !said.contains("NaN") && !said.contains("1e308"), "{said}");
    assert!(read(&folder.join("none.weft")).expect_err("no file").contains("none.weft"));
    let refused = Log::create(&folder.join("x.txt"), head()).err().expect("no such format").to_string();
    assert!([".weft", ".csv", ".trace.json", "x.txt"].iter().all(|part| refused.contains(part)), "{refused}");
}

#[test]
fn recordings_of_before_open() {
    let folder = places::root().join("tests/timings");
    let results = places::root().join("tests/results");
    let files = [
        (folder.join("before.csv"), 10, 1),
        (results.join("step_128.csv"), 300, 0),
        (folder.join("first.csv"), 24, 1),
        (folder.join("first.weft"), 24, 1),
    ];
    for (file, frames, events) in files {
        let recording = read(&file).unwrap();
        assert_eq!(recording.note, None, "{}", file.display());
        let counts = (recording.frames.len(), recording.events.len());
        assert_eq!(counts, (frames, events), "{}", file.display());
        assert!(named(&recording, Kind::Stage, "step").iter().all(|ms| ms.is_some_and(|ms| ms > 0.0)));
        assert!(named(&recording, Kind::Reading, "stretch_p95").iter().all(Option::is_some));
        assert!(weft_timings::text(&recording, 30.0).unwrap().contains("\nstep "));
        assert!(recording.events.iter().all(|event| event.kind == "scene"), "{:?}", recording.events);
    }
}

/// A session records how long each of its threads was at work in each stage inside a step.
#[test]
fn threads_of_a_step_are_recorded() {
    let recorded = |threads: usize| {
        let file = places::temporary("timings_threads").join(format!("{threads}.weft"));
        let options = Options { scene: places::scene("hanging.ron"), threads, ..Options::default() };
        let mut session = Session::open(options).expect("a scene");
        let (mut recorder, mut ring) =
            (Recorder::create(&file, &mut session).expect("a file"), Ring::default());
        for _ in 0..8 {
            ring.time(Stage::Step, || session.step()).expect("a step");
            session.measure();
            recorder.collect(&mut session);
            recorder.frame(&session, &ring.close()).expect("a frame");
        }
        recorder.finish(&mut session).expect("an end");
        read(&file).expect("a recording")
    };
    let two = recorded(2);
    let solve = two.column(Kind::Inner, "solve").expect("a stage");
    let [first, second] = [1, 2].map(|thread| {
        two.column(Kind::Thread, &thread_name("solve", thread)).unwrap_or_else(|| panic!("{:?}", two.columns))
    });
    let sum = |column: usize| two.values(column).sum::<f64>();
    for frame in &two.frames {
        assert!(frame.values[first] > 0.0 && frame.values[first] <= frame.values[solve] + 1e-3);
        // What was seen of it: on a busy machine it may come to nothing for a frame.
        assert!(frame.values[second] >= 0.0 && frame.values[second] <= frame.values[solve] + 1.0);
    }
    assert!(sum(second) > 0.0 && sum(first) + sum(second) > 0.9 * sum(solve));
    // Shown are medians: of the second thread there is one where it was seen at work in most frames.
    let often = two.frames.iter().filter(|frame| frame.values[second] > 0.0).count() > two.frames.len() / 2;
    let page = weft_timings::html(std::slice::from_ref(&two), 60.0).expect("a page");
    assert!(
        page.contains("<title>solve: ") && (page.contains(">thread 2</text>") || !often),
        "a flame graph"
    );
    let text = weft_timings::text(&two, 60.0).expect("a table");
    assert!(text.contains("thread 2, at work in a step") || !often, "{text}");
    assert!(text.contains("thread 1, at work in a step") && !text.contains("thread2"), "{text}");
    let one = recorded(1);
    assert!(one.columns.iter().all(|column| column.kind != Kind::Thread));
    let page = weft_timings::html(std::slice::from_ref(&one), 60.0).expect("a page");
    assert!(page.contains(">thread 1</text>") && !page.contains(">thread 2</text>"));
}

/// No file may be longer than 32 KB, which ends one as a full disk does.
#[test]
#[cfg(target_os = "linux")]
fn what_a_full_disk_cut_is_whole_up_to_there() {
    let test = "what_a_full_disk_cut_is_whole_up_to_there";
    if !places::weft().exists() && left_out(test, "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("timings_cut_short");
    for end in ["csv", "trace.json", "weft"] {
        let file = folder.join(format!("a.{end}"));
        let output = std::process::Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\""])
            .arg(places::weft())
            .args(["run", "scenes/hanging.ron", "--frames", "200", "--record"])
            .arg(&file)
            .current_dir(places::root())
            .output()
            .expect("sh");
        let said = String::from_utf8_lossy(&output.stderr);
        let told = said.contains(&format!("a.{end}: ")) && said.contains("what is whole of it stays");
        assert!(output.status.code() == Some(1) && told, "{said}");
        if end == "trace.json" {
            let text = fs::read_to_string(&file).unwrap();
            let json: serde_json::Value =
                serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {text}"));
            assert!(json.as_array().is_some_and(|events| events.len() > 4), "{text}");
        } else {
            let recording = read(&file).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!((recording.note.is_some(), recording.frames.is_empty()), (end == "weft", false));
        }
    }
    let events = fs::read_to_string(folder.join("a.events.csv")).unwrap();
    assert!(events.ends_with('\n'), "{events}");
}

#[test]
fn a_table_needs_no_filter_and_a_trace_is_json() {
    let folder = places::temporary("timings_formats");
    written(&folder.join("a.csv"), 5);
    let table = fs::read_to_string(folder.join("a.csv")).unwrap();
    let widths: Vec<usize> = table.lines().map(|line| line.split(',').count()).collect();
    assert!(widths.iter().all(|width| *width == widths[0]) && widths.len() == 6, "{table}");
    assert!(table.starts_with("frame,time [s],at [ms],wall [ms],step [ms],step begin [ms],step.solve [ms],"));
    for line in table.lines().skip(1) {
        let (numbers, others) = line.rsplit_once(',').unwrap();
        assert!(numbers.split(',').all(|cell| cell.is_empty() || cell.parse::<f64>().is_ok()), "{line}");
        assert!(others.split(' ').all(|pair| pair.is_empty() || pair.contains('=')), "{line}");
    }
    let events = fs::read_to_string(folder.join("a.events.csv")).unwrap();
    assert_eq!(events.lines().count(), 2, "{events}");

    let file = folder.join("a.trace.json");
    let mut log = Log::create(&file, head()).unwrap();
    for number in 1..=4_u32 {
        log.put(Kind::Stage, "step", "ms", 6.0);
        log.put(Kind::Begin, "step", "ms", 1.0);
        log.put(Kind::Inner, "solve", "ms", 4.0);
        // Rounded, the parts are longer than the whole.
        log.put(Kind::Inner, "contact", "ms", 2.000_001);
        log.put(Kind::Thread, &thread_name("solve", 2), "ms", 1.0);
        log.put(Kind::Device, "device", "ms", 3.0);
        log.put(Kind::Reading, "stretch_p95", "1", 0.25);
        // A clock in single precision: frames that would overlap by a nanosecond.
        let (number, at_ms) = (number.into(), 8.0 * f64::from(number));
        let fixed = Frame { number, at_ms, wall_ms: 8.000_001, ..Frame::default() };
        log.frame(&fixed).unwrap();
    }
    log.event(&Event { kind: "reload".into(), text: "a \"b\"\n".into(), frame: 4, at_ms: 30.0 }).unwrap();
    let unclosed = fs::read_to_string(&file).unwrap();
    log.finish().unwrap();
    // One that was cut is whole up to its last comma.
    for text in [fs::read_to_string(&file).unwrap(), format!("{unclosed}]")] {
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let of = |phase: &str, name: &str| {
            let all = json.as_array().unwrap().iter();
            all.filter(|event| event["ph"] == phase && event["name"] == name).cloned().collect::<Vec<_>>()
        };
        assert_eq!((of("X", "frame").len(), of("X", "solve").len(), of("X", "device").len()), (4, 8, 4));
        // Frame by frame that of the first thread, which lies in the step, and the second one's from the same moment on.
        let solve = of("X", "solve");
        assert_eq!((&solve[0]["ts"], &solve[1]["dur"]), (&solve[1]["ts"], &serde_json::json!(1000.0)));
        assert_ne!(solve[0]["tid"], solve[1]["tid"]);
        assert_eq!(of("M", "thread_name").len(), 4, "frames, GPU and two threads");
        assert_eq!((of("C", "stretch_p95 [1]").len(), of("i", "reload: a \"b\"\n").len()), (4, 1));
        let end = |event: &serde_json::Value| event["ts"].as_f64().unwrap() + event["dur"].as_f64().unwrap();
        let frames = of("X", "frame");
        let ends: Vec<f64> = frames.iter().map(end).collect();
        assert!(
            frames.iter().skip(1).zip(ends).all(|(next, end)| next["ts"].as_f64().unwrap() >= end),
            "{frames:?}"
        );
        let (step, contact) = (&of("X", "step")[1], &of("X", "contact")[1]);
        assert_eq!(step["ts"].as_f64(), Some(9000.0));
        assert!(end(contact) <= end(step) && end(step) <= end(&of("X", "frame")[1]));
        assert_ne!(of("X", "device")[0]["tid"], step["tid"]);
    }
}
