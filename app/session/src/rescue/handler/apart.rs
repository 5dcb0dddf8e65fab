//! Memory away from the heap, for what a handler needs: hot code that writes past the end of a column overwrites the heap.

use std::{
    ffi::{c_char, c_int},
    io, ptr,
};

/// Memory between two pages that nobody may touch; zero at first, never freed.
pub(super) struct Apart {
    first: *mut u8,
    size: usize,
    used: usize,
}

impl Apart {
    /// Room for `size` bytes, with what [`Self::place`] leaves out between them.
    pub(super) fn new(size: usize) -> io::Result<Self> {
        // SAFETY: asks for a number.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).map_err(io::Error::other)?;
        let inner = size.next_multiple_of(page);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: at no address in particular; what is opened lies inside.
        let first = unsafe {
            let base = libc::mmap(ptr::null_mut(), inner + 2 * page, libc::PROT_NONE, flags, -1, 0);
            if base == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            base.cast::<u8>().add(page)
        };
        let apart = Self { first, size: inner, used: 0 };
        apart.protect(libc::PROT_READ | libc::PROT_WRITE)?;
        Ok(apart)
    }

    /// # Panics
    /// If there is no room left.
    pub(super) fn place<T: Copy>(&mut self, values: &[T]) -> *mut T {
        let from = self.used.next_multiple_of(align_of::<T>());
        self.used = from + size_of_val(values);
        assert!(self.used <= self.size, "{} of {} bytes", self.used, self.size);
        // SAFETY: inside, aligned, and given to nobody else.
        unsafe {
            let to = self.first.add(from).cast::<T>();
            to.copy_from_nonoverlapping(values.as_ptr(), values.len());
            to
        }
    }

    /// The text as a C string: up to its first 0.
    pub(super) fn text(&mut self, text: &[u8]) -> *const c_char {
        let first = self.place(text);
        self.place(&[0u8]);
        first.cast_const().cast()
    }

    /// C strings, and the null pointer behind them.
    pub(super) fn list(&mut self, texts: &[*const c_char]) -> *const *const c_char {
        let first = self.place(texts);
        self.place(&[ptr::null::<c_char>()]);
        first.cast_const()
    }

    /// From here on it is only read.
    pub(super) fn seal(self) -> io::Result<()> {
        self.protect(libc::PROT_READ)
    }

    fn protect(&self, protection: c_int) -> io::Result<()> {
        // SAFETY: the pages that were mapped.
        let result = unsafe { libc::mprotect(self.first.cast(), self.size, protection) };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    #[test]
    fn what_is_sealed_is_what_was_placed() {
        let mut apart = Apart::new(100).expect("memory");
        let text = apart.text(b"one");
        let list = apart.list(&[text, text]);
        assert!(list.is_aligned());
        apart.seal().expect("sealed");
        // SAFETY: placed above, and never freed.
        unsafe {
            assert_eq!(CStr::from_ptr(text), c"one");
            assert_eq!((*list.add(1), *list.add(2)), (text, ptr::null()));
        }
    }

    #[test]
    #[should_panic(expected = "bytes")]
    fn it_is_not_written_past_its_end() {
        let mut apart = Apart::new(1).expect("memory");
        apart.place(&vec![0u8; apart.size]);
        apart.text(b"");
    }
}
