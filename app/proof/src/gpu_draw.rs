//! `weft bench --path gpu --draw`: whole frames of the fixed workload of [`crate::bench`], the picture included.
//!
//! ```text
//! in-context   simulate ─ paint (what is drawn, into the vertex buffers) ─ draw ─ finish
//! readback     simulate ─ positions to the host ─ normals there, both up again, draw ─ finish
//! ```
//! A frame's time is that on the wall from its first command to the end of `glFinish`. The cloth is textured, lit and casts a
//! shadow; nothing is shown between two frames. Hair is drawn as [`HAIRS`] around the strands that move, over what they grow from.

use std::{path::PathBuf, time::Instant};
use weft_core::state::col;

use glam::{Quat, Vec3};
use serde_json::Value;

use weft_core::{command::CommandError, project::Project, statistics::quantile};
use weft_draw::{
    Background, Camera, ClothLook, ClothView, Ground, Light, PaintedStrands, Picture, Quality, ShaderSources,
    Shape, Solid, StrandLook, StrandsView, TextureRef, Viewport,
    gl::{Clock, GlShare},
    offscreen::Offscreen,
};
use weft_engine::run::{Run, StepInput};
use weft_gpu::{
    Gpu, GpuOptions, GpuRun, Link, ReadbackScope, Sources, link,
    ribbons::StrandList,
    surface::{Painted, Sheet},
};
use weft_scene::{
    Collider, Scene,
    assemble::{self, Object},
    strands::Strands,
};

use crate::bench::{BenchOptions, WARM, prepare_objects, round};

/// The picture's texture, in the folder of the scenes.
const TEXTURE: &str = "textures/linen.png";
/// Repeats of the texture along a side.
const REPEATS: f32 = 8.0;
/// Hairs in the picture, all strands together.
const HAIRS: u32 = 100_000;

/// The picture.
pub struct DrawOptions {
    /// Width and height [pixels].
    pub size: (u32, u32),
    /// Where the last one goes.
    pub shot: Option<PathBuf>,
}

/// What draws, and what it draws.
struct Stage {
    offscreen: Offscreen,
    clock: Option<Clock>,
    objects: Vec<Object>,
    /// Of each list of strands.
    looks: Vec<StrandLook>,
    solids: Vec<Solid>,
    texture: Option<TextureRef>,
    camera: Camera,
    ground: Ground,
    size: (u32, u32),
}

/// Times of each frame [ms].
#[derive(Default)]
struct Times {
    frame: Vec<f32>,
    /// Parts of it on the wall: simulation, what the link does, drawing.
    step: Vec<f32>,
    link: Vec<f32>,
    draw: Vec<f32>,
    /// By the clocks of the devices.
    step_device: Vec<f32>,
    draw_device: Vec<f32>,
}

/// Runs the workload and returns its one line of JSON.
pub fn bench(options: &BenchOptions, on: &GpuOptions, draw: &DrawOptions) -> Result<Value, CommandError> {
    let (mut run, scene, objects) = prepare_objects(options)?;
    let input = StepInput { dt: scene.step, world: assemble::world(&scene), holds: &[], guarded: false };
    let mut stage = Stage::new(&scene, objects, &run, draw.size)?;
    let share = GlShare::current();
    share.iter().for_each(|share| stage.offscreen.gl.share(share));
    stage.clock = share.as_ref().ok().and_then(Clock::new);
    let mut gpu = open(on, share.as_ref().map_err(String::as_str), &mut run, &input)?;
    gpu.looked = false;
    gpu.show_between(false);
    let mut times = Times::default();
    let mut start = Instant::now();
    while times.frame.len() < options.frames
        && (times.frame.len() < WARM + 3 || start.elapsed().as_secs_f64() < options.budget_secs)
    {
        if times.frame.len() == WARM {
            start = Instant::now();
        }
        stage.frame(&mut gpu, &mut run, &input, &mut times)?;
    }
    let painted = stage.link(&mut gpu, &mut run)?;
    if let Some(path) = &draw.shot {
        let (width, height) = draw.size;
        let pixels =
            stage.picture(&run, &painted, |offscreen, picture| offscreen.render(picture, width, height));
        weft_draw::png::save(path, &pixels, (width, height))?;
    }
    gpu.fetch(&mut run)?;
    let not_finite = run.not_finite().map(|error| error.to_string());
    Ok(stage.line(options, &gpu, times, &scene, not_finite.as_deref()))
}

/// The device with the link that is asked for, or can be had.
fn open(
    on: &GpuOptions,
    share: Result<&GlShare, &str>,
    run: &mut Run,
    input: &StepInput,
) -> Result<GpuRun, String> {
    let gpu = link::open(on, share)?;
    let mut make = |gpu: Gpu| GpuRun::make(gpu, Sources::find()?, run, input, on.passes.as_deref(), None);
    let made = match make(gpu.clone()) {
        Err(fault) => link::instead(on, &gpu, &fault).map_or(Err(fault), make),
        made => made,
    };
    made.map_err(|fault| fault.to_string())
}

