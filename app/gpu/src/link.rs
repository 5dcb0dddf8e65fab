//! Links: how a picture gets what the device computes.
//!
//! | link | where | what moves |
//! |---|---|---|
//! | [`Link::Readback`] | any adapter | positions come back through staging memory and go up again for drawing |
//! | [`Link::InContextGl`] | Linux, OpenGL 4.3 or newer | nothing: passes run on the context that draws, and write its vertex buffers |

use serde::{Deserialize, Serialize};

use super::{Fault, Gpu, GpuOptions, choice::NotOffered};
use weft_draw::gl::GlShare;

/// What is asked for.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkChoice {
    /// In context where that works and is no slower, else by reading back
    #[default]
    Auto,
    /// In the window, on the OpenGL context of the picture: nothing is copied
    InContext,
    /// On an adapter of its own; columns come back through staging memory
    Readback,
}

/// What an opened device has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// `why` it is not the other one.
    Readback { why: String },
    InContextGl {
        /// It was asked for by its name.
        asked: bool,
    },
}

impl Link {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Readback { .. } => "readback",
            Self::InContextGl { .. } => "in-context",
        }
    }

    /// Part of a line for the user.
    pub fn text(&self) -> String {
        match self {
            Self::Readback { why } => format!("link readback ({why})"),
            Self::InContextGl { .. } => "link in-context".into(),
        }
    }
}

/// Opens a device for `options`: on the context of the picture, `share`, or on an adapter of its own. `share` says why there
/// is no such context.
pub fn open(options: &GpuOptions, share: Result<&GlShare, &str>) -> Result<Gpu, String> {
    let why = match options.link {
        LinkChoice::Readback => "asked for".to_string(),
        LinkChoice::InContext => return in_context(options, share).map_err(|why| refusal(&why)),
        LinkChoice::Auto => match in_context(options, share) {
            Ok(gpu) if gpu.info.device_type != wgpu::DeviceType::Cpu => return Ok(gpu),
            Ok(gpu) => match Gpu::open(options.adapter.as_deref()) {
                Ok(other) if other.info.device_type != wgpu::DeviceType::Cpu => {
                    let why = format!("OpenGL is drawn by the processor here ({})", gpu.info.name);
                    return Ok(other.linked(Link::Readback { why }));
                }
                _ => return Ok(gpu),
            },
            Err(why) => why,
        },
    };
    Gpu::open(options.adapter.as_deref()).map(|gpu| gpu.linked(Link::Readback { why }))
}

/// A device of its own for passes that OpenGL does not take; `None`: that one was asked for, or there is no other.
pub fn instead(options: &GpuOptions, gpu: &Gpu, fault: &Fault) -> Option<Gpu> {
    if !gpu.is_in_context() || options.link != LinkChoice::Auto {
        return None;
    }
    let error = match fault {
        Fault::Shader(error) => error.to_string(),
        Fault::NotOffered(refusal @ NotOffered::Places { .. }) => refusal.to_string(),
        Fault::NotOffered(_) | Fault::Refused(_) => return None,
    };
    let why = format!("OpenGL of {} does not take the passes: {error}", gpu.info.name);
    Gpu::open(options.adapter.as_deref()).ok().map(|gpu| gpu.linked(Link::Readback { why }))
}

/// A refusal of what `--link in-context` asks for.
pub fn refusal(why: &str) -> String {
    format!("--link in-context: {why}; left out, the link is one that works here")
}

fn in_context(options: &GpuOptions, share: Result<&GlShare, &str>) -> Result<Gpu, String> {
    let gpu = crate::in_context::open(share?)?;
    let name = options.adapter.as_deref().unwrap_or_default();
    if !gpu.info.name.to_lowercase().contains(&name.to_lowercase()) {
        return Err(format!("pictures are drawn by {}, which is not `{name}`", gpu.info.name));
    }
    Ok(gpu.linked(Link::InContextGl { asked: options.link == LinkChoice::InContext }))
}
