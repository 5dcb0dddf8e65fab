//! Devices that are opened and left: their memory, threads and handles go with them.

use tests::{device, left_out, long, places};
use weft_gpu::{Gpu, GpuOptions, adapter};
use weft_session::{Options, Session};

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// Threads, resident memory [kB], open files of this process; `None` where the system does not tell.
fn process() -> Option<[usize; 3]> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let number = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    Some([number("Threads:")?, number("VmRSS:")?, std::fs::read_dir("/proc/self/fd").ok()?.count()])
}

fn session() -> Session {
    let set = [("cloths[0].shape.columns", "12"), ("cloths[0].shape.rows", "9")];
    let set = set.map(|(path, value)| (path.to_string(), value.to_string())).to_vec();
    let options = Options { scene: places::scene("hanging.ron"), threads: 1, set, ..Options::default() };
    Session::open(options).unwrap_or_else(|e| panic!("{e}"))
}

/// Does `work` a few times, then `times` times more: what it leaves behind does not grow.
fn leaves_nothing(what: &str, times: usize, grown_kb: usize, mut work: impl FnMut()) {
    (0..times.min(10)).for_each(|_| work());
    let before = process();
    (0..times).for_each(|_| work());
    let after = process();
    assert_eq!(adapter::alive(), (0, 0), "{what}: devices and buffers");
    let (Some(before), Some(after)) = (before, after) else { return };
    println!("{what}, {times} times: threads, kB, files {before:?} -> {after:?}");
    assert!(after[0] <= before[0] && after[2] <= before[2], "{what}: {before:?} {after:?}");
    assert!(after[1] <= before[1] + grown_kb, "{what}: {before:?} {after:?}");
}

// One test: counts are of the whole process.
#[test]
fn what_is_opened_is_closed() {
    if left_out("what_is_opened_is_closed", NEEDS) {
        return;
    }
    let times = if long() { 150 } else { 20 };
    leaves_nothing("open", times, 20_000, || {
        let gpu = Gpu::open(Some(&device::adapter())).unwrap_or_else(|why| panic!("{why}"));
        gpu.wait().unwrap();
        assert_eq!(adapter::alive().0, 1);
    });
    leaves_nothing("list", times, 10_000, || assert!(!adapter::list().is_empty()));
    let on = GpuOptions { adapter: Some(device::adapter()), ..GpuOptions::default() };
    // With history, back to the CPU, and lost.
    leaves_nothing("run", if long() { 15 } else { 4 }, 30_000, || {
        let mut session = session();
        session.set_history_budget(8);
        session.use_gpu(&on).unwrap();
        (0..3).for_each(|_| _ = session.step().unwrap());
        session.use_cpu().unwrap();
        session.switch_path(Some(on.clone()));
        session.set_recovers(true);
        session.step().unwrap();
        assert_eq!(adapter::alive().0, 1, "the device is used again");
        session.gpu().unwrap().gpu.device.destroy();
        (0..2).for_each(|_| _ = session.step().unwrap());
        assert!(session.gpu().is_some());
        assert_eq!(adapter::alive().0, 1, "the lost one is gone");
    });
}
