//! The last act of a process that crashed: it becomes a new one that goes on from the autosave.
//!
//! ```text
//!  SIGSEGV, SIGBUS, SIGABRT, SIGILL, … ─┐
//!  `exit`, SIGALRM, … by the hot code ──┤
//!  watchdog: too long, too much memory ─┴→ restart(): record → execve(this program, … --resume FILE --crashed RECORDS)
//! ```
//! After a crash nothing of the process can be trusted, so everything is prepared at the start and [`restart`] makes
//! system calls only: no allocation, no lock, no formatting machinery. The process id stays, and with it the terminal,
//! the parent and the folder of live libraries; the window and all other files are closed by `execve`.
//! Rejected: going on in the same process (`siglongjmp`): locks of the allocator and of the driver may be held. The crate
//! `crash-handler`: it holds a lock while its callback runs, and leaves SIGINT, the watchdog's restart and `execve` to its
//! caller. A parent process, which could also see SIGKILL and `_exit`: whoever sends SIGKILL wants the program to end, the
//! watchdog comes before a system without memory, and `$!`, `perf` and a debugger would hold the wrong process. After either,
//! the autosave is there for `weft --resume`; so it is where hot code takes in one step what a handler needs and faults
//! in the same: the handlers themselves, their stack, hard limits, the thread's own memory (`arch_prctl`).

mod apart;
mod exit;
mod heap;
mod prepared;
mod record;
mod signals;

use std::{
    ffi::{OsString, c_int, c_void},
    os::unix::{ffi::OsStrExt, process::CommandExt},
    path::Path,
    ptr,
    sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering},
};

use crate::autosave::Crashes;
use prepared::{LIMITS, PATH, Prepared, RECORDS, prepare};
use record::{Record, Text};
use signals::{CRASHES, is_own, sent};
use weft_core::child::end_groups;

pub use signals::signal_name;

/// A fault this close to the stack pointer is an overflow of the stack [bytes].
const NEAR_STACK: usize = 1 << 16;

static PREPARED: AtomicPtr<Prepared> = AtomicPtr::new(ptr::null_mut());
/// A thread restarts the process already.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// The folder that the program was started in: arguments are seen from there, wherever the hot code went.
static START: AtomicI32 = AtomicI32::new(-1);

/// Sets everything up: `arguments` are those of the next process, to which what is known at a crash is added before those
/// from `--` on.
pub(super) fn arm(arguments: &[Vec<OsString>; 2], autosave: &Path, earlier: &Crashes) -> Result<(), String> {
    let program = if cfg!(target_os = "linux") {
        // The same program even if its file was replaced by a newer build since.
        "/proc/self/exe".into()
    } else {
        std::env::current_exe().map_err(|e| format!("this program's file is not known: {e}"))?
    };
    let list = earlier.list();
    let list = &list.as_bytes()[..list.len().min(RECORDS / 2)];
    let prepared = prepare(program.as_os_str(), arguments, autosave, list)
        .map_err(|e| format!("no memory for what a new process is given: {e}"))?;
    // SAFETY: a C string; the file is never closed.
    START.store(unsafe { libc::open(c".".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) }, Ordering::Relaxed);
    PREPARED.store(prepared, Ordering::Release);
    heap::find_last_words();
    exit::watch();
    give_stack()?;
    let crash = crash_handler as unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
    for (signal, name) in CRASHES {
        install(signal, crash as usize, libc::SA_SIGINFO | libc::SA_ONSTACK)
            .map_err(|e| format!("cannot handle {name}: {e}"))?;
    }
    let end = end_handler as unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
    install_unless_ignored(libc::SIGINT, end as usize);
    let from_itself = sent_handler as unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
    sent().for_each(|signal| install_unless_ignored(signal, from_itself as usize));
    if cfg!(target_os = "linux") && !earlier.0.is_empty() {
        name_process();
    }
    Ok(())
}

/// This scene runs: what a process without an autosave starts with.
pub(super) fn set_scene(path: &Path) {
    // SAFETY: never freed.
    let Some(prepared) = (unsafe { PREPARED.load(Ordering::Acquire).as_ref() }) else { return };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let bytes = path.as_os_str().as_bytes();
    // SAFETY: written here alone, on the main thread; the last byte stays 0. One that does not fit is left out.
    let scene = unsafe { &mut *prepared.scene };
    if bytes.len() < PATH {
        scene[..bytes.len()].copy_from_slice(bytes);
        scene[bytes.len()..].fill(0);
    }
}

/// From here on a signal ends the process as it does any other.
pub(super) fn disarm() {
    PREPARED.store(ptr::null_mut(), Ordering::Release);
}

