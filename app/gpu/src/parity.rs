//! Parity: after an accepted edit, a small copy of the scene goes a frame on both paths. How far are they apart?

use std::sync::Arc;

use glam::{Vec4, Vec4Swizzles};

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
    /// Where that is too far: the same of two CPUs that begin a rounding apart, and whether all particles are as near as those.
    rounding: Option<(f64, bool)>,
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

/// Roundings of each substep add up: so many times as far apart as from one of them alone is nothing to see.
const ROUNDINGS: f64 = 10.0;

impl Parity {
    /// They are equal, or as near as contact that sticks or slips by its last bit lets them be.
    pub fn is_good(&self) -> bool {
        self.rounding.is_none_or(|(_, near)| near)
    }

    /// One line for the user.
    pub fn text(&self) -> String {
        let verdict = match self.rounding {
            None => String::new(),
            Some((rounding, true)) => {
                format!("; two CPUs that begin a rounding apart end {rounding:.1e} apart")
            }
            Some((_, false)) => ": the twins differ".into(),
        };
        format!(
            "GPU and CPU are {:.1e} rest lengths apart after {} substeps of {} particles ({:.0} ms){verdict}",
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
        let image = cpu.image();
        let mut run = Run::from_image(Arc::clone(code), &image)?;
        let mut device =
            GpuRun::make(gpu.clone(), sources.clone(), &mut run, &input, Some(passes), Some(program))
                .map_err(|fault: Fault| fault.to_string())?;
        if !gpu.compiles_late() {
            device.expect_quick();
        }
        cpu.step(threads, &input).map_err(|error| format!("the CPU twin: {error}"))?;
        device.step(&mut run, &input).map_err(|error| error.to_string())?;
        device.fetch(&mut run)?;
        let rests = cpu.state.get(col::distance::rest).iter().copied().filter(|rest| *rest > 0.0);
        let rest = f64::from(rests.fold(f32::INFINITY, f32::min));
        let rest = if rest.is_finite() { rest } else { 1.0 };
        let between = |other: &Run| {
            let [a, b] = [&cpu, other].map(|run| run.state.get(col::particle::position));
            [farthest(a, b).1, mean_distance(a, b)].map(|distance| distance / rest)
        };
        let apart = between(&run);
        let mut rounding = None;
        if apart[0] > TOLERANCE {
            let mut nudged = Run::from_image(Arc::clone(code), &image)?;
            nudge(nudged.state.get_mut(col::particle::position));
            nudged.step(threads, &input).map_err(|error| format!("the CPU twin: {error}"))?;
            let grown = between(&nudged);
            let near = apart.iter().zip(grown).all(|(apart, grown)| *apart <= ROUNDINGS * grown);
            rounding = Some((grown[0], near));
        }
        Ok(Self {
            apart: apart[0],
            rounding,
            substeps: cpu.param("substeps").map_or(1, |substeps| substeps as u32),
            particles,
            ms: start.elapsed().as_secs_f32() * 1e3,
        })
    }
}

fn mean_distance(a: &[[f32; 4]], b: &[[f32; 4]]) -> f64 {
    let distance =
        |(a, b): (&[f32; 4], &[f32; 4])| f64::from(Vec4::from(*a).xyz().distance(Vec4::from(*b).xyz()));
    a.iter().zip(b).map(distance).sum::<f64>() / a.len().max(1) as f64
}

/// One coordinate of each goes to the next number.
fn nudge(positions: &mut [[f32; 4]]) {
    for (i, position) in positions.iter_mut().enumerate() {
        let axis = i % 3;
        position[axis] = position[axis].next_up();
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
