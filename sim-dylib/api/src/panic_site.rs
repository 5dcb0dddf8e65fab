//! Where a panic of the hot code happened. The payload of a panic has no location, so a hook keeps it while a step
//! runs; outside a step the previous hook goes on as before.

use std::sync::{
    Mutex, Once, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

static STEPS_RUNNING: AtomicUsize = AtomicUsize::new(0);
static SITE: Mutex<Option<String>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// While one lives, panics anywhere in this copy of the library leave their place instead of printing.
pub struct Watch;

impl Watch {
    pub fn start() -> Self {
        HOOK.call_once(|| {
            let previous = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                if STEPS_RUNNING.load(Ordering::Relaxed) == 0 {
                    return previous(info);
                }
                let mut site = SITE.lock().unwrap_or_else(PoisonError::into_inner);
                site.get_or_insert_with(|| info.location().map_or_else(String::new, ToString::to_string));
            }));
        });
        STEPS_RUNNING.fetch_add(1, Ordering::Relaxed);
        Self
    }

    /// `file:line:column` of the first panic since the last call.
    pub fn site() -> Option<String> {
        SITE.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        STEPS_RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}