fn install(signal: c_int, handler: usize, flags: c_int) -> std::io::Result<()> {
    // SAFETY: a zeroed sigaction is valid; the handlers below are async-signal-safe.
    let result = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = flags;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(signal, &raw const action, ptr::null_mut())
    };
    if result == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// A signal that is ignored (`nohup`) stays ignored.
fn install_unless_ignored(signal: c_int, handler: usize) {
    // SAFETY: asks for the present action only.
    let heard = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, ptr::null(), &raw mut action) == 0 && action.sa_sigaction != libc::SIG_IGN
    };
    if heard {
        let _ = install(signal, handler, libc::SA_SIGINFO | libc::SA_ONSTACK);
    }
}

/// A stack of its own for handlers on this thread; the standard library gives one to the threads that it starts.
fn give_stack() -> Result<(), String> {
    const SIZE: usize = 1 << 16;
    let stack = Box::leak(vec![0u8; SIZE].into_boxed_slice());
    let stack = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: SIZE };
    // SAFETY: the memory is never freed.
    let result = unsafe { libc::sigaltstack(&raw const stack, ptr::null_mut()) };
    if result == 0 { Ok(()) } else { Err(format!("no signal stack: {}", std::io::Error::last_os_error())) }
}

/// `execve` of `/proc/self/exe` called the process `exe`.
fn name_process() {
    #[cfg(target_os = "linux")]
    // SAFETY: a C string.
    unsafe {
        libc::prctl(libc::PR_SET_NAME, c"weft".as_ptr());
    }
}

unsafe extern "C" fn crash_handler(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    aligned_or_not();
    let name = signal_name(signal).unwrap_or("a signal");
    // SAFETY: the kernel's own arguments.
    let stack = signal == libc::SIGSEGV && unsafe { near_stack(info, context) };
    restart(name, stack);
    end_by(signal);
}

/// Ends the process by the signal, as if there were no handler, once that returns: until then it is blocked.
fn end_by(signal: c_int) {
    // SAFETY: plain numbers.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Hot code may have asked for a fault at each access that is not aligned, which the kernel leaves as it is.
fn aligned_or_not() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: clears EFLAGS.AC, which no compiler relies on.
    unsafe {
        std::arch::asm!("pushfq", "and dword ptr [rsp], 0xfffbffff", "popfq");
    }
}

/// What the program sends itself is a crash of the hot code; what others send ends it as ever.
unsafe extern "C" fn sent_handler(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the kernel's own argument.
    if unsafe { is_own(signal, info) } {
        restart(signal_name(signal).unwrap_or("a signal"), false);
    }
    end_without_rest(signal);
}

/// The same, without what nobody wants then: files that are not whole, and builds.
fn end_without_rest(signal: c_int) {
    weft_core::files::remove_pending();
    end_groups();
    end_by(signal);
}

/// Ctrl-C ends the program as ever, but on purpose: it leaves no autosave. SIGTERM leaves it: that is also how a session or
/// a system without memory ends. From itself it is a crash as any other.
unsafe extern "C" fn end_handler(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the kernel's own argument.
    if unsafe { is_own(signal, info) } {
        restart("SIGINT", false);
    }
    let prepared = PREPARED.load(Ordering::Acquire);
    // SAFETY: never freed.
    unsafe {
        if let Some(prepared) = prepared.as_ref() {
            libc::unlink(prepared.autosave);
        }
    }
    end_without_rest(signal);
}

