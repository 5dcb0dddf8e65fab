//! The last act of a process that crashed: it becomes a new one that goes on from the autosave.
//!
//! ```text
//!  SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE ─┐
//!  watchdog: nothing finished in time ───────┴→ restart(): record → execve(this program, … --resume FILE --crashed RECORDS)
//! ```
//! After a crash nothing of the process can be trusted, so everything is prepared at the start and [`restart`] makes
//! system calls only: no allocation, no lock, no formatting machinery. The process id stays, and with it the terminal,
//! the parent and the folder of live libraries; the window and all other files are closed by `execve`.
//! Rejected: going on in the same process (`siglongjmp`): locks of the allocator and of the driver may be held. The crate
//! `crash-handler`: it holds a lock while its callback runs, takes SIGTRAP from a debugger too, and leaves SIGINT, SIGTERM,
//! the watchdog's restart and `execve` to its caller.

mod record;

use std::{
    ffi::{CString, OsString, c_char, c_int, c_void},
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        process::CommandExt,
    },
    path::Path,
    ptr,
    sync::atomic::{AtomicBool, AtomicPtr, Ordering},
};

use crate::autosave::Crashes;
use record::Text;

/// Room for the records of all crashes [bytes].
const RECORDS: usize = 8192;
/// A fault this close to the stack pointer is an overflow of the stack [bytes].
const NEAR_STACK: usize = 1 << 16;

const SIGNALS: [(c_int, &str); 5] = [
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGFPE, "SIGFPE"),
];

/// What `execve` is given; never freed.
struct Prepared {
    program: CString,
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    autosave: CString,
    records: *mut [u8; RECORDS],
    /// Bytes of records of earlier crashes.
    used: usize,
}

static PREPARED: AtomicPtr<Prepared> = AtomicPtr::new(ptr::null_mut());
/// Somebody restarts already.
static TAKEN: AtomicBool = AtomicBool::new(false);

fn leak(text: &[u8]) -> *const c_char {
    CString::new(text).unwrap_or_default().into_raw()
}

/// Sets everything up: `arguments` are those of the next process, to which `--crashed RECORDS` is added.
pub(super) fn arm(arguments: &[OsString], autosave: &Path, earlier: &Crashes) -> Result<(), String> {
    let program = if cfg!(target_os = "linux") {
        // The same program even if its file was replaced by a newer build since.
        "/proc/self/exe".into()
    } else {
        std::env::current_exe().map_err(|e| format!("this program's file is not known: {e}"))?
    };
    let c_string = |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(|e| e.to_string());
    let mut records = Box::new([0; RECORDS]);
    let list = earlier.list();
    let list = &list.as_bytes()[..list.len().min(RECORDS / 2)];
    records[..list.len()].copy_from_slice(list);
    let records = Box::into_raw(records);
    let mut pointers: Vec<*const c_char> = arguments.iter().map(|text| leak(text.as_bytes())).collect();
    pointers.extend([leak(b"--crashed"), records.cast_const().cast::<c_char>(), ptr::null()]);
    let variable = |(name, value): (OsString, OsString)| {
        leak(&[name.into_vec(), b"=".to_vec(), value.into_vec()].concat())
    };
    let environment = std::env::vars_os().map(variable).chain([ptr::null()]).collect();
    let prepared = Prepared {
        program: c_string(&program)?,
        arguments: pointers,
        environment,
        autosave: c_string(autosave)?,
        records,
        used: list.len(),
    };
    PREPARED.store(Box::into_raw(Box::new(prepared)), Ordering::Release);
    give_stack()?;
    let crash = crash_handler as unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
    for (signal, name) in SIGNALS {
        install(signal, crash as usize, libc::SA_SIGINFO | libc::SA_ONSTACK)
            .map_err(|e| format!("cannot handle {name}: {e}"))?;
    }
    for signal in [libc::SIGINT, libc::SIGTERM] {
        install_if_default(signal, end_handler as unsafe extern "C" fn(c_int) as usize);
    }
    if cfg!(target_os = "linux") && !earlier.0.is_empty() {
        name_process();
    }
    Ok(())
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

/// A signal that somebody ignores (`nohup`) stays ignored.
fn install_if_default(signal: c_int, handler: usize) {
    // SAFETY: asks for the present action only.
    let default = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, ptr::null(), &raw mut action) == 0 && action.sa_sigaction == libc::SIG_DFL
    };
    if default {
        let _ = install(signal, handler, 0);
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
    let name = SIGNALS.iter().find(|(number, _)| *number == signal).map_or("a signal", |(_, name)| name);
    // SAFETY: the kernel's own arguments.
    let stack = signal == libc::SIGSEGV && unsafe { near_stack(info, context) };
    restart(name, stack);
    // SAFETY: ends the process by the signal, as if there were no handler.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// SIGINT and SIGTERM end the program as ever, but on purpose: it leaves no autosave.
unsafe extern "C" fn end_handler(signal: c_int) {
    let prepared = PREPARED.load(Ordering::Acquire);
    // SAFETY: never freed; the signal is blocked until the handler returns and ends the process then.
    unsafe {
        if let Some(prepared) = prepared.as_ref() {
            libc::unlink(prepared.autosave.as_ptr());
        }
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
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

/// Becomes a new process. Returns only if that does not work, or if nothing was prepared.
pub(super) fn restart(what: &str, stack: bool) {
    let prepared = PREPARED.load(Ordering::Acquire);
    // SAFETY: never freed.
    let Some(prepared) = (unsafe { prepared.as_ref() }) else { return };
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
    record::write(&mut record, what, stack);
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

        // The mask and a pending alarm outlive execve.
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
        libc::alarm(0);
        close_on_exec();
        libc::execve(prepared.program.as_ptr(), prepared.arguments.as_ptr(), prepared.environment.as_ptr());
        let failed = b"weft: it could not be started again\n";
        libc::write(2, failed.as_ptr().cast(), failed.len());
    }
}

/// Becomes `program` with these arguments. Returns only if that does not work, with the reason.
pub(super) fn become_program(program: &Path, arguments: &[OsString]) -> String {
    let given = arguments.get(1..).unwrap_or_default();
    // SAFETY: marks files only.
    unsafe { close_on_exec() };
    std::process::Command::new(program).args(given).exec().to_string()
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
