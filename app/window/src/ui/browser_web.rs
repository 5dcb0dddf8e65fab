//! A page has its own list of scenes.

use super::dock::Dock;

#[derive(Default)]
pub(super) struct Browser;

impl Browser {
    #[expect(clippy::unused_self, reason = "it is never busy")]
    pub(super) fn is_busy(&self) -> bool {
        false
    }

    #[expect(clippy::unused_self, reason = "there is nothing to end")]
    pub(super) fn rest(&mut self, _: &Dock) {}
}
