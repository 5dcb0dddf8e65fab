//! Memory of a column: a whole number of cache lines, all zero at first.
//!
//! ```text
//!  as a rule:   │ lines │                                  of the allocator
//!  fenced:      ▒▒▒▒│···│ lines │▒▒▒▒                      pages of its own; ▒ is not mapped for anybody
//! ```
//! A write that jumps over the guard line behind a column then ends the process, where the process is there for that.

use std::{
    ops::{Deref, DerefMut},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// A cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Line(pub [u8; 64]);

static FENCED: AtomicBool = AtomicBool::new(false);

/// From now on each new column ends at a page that must not be touched: for a process in which hot code is tried.
pub fn fence() {
    FENCED.store(true, Relaxed);
}

pub(super) enum Lines {
    Plain(Vec<Line>),
    #[cfg(unix)]
    Fenced(fenced::Pages),
}

impl Lines {
    pub(super) fn new(count: usize) -> Self {
        #[cfg(unix)]
        if FENCED.load(Relaxed)
            && let Some(pages) = fenced::Pages::new(count)
        {
            return Self::Fenced(pages);
        }
        Self::Plain(vec![Line([0; 64]); count])
    }
}

impl Clone for Lines {
    fn clone(&self) -> Self {
        match self {
            Self::Plain(lines) => Self::Plain(lines.clone()),
            #[cfg(unix)]
            Self::Fenced(pages) => {
                let mut copy = Self::new(pages.len());
                copy.copy_from_slice(pages);
                copy
            }
        }
    }
}

impl Deref for Lines {
    type Target = [Line];

    fn deref(&self) -> &[Line] {
        match self {
            Self::Plain(lines) => lines,
            #[cfg(unix)]
            Self::Fenced(pages) => pages,
        }
    }
}

impl DerefMut for Lines {
    fn deref_mut(&mut self) -> &mut [Line] {
        match self {
            Self::Plain(lines) => lines,
            #[cfg(unix)]
            Self::Fenced(pages) => pages,
        }
    }
}

#[cfg(unix)]
mod fenced {
    use std::{
        ops::{Deref, DerefMut},
        ptr,
    };

    use super::Line;

    pub(crate) struct Pages {
        /// The first page, which is closed, and the size of all [bytes].
        base: *mut libc::c_void,
        size: usize,
        first: *mut Line,
        count: usize,
    }

    // SAFETY: it owns its memory, as a `Vec` does.
    unsafe impl Send for Pages {}
    // SAFETY: as above.
    unsafe impl Sync for Pages {}

    impl Pages {
        /// `None` where the system gives none.
        pub(super) fn new(count: usize) -> Option<Self> {
            // SAFETY: asks for a number.
            let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
            let inner = (count * size_of::<Line>()).next_multiple_of(page).max(page);
            let size = inner + 2 * page;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            // SAFETY: fresh memory at no address in particular; what is opened lies inside of it.
            unsafe {
                let base = libc::mmap(ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0);
                if base == libc::MAP_FAILED {
                    return None;
                }
                let open = base.cast::<u8>().add(page);
                if libc::mprotect(open.cast(), inner, libc::PROT_READ | libc::PROT_WRITE) != 0 {
                    libc::munmap(base, size);
                    return None;
                }
                // The last line ends where the closed page begins. A page is a whole number of lines.
                let first = open.add(inner - count * size_of::<Line>()).cast();
                Some(Self { base, size, first, count })
            }
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: mapped in `new`; nothing borrows it any more.
            unsafe { libc::munmap(self.base, self.size) };
        }
    }

    impl Deref for Pages {
        type Target = [Line];

        fn deref(&self) -> &[Line] {
            // SAFETY: `count` lines that `new` mapped, aligned to 64, zero at first.
            unsafe { std::slice::from_raw_parts(self.first, self.count) }
        }
    }

    impl DerefMut for Pages {
        fn deref_mut(&mut self) -> &mut [Line] {
            // SAFETY: as in `deref`; the borrow is exclusive.
            unsafe { std::slice::from_raw_parts_mut(self.first, self.count) }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn lines_end_at_the_page_that_is_closed() {
            for count in [1, 2, 64, 65, 1000] {
                let mut pages = Pages::new(count).expect("memory");
                assert!(pages.len() == count && pages.iter().all(|line| line.0 == [0; 64]));
                pages.fill(Line([7; 64]));
                let end = pages.as_ptr_range().end as usize;
                // SAFETY: asks for a number.
                let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
                assert_eq!((end % page, end + page), (0, pages.base as usize + pages.size));
            }
        }
    }
}
