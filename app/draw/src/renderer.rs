//! The renderer: owns all GL objects and turns a `Picture` into two passes.
//!
//! ```text
//! draw ─ upload positions, normals
//!      ├ hair passes   strands, twice                      → depth of the first, layers behind it
//!      ├ shadow pass   cloth, solids                       → depth map (strands too where there are no layers)
//!      └ main pass     cloth, strands, solids, ground, sky, lines → target (near to far: what is hidden is not shaded)
//! ```
//! Programs are compiled from `ShaderSources` and replaced one file at a time; a file that does not compile
//! changes nothing.

use std::path::Path;

use glam::Vec3;
use miniquad::RenderingBackend;

use super::cloth::{ClothMeshes, VertexNames};
use super::detail::Detail;
use super::ground::{GroundObject, Quad, SkyObject};
use super::line::LineBuffers;
use super::opacity::{self, OpacityMap};
use super::painted::{RibbonJob, RibbonsDone, StrandTables};
use super::program::{Program, compile_all};
use super::shader::{COMMON, KINDS, ShaderError, ShaderKind, ShaderSources};
use super::shadow::{Bounds, ShadowMap};
use super::solid::SolidMeshes;
use super::strand::{LEVELS, StrandMeshes};
use super::targets::{Target, Viewport};
use super::texture::{TextureRef, Textures};
use super::translate::{GLSL, translate_with};
use super::uniforms::{Frame, OCCLUDERS};
use super::{ClothView, Picture, Shape, Solid, StrandsView};

/// How much work goes into soft shadows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Shadows that grow softer with the distance to what casts them; hair lets light through, and some of it past.
    Fine,
    /// Plain shadows from a smaller map, and hair that shines but lets no light through: for software rendering and video at full speed.
    Fast,
}

/// Particles of a cloth may be left out while those that are drawn stay no further apart than this: in the shadow map [texels],
/// where the narrowest filter is wider, and in a picture [pixels].
const SHADOW_SPACING: f32 = 3.0;
const PICTURE_SPACING: f32 = 2.0;

/// Places in the programs of a kind, in the order of `ShaderKind::entries`.
const MAIN: usize = 0;
const SHADOW: usize = 1;
const OPACITY: usize = 2;

pub struct Renderer {
    sources: ShaderSources,
    /// For each of `KINDS`, one program for each pair of entry points.
    programs: [Vec<Program>; KINDS.len()],
    cloths: ClothMeshes,
    strands: StrandMeshes,
    solids: SolidMeshes,
    lines: LineBuffers,
    quad: Quad,
    shadow: ShadowMap,
    opacity: OpacityMap,
    textures: Textures,
    quality: Quality,
    /// Rows of a cloth for one that was drawn, in the last picture: 1, 2, 4.
    rows_for_one: u32,
    /// Hairs for one that was drawn.
    hairs_for_one: f32,
}

impl Renderer {
    /// Compiles all shaders. Fails with a sentence if the context is older than GL 3.3 or a shader is refused.
    pub fn new(gl: &mut dyn RenderingBackend, shaders: &ShaderSources) -> Result<Self, String> {
        let info = gl.info();
        let enough =
            if cfg!(target_arch = "wasm32") { info.glsl_support.v300es } else { info.glsl_support.v330 };
        if !enough {
            return Err(format!(
                "this graphics driver offers OpenGL {}; drawing needs 3.3 or newer",
                info.gl_version_string
            ));
        }
        let mut programs: [Vec<Program>; KINDS.len()] = Default::default();
        for (kind, slot) in KINDS.iter().zip(&mut programs) {
            *slot = build(gl, kind, shaders.text(kind.file), shaders.text(COMMON)).map_err(|e| e.report)?;
        }
        Ok(Self {
            sources: shaders.clone(),
            programs,
            cloths: ClothMeshes::default(),
            strands: StrandMeshes::default(),
            solids: SolidMeshes::new(gl),
            lines: LineBuffers::default(),
            quad: Quad::new(gl),
            shadow: ShadowMap::new(gl, shadow_size(Quality::Fine)),
            opacity: OpacityMap::new(gl, hair_size(Quality::Fine)),
            textures: Textures::new(gl),
            quality: Quality::Fine,
            rows_for_one: 1,
            hairs_for_one: 1.0,
        })
    }

