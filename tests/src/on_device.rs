//! Sessions on the GPU path: open one, step it, edit its passes.

use weft_core::state::{StateHash, col};
use weft_core::statistics::least;
use weft_gpu::GpuOptions;
use weft_session::{Options, Session};

use crate::{device, places, state_points};

/// The pass that most edits of tests change.
pub const FORCES: &str = "shaders/sim/lib/forces.wgsl";

/// What such a test needs.
pub const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// A scene with a small cloth, with history.
pub fn session(file: &str, set: &[(&str, &str)]) -> Session {
    let own = [("cloths[0].shape.columns", "20"), ("cloths[0].shape.rows", "17")];
    let set =
        own.iter().chain(set).map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
    let options = Options { scene: places::scene(file), threads: 1, set, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    session
}

/// On the adapter of the tests.
pub fn options() -> GpuOptions {
    GpuOptions { adapter: Some(device::adapter()), ..GpuOptions::default() }
}

/// The same on the device.
pub fn on_gpu(file: &str, set: &[(&str, &str)]) -> Session {
    let mut session = session(file, set);
    session.use_gpu(&options()).unwrap_or_else(|e| panic!("{e}"));
    session
}

/// The list of passes that computes.
pub fn passes(session: &Session) -> &str {
    session.gpu().map_or("the CPU", |gpu| gpu.list.name.as_str())
}

/// What the steps said. The state follows.
pub fn steps(session: &mut Session, count: usize) -> Vec<String> {
    let notices: Vec<_> = (0..count).flat_map(|_| session.step().unwrap_or_else(|e| panic!("{e}"))).collect();
    session.try_read().unwrap_or_else(|e| panic!("{e}"));
    notices.into_iter().map(|notice| notice.text).collect()
}

/// Of the state as the device has it.
pub fn hash(session: &mut Session) -> StateHash {
    session.try_read().unwrap();
    StateHash::of(&session.run().state)
}

/// Distance of two sessions in rest lengths.
pub fn apart(a: &Session, b: &Session) -> f64 {
    let rest = least(a.run().state.get(col::distance::rest).iter().copied());
    state_points::apart(a.positions(), b.positions()) / rest
}

/// Saves a changed file, as the window does.
pub fn edit(session: &mut Session, file: &str, from: &str, to: &str) -> Result<usize, String> {
    let (gpu, run) = session.on_device().expect("on the device");
    let text = gpu.sources().text(file).unwrap().to_string();
    assert!(text.contains(from), "{file} has no `{from}`");
    gpu.edit(run, file, &text.replacen(from, to, 1)).map_err(|error| error.to_string())
}
