//! A step allocates nothing once it has run a few times: one thread, every solver, guarded or not.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use tests::{
    fixture::{Fixture, small, solvers, with_solver},
    places,
};
use weft_session::{Options, Session};
use weft_timings::{Frame, Head, Kind, Log};

/// Counts the allocations of threads that ask for it.
struct Counting;

thread_local! {
    static COUNT: Cell<Option<usize>> = const { Cell::new(None) };
}

fn count() {
    let _ = COUNT.try_with(|count| count.set(count.get().map(|n| n + 1)));
}

// SAFETY: hands everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: handed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: handed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    COUNT.set(Some(0));
    work();
    COUNT.take().unwrap_or_default()
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1_u8; 5]))), 1);
    assert_eq!(allocations(|| ()), 0);
}

#[test]
fn a_step_allocates_nothing() {
    for scene in ["drape_on_sphere.ron", "flag.ron"] {
        for solver in solvers() {
            for guarded in [true, false] {
                let mut fixture = Fixture::of(with_solver(small(scene, 37, 41), solver));
                fixture.guarded = guarded;
                fixture.frames(3);
                let count = allocations(|| fixture.frames(10));
                assert_eq!(count, 0, "{scene} {solver}, guarded: {guarded}");
            }
        }
    }
}

#[test]
fn history_that_is_full_allocates_nothing() {
    let set = |path: &str| (path.to_string(), "25".to_string());
    let overrides = vec![set("cloths[0].shape.columns"), set("cloths[0].shape.rows")];
    let scene = places::scene("drape_on_sphere.ron");
    let mut session =
        Session::open(Options { scene, threads: 1, set: overrides, ..Options::default() }).unwrap();
    session.set_history_budget(1);
    let mut steps = |count: usize| (0..count).for_each(|_| assert!(session.step().is_ok()));
    steps(60);
    assert_eq!(allocations(|| steps(60)), 0);
    assert!(
        session.history().moments().len() < 60,
        "{} moments: the oldest were dropped",
        session.history().moments().len()
    );
    session.start_loop(10).unwrap();
    let mut steps = |count: usize| (0..count).for_each(|_| assert!(session.step().is_ok()));
    steps(21);
    let passes = allocations(|| steps(9));
    assert_eq!(passes, 0, "inside a pass");
}

#[test]
fn a_recorded_frame_allocates_nothing() {
    let file = places::temporary("allocation").join("frames.weft");
    let mut log = Log::create(&file, Head::default()).unwrap();
    let names: Vec<String> = (0..60).map(|i| format!("reading {i}")).collect();
    let mut frames = |count: u64| {
        for number in 0..count {
            for (i, name) in names.iter().enumerate() {
                let kind = if i < 20 { Kind::Inner } else { Kind::Reading };
                log.put(kind, name, "ms", if i % 7 == 0 { f64::NAN } else { i as f64 });
            }
            log.frame(&Frame { number, at_ms: 8.0 * number as f64, wall_ms: 8.0, ..Frame::default() })
                .unwrap();
        }
    };
    frames(3);
    assert_eq!(allocations(|| frames(2000)), 0);
}
