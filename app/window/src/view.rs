//! A session as a picture: what the window and `--shot` draw.

mod beside;
pub mod columns;
mod overlay;
mod quantity;
mod scale;
mod strands;
mod ticks;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use glam::{Quat, Vec3};
use miniquad::RenderingBackend;

use weft_draw::{
    Background, Camera, ClothLook, ClothView, Lines, Picture, Renderer, ShaderSources, Shading, Solid,
    StrandLook, StrandsView, TextureRef,
};
use weft_gpu::surface::Painted;
use weft_scene::Scene;
use weft_session::{Session, spacing};

use beside::Beside;
pub use beside::TINTS;
pub use overlay::{OVERLAYS, Overlays};
pub use quantity::{QUANTITIES, Quantity};
pub use scale::{Range, Scale};
pub(crate) use ticks::ticks;

/// In the id of a cloth of another session drawn by the same renderer.
const RUN: u32 = 52;
/// Radius of the ball that marks a particle, in rest lengths.
const MARK: f32 = 0.6;
/// Colours of those where a blow-up began, and of the one that is inspected.
const BEGAN: [f32; 3] = [1.0, 0.05, 0.02];
const INSPECTED: [f32; 3] = [1.0, 0.75, 0.05];

/// Buffers and textures between the session and the renderer, kept from frame to frame.
#[derive(Default)]
pub struct View {
    /// Positions as drawn, between the last two steps [m], relative to the session's origin as all that is drawn.
    pub positions: Vec<[f32; 4]>,
    /// They are on the device: what is drawn is drawn from there.
    pub on_device: bool,
    /// What was found there; `None` until it was painted.
    pub painted: Option<Painted>,
    /// Colliders as drawn, with their place in the scene's list.
    pub solids: Vec<(usize, Solid)>,
    shapes: Vec<Solid>,
    /// Colliders and marks, as drawn.
    solid: Vec<Solid>,
    /// The runs beside, in their order.
    beside: Vec<Beside>,
    /// A particle that is marked.
    pub inspected: Option<usize>,
    /// Tells sessions apart that one renderer draws.
    pub run: u64,
    /// All runs in one picture, each in a colour of its own, instead of a picture each.
    pub ghosts: bool,
    /// Numbers shown on the cloth instead of its look.
    pub scale: Scale,
    /// Lines and dots over it.
    pub overlays: Overlays,
    /// Those that were on last, for the key.
    overlays_before: Option<Overlays>,
    lines: Lines,
    textures: BTreeMap<PathBuf, Texture>,
}

/// A texture file that a scene names.
#[derive(Default)]
struct Texture {
    loaded: Option<TextureRef>,
    /// To be read, for the first time or again.
    stale: bool,
    problem: Option<String>,
}

impl View {
    /// Takes over the state; `share` 0 shows the state before the last step, 1 the one after it.
    pub fn update(&mut self, session: &Session, share: f32, highlighted: Option<usize>) {
        // Numbers of strands are the host's, and lie between its own places.
        let drawn = self.scale.quantity.is_look() || session.scene().strands.is_empty();
        (self.on_device, self.painted) = (drawn && session.paints(), None);
        if self.on_device {
            self.positions.clear();
        } else {
            between(session.engine().previous(), session.positions(), share, &mut self.positions);
        }
        self.scale.update(session, &session.run().state);
        self.update_beside(session, share);
        session.solids(&session.run().state, share, highlighted, &mut self.solids);
        self.shapes.clear();
        self.shapes.extend(self.solids.iter().map(|(_, solid)| solid.clone()));
        self.solid.clone_from(&self.shapes);
        self.mark(session);
        if !self.overlays.is_empty() {
            let mut lines = std::mem::take(&mut self.lines);
            let run = (&session.run().state, self.drawn(session), self.solids.as_slice());
            overlay::draw(self.overlays, session, run, &mut lines);
            self.lines = lines;
        }
    }

    /// Takes all overlays away, or brings back those that were on last.
    pub fn toggle_overlays(&mut self) {
        if self.overlays.is_empty() {
            self.overlays = self.overlays_before.unwrap_or(Overlays::FIRST);
        } else {
            self.overlays_before = Some(std::mem::take(&mut self.overlays));
        }
    }

