//! Where a panic of the hot code happened. The payload of a panic has no location, so a hook keeps it on threads that
//! run a step or one of its jobs; on all others the previous hook goes on as before.

use std::{
    cell::Cell,
    sync::{Mutex, Once, PoisonError},
};

thread_local! {
    /// How many steps and jobs this thread is inside of. No destructor: a library with one is never unmapped.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}
static SITE: Mutex<Option<String>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// While one lives, panics of this thread leave their place instead of printing.
pub(crate) struct Watch;

impl Watch {
    pub(crate) fn start() -> Self {
        HOOK.call_once(|| {
            let previous = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                // Where a panic ends the program (the browser page) nobody asks for its place afterwards.
                if INSIDE.get() == 0 || cfg!(panic = "abort") {
                    return previous(info);
                }
                let mut site = SITE.lock().unwrap_or_else(PoisonError::into_inner);
                site.get_or_insert_with(|| info.location().map_or_else(String::new, ToString::to_string));
            }));
        });
        INSIDE.set(INSIDE.get() + 1);
        Self
    }

    /// `file:line:column` of the first panic since the last call.
    pub(crate) fn site() -> Option<String> {
        SITE.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        INSIDE.set(INSIDE.get() - 1);
    }
}
