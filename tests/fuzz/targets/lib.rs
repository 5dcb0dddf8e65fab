//! What the targets share: small runs of every solver, and bytes that differ from good ones in a few places.

use std::sync::{Arc, LazyLock};

use weft_core::state::Blueprint;
use weft_engine::{
    generation::Generation,
    run::{Run, RunImage, input},
    threads::Threads,
};
use weft_scene::{Cloth, Scene, Shape, Vocabulary, assemble};

/// Our own code does nothing to the process that a look would find, and a look is a dozen system calls.
const NEVER: u64 = 0;

/// More particles take longer and find no more.
const MOST: u32 = 150;

/// The program's own code. Every use of it would check what it declares anew: a third of an execution.
pub static CODE: LazyLock<Arc<Generation>> = LazyLock::new(Generation::built_in);

/// Parallel loops run where they are called: a pool wakes a thread for each.
pub fn one_thread() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    one.build_global().expect("the first pool");
}

/// What a scene may name.
pub fn known() -> Vocabulary {
    let solvers = assemble::solver_infos(CODE.solvers());
    Vocabulary { solvers, ..Vocabulary::default() }
}

fn particles(cloth: &Cloth) -> u32 {
    match &cloth.shape {
        Shape::Grid { columns, rows, .. } => columns.saturating_mul(*rows),
        Shape::Disc { rings, .. } => rings.saturating_mul(*rings).saturating_mul(4),
        Shape::Mesh { .. } => u32::MAX,
    }
}

/// Whether a scene is small enough to be run thousands of times a minute.
pub fn is_small(scene: &Scene) -> bool {
    let strands =
        scene.strands.iter().map(|strands| u32::try_from(strands.all_particles()).unwrap_or(u32::MAX));
    scene.cloths.iter().map(particles).chain(strands).fold(0, u32::saturating_add) <= MOST
        && scene.cloths.len() + scene.strands.len() < 20
        && scene.colliders.len() < 50
        && scene.cloths.iter().all(|cloth| cloth.self_collision.as_ref().is_none_or(|own| own.pairs <= 64))
}

/// The run of a scene with the solver of this number.
pub fn run_of(scene: &Scene, solver: usize) -> Run {
    let code = CODE.clone();
    let name = code.solvers()[solver % code.solvers().len()].name.to_string();
    let blueprint: Blueprint = assemble::assemble(scene).blueprint;
    let mut run = Run::new(code, blueprint, &name).expect("tables of a scene that was checked");
    run.look_every = NEVER;
    // As many substeps and iterations as a run of seconds needs find no more.
    for param in ["substeps", "iterations", "cg_iterations"] {
        if let Some(value) = run.param(param) {
            run.params.insert(param.to_string(), value.min(2.0));
        }
    }
    run
}

/// Two frames. A step that fails may do so by NaN or for want of a factor, and by nothing else.
pub fn two_frames(scene: &Scene, run: &mut Run) {
    let threads = Threads::new(1).expect("one thread");
    for _ in 0..2 {
        if let Err(failed) = run.step(&threads, &input(scene, &[])) {
            let text = failed.to_string();
            assert!(!text.contains("panicked") && !text.contains("wrote outside"), "{text}");
            return;
        }
    }
}

/// Goes on from a state that may hold any numbers: the step may fail in any way that ends in an error.
pub fn step_from(image: &RunImage, scene: &Scene) {
    let Ok(mut run) = Run::from_image(CODE.clone(), image) else { return };
    run.look_every = NEVER;
    run.state.distrust_derived();
    let _ = run.step(&Threads::new(1).expect("one thread"), &input(scene, &[]));
}

/// `good` with other bytes at some places: five bytes of `edits` each, four for the place and one for what stands there.
pub fn patched(good: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for edit in edits.chunks_exact(5) {
        let place = u32::from_le_bytes([edit[0], edit[1], edit[2], edit[3]]) as usize % bytes.len();
        bytes[place] = edit[4];
    }
    bytes
}
