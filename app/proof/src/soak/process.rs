//! Edits that change what belongs to the process and not to the hot code: each is refused by the name of what it changes.

use super::edits::{Edit, Outcome, edit, step};

/// Code that sets a handler of a signal to what is none.
macro_rules! handler {
    ($signal:literal) => {
        step!(
            "    unsafe extern \"C\" { fn signal(number: i32, handler: usize) -> usize; } unsafe { signal(",
            $signal,
            ", 1) };"
        )
    };
}

pub const PROCESS: &[Edit] = &[
    edit(
        "a thread that it starts",
        step!("    std::thread::spawn(std::thread::park);"),
        Outcome::Refused,
        "solver xpbd started a thread",
    ),
    edit(
        "another working directory",
        step!("    std::env::set_current_dir(\"/\").unwrap();"),
        Outcome::Refused,
        "solver xpbd changed the working directory",
    ),
    edit(
        "another environment",
        step!("    unsafe { std::env::set_var(\"PATH\", \"\") };"),
        Outcome::Refused,
        "solver xpbd changed the environment",
    ),
    edit(
        "other rights of new files",
        step!("    unsafe extern \"C\" { fn umask(to: u32) -> u32; } unsafe { umask(0o777) };"),
        Outcome::Refused,
        "solver xpbd changed the rights of new files (umask)",
    ),
    edit(
        "another priority",
        step!("    unsafe extern \"C\" { fn nice(by: i32) -> i32; } unsafe { nice(1) };"),
        Outcome::Refused,
        "solver xpbd changed its priority",
    ),
    edit(
        "another handler of SIGSEGV",
        handler!("11"),
        Outcome::Refused,
        "solver xpbd changed a signal handler",
    ),
    edit(
        "another handler of SIGALRM",
        handler!("14"),
        Outcome::Refused,
        "solver xpbd changed a signal handler",
    ),
    #[cfg(target_arch = "x86_64")]
    edit(
        "numbers that are rounded otherwise",
        step!(
            "    let flush = 0x9fc0_u32; unsafe { std::arch::asm!(\"ldmxcsr [{}]\", in(reg) &raw const flush) };"
        ),
        Outcome::Refused,
        "solver xpbd changed how numbers are rounded",
    ),
    // Over the line of the guard, into whatever lies there.
    edit(
        "a write far beside a column",
        step!(
            "    let size = size_of_val(&*sim.state.particle.position);
    let p = sim.state.particle.position.as_mut_ptr().cast::<u8>();
    unsafe { std::ptr::write_bytes(p.add(size + 64), 0x41, 4096) };"
        ),
        Outcome::Refused,
        "solver xpbd wrote or read outside of its columns (SIGSEGV)",
    ),
];
