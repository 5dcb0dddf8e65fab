//! Threads that hot code started. A program starts and ends threads all the time: the compiler's, the driver's, its own. What
//! tells them apart is their mask of signals, which a thread has from the one that started it: those that run hot code block
//! one more signal than others, the last real-time one, which nobody sends. Linux only.
//!
//! A look lists the folder of threads when their number has changed or anything was started on this machine, for one may have
//! ended meanwhile, and reads the masks of those that are new there. A thread that blocks everything is one that the C library has
//! not started yet, which the next look knows, or one of a driver. It does not see one that ended before, nor one whose code sets
//! its mask.

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
        collections::BTreeSet,
        fs::{self, File},
        io::Read,
        os::unix::fs::MetadataExt,
        ptr,
        sync::{Mutex, PoisonError},
    };

    const THREADS: &str = "/proc/self/task";

    /// What is known of the threads of this process.
    struct Known {
        /// Links of their folder at the last look, and the number that was given last ([`newest`]).
        links: u64,
        newest: i64,
        /// Those of the last look, and those that run hot code, by number.
        threads: BTreeSet<i32>,
        /// Those that blocked everything at the last look, for the first time.
        starting: BTreeSet<i32>,
    }

    static KNOWN: Mutex<Known> =
        Mutex::new(Known { links: 0, newest: 0, threads: BTreeSet::new(), starting: BTreeSet::new() });

    thread_local! {
        /// Makes this thread one that is known.
        static KNOWS_THIS: () = {
            // SAFETY: asks for a number.
            let own = unsafe { libc::syscall(libc::SYS_gettid) };
            KNOWN.lock().unwrap_or_else(PoisonError::into_inner).threads.insert(own as i32);
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
        let links = fs::metadata(THREADS).map_or(0, |data| data.nlink());
        let newest = newest();
        if links == known.links && newest == known.newest && known.starting.is_empty() {
            return false;
        }
        let Ok(folder) = fs::read_dir(THREADS) else { return false };
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        let mut threads: BTreeSet<i32> = folder.flatten().filter_map(number).collect();
        let (mut started, mut starting) = (false, BTreeSet::new());
        for thread in threads.difference(&known.threads) {
            match blocks(*thread) {
                [true, true] if !known.starting.contains(thread) => _ = starting.insert(*thread),
                [true, false] => started = true,
                _ => {}
            }
        }
        threads.retain(|thread| !starting.contains(thread));
        *known = Known { links, newest, threads, starting };
        started
    }

    /// Number of the last thread or process that anybody started here; 0 where that is not told.
    fn newest() -> i64 {
        let mut text = [0; 64];
        let length = File::open("/proc/loadavg").and_then(|mut file| file.read(&mut text)).unwrap_or(0);
        let last = text[..length].trim_ascii_end().rsplit(|byte| *byte == b' ').next();
        last.and_then(|last| str::from_utf8(last).ok()?.parse().ok()).unwrap_or(0)
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