    /// Loads what the scene names and is not loaded yet, or was saved since; returns which saved ones are drawn now, and what
    /// failed.
    pub fn load_textures(
        &mut self,
        scene: &Scene,
        folder: &Path,
        renderer: &mut Renderer,
        gl: &mut dyn RenderingBackend,
    ) -> Vec<Result<String, String>> {
        let named = |path: &Path| scene.cloths.iter().any(|cloth| folder.join(&cloth.look.texture) == path);
        self.textures.retain(|path, texture| texture.problem.is_none() || named(path));
        let mut told = Vec::new();
        for cloth in scene.cloths.iter().filter(|cloth| !cloth.look.texture.is_empty()) {
            let path = folder.join(&cloth.look.texture);
            let known = self.textures.contains_key(&path);
            let entry =
                self.textures.entry(path.clone()).or_insert(Texture { stale: true, ..Texture::default() });
            if !std::mem::take(&mut entry.stale) {
                continue;
            }
            match renderer.load_texture(gl, &path) {
                Ok(loaded) => {
                    (entry.loaded, entry.problem) = (Some(loaded), None);
                    told.extend(known.then(|| Ok(cloth.look.texture.clone())));
                }
                Err(why) => {
                    told.push(Err(why.clone()));
                    entry.problem = Some(why);
                }
            }
        }
        told
    }

    /// A texture file was saved: the next [`View::load_textures`] reads it again.
    pub fn texture_saved(&mut self, path: &Path) {
        for (known, texture) in &mut self.textures {
            texture.stale |= known.file_name() == path.file_name();
        }
    }

    /// What cannot be used at present; the last good picture of that name is drawn, or none.
    pub fn texture_problems(&self) -> impl Iterator<Item = &str> {
        self.textures.values().filter_map(|texture| texture.problem.as_deref())
    }

    /// Calls `draw` with the picture; with [`View::ghosts`], of all runs.
    pub fn picture<R>(&self, session: &Session, camera: Camera, draw: impl FnOnce(&Picture) -> R) -> R {
        let mut cloths: Vec<ClothView> = self.cloths(session).collect();
        let mut strands: Vec<StrandsView> = self.strands(session).collect();
        if self.ghosts && !self.beside.is_empty() {
            self.add_ghosts(session, &mut cloths, &mut strands);
        }
        let lines = (!self.overlays.is_empty()).then_some(&self.lines);
        picture_of(session, camera, (&cloths, &strands, &self.solid, lines), draw)
    }

    /// One view per cloth of the scene, in its order.
    pub fn cloths<'a>(&'a self, session: &'a Session) -> impl Iterator<Item = ClothView<'a>> {
        let folder = session.setup().folder();
        session.objects().iter().zip(&session.scene().cloths).enumerate().map(move |(i, (object, cloth))| {
            ClothView {
                id: self.id(session, i),
                positions: self.drawn(session).get(object.particles.clone()).unwrap_or_default(),
                painted: self.painted.as_ref().and_then(|painted| painted.cloth),
                triangles: session.setup().triangles(i),
                surface: session.setup().surface_version(),
                uvs: &object.uvs,
                look: ClothLook {
                    texture: self
                        .textures
                        .get(&folder.join(&cloth.look.texture))
                        .and_then(|texture| texture.loaded),
                    front: cloth.look.front,
                    back: cloth.look.back,
                    sheen: cloth.look.sheen,
                    roughness: cloth.look.roughness,
                    weave: cloth.look.weave,
                    uv_scale: cloth.look.uv_scale,
                },
                shading: (!self.scale.quantity.is_look()).then(|| Shading {
                    values: self.scale.values().get(object.particles.clone()).unwrap_or_default(),
                    palette: self.scale.palette,
                }),
            }
        })
    }

    /// One view per list of strands, in its order.
    pub fn strands<'a>(&'a self, session: &'a Session) -> impl Iterator<Item = StrandsView<'a>> {
        let scene = session.scene();
        let objects = session.objects().iter().enumerate().skip(scene.cloths.len());
        objects.zip(&scene.strands).enumerate().map(move |(list, ((i, object), strands))| {
            let seat = strands.seat(scene);
            let seat = self.solids.iter().find(|(place, _)| Some(*place) == seat);
            let cuts = session.setup().cuts(i);
            let look = StrandLook::from(&strands.look);
            StrandsView {
                id: self.id(session, i),
                positions: self.drawn(session).get(object.particles.clone()).unwrap_or_default(),
                painted: self.painted.as_ref().and_then(|painted| painted.strands.get(list).copied()),
                guides: &object.guides,
                neighbors: object.neighbors.all(),
                cuts,
                pieces: if cuts.is_empty() { 0 } else { session.setup().surface_version() },
                turn: seat.map_or(Quat::IDENTITY, |(_, solid)| solid.rotation),
                look: if self.scale.quantity.shows_guides() { look.alone() } else { look },
                shading: (!self.scale.quantity.is_look()).then(|| Shading {
                    values: self.scale.values().get(object.particles.clone()).unwrap_or_default(),
                    palette: self.scale.palette,
                }),
            }
        })
    }

