//! The link `InContextGl` where it is not built: on all systems but Linux.

use weft_draw::gl::GlShare;

use crate::Gpu;

/// There is no context to share.
pub fn open(share: &GlShare) -> Result<Gpu, String> {
    match *share {}
}

/// As on Linux; there is no such device here.
///
/// # Safety
/// There is nothing to vouch for.
pub unsafe fn adopt(_: &Gpu, _: u32, _: u64) -> Result<wgpu::Buffer, String> {
    Err("computing on the OpenGL context of the picture is built for Linux alone".into())
}
