//! Parity: after an accepted edit, a small copy of the scene goes a frame on both paths. How far are they apart?

use std::sync::Arc;

use weft_core::clock::Instant;
use weft_core::state::col;
use weft_engine::run;

use super::{Fault, Gpu, GpuRun, Sources, program::Program};
use weft_core::state::farthest;
use weft_engine::{
    generation::Generation,
    run::{Params, Run, StepInput},
    threads::Threads,
};
use weft_scene::{Scene, Shape, assemble};

/// Particles along the sides of a grid in the copy: not a multiple of anything.
const SIDES: (u32, u32) = (21, 17);
/// Frames on the CPU before, so that the cloth is in motion; fewer for meshes of more particles than …
const WARM: usize = 30;
/// … these.
const SMALL: usize = 4000;
const LEAST_WARM: usize = 3;
/// Substeps of the frame, where the solver has them.
const SUBSTEPS: f32 = 20.0;
/// Rest lengths that the two may be apart.
pub const TOLERANCE: f64 = 1e-3;

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parity {
    /// Largest distance of a particle from itself, in shortest rest lengths.
    pub apart: f64,
    pub substeps: u32,
    pub particles: usize,
    /// Time that the check took [ms].
    pub ms: f32,
}

/// What is compared.
pub struct Question<'a> {
    pub scene: &'a Scene,
    pub code: &'a Arc<Generation>,
    pub params: &'a Params,
    pub threads: &'a Threads,
}

impl Parity {
    pub fn is_good(&self) -> bool {
        self.apart <= TOLERANCE
    }

    /// One line for the user.
    pub fn text(&self) -> String {
        format!(
            "GPU and CPU are {:.1e} rest lengths apart after {} substeps of {} particles ({:.0} ms)",
            self.apart, self.substeps, self.particles, self.ms
        )
    }

    /// Steps the copy on the CPU and with `program`, which was compiled for the list `passes` of the same code.
    pub(super) fn of(
        gpu: &Gpu,
        sources: &Sources,
        passes: &str,
        program: &Program,
        question: &Question,
    ) -> Result<Self, String> {
        let start = Instant::now();
        let Question { code, threads, .. } = question;
        let scene = small(question.scene);
        let mut cpu = Run::new(Arc::clone(code), assemble::assemble(&scene).blueprint, &scene.solver.name)?;
        cpu.params = question.params.clone();
        if cpu.param("substeps").is_some() {
            cpu.params.insert("substeps".into(), SUBSTEPS);
        }
        let input = StepInput { guarded: false, ..run::input(&scene, &[]) };
        let particles = cpu.state.table("particle").map_or(1, |table| table.rows).max(1);
        for _ in 0..(WARM * SMALL / particles).clamp(LEAST_WARM, WARM) {
            cpu.step(threads, &input).map_err(|error| format!("the CPU twin: {error}"))?;
        }
        let mut run = Run::from_image(Arc::clone(code), &cpu.image())?;
        let mut device =
            GpuRun::make(gpu.clone(), sources.clone(), &mut run, &input, Some(passes), Some(program))
                .map_err(|fault: Fault| fault.to_string())?;
        device.expect_quick();
        cpu.step(threads, &input).map_err(|error| format!("the CPU twin: {error}"))?;
        device.step(&mut run, &input).map_err(|error| error.to_string())?;
        device.fetch(&mut run)?;
        let rests = cpu.state.get(col::distance::rest).iter().copied().filter(|rest| *rest > 0.0);
        let rest = f64::from(rests.fold(f32::INFINITY, f32::min));
        let position = |run: &Run| run.state.get(col::particle::position).to_vec();
        let (a, b) = (position(&cpu), position(&run));
        let (_, apart) = farthest(&a, &b);
        Ok(Self {
            apart: apart / if rest.is_finite() { rest } else { 1.0 },
            substeps: cpu.param("substeps").map_or(1, |substeps| substeps as u32),
            particles: a.len(),
            ms: start.elapsed().as_secs_f32() * 1e3,
        })
    }
}

/// The scene with fewer rows and columns; meshes stay as they are. Without cloth against cloth, where the two paths keep
/// other things apart.
fn small(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    for cloth in &mut scene.cloths {
        cloth.self_collision = None;
        if let Shape::Grid { columns, rows, .. } = &mut cloth.shape {
            (*columns, *rows) = ((*columns).min(SIDES.0), (*rows).min(SIDES.1));
        }
    }
    scene.strands.iter_mut().for_each(|strands| strands.self_collision = None);
    scene
}
