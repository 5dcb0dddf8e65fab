//! Whether an abort came out of the allocator, which found its own data overwritten: the host is safe Rust, so that was the
//! hot code, whenever it is noticed. The last words of glibc say so; other systems keep none.

use std::{
    ffi::c_void,
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

/// What glibc keeps of its message for a core file.
#[repr(C)]
struct LastWords {
    size: u32,
    text: [u8; 0],
}

/// `__abort_msg`.
static PLACE: AtomicPtr<*const LastWords> = AtomicPtr::new(ptr::null_mut());

/// Words that only messages of the allocator hold.
const OF_ALLOCATOR: [&[u8]; 4] = [b"free", b"alloc", b"corrupted", b"chunk"];
/// Longest message that is looked at [bytes].
const LONGEST: usize = 120;

pub(super) fn find_last_words() {
    #[cfg(target_os = "linux")]
    // SAFETY: a C string.
    let place: *mut c_void = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__abort_msg".as_ptr()) };
    #[cfg(not(target_os = "linux"))]
    let place: *mut c_void = ptr::null_mut();
    PLACE.store(place.cast(), Ordering::Release);
}

/// Reads memory only: may be called in a handler.
pub(super) fn overwritten(what: &str) -> bool {
    // SAFETY: a variable of the C library, which is null or points to its message and the 0 behind it.
    unsafe {
        let Some(place) = PLACE.load(Ordering::Acquire).as_ref().filter(|_| what == "SIGABRT") else {
            return false;
        };
        let Some(words) = place.as_ref() else { return false };
        let most = LONGEST.min(words.size as usize);
        let text = std::slice::from_raw_parts(words.text.as_ptr(), most);
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        OF_ALLOCATOR.iter().any(|word| text.windows(word.len()).any(|part| part == *word))
    }
}
