//! What a thread does about signals: which it blocks, and where its handlers have their stack. Threads of the pool live on: on
//! one that blocks SIGSEGV, or has no such stack, a crash long after ends the program without a word. Unix only.

#[cfg(unix)]
pub(super) use unix::Own;
#[cfg(unix)]
pub(crate) use unix::{Lent, changed};

#[cfg(not(unix))]
pub(crate) use other::{Lent, changed};

#[cfg(unix)]
mod unix {
    use std::{
        mem, ptr,
        sync::atomic::{AtomicBool, Ordering::Relaxed},
    };

    use super::super::process::SIGNALS;

    /// Of each of [`Own::put_back`], in words.
    const WHAT: [&str; 2] = ["which signals are blocked", "the stack of signal handlers"];

    static CHANGED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

    /// What hot code has changed on threads of the pool since the last call, in words; it was put back.
    pub(crate) fn changed() -> impl Iterator<Item = &'static str> {
        WHAT.into_iter()
            .zip(&CHANGED)
            .filter(|(_, changed)| changed.swap(false, Relaxed))
            .map(|(what, _)| what)
    }

    /// Those of one thread at one time.
    #[derive(Clone, Copy)]
    pub(crate) struct Own {
        mask: libc::sigset_t,
        stack: libc::stack_t,
    }

    impl Own {
        pub(crate) fn now() -> Self {
            Self { mask: mask(), stack: stack() }
        }

        /// What is not as it was, in words; it is so again. For the thread that it is of.
        pub(crate) fn put_back(&self) -> impl Iterator<Item = &'static str> {
            let changed = self.restore();
            WHAT.into_iter().zip(changed).filter(|(_, changed)| *changed).map(|(what, _)| what)
        }

        fn restore(&self) -> [bool; 2] {
            let blocked = |mask: &libc::sigset_t| SIGNALS.map(|signal| is_blocked(mask, signal));
            let other_mask = blocked(&mask()) != blocked(&self.mask);
            if other_mask {
                // SAFETY: a mask that was set before.
                unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.mask, ptr::null_mut()) };
            }
            let now = stack();
            let other_stack = (now.ss_sp, now.ss_flags) != (self.stack.ss_sp, self.stack.ss_flags);
            if other_stack {
                // SAFETY: a stack that was set before, which is never freed.
                unsafe { libc::sigaltstack(&raw const self.stack, ptr::null_mut()) };
            }
            [other_mask, other_stack]
        }
    }

    thread_local! {
        /// As they were before this thread ran hot code for the first time.
        static FIRST: Own = Own::now();
    }

    /// A thread of the pool, lent to the hot code until this is dropped.
    pub(crate) struct Lent(Own);

    impl Lent {
        pub(crate) fn new() -> Self {
            Self(FIRST.with(|own| *own))
        }
    }

    impl Drop for Lent {
        fn drop(&mut self) {
            for (changed, all) in self.0.restore().into_iter().zip(&CHANGED) {
                all.fetch_or(changed, Relaxed);
            }
        }
    }

    fn mask() -> libc::sigset_t {
        // SAFETY: asks for the present mask only.
        unsafe {
            let mut mask: libc::sigset_t = mem::zeroed();
            libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), &raw mut mask);
            mask
        }
    }

    fn is_blocked(mask: &libc::sigset_t, signal: libc::c_int) -> bool {
        // SAFETY: reads a set.
        unsafe { libc::sigismember(mask, signal) == 1 }
    }

    fn stack() -> libc::stack_t {
        // SAFETY: asks for the present stack only.
        unsafe {
            let mut stack: libc::stack_t = mem::zeroed();
            libc::sigaltstack(ptr::null(), &raw mut stack);
            stack
        }
    }
}

#[cfg(not(unix))]
mod other {
    pub struct Lent;

    impl Lent {
        pub fn new() -> Self {
            Self
        }
    }

    pub fn changed() -> impl Iterator<Item = &'static str> {
        std::iter::empty()
    }
}