    /// `Fine` until changed.
    pub fn set_quality(&mut self, gl: &mut dyn RenderingBackend, quality: Quality) {
        if quality != self.quality {
            self.quality = quality;
            let old = std::mem::replace(&mut self.shadow, ShadowMap::new(gl, shadow_size(quality)));
            old.delete(gl);
            let old = std::mem::replace(&mut self.opacity, OpacityMap::new(gl, hair_size(quality)));
            old.delete(gl);
        }
    }

    pub fn quality(&self) -> Quality {
        self.quality
    }

    /// Rows of a cloth for one that was drawn in the last picture: 1, or 2 or 4 where its particles were less than pixels apart.
    pub fn rows_for_one(&self) -> u32 {
        self.rows_for_one
    }

    /// Hairs for one that was drawn in the last picture, of the list with the most: 1, or any number above it where they were
    /// thinner than pixels, 4 at least with `Quality::Fast`.
    pub fn hairs_for_one(&self) -> f32 {
        self.hairs_for_one
    }

    /// The vertex buffers of each cloth, for a device that writes what is drawn.
    pub fn vertices(&mut self, gl: &mut dyn RenderingBackend, cloths: &[ClothView<'_>]) -> Vec<VertexNames> {
        self.cloths.vertices(gl, cloths)
    }

    /// Tables of each list of strands, for a device that looks at their places: what it finds goes into `StrandsView::painted`.
    pub fn strand_tables(
        &mut self,
        gl: &mut dyn RenderingBackend,
        lists: &[StrandsView<'_>],
    ) -> Vec<StrandTables> {
        self.strands.painted.tables(gl, lists, self.strands.pictures)
    }

    /// What a device is to write of the strands whose places it has, before this picture is drawn into so large a part of a surface.
    pub fn ribbon_jobs(
        &mut self,
        gl: &mut dyn RenderingBackend,
        picture: &Picture<'_>,
        viewport: Viewport,
    ) -> Vec<RibbonJob> {
        let (_, details) = self.prepared(picture, viewport);
        self.strands.painted.jobs(gl, picture.strands, details)
    }

    /// What the device wrote.
    pub fn take_ribbons(&mut self, gl: &mut dyn RenderingBackend, jobs: &[RibbonJob], done: &[RibbonsDone]) {
        jobs.iter().zip(done).for_each(|(job, done)| self.strands.painted.take(gl, job, done));
    }

    /// What all shaders are told of a picture, and how closely hair is drawn in it and in the maps of its light.
    fn prepared(&self, picture: &Picture<'_>, viewport: Viewport) -> (Frame, [Detail; LEVELS]) {
        let clip_from_world = picture.camera.clip_from_world(viewport.aspect());
        let bounds = Bounds::of(picture);
        let frame = frame_uniforms(picture, bounds, clip_from_world.to_cols_array(), self.quality);
        let distance = bounds.distance(picture.camera.eye());
        let pixels = [1.0, distance].map(|distance| picture.camera.pixel_height(distance, viewport.height));
        (frame, Detail::levels(pixels, distance, frame.hair_texel, self.quality == Quality::Fine))
    }

    /// Passes of the light, then the main one.
    pub fn draw(&mut self, gl: &mut dyn RenderingBackend, picture: &Picture<'_>, target: Target<'_>) {
        if target.viewport.width <= 0 || target.viewport.height <= 0 {
            return;
        }
        let clip_from_world = picture.camera.clip_from_world(target.viewport.aspect());
        let (frame, details) = self.prepared(picture, target.viewport);
        let pixel = picture.camera.pixel_height(details[0].distance, target.viewport.height);
        let texel = frame.shadow_texel;
        let frame = bytemuck::bytes_of(&frame);
        let [hair_depth, hair_layers] = self.opacity.textures;
        let maps = [self.shadow.texture, hair_depth, hair_layers];
        let layered = self.quality == Quality::Fine;
        let [cloth, strand, solid, ground, sky, line, thin_line, wire] = &mut self.programs;
        self.cloths.update(gl, picture.cloths);
        self.strands.update(gl, picture.strands, details);
        self.solids.update(gl, picture.solids);
        let [strands, light] = [0, 1].map(|level| (picture.strands, details[level], level));
        if layered && !picture.strands.is_empty() {
            self.opacity.begin_depth(gl);
            self.strands.draw(gl, &mut strand[SHADOW], frame, light, maps);
            gl.end_render_pass();
            self.opacity.begin_layers(gl);
            self.strands.draw(gl, &mut strand[OPACITY], frame, light, maps);
            self.opacity.end_layers(gl);
        }
        self.shadow.begin(gl);
        self.cloths.draw_shadow(gl, &mut cloth[SHADOW], frame, picture.cloths, SHADOW_SPACING * texel);
        if !layered {
            self.strands.draw(gl, &mut strand[SHADOW], frame, strands, maps);
        }
        self.solids.draw(gl, &mut solid[SHADOW], frame, picture.solids, &maps);
        gl.end_render_pass();

        target.begin(gl);
        let textures = &self.textures;
        let spacing = PICTURE_SPACING * pixel;
        let bound = |cloth: &ClothView<'_>| [maps[0], maps[1], maps[2], textures.id(cloth.look.texture)];
        self.rows_for_one = self.cloths.draw(gl, &mut cloth[MAIN], frame, picture.cloths, spacing, bound);
        self.hairs_for_one = self.strands.draw(gl, &mut strand[MAIN], frame, strands, maps);
        self.solids.draw(gl, &mut solid[MAIN], frame, picture.solids, &maps);
        if let Some(floor) = picture.ground {
            let object = GroundObject { color: floor.color, height: floor.height, grid: floor.grid };
            self.quad.draw(gl, &mut ground[MAIN], frame, bytemuck::bytes_of(&object), &maps);
        }
        let object = SkyObject { world_from_clip: clip_from_world.inverse().to_cols_array() };
        self.quad.draw(gl, &mut sky[MAIN], frame, bytemuck::bytes_of(&object), &maps);
        if let Some(lines) = picture.lines {
            let size = [target.viewport.width as f32, target.viewport.height as f32];
            let programs = [&mut line[MAIN], &mut thin_line[MAIN], &mut wire[MAIN]];
            self.lines.draw(gl, programs, frame, lines, size);
        }
        gl.end_render_pass();
    }

    /// Replaces one shader file. On error everything goes on as before.
    pub fn reload_shader(
        &mut self,
        gl: &mut dyn RenderingBackend,
        file_name: &str,
        text: &str,
    ) -> Result<(), ShaderError> {
        self.reload_shaders(gl, &[(file_name, text)])
    }

    /// Replaces several shader files that only fit together. On error everything goes on as before.
    pub fn reload_shaders(
        &mut self,
        gl: &mut dyn RenderingBackend,
        changes: &[(&str, &str)],
    ) -> Result<(), ShaderError> {
        let mut sources = self.sources.clone();
        for (file, text) in changes {
            if !sources.set(file, text) {
                return Err(ShaderError::new(file, "not one of Weft's shader files"));
            }
        }
        let common = changes.iter().any(|(file, _)| *file == COMMON);
        if common {
            translate_with(COMMON, sources.text(COMMON), "", GLSL)?;
        }
        let touched = |file: &str| common || changes.iter().any(|(changed, _)| *changed == file);
        let mut fresh: [Vec<Program>; KINDS.len()] = Default::default();
        for (index, kind) in KINDS.iter().enumerate().filter(|(_, kind)| touched(kind.file)) {
            match build(gl, kind, sources.text(kind.file), sources.text(COMMON)) {
                Ok(programs) => fresh[index] = programs,
                Err(error) => {
                    delete_all(gl, fresh);
                    return Err(error);
                }
            }
        }
        for (old, new) in self.programs.iter_mut().zip(fresh).filter(|(_, new)| !new.is_empty()) {
            for program in std::mem::replace(old, new) {
                program.delete(gl);
            }
        }
        self.sources = sources;
        Ok(())
    }

    /// Loads a PNG or JPEG, or loads it again; on an error the old one stays.
    pub fn load_texture(&mut self, gl: &mut dyn RenderingBackend, path: &Path) -> Result<TextureRef, String> {
        self.textures.load(gl, path)
    }
}

fn build(
    gl: &mut dyn RenderingBackend,
    kind: &ShaderKind,
    text: &str,
    common: &str,
) -> Result<Vec<Program>, ShaderError> {
    let translated = translate_with(kind.file, text, common, GLSL)?;
    compile_all(gl, kind, &translated)
}

fn delete_all(gl: &mut dyn RenderingBackend, programs: [Vec<Program>; KINDS.len()]) {
    for program in programs.into_iter().flatten() {
        program.delete(gl);
    }
}

/// Edge of the shadow map [texels].
fn shadow_size(quality: Quality) -> u32 {
    match quality {
        Quality::Fine => 2048,
        Quality::Fast => 1024,
    }
}

/// Edge of the maps of hair [texels]: what is read of them is the mean over millimetres, and twice as many texels a side take three
/// times as long to fill.
fn hair_size(quality: Quality) -> u32 {
    match quality {
        Quality::Fine => 352,
        Quality::Fast => 1,
    }
}

/// Of what is read of these maps at a place, the farthest from it [texels] (`HAIR_BLUR_MAX` of `common.wgsl`, and the filter).
const HAIR_MARGIN: f32 = 8.0;

/// Of the lamp behind the scene, by how far it is aside.
const RIM_HEIGHT: f32 = 0.5;

fn frame_uniforms(
    picture: &Picture<'_>,
    bounds: Bounds,
    clip_from_world: [f32; 16],
    quality: Quality,
) -> Frame {
    let to_light = (-picture.light.direction).normalize_or(Vec3::Y);
    let (shadow_from_world, shadow_texel) = bounds.shadow_from_world(to_light, shadow_size(quality));
    let (occluders, occluder_count) = occluders(picture.solids);
    let light_color = Vec3::from_array(picture.light.color) * picture.light.intensity;
    // The floor throws back some of the lamp's light and of the sky's; without a floor, the horizon shines from below.
    let bounce = picture.ground.map_or(Vec3::from_array(picture.background.horizon) * 0.5, |floor| {
        Vec3::from_array(floor.color)
            * (light_color * to_light.y.max(0.0) * 0.5 + Vec3::from_array(picture.background.horizon) * 0.6)
    });
    let [hair_low, hair_high] = bounds.hair_in_map(shadow_from_world);
    // What is read of a place lies around it.
    let hair_margin = HAIR_MARGIN / hair_size(quality) as f32;
    Frame {
        clip_from_world,
        shadow_from_world: shadow_from_world.to_cols_array(),
        eye: picture.camera.eye().to_array(),
        to_light: to_light.to_array(),
        light_color: light_color.to_array(),
        ambient: picture.light.ambient,
        to_rim: Vec3::new(-to_light.x, RIM_HEIGHT, -to_light.z).normalize().to_array(),
        rim_color: (light_color * picture.light.rim).to_array(),
        horizon: picture.background.horizon,
        zenith: picture.background.zenith,
        bounce: bounce.to_array(),
        shadow_texel,
        hair_texel: match quality {
            Quality::Fine => shadow_texel * (shadow_size(quality) / hair_size(quality)) as f32,
            Quality::Fast => shadow_texel,
        },
        // The box is as deep as four of its radii (`Bounds::shadow_from_world`).
        hair_layer: opacity::LAYER * bounds.radius / (2.0 * shadow_texel * shadow_size(quality) as f32),
        hair_low: (hair_low - hair_margin).to_array(),
        hair_high: (hair_high + hair_margin).to_array(),
        hair_taps: if quality == Quality::Fine && !picture.strands.is_empty() { 12 } else { 0 },
        fog_distance: (12.0 * bounds.radius).max(5.0 * picture.camera.distance),
        center: bounds.center.to_array(),
        radius: bounds.radius,
        shadow_taps: match quality {
            Quality::Fine => 24,
            Quality::Fast => 4,
        },
        occluder_count,
        occluders,
    }
}

/// Spheres that stand for the solids in ambient occlusion, and how many there are: a ball is itself, a capsule
/// a row of balls, a box the ball inside it; a mesh has none.
fn occluders(solids: &[Solid]) -> ([[f32; 4]; OCCLUDERS], i32) {
    let mut spheres = [[0.0; 4]; OCCLUDERS];
    let mut count = 0;
    for solid in solids {
        let (radius, half_height, offsets): (f32, f32, &[f32]) = match solid.shape {
            Shape::Sphere { radius } => (radius, 0.0, &[0.0]),
            Shape::Box { half } => (half.min_element(), 0.0, &[0.0]),
            Shape::Capsule { radius, half_height } if half_height < 0.5 * radius => (radius, 0.0, &[0.0]),
            Shape::Capsule { radius, half_height } => (radius, half_height, &[-1.0, 0.0, 1.0]),
            Shape::Mesh { .. } => continue,
        };
        for offset in offsets {
            let Some(sphere) = spheres.get_mut(count) else {
                break;
            };
            let center = solid.position + solid.rotation * Vec3::new(0.0, offset * half_height, 0.0);
            *sphere = [center.x, center.y, center.z, radius];
            count += 1;
        }
    }
    (spheres, count as i32)
}
