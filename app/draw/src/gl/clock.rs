//! The clock of the device that draws.

use std::rc::Rc;

use glow::HasContext;

use super::GlShare;

/// Time between two moments of what the context is told.
pub struct Clock {
    gl: Rc<glow::Context>,
    moments: [glow::NativeQuery; 2],
}

impl Clock {
    /// `None` without timer queries.
    pub fn new(share: &GlShare) -> Option<Self> {
        let gl = Rc::clone(&share.gl);
        // SAFETY: the context is current on this thread.
        let query = || unsafe { gl.create_query() }.ok();
        let moments = [query()?, query()?];
        Some(Self { gl, moments })
    }

    pub fn begin(&self) {
        self.mark(0);
    }

    pub fn end(&self) {
        self.mark(1);
    }

    fn mark(&self, moment: usize) {
        // SAFETY: a query of this context that is not active.
        unsafe { self.gl.query_counter(self.moments[moment], glow::TIMESTAMP) };
    }

    /// Time from the beginning to the end [ms]; waits for both.
    pub fn ms(&self) -> f32 {
        // SAFETY: both moments were marked.
        let [begin, end] =
            self.moments.map(|query| unsafe { self.gl.get_query_parameter_u64(query, glow::QUERY_RESULT) });
        end.saturating_sub(begin) as f32 * 1e-6
    }
}
