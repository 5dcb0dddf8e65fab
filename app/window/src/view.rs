//! A session as a picture: what the window and `--shot` draw.

mod quantity;
mod scale;
mod ticks;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use glam::{Quat, Vec3};
use miniquad::RenderingBackend;

use weft_draw::{
    Background, Camera, ClothLook, ClothView, Picture, Renderer, ShaderSources, Shading, Solid, StrandLook,
    StrandsView, TextureRef,
};
use weft_scene::Scene;
use weft_session::{Session, spacing};

pub use quantity::{QUANTITIES, Quantity};
pub use scale::{Range, Scale};
pub use ticks::ticks;

/// In the id of a cloth that the code before moves.
const BEFORE: u64 = 1 << 63;
/// Radius of the ball that marks a particle, in rest lengths.
const MARK: f32 = 0.6;

/// Buffers and textures between the session and the renderer, kept from frame to frame.
#[derive(Default)]
pub struct View {
    /// Positions as drawn, between the last two steps [m], relative to the session's origin as all that is drawn.
    pub positions: Vec<[f32; 4]>,
    /// They are on the device: what is drawn is drawn from there.
    pub on_device: bool,
    /// The box around what lies there, low and high corner [m]; `None` until it was painted.
    pub painted: Option<[Vec3; 2]>,
    /// Colliders as drawn, with their place in the scene's list.
    pub solids: Vec<(usize, Solid)>,
    shapes: Vec<Solid>,
    /// Colliders and marks, as drawn.
    solid: Vec<Solid>,
    /// Positions of the code before, while it is compared [m].
    before: Vec<[f32; 4]>,
    before_scale: Scale,
    /// Numbers shown on the cloth instead of its look.
    pub scale: Scale,
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
        (self.on_device, self.painted) = (session.paints(), None);
        if self.on_device {
            self.positions.clear();
        } else {
            between(session.engine().previous(), session.positions(), share, &mut self.positions);
        }
        self.scale.update(session, &session.run().state);
        if let Some(twin) = session.timeline().twin() {
            between(&twin.previous, twin.positions(), share, &mut self.before);
            self.before_scale.quantity = self.scale.quantity;
            self.before_scale.palette = self.scale.palette;
            self.before_scale.range = Range::Fixed(self.scale.top());
            self.before_scale.update(session, &twin.run.state);
        }
        session.solids(share, highlighted, &mut self.solids);
        self.shapes.clear();
        self.shapes.extend(self.solids.iter().map(|(_, solid)| solid.clone()));
        self.solid.clone_from(&self.shapes);
        self.mark(session);
    }

    /// Loads what the scene names and is not loaded yet, or was saved since; returns what failed now.
    pub fn load_textures(
        &mut self,
        scene: &Scene,
        folder: &Path,
        renderer: &mut Renderer,
        gl: &mut dyn RenderingBackend,
    ) -> Vec<String> {
        let named = |path: &Path| scene.cloths.iter().any(|cloth| folder.join(&cloth.look.texture) == path);
        self.textures.retain(|path, texture| texture.problem.is_none() || named(path));
        let mut failed = Vec::new();
        for cloth in scene.cloths.iter().filter(|cloth| !cloth.look.texture.is_empty()) {
            let path = folder.join(&cloth.look.texture);
            let entry =
                self.textures.entry(path.clone()).or_insert(Texture { stale: true, ..Texture::default() });
            if !std::mem::take(&mut entry.stale) {
                continue;
            }
            match renderer.load_texture(gl, &path) {
                Ok(loaded) => (entry.loaded, entry.problem) = (Some(loaded), None),
                Err(why) => {
                    failed.push(why.clone());
                    entry.problem = Some(why);
                }
            }
        }
        failed
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

    /// Calls `draw` with the picture.
    pub fn picture<R>(&self, session: &Session, camera: Camera, draw: impl FnOnce(&Picture) -> R) -> R {
        let cloths: Vec<ClothView> = self.cloths(session).collect();
        let strands: Vec<StrandsView> = self.strands(session).collect();
        self.picture_of(session, camera, (&cloths, &strands), draw)
    }

    /// As [`View::picture`], of the code before.
    pub fn picture_before<R>(
        &self,
        session: &Session,
        camera: Camera,
        draw: impl FnOnce(&Picture) -> R,
    ) -> R {
        let cloths = self.cloths(session).zip(session.objects()).map(|(cloth, object)| ClothView {
            id: cloth.id | BEFORE,
            painted: None,
            positions: self.before.get(object.particles.clone()).unwrap_or_default(),
            shading: cloth.shading.map(|shading| Shading {
                values: self.before_scale.values().get(object.particles.clone()).unwrap_or_default(),
                ..shading
            }),
            ..cloth
        });
        let strands = self.strands(session).zip(&session.objects()[session.scene().cloths.len()..]);
        let strands = strands.map(|(strands, object)| StrandsView {
            id: strands.id | BEFORE,
            positions: self.before.get(object.particles.clone()).unwrap_or_default(),
            shading: strands.shading.map(|shading| Shading {
                values: self.before_scale.values().get(object.particles.clone()).unwrap_or_default(),
                ..shading
            }),
            ..strands
        });
        let (cloths, strands): (Vec<ClothView>, Vec<StrandsView>) = (cloths.collect(), strands.collect());
        self.picture_of(session, camera, (&cloths, &strands), draw)
    }

    fn picture_of<R>(
        &self,
        session: &Session,
        camera: Camera,
        (cloths, strands): (&[ClothView], &[StrandsView]),
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
            },
            cloths,
            strands,
            solids: &self.solid,
            ground: session.ground(),
            background: Background::default(),
        })
    }

    /// One view per cloth of the scene, in its order.
    pub fn cloths<'a>(&'a self, session: &'a Session) -> impl Iterator<Item = ClothView<'a>> {
        let folder = session.setup().folder();
        session.objects().iter().zip(&session.scene().cloths).enumerate().map(move |(i, (object, cloth))| {
            ClothView {
                id: session.setup().topology() << 16 | i as u64,
                positions: self.drawn(session).get(object.particles.clone()).unwrap_or_default(),
                painted: self.painted,
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
        objects.zip(&scene.strands).map(move |((i, object), strands)| {
            let seat = strands.seat(scene);
            let seat = self.solids.iter().find(|(place, _)| Some(*place) == seat);
            let look = &strands.look;
            StrandsView {
                id: session.setup().topology() << 16 | i as u64,
                positions: self.drawn(session).get(object.particles.clone()).unwrap_or_default(),
                guides: &object.guides,
                turn: seat.map_or(Quat::IDENTITY, |(_, solid)| solid.rotation),
                look: StrandLook {
                    root: look.root,
                    tip: look.tip,
                    children: look.children,
                    spread: look.spread,
                    clump: look.clump,
                    width: look.width,
                },
                shading: (!self.scale.quantity.is_look()).then(|| Shading {
                    values: self.scale.values().get(object.particles.clone()).unwrap_or_default(),
                    palette: self.scale.palette,
                }),
            }
        })
    }

    /// Balls at the particles that left first, where they are in the picture.
    fn mark(&mut self, session: &Session) {
        let radius = MARK * spacing(&session.run().state);
        let places =
            session.marked().iter().filter_map(|particle| self.drawn(session).get(*particle).copied());
        let places: Vec<[f32; 4]> = places.collect();
        self.solid.extend(places.into_iter().map(|x| Solid {
            shape: weft_draw::Shape::Sphere { radius },
            position: Vec3::new(x[0], x[1], x[2]),
            rotation: Quat::IDENTITY,
            color: [1.0, 0.05, 0.02],
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
            if let Ok(text) = weft_core::text::read(&project.shaders().join("draw").join(name)) {
                sources.set(name, &text);
            }
        }
    }
    sources
}
