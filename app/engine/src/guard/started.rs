//! Threads that hot code started. A program starts and ends threads all the time: the compiler's, the driver's, its own. What
//! tells them apart is their mask of signals, which a thread has from the one that started it: those that run hot code block
//! one more signal than others, the last real-time one, which nobody sends. Linux only.
//!
//! A look lists the folder of threads (some microseconds in a step of live code; that their number is the same says nothing, for
//! one may have ended), and reads the masks of those that are new there. A thread that blocks everything is one that the C library
//! has not started yet, which the next look knows, or one of a driver. It does not see one that ended before, nor one whose code
//! sets its mask.

#[cfg(target_os = "linux")]
pub(crate) use linux::Marked;
#[cfg(target_os = "linux")]
pub(super) use linux::look;

#[cfg(not(target_os = "linux"))]
pub(crate) use other::Marked;
#[cfg(not(target_os = "linux"))]
pub(super) use other::look;

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        fs::{self, File},
        mem,
        os::fd::AsRawFd,
        ptr,
        sync::{Mutex, PoisonError},
    };

    const THREADS: &str = "/proc/self/task";

    /// What is known of the threads of this process, by number.
    struct Known {
        /// Those of the last look, and those that run hot code.
        threads: Vec<i32>,
        /// Those that blocked everything at the last look, for the first time.
        starting: Vec<i32>,
        /// Room for those of the next look: a step allocates nothing.
        listed: Vec<i32>,
    }

    static KNOWN: Mutex<Known> =
        Mutex::new(Known { threads: Vec::new(), starting: Vec::new(), listed: Vec::new() });

    thread_local! {
        /// Makes this thread one that is known.
        static KNOWS_THIS: () = {
            // SAFETY: asks for a number.
            let own = unsafe { libc::syscall(libc::SYS_gettid) };
            KNOWN.lock().unwrap_or_else(PoisonError::into_inner).threads.push(own as i32);
        };
    }

    /// While it lives, threads that this one starts count as started by hot code.
    pub(crate) struct Marked(());

    impl Marked {
        pub(crate) fn new() -> Self {
            // Known first: a look may come in between.
            KNOWS_THIS.with(|()| ());
            block(libc::SIG_BLOCK);
            Self(())
        }
    }

    impl Drop for Marked {
        fn drop(&mut self) {
            block(libc::SIG_UNBLOCK);
        }
    }

    fn block(how: libc::c_int) {
        // SAFETY: changes the mask of this thread by a signal that nobody sends.
        unsafe {
            let mut set: libc::sigset_t = std::mem::zeroed();
            libc::sigaddset(&raw mut set, libc::SIGRTMAX());
            libc::pthread_sigmask(how, &raw const set, ptr::null_mut());
        }
    }

    /// Whether hot code started one that is there and was not at the last look.
    pub(crate) fn look() -> bool {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let Known { threads, starting, listed } = &mut *known;
        if list(listed).is_none() {
            return false;
        }
        let (mut started, before) = (false, mem::take(starting));
        for thread in listed.iter().filter(|thread| !threads.contains(thread)) {
            match blocks(*thread) {
                [true, true] if !before.contains(thread) => starting.push(*thread),
                [true, false] => started = true,
                _ => {}
            }
        }
        listed.retain(|thread| !starting.contains(thread));
        mem::swap(threads, listed);
        started
    }

    /// The numbers of all threads. `fs::read_dir` would allocate each name.
    fn list(into: &mut Vec<i32>) -> Option<()> {
        /// Of an entry: where its length is, and where its name begins, which ends with a 0 (`struct linux_dirent64`).
        const LENGTH: usize = 16;
        const NAME: usize = 19;
        into.clear();
        let (folder, mut entries) = (File::open(THREADS).ok()?, [0_u64; 512]);
        loop {
            // SAFETY: the kernel writes whole entries into the room, and says how many bytes those have.
            let (filled, bytes) = unsafe {
                let room = (&raw mut entries).cast::<u8>();
                let filled =
                    libc::syscall(libc::SYS_getdents64, folder.as_raw_fd(), room, size_of_val(&entries));
                (filled, std::slice::from_raw_parts(room, usize::try_from(filled).ok()?))
            };
            if filled == 0 {
                return Some(());
            }
            let mut rest = bytes;
            while let Some(length) = rest.get(LENGTH..NAME - 1) {
                let length = usize::from(u16::from_ne_bytes([length[0], length[1]]));
                let (entry, behind) = rest.split_at_checked(length)?;
                let name = entry.get(NAME..)?.split(|byte| *byte == 0).next()?;
                into.extend(str::from_utf8(name).ok().and_then(|name| name.parse::<i32>().ok()));
                rest = behind;
            }
        }
    }

    /// Whether a thread blocks the signal of those that run hot code, and another one that nobody sends.
    fn blocks(thread: i32) -> [bool; 2] {
        let status = fs::read_to_string(format!("{THREADS}/{thread}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigBlk:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        [1, 2].map(|from_last| mask >> (libc::SIGRTMAX() - from_last) & 1 == 1)
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    pub struct Marked;

    impl Marked {
        pub fn new() -> Self {
            Self
        }
    }

    pub fn look() -> bool {
        false
    }
}
