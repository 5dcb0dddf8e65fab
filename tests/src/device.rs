//! A run on the CPU and the same run on the GPU path, side by side.

use weft_core::{state::col, statistics::least};
use weft_engine::run::{self, StepError, StepInput};
use weft_gpu::{Gpu, GpuRun, Sources};
use weft_scene::Scene;

use crate::{
    fixture::{Fixture, vector},
    state_points,
};

/// The software adapter, or the one that `WEFT_TESTS_ADAPTER` names.
pub fn adapter() -> String {
    std::env::var("WEFT_TESTS_ADAPTER").unwrap_or_else(|_| "llvmpipe".into())
}

/// Solver, list of passes, parameters.
pub type Order = (&'static str, &'static str, &'static [(&'static str, f32)]);

/// All that meet colliders, and take cloth which collides with cloth.
pub const ORDERS: [Order; 12] = [
    ("xpbd", "xpbd_tiled_sweep", &[("order", 0.0)]),
    ("xpbd", "xpbd_coloured", &[("order", 0.0), ("iterations", 2.0)]),
    ("xpbd", "xpbd_jacobi", &[("order", 1.0)]),
    ("explicit", "explicit_fused", &[]),
    ("explicit", "explicit_fused_links", &[]),
    ("explicit", "explicit_pair", &[]),
    ("pbd_jacobi", "pbd_jacobi", &[]),
    ("pbd_sor", "pbd_sor", &[]),
    ("verlet", "verlet", &[]),
    ("implicit_jacobi", "implicit_jacobi", &[]),
    ("implicit_chebyshev", "implicit_chebyshev", &[]),
    ("vbd", "vbd", &[]),
];

/// Two equal runs; `gpu` moves the second.
pub struct Twins {
    pub cpu: Fixture,
    pub fixture: Fixture,
    pub gpu: GpuRun,
}

/// The tests' adapter, opened.
pub fn open() -> Gpu {
    Gpu::open(Some(&adapter())).unwrap_or_else(|why| panic!("{why}"))
}

/// A fixture's run on the device.
pub fn on_device(fixture: &mut Fixture, passes: Option<&str>) -> Result<GpuRun, String> {
    on(open(), Sources::built_in(), fixture, passes)
}

/// The same on a device and with texts of the caller's own.
pub fn on(gpu: Gpu, sources: Sources, fixture: &mut Fixture, passes: Option<&str>) -> Result<GpuRun, String> {
    let Fixture { run, scene, .. } = fixture;
    GpuRun::new(gpu, sources, run, &run::input(scene, &[]), passes)
}

fn input<'a>(fixture: &Fixture, holds: &'a [sim_api::Hold]) -> StepInput<'a> {
    run::input(&fixture.scene, holds)
}

impl Twins {
    /// `warm` frames on the CPU, then the same state twice.
    pub fn new(scene: &Scene, params: &[(&str, f32)], warm: usize, passes: Option<&str>) -> Self {
        Self::with(scene, params, warm, passes, &|_| {})
    }

    /// The same; `change` is done to both at the start.
    pub fn with(
        scene: &Scene,
        params: &[(&str, f32)],
        warm: usize,
        passes: Option<&str>,
        change: &dyn Fn(&mut Fixture),
    ) -> Self {
        Self::on(open(), scene, params, warm, passes, change)
    }

    /// The same on a device of the caller's own.
    pub fn on(
        gpu: Gpu,
        scene: &Scene,
        params: &[(&str, f32)],
        warm: usize,
        passes: Option<&str>,
        change: &dyn Fn(&mut Fixture),
    ) -> Self {
        let fixture = || {
            let mut fixture = params
                .iter()
                .fold(Fixture::of(scene.clone()), |fixture, (name, value)| fixture.set(name, *value));
            change(&mut fixture);
            fixture.frames(warm);
            fixture
        };
        let (cpu, mut fixture) = (fixture(), fixture());
        let gpu = on(gpu, Sources::built_in(), &mut fixture, passes).unwrap_or_else(|why| panic!("{why}"));
        Self { cpu, fixture, gpu }
    }

    /// A frame on the device.
    pub fn step(&mut self, holds: &[sim_api::Hold]) -> Result<(), StepError> {
        let input = input(&self.fixture, holds);
        self.gpu.step(&mut self.fixture.run, &input)
    }

    /// A frame on both; the second state follows.
    pub fn frame(&mut self) {
        self.cpu.frames(1);
        self.step(&[]).unwrap_or_else(|why| panic!("{why}"));
        self.gpu.fetch(&mut self.fixture.run).unwrap_or_else(|why| panic!("{why}"));
    }

    /// Largest distance between the two in shortest rest lengths.
    pub fn apart(&self) -> f64 {
        self.rest_lengths(self.fixture.x())
    }

    /// Largest distance of other positions from the CPU's in shortest rest lengths.
    pub fn rest_lengths(&self, x: &[[f32; 4]]) -> f64 {
        state_points::apart(self.cpu.x(), x) / self.rest()
    }

    /// The shortest rest length [m]; of cloth without springs the shortest side of a triangle as it is.
    pub fn rest(&self) -> f64 {
        let rest = self.cpu.run.state.get(col::distance::rest);
        if !rest.is_empty() {
            return least(rest.iter().copied());
        }
        let (x, triangles) = (self.cpu.x(), self.cpu.run.state.get(col::triangle::idx));
        let sides = triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        least(sides.map(|ends| {
            let [a, b] = ends.map(|corner| vector(x[corner as usize]));
            a.distance(b)
        }))
    }
}
