//! What a process has once: working directory, environment, what signals do, limits, threads. Unix only.

#[cfg(unix)]
pub(super) use unix::{SIGNALS, Surroundings};

#[cfg(not(unix))]
pub(super) use other::Surroundings;

#[cfg(unix)]
mod unix {
    use std::{ffi::c_char, fs, os::unix::fs::MetadataExt, path::PathBuf, ptr};

    use weft_core::project::start_folder;

    use super::super::{Change, signals::Own, standing::Standing};

    /// Signals whose handlers the program depends on: of its rescue, the end of compilers, pipes that were closed.
    pub(in crate::guard) const SIGNALS: [libc::c_int; 18] = [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGABRT,
        libc::SIGILL,
        libc::SIGFPE,
        libc::SIGTRAP,
        libc::SIGSYS,
        libc::SIGINT,
        libc::SIGPIPE,
        libc::SIGCHLD,
        libc::SIGALRM,
        libc::SIGVTALRM,
        libc::SIGPROF,
        libc::SIGXCPU,
        libc::SIGUSR1,
        libc::SIGUSR2,
        libc::SIGHUP,
        libc::SIGTERM,
    ];

    const LIMIT: &str = "a limit of the process";

    /// Limits that a program meets; that of its addresses is the probe's own as well.
    const LIMITS: [Resource; 6] = [
        libc::RLIMIT_NOFILE,
        libc::RLIMIT_DATA,
        libc::RLIMIT_STACK,
        libc::RLIMIT_FSIZE,
        libc::RLIMIT_CPU,
        libc::RLIMIT_NPROC,
    ];

    #[cfg(target_os = "linux")]
    type Resource = libc::__rlimit_resource_t;
    #[cfg(not(target_os = "linux"))]
    type Resource = libc::c_int;

    unsafe extern "C" {
        static mut environ: *mut *mut c_char;
    }

    /// As it was at one time.
    pub(crate) struct Surroundings {
        /// Device and number of the working directory.
        folder: Option<(u64, u64)>,
        path: PathBuf,
        /// Where the list of the environment lies, and its entries; strings are replaced, not written over.
        environment: (usize, Vec<usize>),
        actions: Vec<libc::sigaction>,
        /// Of the thread that asks, which runs steps where there is no pool.
        signals: Own,
        standing: Standing,
        limits: Vec<libc::rlimit>,
        /// Links of the folder of threads: one for each, and two.
        threads: u64,
    }

    impl Surroundings {
        pub(crate) fn now() -> Self {
            Self {
                folder: folder(),
                path: std::env::current_dir().unwrap_or_else(|_| start_folder().to_path_buf()),
                environment: environment(),
                actions: SIGNALS.iter().map(|signal| action(*signal)).collect(),
                signals: Own::now(),
                standing: Standing::now(),
                limits: LIMITS.iter().map(|resource| limit(*resource)).collect(),
                threads: threads(),
            }
        }

        /// What is not as it was; it is so again where that may be.
        pub(crate) fn put_back(&mut self) -> Vec<Change> {
            let mut changed = Vec::new();
            if folder() != self.folder && std::env::set_current_dir(&self.path).is_ok() {
                changed.push(Change::put_back("the working directory"));
            }
            let (list, entries) = &self.environment;
            if !is_environment(*list, entries) {
                // SAFETY: the list that was there, with as many entries and a 0: the C library never frees either.
                unsafe {
                    let list = *list as *mut *mut c_char;
                    entries.iter().enumerate().for_each(|(i, entry)| *list.add(i) = *entry as *mut c_char);
                    *list.add(entries.len()) = ptr::null_mut();
                    environ = list;
                }
                changed.push(Change::put_back("the environment"));
            }
            for (signal, before) in SIGNALS.iter().zip(&self.actions) {
                if action(*signal).sa_sigaction != before.sa_sigaction {
                    // SAFETY: an action that was set before.
                    unsafe { libc::sigaction(*signal, before, ptr::null_mut()) };
                    changed.push(Change::put_back("a signal handler"));
                }
            }
            changed.extend(self.signals.put_back().map(Change::put_back));
            for (resource, before) in LIMITS.iter().zip(&mut self.limits) {
                let now = limit(*resource);
                if (now.rlim_cur, now.rlim_max) == (before.rlim_cur, before.rlim_max) {
                    continue;
                }
                // SAFETY: sets numbers.
                let is_back = unsafe { libc::setrlimit(*resource, before) } == 0;
                if !is_back {
                    // Who may not raise the hard one has at least what it leaves.
                    *before = libc::rlimit { rlim_cur: before.rlim_cur.min(now.rlim_max), ..now };
                    // SAFETY: as above.
                    unsafe { libc::setrlimit(*resource, before) };
                }
                changed.push(Change { what: LIMIT, is_back });
            }
            changed.extend(self.standing.put_back());
            changed.dedup();
            changed
        }

        /// Whether there are more threads than at the last call.
        pub(crate) fn more_threads(&mut self) -> bool {
            let before = std::mem::replace(&mut self.threads, threads());
            self.threads > before
        }
    }

