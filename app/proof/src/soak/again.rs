//! Edits that go wrong long after their swap, and then again and again: in the process that goes on, too, as long as it runs
//! the same code.

use super::edits::{Edit, Outcome, edit, step};

/// Code in every step from the 100th after its swap on.
macro_rules! from_then_on {
    ($($code:tt)*) => {
        concat!(
            "    static STEPS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);\n    \
             if STEPS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 100 { ",
            $($code)*,
            " }\n    let iterations = sim.count(&ITERATIONS);\n    let damping"
        )
    };
}

pub const AGAIN: &[Edit] = &[
    edit("an exit, again and again", from_then_on!("std::process::exit(0);"), Outcome::Restarted, "an exit"),
    edit(
        "a heap that is overwritten, again and again",
        from_then_on!(
            "let p = sim.state.particle.position.as_mut_ptr().cast::<u8>(); \
             let size = size_of_val(&*sim.state.particle.position); \
             unsafe { std::ptr::write_bytes(p.add(size + 64), 0x41, 4096) };"
        ),
        Outcome::Restarted,
        // A signal, or a panic of whoever reads what was overwritten.
        "restarted after ",
    ),
    edit(
        "a thread that crashes, again and again",
        from_then_on!(
            "std::thread::spawn(|| { std::thread::sleep(std::time::Duration::from_millis(9)); \
             unsafe { std::ptr::without_provenance_mut::<u32>(std::hint::black_box(8)).write_volatile(1) } });"
        ),
        Outcome::Restarted,
        "SIGSEGV",
    ),
    edit("a panic, again and again", from_then_on!("panic!(\"again\");"), Outcome::RolledBack, "again"),
    edit(
        "a write to null, again and again",
        from_then_on!(
            "unsafe { std::ptr::without_provenance_mut::<u32>(std::hint::black_box(8)).write_volatile(1) };"
        ),
        Outcome::Restarted,
        "SIGSEGV",
    ),
    edit(
        "a signal that it sends itself, again and again",
        from_then_on!("unsafe extern \"C\" { fn raise(signal: i32) -> i32; } unsafe { raise(14) };"),
        Outcome::Restarted,
        "SIGALRM",
    ),
    edit(
        "a signal without a name that it sends itself, again and again",
        from_then_on!("unsafe extern \"C\" { fn raise(signal: i32) -> i32; } unsafe { raise(40) };"),
        Outcome::Restarted,
        "SIGRT",
    ),
    edit(
        "no room for addresses, again and again",
        from_then_on!(
            "unsafe extern \"C\" { fn setrlimit(what: i32, to: *const [u64; 2]) -> i32; } \
             unsafe { setrlimit(9, &[1 << 20, u64::MAX]) }; \
             std::mem::forget(std::hint::black_box(vec![1_u8; 1 << 22]));"
        ),
        Outcome::Restarted,
        "SIGABRT",
    ),
    edit(
        "no time of the processor, again and again",
        // Where nobody may raise the hard one, the next process has it, too.
        from_then_on!(
            "unsafe extern \"C\" { fn setrlimit(what: i32, to: *const [u64; 2]) -> i32; } \
             unsafe { setrlimit(0, &[1, 1 << 30]) }; while sim.h < 9.0 { std::hint::spin_loop(); }"
        ),
        Outcome::Restarted,
        "SIGXCPU",
    ),
    edit(
        "signals that its thread blocks, and a write to null some steps later, again and again",
        step!(
            "    static STEPS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);\n    \
             unsafe extern \"C\" { fn pthread_sigmask(how: i32, set: *const [u64; 16], old: *const u8) -> i32; } \
             match STEPS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) { 100 => unsafe { \
             pthread_sigmask(0, &[u64::MAX; 16], std::ptr::null()); }, 160.. => unsafe { \
             std::ptr::without_provenance_mut::<u32>(std::hint::black_box(8)).write_volatile(1) }, _ => {} }"
        ),
        Outcome::Restarted,
        "SIGSEGV",
    ),
    edit(
        "a hook of panics that aborts, again and again",
        from_then_on!("std::panic::set_hook(Box::new(|_| std::process::abort())); panic!(\"in the hook\");"),
        Outcome::Restarted,
        "SIGABRT",
    ),
    edit(
        "a process that it forks and that crashes, again and again",
        // It waits for its end: one that becomes a second program never ends.
        from_then_on!(
            "unsafe extern \"C\" { fn fork() -> i32; fn waitpid(process: i32, status: *mut i32, options: i32) -> i32; } \
             let process = unsafe { fork() }; if process == 0 { std::process::abort(); } \
             unsafe { waitpid(process, std::ptr::null_mut(), 0) }; panic!(\"forked\");"
        ),
        Outcome::RolledBack,
        "forked",
    ),
];
