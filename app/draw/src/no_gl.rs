//! The link `InContextGl` where it is not built: on all systems but Linux.

use std::ops::{Deref, DerefMut};

use miniquad::RenderingBackend;

const NONE: &str = "computing on the OpenGL context of the picture is built for Linux alone";

/// There is none.
#[derive(Clone)]
pub enum GlShare {}

impl GlShare {
    pub fn current() -> Result<Self, String> {
        Err(NONE.into())
    }
}

/// None without a context to ask.
pub enum Clock {}

impl Clock {
    pub fn new(share: &GlShare) -> Option<Self> {
        match *share {}
    }

    pub fn begin(&self) {
        match *self {}
    }

    pub fn end(&self) {
        match *self {}
    }

    pub fn ms(&self) -> f32 {
        match *self {}
    }
}

/// miniquad, which shares its context with nobody.
pub struct Gl {
    backend: Box<dyn RenderingBackend>,
    /// Of no use here.
    pub guarded: bool,
}

/// Always miniquad's.
pub struct Turn<'a> {
    gl: &'a mut Gl,
}

impl Gl {
    pub fn alone(backend: Box<dyn RenderingBackend>) -> Self {
        Self { backend, guarded: true }
    }

    pub fn share(&mut self, share: &GlShare) {
        match *share {}
    }

    pub fn turn(&mut self) -> Turn<'_> {
        Turn { gl: self }
    }

    /// Waits until all is drawn.
    pub fn finish(&mut self) {
        // SAFETY: the context is current on this thread.
        unsafe { miniquad::raw_gl::glFinish() };
    }

    /// The same: nobody is asked meanwhile.
    pub fn finish_unless(&mut self, _: &mut dyn FnMut() -> bool) {
        self.finish();
    }
}

impl Drop for Turn<'_> {
    /// Nobody waits for its end; whoever ends it on Linux does so here as well.
    fn drop(&mut self) {}
}

impl Deref for Turn<'_> {
    type Target = dyn RenderingBackend;

    fn deref(&self) -> &Self::Target {
        &*self.gl.backend
    }
}

impl DerefMut for Turn<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.gl.backend
    }
}