impl Stage {
    fn new(scene: &Scene, objects: Vec<Object>, run: &Run, size: (u32, u32)) -> Result<Self, String> {
        let mut offscreen = Offscreen::new(&ShaderSources::built_in())?;
        let quality = if weft_draw::software_gl() { Quality::Fast } else { Quality::Fine };
        let path =
            Project::find().map(|project| project.scenes().join(TEXTURE)).filter(|path| path.is_file());
        let (renderer, mut gl) = offscreen.parts();
        renderer.set_quality(&mut *gl, quality);
        let texture = path.map(|path| renderer.load_texture(&mut *gl, &path)).transpose()?;
        drop(gl);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for [x, y, z, _] in run.state.get(col::particle::position) {
            let x = Vec3::new(*x, *y, *z);
            (low, high) = (low.min(x), high.max(x));
        }
        let side = (high - low).max_element();
        let target = (low + high) * 0.5 - Vec3::Y * (0.2 * side);
        Ok(Self {
            offscreen,
            clock: None,
            looks: scene.strands.iter().zip(lists(&objects)).map(look).collect(),
            solids: scene.colliders.iter().filter_map(solid).collect(),
            objects,
            texture,
            camera: Camera { target, distance: 1.9 * side, ..Camera::default() },
            ground: Ground { height: low.y - 1.3 * side, grid: 0.1 * side, ..Ground::default() },
            size,
        })
    }

    fn frame(
        &mut self,
        gpu: &mut GpuRun,
        run: &mut Run,
        input: &StepInput,
        times: &mut Times,
    ) -> Result<(), String> {
        let ms = |start: Instant| start.elapsed().as_secs_f32() * 1e3;
        let start = Instant::now();
        gpu.step(run, input).map_err(|error| error.to_string())?;
        times.step.push(ms(start));
        times.step_device.extend(gpu.frame_ms);
        let linking = Instant::now();
        let painted = self.link(gpu, run)?;
        times.link.push(ms(linking));
        let (drawing, (width, height)) = (Instant::now(), self.size);
        self.clock.iter().for_each(Clock::begin);
        self.picture(run, &painted, |offscreen, picture| offscreen.draw(picture, width, height));
        self.clock.iter().for_each(Clock::end);
        self.offscreen.finish();
        times.draw.push(ms(drawing));
        times.frame.push(ms(start));
        times.draw_device.extend(self.clock.as_ref().map(Clock::ms));
        Ok(())
    }

    /// What the link does between a step and its picture. Returns what was painted.
    fn link(&mut self, gpu: &mut GpuRun, run: &mut Run) -> Result<Painted, String> {
        let fits = |object: &Object| gpu.paints_strands(object.particles.len());
        if !gpu.paints() || !lists(&self.objects).all(fits) {
            return gpu.bring(run, ReadbackScope::Positions).map(|()| Painted::default());
        }
        let cloths: Vec<ClothView> = cloths(&self.objects, run, None, self.texture).collect();
        let vertices = self.offscreen.vertices(&cloths);
        let of_cloth = self.objects.iter().filter(|object| object.guides.is_empty());
        let sheets = of_cloth.map(|object| object.particles.clone()).zip(vertices);
        let sheets: Vec<Sheet> = sheets.map(|(particles, vertices)| Sheet { particles, vertices }).collect();
        let strands: Vec<StrandsView> = strands(&self.objects, &self.looks, run, &[]).collect();
        let (renderer, mut turn) = self.offscreen.parts();
        let tables = renderer.strand_tables(&mut *turn, &strands);
        drop((strands, turn));
        let lists = lists(&self.objects).map(|object| object.particles.clone()).zip(tables);
        let lists: Vec<StrandList> =
            lists.map(|(particles, tables)| StrandList { particles, tables }).collect();
        let painted = gpu.paint((&sheets, &lists), 1.0)?;
        let (width, height) = self.size;
        let part = Viewport { x: 0, y: 0, width: width as i32, height: height as i32 };
        let jobs = self.picture(run, &painted, |offscreen, picture| {
            let (renderer, mut turn) = offscreen.parts();
            renderer.ribbon_jobs(&mut *turn, picture, part)
        });
        let done = gpu.write_ribbons(&jobs)?;
        let (renderer, mut turn) = self.offscreen.parts();
        renderer.take_ribbons(&mut *turn, &jobs, &done);
        Ok(painted)
    }