    /// What the renderer knows an object by, as long as its surface is the same.
    fn id(&self, session: &Session, object: usize) -> u64 {
        self.run << RUN | session.setup().topology() << 16 | object as u64
    }

    /// Balls at the particles that left first, and at the one that is inspected, where they are in the picture.
    fn mark(&mut self, session: &Session) {
        let radius = MARK * spacing(&session.run().state);
        let place = |(particle, color): (usize, [f32; 3])| Some((*self.drawn(session).get(particle)?, color));
        let inspected = self.inspected.map(|particle| (particle, INSPECTED));
        let places =
            session.marked().iter().map(|particle| (*particle, BEGAN)).chain(inspected).filter_map(place);
        let places: Vec<([f32; 4], [f32; 3])> = places.collect();
        self.solid.extend(places.into_iter().map(|(x, color)| Solid {
            shape: weft_draw::Shape::Sphere { radius },
            position: Vec3::new(x[0], x[1], x[2]),
            rotation: Quat::IDENTITY,
            color,
            scalp: None,
            highlighted: true,
        }));
    }

    /// Positions of all particles as drawn; of those on the device as the state has them [m].
    fn drawn<'a>(&'a self, session: &'a Session) -> &'a [[f32; 4]] {
        if self.on_device { session.positions() } else { &self.positions }
    }

    /// The camera out of solids and above the ground.
    pub fn clear(&self, session: &Session, camera: Camera) -> Camera {
        let mut seen = camera.about(session.origin());
        seen.keep_clear(&self.shapes, session.ground());
        seen.about(-session.origin())
    }

    pub fn shapes(&self) -> &[Solid] {
        &self.shapes
    }
}

/// Calls `draw` with a picture of these.
fn picture_of<R>(
    session: &Session,
    camera: Camera,
    (cloths, strands, solids, lines): (&[ClothView], &[StrandsView], &[Solid], Option<&Lines>),
    draw: impl FnOnce(&Picture) -> R,
) -> R {
    let light = &session.scene().light;
    draw(&Picture {
        camera: camera.about(session.origin()),
        light: weft_draw::Light {
            direction: Vec3::from(light.direction),
            color: light.color,
            intensity: light.intensity,
            ambient: light.ambient,
            rim: light.rim,
        },
        cloths,
        strands,
        solids,
        lines,
        ground: session.ground(),
        background: Background { horizon: light.backdrop, zenith: light.sky },
    })
}

/// Positions a share of the way from those before to those now, as far as they are the same particles.
fn between(before: &[[f32; 4]], now: &[[f32; 4]], share: f32, between: &mut Vec<[f32; 4]>) {
    between.clear();
    if share >= 1.0 || before.len() != now.len() {
        between.extend_from_slice(now);
    } else {
        let part = |(a, b): (&[f32; 4], &[f32; 4])| std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share);
        between.extend(before.iter().zip(now).map(part));
    }
}

/// The scene's camera.
pub fn camera(camera: &weft_scene::Camera) -> Camera {
    Camera {
        target: Vec3::from(camera.target),
        distance: camera.distance,
        yaw: camera.yaw.to_radians(),
        pitch: camera.pitch.to_radians(),
        fov_y: camera.fov.to_radians(),
    }
}

/// The project's shaders as they are on disk, or the built-in ones; of those named in `except` the built-in ones.
pub fn shaders(session: &Session, except: &[String]) -> ShaderSources {
    let mut sources = ShaderSources::built_in();
    if let Some(project) = session.project() {
        let names: Vec<&'static str> = sources.names().collect();
        for name in names.into_iter().filter(|name| !except.iter().any(|except| except == name)) {
            if let Ok(text) = weft_core::wgsl::read(&project.shaders().join("draw").join(name)) {
                sources.set(name, &text);
            }
        }
    }
    sources
}
