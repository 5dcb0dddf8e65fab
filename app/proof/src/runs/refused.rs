//! Which of the runs that a scene lists no adapter computes: what can be said without one.

use std::path::Path;

use weft_core::command::CommandError;
use weft_engine::run;
use weft_gpu::{GpuRun, Sources};
use weft_session::{Options, Session};

use super::Spec;

/// Those of the GPU path that it refuses for what they are, each with the reason. An adapter may refuse more: one that is
/// missing, or has too few places for buffers.
pub fn refused(scene: &Path) -> Result<Vec<(Spec, String)>, CommandError> {
    let options = Options { scene: scene.to_path_buf(), threads: 1, ..Options::default() };
    let specs = Spec::of_scene(&options).unwrap_or_default();
    let mut refused = Vec::new();
    for spec in specs.into_iter().filter(|spec| spec.gpu) {
        let session = Session::open(spec.session(&options))?;
        let input = run::input(session.scene(), &[]);
        if let Err(why) = GpuRun::offered(None, &Sources::find()?, session.run(), &input) {
            refused.push((spec, why.to_string()));
        }
    }
    Ok(refused)
}
