//! Text and lists with C layout. Both are made from `'static` data only: a loaded library is never unmapped.

/// UTF-8 text, `'static`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Str {
    ptr: *const u8,
    len: usize,
}

// SAFETY: `Str` is only made from `&'static str`, which is immutable and lives for ever.
unsafe impl Sync for Str {}
// SAFETY: as above.
unsafe impl Send for Str {}

impl Str {
    pub const fn new(text: &'static str) -> Self {
        Self { ptr: text.as_ptr(), len: text.len() }
    }

    pub const fn as_str(&self) -> &'static str {
        // SAFETY: `new` is the only constructor and took a `&'static str`.
        unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(self.ptr, self.len)) }
    }
}

impl std::fmt::Display for Str {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// A `'static` slice.
#[repr(C)]
pub struct List<T: 'static> {
    ptr: *const T,
    len: usize,
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for List<T> {}

// SAFETY: `List` is only made from `&'static [T]`; sharing it is sharing `&'static [T]`.
unsafe impl<T: Sync> Sync for List<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Send for List<T> {}

impl<T> List<T> {
    pub const fn new(items: &'static [T]) -> Self {
        Self { ptr: items.as_ptr(), len: items.len() }
    }

    pub const fn as_slice(&self) -> &'static [T] {
        // SAFETY: `new` is the only constructor and took a `&'static [T]`.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }
}

layout! {
    Str { ptr, len }
    List<u8> { ptr, len }
}
