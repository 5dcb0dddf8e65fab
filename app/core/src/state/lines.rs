//! Memory of a column: a whole number of cache lines, all zero at first.
//!
//! ```text
//!  small:       │ lines │                                  of the allocator
//!  large:       │·│ lines │·│▒▒▒▒                          pages of its own, each there once it is written
//!  fenced:      ▒▒▒▒│···│ lines │▒▒▒▒                      the same; ▒ is not mapped for anybody
//! ```
//! What no solver in use writes takes no memory. A write that jumps over the guard line behind a column meets a page that
//! nobody may touch within a page from there: it ends the process, and does not reach what the host keeps on its heap. Miri
//! knows no pages: there all columns are small.

use std::{
    ops::{Deref, DerefMut},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// A cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Line(pub [u8; 64]);

/// Columns of more lines than this have pages of their own: a page is the least that one takes.
#[cfg(all(unix, not(miri)))]
const SMALL: usize = (4 << 10) / size_of::<Line>();

static FENCED: AtomicBool = AtomicBool::new(false);

/// From now on each new column ends at a page that must not be touched: for a process in which hot code is tried.
pub fn fence() {
    FENCED.store(true, Relaxed);
}

pub(super) enum Lines {
    Plain(Vec<Line>),
    #[cfg(all(unix, not(miri)))]
    Mapped(mapped::Pages),
}

impl Lines {
    pub(super) fn new(count: usize) -> Self {
        #[cfg(all(unix, not(miri)))]
        {
            let pages = if FENCED.load(Relaxed) {
                mapped::Pages::fenced(count)
            } else if count > SMALL {
                mapped::Pages::open(count)
            } else {
                None
            };
            if let Some(pages) = pages {
                return Self::Mapped(pages);
            }
        }
        Self::Plain(vec![Line([0; 64]); count])
    }
}

impl Clone for Lines {
    fn clone(&self) -> Self {
        match self {
            Self::Plain(lines) => Self::Plain(lines.clone()),
            #[cfg(all(unix, not(miri)))]
            Self::Mapped(pages) => {
                let mut copy = Self::new(pages.len());
                // What was never written takes no memory in the copy either.
                let written = copy.iter_mut().zip(&**pages).filter(|(_, line)| line.0 != [0; 64]);
                written.for_each(|(copy, line)| *copy = *line);
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
            #[cfg(all(unix, not(miri)))]
            Self::Mapped(pages) => pages,
        }
    }
}

impl DerefMut for Lines {
    fn deref_mut(&mut self) -> &mut [Line] {
        match self {
            Self::Plain(lines) => lines,
            #[cfg(all(unix, not(miri)))]
            Self::Mapped(pages) => pages,
        }
    }
}

#[cfg(all(unix, not(miri)))]
mod mapped {
    use std::{
        ops::{Deref, DerefMut},
        ptr,
        sync::atomic::{AtomicUsize, Ordering::Relaxed},
    };

    use super::Line;

    pub(crate) struct Pages {
        /// The first page, and the size of all [bytes].
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
        /// Each begins some lines further into its page than the one before: columns that are read together would
        /// drive each other out of a cache that goes by the place in a page. `None` where the system gives none.
        pub(super) fn open(count: usize) -> Option<Self> {
            static NEXT: AtomicUsize = AtomicUsize::new(0);
            let page = page()?;
            let lines = page / size_of::<Line>();
            let skipped = NEXT.fetch_add(9, Relaxed) % lines;
            let inner = ((skipped + count) * size_of::<Line>()).next_multiple_of(page);
            let size = inner + page;
            let base = map(size, libc::PROT_READ | libc::PROT_WRITE)?;
            // SAFETY: inside of what was mapped; the lines lie before the page that is closed. One that cannot be closed is
            // only not seen to be written.
            unsafe {
                libc::mprotect(base.cast::<u8>().add(inner).cast(), page, libc::PROT_NONE);
                let first = base.cast::<Line>().add(skipped);
                Some(Self { base, size, first, count })
            }
        }

        /// The last line ends at a page that nobody may touch, and before the first page is another. `None` as above.
        pub(super) fn fenced(count: usize) -> Option<Self> {
            let page = page()?;
            let inner = (count * size_of::<Line>()).next_multiple_of(page).max(page);
            let size = inner + 2 * page;
            let base = map(size, libc::PROT_NONE)?;
            // SAFETY: what is opened lies inside of what was mapped. A page is a whole number of lines.
            unsafe {
                let open = base.cast::<u8>().add(page);
                if libc::mprotect(open.cast(), inner, libc::PROT_READ | libc::PROT_WRITE) != 0 {
                    libc::munmap(base, size);
                    return None;
                }
                let first = open.add(inner - count * size_of::<Line>()).cast();
                Some(Self { base, size, first, count })
            }
        }
    }

    /// Size of a page [bytes].
    fn page() -> Option<usize> {
        // SAFETY: asks for a number.
        usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()
    }

    /// Fresh pages, zero when they are first read.
    fn map(size: usize, protection: libc::c_int) -> Option<*mut libc::c_void> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: at no address in particular.
        let base = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
        (base != libc::MAP_FAILED).then_some(base)
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
            // SAFETY: `count` lines that were mapped, aligned to 64, zero at first.
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
                let mut pages = Pages::fenced(count).expect("memory");
                assert!(pages.len() == count && pages.iter().all(|line| line.0 == [0; 64]));
                pages.fill(Line([7; 64]));
                let end = pages.as_ptr_range().end as usize;
                let page = page().expect("a number");
                assert_eq!((end % page, end + page), (0, pages.base as usize + pages.size));
            }
        }

        #[test]
        fn open_lines_are_zero_and_lie_inside() {
            for count in (2000..2100).step_by(9) {
                let mut pages = Pages::open(count).expect("memory");
                assert!(pages.len() == count && pages.iter().all(|line| line.0 == [0; 64]));
                pages.fill(Line([7; 64]));
                let range = pages.as_ptr_range();
                let (base, page) = (pages.base as usize, page().expect("a number"));
                let closed = base + pages.size - page;
                assert!(range.start as usize >= base && range.end as usize <= closed);
                assert!(closed - (range.end as usize) < page, "the page that is closed is the next one");
            }
        }
    }
}
