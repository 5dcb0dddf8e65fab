//! What the system keeps a child from, and how it says why one ended. Unix only; elsewhere a child has no limit of
//! memory and its end has no name.

#[cfg(unix)]
pub(super) use unix::{at_start, leave, memory, output, signal, widen};

#[cfg(not(unix))]
pub use other::{at_start, leave, memory, output, signal, widen};

#[cfg(unix)]
mod unix {
    use std::{
        fs::File,
        io,
        os::fd::{AsRawFd, FromRawFd},
        process::ChildStdin,
    };

    /// No core files of crashes that are expected; on Linux also the end with the host, whatever runs here.
    pub(crate) fn at_start() {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: a valid struct; failure leaves the limit as it was.
        unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) };
        #[cfg(target_os = "linux")]
        // SAFETY: plain numbers, and a text that ends with 0.
        unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            libc::prctl(libc::PR_SET_NAME, c"weft probe".as_ptr());
        }
    }

    /// The most memory this process may map from now on [bytes].
    pub(crate) fn memory(most: u64) {
        let most = libc::rlimit { rlim_cur: most as libc::rlim_t, rlim_max: most as libc::rlim_t };
        // SAFETY: as in `at_start`.
        unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const most) };
    }

    /// The way to the host: what the hot code prints goes to the standard error instead.
    pub(crate) fn output() -> io::Result<File> {
        // SAFETY: descriptors of this process; the new one is owned by the file.
        unsafe {
            // A process that the hot code starts must not hold it open.
            let kept = libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3);
            if kept < 0 || libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) < 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(File::from_raw_fd(kept))
        }
    }

    /// Ends the process at once, without the destructors of a library that is not trusted.
    pub(crate) fn leave() -> ! {
        // SAFETY: takes a plain number and does not return.
        unsafe { libc::_exit(0) }
    }

    /// A pipe for images: fewer turns between writer and reader. Linux only, and only where it may be so large.
    pub(crate) fn widen(pipe: &ChildStdin) {
        #[cfg(target_os = "linux")]
        // SAFETY: an open descriptor and plain numbers; failure leaves the pipe as it was.
        unsafe {
            libc::fcntl(pipe.as_raw_fd(), libc::F_SETPIPE_SZ, 1 << 20);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = pipe.as_raw_fd();
    }

    pub(crate) fn signal(number: i32) -> String {
        let text = match number {
            libc::SIGSEGV => "wrote or read outside of its columns (SIGSEGV)",
            libc::SIGBUS => "wrote or read where no memory is (SIGBUS)",
            libc::SIGABRT => "aborted (SIGABRT)",
            libc::SIGILL => "ran into an illegal instruction (SIGILL)",
            libc::SIGFPE => "divided an integer by zero or overflowed one (SIGFPE)",
            libc::SIGTRAP => "ran into a trap (SIGTRAP)",
            libc::SIGKILL => "was killed (SIGKILL): out of memory?",
            number => return format!("was ended by signal {number}"),
        };
        text.to_string()
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    pub fn at_start() {}

    pub fn memory(_: u64) {}

    pub fn widen(_: &std::process::ChildStdin) {}

    pub fn output() -> io::Result<io::Stdout> {
        Ok(io::stdout())
    }

    pub fn leave() -> ! {
        std::process::exit(0)
    }

    pub fn signal(number: i32) -> String {
        format!("was ended by signal {number}")
    }
}