    fn picture<R>(
        &mut self,
        run: &Run,
        painted: &Painted,
        draw: impl FnOnce(&mut Offscreen, &Picture) -> R,
    ) -> R {
        let cloths: Vec<ClothView> = cloths(&self.objects, run, painted.cloth, self.texture).collect();
        let strands: Vec<StrandsView> = strands(&self.objects, &self.looks, run, &painted.strands).collect();
        draw(
            &mut self.offscreen,
            &Picture {
                strands: &strands,
                camera: self.camera,
                light: Light::default(),
                cloths: &cloths,
                solids: &self.solids,
                lines: None,
                ground: Some(self.ground),
                background: Background::default(),
            },
        )
    }

    /// Drawn hairs, where none is left out because it is thinner than a pixel.
    fn hairs(&self) -> u32 {
        let lists = lists(&self.objects).zip(&self.looks);
        lists.map(|(object, look)| object.guides.len() as u32 * look.children).sum()
    }

    fn line(
        &mut self,
        options: &BenchOptions,
        gpu: &GpuRun,
        times: Times,
        scene: &Scene,
        not_finite: Option<&str>,
    ) -> Value {
        let median = |mut ms: Vec<f32>| {
            ms.drain(..WARM.min(ms.len()));
            ms.sort_by(f32::total_cmp);
            (!ms.is_empty()).then(|| round(quantile(&ms, 0.5), 4))
        };
        let frames = times.frame.len();
        let mut frame = times.frame;
        frame.drain(..WARM.min(frames));
        frame.sort_by(f32::total_cmp);
        let why = match &gpu.gpu.link {
            Link::Readback { why } => Some(why.clone()),
            Link::InContextGl { .. } => None,
        };
        let (width, height) = self.size;
        serde_json::json!({
            "peer": "weft", "path": "gpu", "link": gpu.gpu.link.name(), "why": why, "adapter": gpu.gpu.info.name,
            "opengl": self.offscreen.driver(), "solver": options.solver, "passes": gpu.list.name, "n": options.n,
            "particles": gpu.rows("particle"), "substeps": options.substeps, "iters": options.iterations,
            "step_s": scene.step, "width": width, "height": height, "samples": weft_draw::SAMPLES,
            "textured": self.texture.is_some(), "shadow": format!("{:?}", self.offscreen.renderer.quality()),
            "hairs": self.hairs(),
            "rows_for_one": self.offscreen.renderer.rows_for_one(),
            "frames": frames, "ms_med": round(quantile(&frame, 0.5), 4),
            "ms_p95": round(quantile(&frame, 0.95), 4), "ms_min": round(frame[0].into(), 4),
            "step_ms": median(times.step), "link_ms": median(times.link), "draw_ms": median(times.draw),
            "step_device_ms": median(times.step_device), "draw_device_ms": median(times.draw_device),
            "not_finite": not_finite,
        })
    }
}

/// One view per cloth.
fn cloths<'a>(
    objects: &'a [Object],
    run: &'a Run,
    painted: Option<[Vec3; 2]>,
    texture: Option<TextureRef>,
) -> impl Iterator<Item = ClothView<'a>> {
    let positions = run.state.get(col::particle::position);
    let cloths = objects.iter().filter(|object| object.guides.is_empty());
    (0..).zip(cloths).map(move |(id, object)| ClothView {
        id,
        positions: positions.get(object.particles.clone()).unwrap_or_default(),
        painted,
        triangles: &object.triangles,
        surface: 0,
        uvs: &object.uvs,
        look: ClothLook { texture, uv_scale: [REPEATS; 2], ..ClothLook::default() },
        shading: None,
    })
}

/// Lists of strands.
fn lists(objects: &[Object]) -> impl Iterator<Item = &Object> {
    objects.iter().filter(|object| !object.guides.is_empty())
}

/// One view per list of strands.
fn strands<'a>(
    objects: &'a [Object],
    looks: &'a [StrandLook],
    run: &'a Run,
    painted: &'a [PaintedStrands],
) -> impl Iterator<Item = StrandsView<'a>> {
    let positions = run.state.get(col::particle::position);
    (0..).zip(lists(objects).zip(looks)).map(move |(id, (object, look))| StrandsView {
        id: id as u64,
        positions: positions.get(object.particles.clone()).unwrap_or_default(),
        painted: painted.get(id).copied(),
        guides: &object.guides,
        neighbors: object.neighbors.all(),
        cuts: &[],
        pieces: 0,
        turn: Quat::IDENTITY,
        look: *look,
        shading: None,
    })
}

/// How a list of strands is drawn, with its share of [`HAIRS`].
fn look((strands, object): (&Strands, &Object)) -> StrandLook {
    let children = (HAIRS / object.guides.len() as u32).max(1);
    StrandLook { children, ..StrandLook::from(&strands.look) }
}

/// A collider where the scene puts it.
fn solid(body: &Collider) -> Option<Solid> {
    let (position, rotation) = body.pose(0.0);
    let shape = Shape::of(&body.shape)?;
    Some(Solid { shape, position, rotation, color: body.color, scalp: None, highlighted: false })
}
