//! Where a process stands among others: as whom it runs, under which root, in which session, what rights its new files have, how
//! soon its turn comes and where. Compilers that it starts and autosaves that it writes have all of it. Unix only; priority
//! and processors are those of one thread, on Linux.

use std::{fs, os::unix::fs::MetadataExt};

use super::Change;

/// As it was at one time.
pub(super) struct Standing {
    umask: libc::mode_t,
    /// Effective user and group.
    user: (libc::uid_t, libc::gid_t),
    /// Device and number of the root folder.
    root: Option<(u64, u64)>,
    session: libc::pid_t,
    priority: libc::c_int,
    processors: Processors,
}

impl Standing {
    pub(super) fn now() -> Self {
        Self {
            umask: umask(),
            user: user(),
            root: root(),
            session: session(),
            priority: priority(),
            processors: Processors::now(),
        }
    }

    /// What is not as it was; each is told once.
    pub(super) fn put_back(&mut self) -> Vec<Change> {
        let mut changed = Vec::new();
        // SAFETY: sets what was there, and tells what is.
        if unsafe { libc::umask(self.umask) } != self.umask {
            changed.push(Change::put_back("the rights of new files (umask)"));
        }
        if priority() != self.priority {
            // SAFETY: a number that was there before.
            let is_back = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, self.priority) } == 0;
            changed.push(Change { what: "its priority", is_back });
            self.priority = priority();
        }
        if Processors::now() != self.processors {
            changed.push(Change { what: "the processors that it may have", is_back: self.processors.set() });
            self.processors = Processors::now();
        }
        let (user, root, session) = (user(), root(), session());
        if user != self.user {
            changed.push(Change::gone("the user that it runs as"));
        }
        if root != self.root {
            changed.push(Change::gone("the root of all folders"));
        }
        if session != self.session {
            changed.push(Change::gone("its session"));
        }
        (self.user, self.root, self.session) = (user, root, session);
        changed
    }
}

/// It can be asked only by being set, where no file tells it; what other threads write in between has fewer rights.
fn umask() -> libc::mode_t {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let told = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    told.and_then(|umask| libc::mode_t::from_str_radix(umask.trim(), 8).ok()).unwrap_or_else(|| {
        // SAFETY: sets numbers, the one of before at last.
        unsafe {
            let before = libc::umask(0o077);
            libc::umask(before);
            before
        }
    })
}

fn user() -> (libc::uid_t, libc::gid_t) {
    // SAFETY: asks for numbers.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

fn root() -> Option<(u64, u64)> {
    fs::metadata("/").ok().map(|data| (data.dev(), data.ino()))
}

fn session() -> libc::pid_t {
    // SAFETY: asks for a number.
    unsafe { libc::getsid(0) }
}

fn priority() -> libc::c_int {
    // SAFETY: asks for a number.
    unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) }
}

/// Those that the asking thread may run on.
#[cfg(target_os = "linux")]
struct Processors(libc::cpu_set_t);

#[cfg(target_os = "linux")]
impl PartialEq for Processors {
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: reads two sets.
        unsafe { libc::CPU_EQUAL(&self.0, &other.0) }
    }
}

#[cfg(target_os = "linux")]
impl Processors {
    fn now() -> Self {
        // SAFETY: fills a set of the size that it is told.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set);
            Self(set)
        }
    }

    fn set(&self) -> bool {
        // SAFETY: a set that was there before.
        unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const self.0) == 0 }
    }
}

#[cfg(not(target_os = "linux"))]
#[derive(PartialEq)]
struct Processors;

#[cfg(not(target_os = "linux"))]
impl Processors {
    fn now() -> Self {
        Self
    }

    fn set(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_new_files_may_be_used_for_is_put_back_and_told() {
        let mut before = Standing::now();
        assert_eq!(before.put_back(), []);
        // SAFETY: sets a number.
        unsafe { libc::umask(before.umask ^ 0o022) };
        assert_eq!(before.put_back(), [Change::put_back("the rights of new files (umask)")]);
        assert_eq!((before.put_back(), Standing::now().umask), (vec![], before.umask));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_turns_of_a_thread_are_put_back_as_far_as_it_may() {
        let mut before = Standing::now();
        let one = before.processors.0;
        // SAFETY: reads a set.
        let first = (0..1024).find(|i| unsafe { libc::CPU_ISSET(*i, &one) });
        // SAFETY: changes this thread's, which ends with the test.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(first.expect("a processor"), &mut set);
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set);
            libc::setpriority(libc::PRIO_PROCESS, 0, (before.priority + 1).min(19));
        }
        let told = before.put_back();
        // Nothing changes with one processor, or at the lowest priority.
        assert!(told.len() <= 2, "{told:?}");
        assert!(told.iter().all(|change| change.what == "its priority" || change.is_back), "{told:?}");
        assert_eq!(before.put_back(), []);
    }
}