/// Whether the fault lies beside the stack pointer.
unsafe fn near_stack(info: *mut libc::siginfo_t, context: *mut c_void) -> bool {
    // SAFETY: the kernel's own arguments of a SIGSEGV.
    let (fault, pointer) = unsafe { ((*info).si_addr() as usize, stack_pointer(context)) };
    fault.abs_diff(pointer) < NEAR_STACK
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
unsafe fn stack_pointer(context: *mut c_void) -> usize {
    // SAFETY: the kernel's own argument.
    let machine = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext };
    #[cfg(target_arch = "x86_64")]
    let pointer = machine.gregs[libc::REG_RSP as usize];
    #[cfg(target_arch = "aarch64")]
    let pointer = machine.sp;
    pointer as usize
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
unsafe fn stack_pointer(_: *mut c_void) -> usize {
    // Not known here: far from any fault.
    usize::MAX / 2
}

/// Children of this process: at its start, those of the one before it, which has the same number.
pub(super) fn children() -> Vec<c_int> {
    let all = weft_core::memory::processes().into_iter();
    all.filter(|[_, parent]| *parent == std::process::id()).map(|[child, _]| child as c_int).collect()
}

/// Takes those off the list that have ended.
pub(super) fn reap(children: &mut Vec<c_int>) {
    // SAFETY: plain numbers; who started these children is gone.
    children.retain(|child| unsafe { libc::waitpid(*child, ptr::null_mut(), libc::WNOHANG) } == 0);
}

/// Becomes a new process. Returns only if that does not work, or if nothing was prepared for this one.
pub(super) fn restart(what: &str, stack: bool) {
    let prepared = PREPARED.load(Ordering::Acquire);
    // SAFETY: never freed.
    let Some(prepared) = (unsafe { prepared.as_ref() }) else { return };
    // SAFETY: asks for a number.
    if prepared.process != unsafe { libc::getpid() } {
        return;
    }
    while TAKEN.swap(true, Ordering::AcqRel) {
        // Another thread restarts the process: this one is gone in a moment.
        // SAFETY: waits for a signal.
        unsafe { libc::pause() };
    }
    // SAFETY: only the one thread that got past `TAKEN` uses this memory.
    let records = unsafe { &mut *prepared.records };
    let mut record = Text::new(records, prepared.used);
    if prepared.used > 0 {
        record.byte(b';');
    }
    let from = record.len();
    Record { what, stack, heap: heap::overwritten(what), foreign: foreign() }.write(&mut record);
    let to = record.len();
    // SAFETY: system calls that are allowed in a handler, on memory that outlives them.
    unsafe {
        let mut line = [0u8; 512];
        let mut text = Text::new(&mut line, 0);
        text.text("weft: ");
        records[from..to].iter().for_each(|byte| text.byte(*byte));
        text.text("; starting again from the autosave\n");
        let length = text.len();
        libc::write(2, line.as_ptr().cast(), length);

        // The mask, timers that run and limits outlive execve.
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
        let stopped: libc::itimerval = std::mem::zeroed();
        for timer in [libc::ITIMER_REAL, libc::ITIMER_VIRTUAL, libc::ITIMER_PROF] {
            libc::setitimer(timer, &raw const stopped, ptr::null_mut());
        }
        put_back(&prepared.limits);
        close_on_exec();
        end_groups();
        libc::fchdir(START.load(Ordering::Relaxed));
        libc::execve(prepared.program, prepared.arguments, prepared.environment);
        let failed = b"weft: it could not be started again\n";
        libc::write(2, failed.as_ptr().cast(), failed.len());
    }
    // The next crash is not to wait for this one.
    TAKEN.store(false, Ordering::Release);
}

/// Sets the limits that the program was started with, or as much as hard ones leave: with the processor time that the hot code
/// has left the next process would end before its first line.
///
/// # Safety
/// Makes system calls alone; allowed in a handler.
unsafe fn put_back(limits: &[libc::rlimit; LIMITS.len()]) {
    for (resource, limit) in LIMITS.iter().zip(limits) {
        let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: sets and asks for numbers.
        unsafe {
            if libc::setrlimit(*resource, limit) != 0 && libc::getrlimit(*resource, &raw mut now) == 0 {
                now.rlim_cur = limit.rlim_cur.min(now.rlim_max);
                libc::setrlimit(*resource, &raw const now);
            }
        }
    }
}

/// Becomes `program` with these arguments. Returns only if that does not work, with the reason.
pub(super) fn become_program(program: &Path, arguments: &[Vec<OsString>; 2]) -> String {
    let given = arguments.concat();
    // A library that is being built is not for the new program, which builds its own in the same place.
    end_groups();
    // SAFETY: marks files only.
    unsafe { close_on_exec() };
    let why = std::process::Command::new(program).args(given.get(1..).unwrap_or_default()).exec();
    // `exec` has set it to what a new program expects; this one goes on, and a pipe that is closed must not end it.
    // SAFETY: the action of every program of the standard library.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    why.to_string()
}

/// Whether this thread is neither the main one nor one of the solver's: one of the driver, or one that hot code started.
fn foreign() -> bool {
    #[cfg(target_os = "linux")]
    // SAFETY: system calls on a buffer of the size that they fill.
    unsafe {
        let mut name = [0u8; 16];
        libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr());
        libc::syscall(libc::SYS_gettid) != libc::c_long::from(libc::getpid()) && !name.starts_with(b"solver ")
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// Files beyond the standard ones must not leak into the new process: X, the driver, pipes.
unsafe fn close_on_exec() {
    #[cfg(target_os = "linux")]
    {
        const CLOSE_RANGE_CLOEXEC: libc::c_ulong = 4;
        // SAFETY: marks files, closes none.
        let done = unsafe {
            libc::syscall(libc::SYS_close_range, 3, libc::c_ulong::from(u32::MAX), CLOSE_RANGE_CLOEXEC)
        };
        if done == 0 {
            return;
        }
    }
    for file in 3..4096 {
        // SAFETY: marks a file, or fails where there is none.
        unsafe { libc::fcntl(file, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}