    fn folder() -> Option<(u64, u64)> {
        fs::metadata(".").ok().map(|data| (data.dev(), data.ino()))
    }

    fn threads() -> u64 {
        fs::metadata("/proc/self/task").map_or(0, |data| data.nlink())
    }

    fn environment() -> (usize, Vec<usize>) {
        // SAFETY: a list that ends with 0; this program changes it only before it starts threads.
        unsafe {
            let list = environ;
            if list.is_null() {
                return (0, Vec::new());
            }
            let entries = (0..).map(|i| *list.add(i) as usize).take_while(|entry| *entry != 0);
            (list as usize, entries.collect())
        }
    }

    /// Whether the environment is this list with these entries; takes no memory.
    fn is_environment(list: usize, entries: &[usize]) -> bool {
        // SAFETY: as in `environment`; it is read up to its 0 at most.
        unsafe {
            let now = environ;
            if now as usize != list || now.is_null() {
                return now as usize == list;
            }
            entries.iter().chain([&0]).enumerate().all(|(i, entry)| *now.add(i) as usize == *entry)
        }
    }

    fn limit(resource: Resource) -> libc::rlimit {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: asks for numbers.
        unsafe { libc::getrlimit(resource, &raw mut limit) };
        limit
    }

    fn action(signal: libc::c_int) -> libc::sigaction {
        // SAFETY: asks for the present action only.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, ptr::null(), &raw mut action);
            action
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// As a program has it that is rescued.
        extern "C" fn handler(_: libc::c_int) {}

        #[test]
        fn a_hard_limit_that_nobody_may_raise_is_not_said_to_be_put_back() {
            let mut before = Surroundings::now();
            let of_processes = limit(libc::RLIMIT_NPROC);
            let less = of_processes.rlim_max.min(1 << 30) - 1;
            let lower = libc::rlimit { rlim_cur: of_processes.rlim_cur.min(less), rlim_max: less };
            // SAFETY: sets numbers, which are far more than any test needs.
            let may_raise = unsafe {
                libc::setrlimit(libc::RLIMIT_NPROC, &raw const lower);
                libc::setrlimit(libc::RLIMIT_NPROC, &raw const of_processes) == 0
                    && libc::setrlimit(libc::RLIMIT_NPROC, &raw const lower) == 0
            };
            assert_eq!(before.put_back(), [Change { what: LIMIT, is_back: may_raise }]);
            assert!(before.put_back().is_empty(), "told before");
        }

        #[test]
        fn what_a_step_changes_is_put_back_and_told() {
            let mut before = Surroundings::now();
            assert!(before.put_back().is_empty());
            let path = std::env::var_os("PATH");
            // SAFETY: no other test of this crate reads the environment or handles this signal.
            unsafe {
                std::env::set_var("PATH", "");
                std::env::set_var("WEFT_ADDED", "1");
                libc::signal(libc::SIGTRAP, libc::SIG_IGN);
                let mut all: libc::sigset_t = std::mem::zeroed();
                libc::sigfillset(&raw mut all);
                libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, ptr::null_mut());
                let none = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
                libc::sigaltstack(&raw const none, ptr::null_mut());
                let few = libc::rlimit { rlim_cur: 100, ..limit(libc::RLIMIT_NOFILE) };
                libc::setrlimit(libc::RLIMIT_NOFILE, &raw const few);
            }
            std::env::set_current_dir("/").expect("a root");
            let changed = [
                "the working directory",
                "the environment",
                "a signal handler",
                "which signals are blocked",
                "the stack of signal handlers",
                LIMIT,
            ];
            assert_eq!(before.put_back(), changed.map(Change::put_back));
            assert!(before.put_back().is_empty());
            assert_eq!((std::env::var_os("PATH"), std::env::var_os("WEFT_ADDED")), (path, None));
            assert_eq!(std::env::current_dir().ok(), Some(before.path.clone()));
            // Handlers of signals that end the program unless it has them.
            let own = handler as extern "C" fn(libc::c_int) as libc::sighandler_t;
            for signal in [libc::SIGTERM, libc::SIGHUP, libc::SIGALRM, libc::SIGUSR1, libc::SIGXCPU] {
                // SAFETY: nobody sends these signals to the tests.
                let default = unsafe { libc::signal(signal, own) };
                let mut before = Surroundings::now();
                // SAFETY: as above.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
                assert_eq!(before.put_back(), [Change::put_back("a signal handler")], "signal {signal}");
                assert_eq!(action(signal).sa_sigaction, own, "signal {signal}");
                // SAFETY: as above.
                unsafe { libc::signal(signal, default) };
            }
        }
    }
}

#[cfg(not(unix))]
mod other {
    pub struct Surroundings;

    impl Surroundings {
        pub fn now() -> Self {
            Self
        }

        pub fn put_back(&mut self) -> Vec<super::super::Change> {
            Vec::new()
        }

        pub fn more_threads(&mut self) -> bool {
            false
        }
    }
}
