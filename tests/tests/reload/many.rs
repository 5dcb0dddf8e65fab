//! Many reloads in one process: nothing piles up, and no reload of code that does the same is seen in any bit.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use tests::{
    edit_copy::{EditCopy, longer},
    fixture, left_out, long, places,
    process::{Running, poll},
};
use weft_core::state::StateHash;
use weft_engine::generation::Generation;
use weft_session::{
    Options, Session,
    live::{Reload, gate},
};
use weft_timings::Event;

const XPBD: &str = "sim-dylib/src/solvers/xpbd.rs";
const FLAG: &str = "scenes/flag.ron";
const ITERATIONS: &str = "let iterations = sim.count(&ITERATIONS);";
/// What the allocator may still keep for threads after half of a short run [MB].
const ARENAS: f64 = 24.0;

/// Bytes that libraries of `folder` take in a process's address space, and how large the largest of their files is.
fn mapped(process: u32, folder: &Path) -> (u64, u64) {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).expect("/proc");
    let inside = |line: &&str| line.contains(folder.to_str().expect("a plain name"));
    let length = |line: &str| {
        let (from, to) = line.split(' ').next()?.split_once('-')?;
        Some(u64::from_str_radix(to, 16).ok()? - u64::from_str_radix(from, 16).ok()?)
    };
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let largest = files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).max();
    (maps.lines().filter(inside).filter_map(length).sum(), largest.unwrap_or(0))
}

/// Frame and state hash of every swap in a recording.
fn swaps(recording: &Path) -> BTreeMap<u64, String> {
    let recording = weft_timings::read(recording).expect("a recording");
    let is_swap = |event: &&Event| event.kind == "reload" && event.text.starts_with("generation ");
    let read = |event: &Event| {
        let hash = event.text.split("; state ").nth(1)?.strip_suffix(" unchanged")?;
        Some((event.frame, hash.to_string()))
    };
    let events = recording.events.iter().filter(is_swap);
    events.map(|event| read(event).unwrap_or_else(|| panic!("{event:?}"))).collect()
}

#[test]
fn many_reloads_leave_no_thread_and_no_bit_behind() {
    let test = "many_reloads_leave_no_thread_and_no_bit_behind";
    if left_out(test, "a copy of the tree to edit, and cargo") {
        return;
    }
    let count = if long() { 200 } else { 20 };
    let copy = EditCopy::fresh();
    let recording = copy.root.join("target/reloads.weft");
    let name = recording.to_str().expect("a plain name");
    let mut program = Running::weft(&copy.root, &["run", FLAG, "--watch", "--record", name]);
    program.wait_for(&["[first step] generation 1 "]);
    let live = copy.root.join(format!("target/hot/live/{}", program.id()));
    // The probe's next pair of children is being started while the first frames run.
    let mut first = program.load();
    for _ in 0..20 {
        std::thread::sleep(Duration::from_secs(1));
        let before = std::mem::replace(&mut first, program.load()).threads;
        if before == first.threads {
            break;
        }
    }
    let (at_first, _) = mapped(program.id(), &live);
    assert!(at_first > 0, "libraries are found by their folder");
    let before = copy.read(XPBD);
    let mut csv = "reload,save_to_first_step_ms,threads,memory_mb,mapped_mb,library_mb\n".to_string();
    let (mut bound, mut resident) = (0.0, Vec::new());
    for reload in 1..=count {
        let saved = Instant::now();
        copy.write(XPBD, &longer(&before, ITERATIONS, reload));
        program.wait_for(&[&format!("[first step] generation {} ", reload + 1)]);
        let ms = saved.elapsed().as_millis();
        // What tries a library ends its threads with it.
        let load = poll(&format!("{} threads after reload {reload}", first.threads), || {
            Some(program.load()).filter(|load| load.threads <= first.threads)
        });
        let (mapped, library) = mapped(program.id(), &live);
        let mb = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        bound += 1.1 * mb(library);
        let _ = writeln!(
            csv,
            "{reload},{ms},{},{:.1},{:.2},{:.2}",
            load.threads,
            load.memory,
            mb(mapped),
            mb(library)
        );
        assert!(
            mb(mapped.saturating_sub(at_first)) <= bound,
            "reload {reload}: {} MB mapped, {bound:.1} allowed",
            mb(mapped)
        );
        resident.push(load.memory);
    }
    places::keep("reloads.csv", &csv);
    // The first reloads also fill what is used again and again: the allocator keeps memory for each thread.
    let half = count / 2;
    let (warm, end) = (resident[half - 1], resident[count - 1]);
    let allowed = 0.5 * bound + if long() { 0.0 } else { ARENAS };
    assert!(end - warm <= allowed, "from {warm:.1} to {end:.1} MB, {allowed:.1} more are allowed");
    program.terminate();
    program.end(Duration::from_secs(10));
    drop(program);

    let swaps = swaps(&recording);
    assert!(swaps.len() >= count, "{} of {count} swaps at frames of their own", swaps.len());
    let mut session = Session::open(Options { scene: copy.root.join(FLAG), ..Options::default() })
        .unwrap_or_else(|e| panic!("{e}"));
    for (frame, hash) in &swaps {
        while session.run().frame < *frame {
            session.step().unwrap_or_else(|e| panic!("{e}"));
        }
        assert_eq!(StateHash::of(&session.run().state).to_string(), *hash, "the swap at frame {frame}");
    }
}

/// The library of the tree as it is, under a name of its own, so that it is mapped once more.
fn loaded(library: &Path, name: &str) -> std::sync::Arc<Generation> {
    let file: PathBuf = places::temporary(name).join("sim.so");
    fs::copy(library, &file).expect("a built library");
    // SAFETY: cargo built it from this tree a moment ago.
    let generation = unsafe { gate::load(&file) };
    std::sync::Arc::new(generation.unwrap_or_else(|e| panic!("{e}")))
}

#[test]
fn the_same_code_once_more_changes_no_bit_of_any_solver() {
    let test = "the_same_code_once_more_changes_no_bit_of_any_solver";
    if left_out(test, "a copy of the tree, and cargo") {
        return;
    }
    let copy = EditCopy::fresh();
    let mut program = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
    program.wait_for(&["[first step] generation 1 "]);
    drop(program);
    let library = copy.root.join(format!(
        "target/hot/hot/{}sim{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    ));
    let code = [loaded(&library, "same-1"), loaded(&library, "same-2")];
    for solver in fixture::solvers() {
        let set = |path: &str, value: &str| (path.to_string(), value.to_string());
        let open = || {
            let set = vec![set("cloths[0].shape.columns", "23"), set("cloths[0].shape.rows", "19")];
            let (scene, solver) = (places::scene("drape_on_sphere.ron"), Some(solver.to_string()));
            let options = Options { scene, solver, threads: 1, set, ..Options::default() };
            Session::open(options).unwrap_or_else(|e| panic!("{e}"))
        };
        let (mut still, mut swapped) = (open(), open());
        for frame in 0..60 {
            if frame % 3 == 1 {
                let now = Instant::now();
                let reload = Reload { saved: now, built: now, probed: now, published: now, small: false };
                let notice = swapped.swap_code(std::sync::Arc::clone(&code[frame / 3 % 2]), reload);
                assert!(notice.good && notice.text.ends_with("unchanged"), "{solver}: {}", notice.text);
            }
            for session in [&mut still, &mut swapped] {
                session.step().unwrap_or_else(|e| panic!("{solver}: {e}"));
            }
            let hashes = [&still, &swapped].map(|session| StateHash::of(&session.run().state));
            assert_eq!(hashes[0], hashes[1], "{solver}, frame {frame}");
        }
    }
}
