//! A step allocates nothing once it has run a few times: one thread, every solver, guarded or not.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use tests::rig::{Rig, small, solvers, with_solver};

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
                let mut rig = Rig::of(with_solver(small(scene, 37, 41), solver));
                rig.guarded = guarded;
                rig.frames(3);
                let count = allocations(|| rig.frames(10));
                assert_eq!(count, 0, "{scene} {solver}, guarded: {guarded}");
            }
        }
    }
}
