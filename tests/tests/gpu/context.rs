//! The GPU path on the context that draws: the same physics, pictures without a copy, and a guard that they need.

use std::process::Command;

use tests::{
    device::Twins,
    fixture::{self, with_solver},
    left_out,
    picture::Picture,
    places, state_points,
};
use weft_draw::{
    Background, ClothLook, ClothView, Ground, Light, ShaderSources, TextureRef,
    gl::{Clock, GlShare},
    offscreen::Offscreen,
};
use weft_engine::run::StepError;
use weft_gpu::{Gpu, GpuOptions, LinkChoice, link, surface::Sheet};
use weft_scene::{
    Scene,
    assemble::{self, Object},
};
use weft_session::{Options, Session};
use weft_window::view;

const FORCES: &str = "shaders/sim/lib/forces.wgsl";
const SURFACE: &str = "shaders/sim/step/surface.wgsl";
const NEEDS: &str = "OpenGL 4.3 without a window (libegl1, libgl1-mesa-dri)";
const SIZE: (u32, u32) = (320, 200);
/// Rest lengths that the two paths may be apart after 20 substeps.
const TOLERANCE: f64 = 1e-3;

/// Solver, list of passes, parameters: each list once.
type Order = (&'static str, &'static str, &'static [(&'static str, f32)]);
const ORDERS: [Order; 13] = [
    ("xpbd", "xpbd_tiled_sweep", &[("order", 0.0)]),
    ("xpbd", "xpbd_coloured", &[("order", 0.0), ("iterations", 4.0)]),
    ("xpbd", "xpbd_jacobi", &[("order", 1.0), ("iterations", 4.0)]),
    ("xpbd", "xpbd_fused", &[("order", 1.0)]),
    ("explicit", "explicit_fused", &[]),
    ("explicit", "explicit_fused_links", &[]),
    ("explicit", "explicit_pair", &[]),
    ("pbd_jacobi", "pbd_jacobi", &[]),
    ("pbd_sor", "pbd_sor", &[("iterations", 3.0), ("stiffness", 0.7)]),
    ("implicit_jacobi", "implicit_jacobi", &[]),
    ("implicit_chebyshev", "implicit_chebyshev", &[("rho", 0.9), ("stiffest", 100.0)]),
    ("vbd", "vbd", &[]),
    ("vbd", "vbd", &[("iterations", 5.0), ("stiffest", 100.0)]),
];

fn options(link: LinkChoice) -> GpuOptions {
    GpuOptions { link, ..GpuOptions::default() }
}

/// A context that draws, and what computes on it.
fn stage() -> (Offscreen, GlShare) {
    let mut offscreen = Offscreen::new(&ShaderSources::built_in()).unwrap_or_else(|why| panic!("{why}"));
    let share = GlShare::current().unwrap_or_else(|why| panic!("{why}"));
    offscreen.gl.share(&share);
    (offscreen, share)
}

fn device(share: &GlShare) -> Gpu {
    link::open(&options(LinkChoice::InContext), Ok(share)).unwrap_or_else(|why| panic!("{why}"))
}

fn small(file: &str, solver: &str) -> Scene {
    with_solver(fixture::small(file, 20, 17), solver)
}

#[test]
fn every_list_of_passes_runs_on_opengl_as_its_twin_does() {
    if left_out("every_list_of_passes_runs_on_opengl_as_its_twin_does", NEEDS) {
        return;
    }
    let (_offscreen, share) = stage();
    let compare = |scene: &Scene, params: &[(&str, f32)], warm, passes: Option<&str>| {
        let params = [params, &[("substeps", 20.0)]].concat();
        let mut twins = Twins::on(device(&share), scene, &params, warm, passes, &|_| {});
        let before = twins.cpu.x().to_vec();
        twins.frame();
        let moved = state_points::apart(&before, twins.cpu.x());
        assert!(moved > 1e-5, "{}: nothing moved", scene.title);
        let (list, apart) = (twins.gpu.list.name.clone(), twins.apart());
        println!("PARITY {} {list} {params:?}: {apart:.2e} rest lengths, {moved:.1e} m", scene.title);
        assert!(apart <= TOLERANCE, "{} {list} {params:?}: {apart} rest lengths", scene.title);
        assert!(twins.gpu.paints(), "{list}");
        list
    };
    for (solver, passes, params) in ORDERS {
        let mut scene = small("drape_on_sphere.ron", solver);
        // xpbd_fused has no contact.
        scene.colliders.retain(|_| passes != "xpbd_fused");
        compare(&scene, params, 45, Some(passes));
    }
    // Coarse constraints.
    let mut scene = small("hanging.ron", "xpbd");
    scene.colliders.clear();
    scene.cloths[0].coarse = Some(weft_scene::Coarse { spacing: 4, ..Default::default() });
    for (order, passes) in [(0.0, "xpbd_coloured"), (1.0, "xpbd_fused")] {
        compare(&scene, &[("order", order)], 20, Some(passes));
    }
    // Hinges, tethers, soft pins, membranes.
    for file in ["sail.ron", "poncho.ron"] {
        compare(&small(file, "xpbd"), &[], 3, None);
    }
    for membrane in ["StVK", "NeoHookean", "Area"] {
        let text = format!(
            r#"(version: 1, cloths: [(id: "a", at: (0.0, 1.0, 0.0),
                shape: Grid(columns: 11, rows: 9, width: 0.5, height: 0.4), pins: [Edge(Top)],
                material: (density: 0.2, sheet: (stretch: 60.0, shear: 20.0, bend: 1e-4),
                    membrane: {membrane}, bending: Dihedral))])"#
        );
        let scene =
            weft_scene::parse_text(membrane, &text, None, &weft_scene::Vocabulary::default()).unwrap().scene;
        compare(&scene, &[], 10, None);
    }
}

/// A scene on the context, with what its picture needs.
struct Show {
    twins: Twins,
    objects: Vec<Object>,
    texture: Option<TextureRef>,
    offscreen: Offscreen,
}

impl Show {
    fn new(file: &str) -> Self {
        let (offscreen, share) = stage();
        let scene = small(file, "xpbd");
        let twins = Twins::on(device(&share), &scene, &[], 30, None, &|_| {});
        let objects = assemble::assemble(&scene).objects;
        let mut show = Self { twins, objects, texture: None, offscreen };
        show.load("checker.png");
        show
    }

    /// Shows another texture.
    fn load(&mut self, file: &str) {
        let path = places::root().join("scenes/textures").join(file);
        let (renderer, mut gl) = self.offscreen.parts();
        let texture = renderer.load_texture(&mut *gl, &path);
        self.texture = Some(texture.unwrap_or_else(|why| panic!("{why}")));
    }

    /// The picture of `positions`; painted by the device, a share of the way between two frames, if there are none.
    fn picture(&mut self, positions: Result<&[[f32; 4]], f32>) -> Picture {
        let Self { twins, objects, texture, offscreen } = self;
        let (texture, mut painted) = (*texture, None);
        let rows = twins.fixture.x().to_vec();
        let drawn = *positions.as_ref().unwrap_or(&rows.as_slice());
        let cloths = |painted: Option<[glam::Vec3; 2]>| -> Vec<ClothView> {
            let numbered = (0..).zip(objects.iter());
            let views = numbered.map(|(id, object)| ClothView {
                id,
                positions: &drawn[object.particles.clone()],
                painted,
                surface: 0,
                triangles: &object.triangles,
                uvs: &object.uvs,
                look: ClothLook { texture, ..ClothLook::default() },
                shading: None,
            });
            views.collect()
        };
        if let Err(share) = positions {
            let vertices = offscreen.vertices(&cloths(None));
            let sheets = objects.iter().zip(vertices);
            let sheets: Vec<Sheet> = sheets
                .map(|(object, vertices)| Sheet { particles: object.particles.clone(), vertices })
                .collect();
            painted = twins.gpu.paint((&sheets, &[]), share).unwrap_or_else(|why| panic!("{why}")).cloth;
            assert!(painted.is_some());
        }
        let (width, height) = SIZE;
        let pixels = offscreen.render(
            &weft_draw::Picture {
                strands: &[],
                camera: view::camera(&twins.fixture.scene.camera),
                light: Light::default(),
                cloths: &cloths(painted),
                solids: &[],
                lines: None,
                ground: Some(Ground::default()),
                background: Background::default(),
            },
            width,
            height,
        );
        let pixels = pixels.as_chunks::<4>().0.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        Picture { width: width as usize, height: height as usize, pixels }
    }

    fn step(&mut self) {
        self.twins.step(&[]).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn what_the_device_paints_is_what_the_host_would_draw() {
    if left_out("what_the_device_paints_is_what_the_host_would_draw", NEEDS) {
        return;
    }
    let mut show = Show::new("curtain_pair.ron");
    for share in [1.0, 0.25] {
        (0..3).for_each(|_| show.step());
        show.twins.gpu.fetch(&mut show.twins.fixture.run).unwrap();
        let before = show.twins.fixture.x().to_vec();
        show.step();
        let painted = show.picture(Err(share));
        show.twins.gpu.fetch(&mut show.twins.fixture.run).unwrap();
        let now = show.twins.fixture.x().to_vec();
        let between =
            before.iter().zip(&now).map(|(a, b)| std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share));
        let between: Vec<[f32; 4]> = if share < 1.0 { between.collect() } else { now.clone() };
        let drawn = show.picture(Ok(&between));
        let differs = painted.difference(&drawn, 8);
        println!("DIFFERENCE at {share}: {differs}");
        assert!(painted.colors() > 500, "{} colours", painted.colors());
        assert!(differs < 2e-3, "a share of {differs} of the pixels differs at {share}");
        // The comparison sees a frame of difference.
        let other = show.twins.cpu.x().to_vec();
        let other = show.picture(Ok(&other));
        assert!(painted.difference(&other, 8) > 2e-3);
    }
}

#[test]
fn without_the_guard_of_the_state_the_picture_is_lost() {
    if left_out("without_the_guard_of_the_state_the_picture_is_lost", NEEDS) {
        return;
    }
    let pictures = |guarded: bool| {
        let mut show = Show::new("flag.ron");
        show.step();
        let first = show.picture(Err(1.0));
        show.offscreen.gl.guarded = guarded;
        (0..20).for_each(|_| show.step());
        // A texture is what wgpu's buffers stay bound for, vertices what its vertex array is.
        show.load("linen.png");
        let last = show.picture(Err(1.0));
        show.offscreen.gl.guarded = true;
        [first, last]
    };
    let [first, whole] = pictures(true);
    let [same, bare] = pictures(false);
    let lost = bare.difference(&whole, 8);
    println!("DIFFERENCE {} in 20 frames, {lost} without the guard", whole.difference(&first, 8));
    assert!(whole.difference(&first, 8) > 0.02, "nothing moves");
    assert!(same == first, "both begin with the same picture");
    assert!(lost > 0.02, "only {lost} of the picture is lost without the guard: it guards nothing");
    // With the guard the picture is the one of a device of its own.
    let mut show = Show::new("flag.ron");
    (0..21).for_each(|_| show.step());
    show.load("linen.png");
    show.twins.gpu.fetch(&mut show.twins.fixture.run).unwrap();
    let positions = show.twins.fixture.x().to_vec();
    assert!(show.picture(Ok(&positions)).difference(&whole, 8) < 2e-3);
}

/// A session on the context.
fn session(share: &GlShare) -> Session {
    let options = Options { scene: places::scene("hanging.ron"), ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|why| panic!("{why}"));
    session.set_context(Ok(share.clone()));
    session
}

#[test]
fn live_passes_parity_and_nan_are_as_on_an_adapter_of_its_own() {
    if left_out("live_passes_parity_and_nan_are_as_on_an_adapter_of_its_own", NEEDS) {
        return;
    }
    let (_offscreen, share) = stage();
    let mut session = session(&share);
    session.use_gpu(&options(LinkChoice::InContext)).unwrap();
    assert!(session.paints());
    session.step().unwrap();
    session.check_parity();
    let parity = session.device().parity().cloned().unwrap().unwrap();
    println!("PARITY {}", parity.text());
    assert!(parity.is_good(), "{}", parity.text());
    let text = session.gpu().unwrap().sources().text(FORCES).unwrap().to_string();
    let (gpu, run) = session.on_device().unwrap();
    let error = gpu.edit(run, FORCES, &text.replace("gravity * h", "gravity * hh")).unwrap_err();
    assert!(error.to_string().starts_with(FORCES), "{error}");
    let before = gpu.read("particle", "position").unwrap();
    gpu.edit(run, FORCES, &text.replace("gravity * h", "gravity * sqrt(-h)")).unwrap();
    match session.step() {
        Err(StepError::NotFinite { .. }) => {}
        other => panic!("{other:?}"),
    }
    let (gpu, run) = session.on_device().unwrap();
    assert_eq!(gpu.read("particle", "position").unwrap(), before, "the frame is undone");
    gpu.edit(run, FORCES, &text).unwrap();
    session.set_paused(false);
    session.step().unwrap();
    // The surface is live as well.
    let (gpu, run) = session.on_device().unwrap();
    let surface = gpu.sources().text(SURFACE).unwrap().to_string();
    let error = gpu.edit(run, SURFACE, &surface.replace("let own", "let owned")).unwrap_err();
    assert!(error.to_string().contains("own"), "{error}");
    assert_eq!(gpu.edit(run, SURFACE, &(surface + "\n")).unwrap(), 3);
    session.use_cpu().unwrap();
}

#[test]
fn a_link_that_is_not_there_is_said() {
    if left_out("a_link_that_is_not_there_is_said", NEEDS) {
        return;
    }
    let (_offscreen, share) = stage();
    let open = |link, share| link::open(&options(link), share);
    let refusal = open(LinkChoice::InContext, Err("no picture")).err().unwrap();
    assert_eq!(refusal, "--link in-context: no picture; left out, the link is one that works here");
    let asked = open(LinkChoice::Readback, Ok(&share)).unwrap();
    assert_eq!(asked.link, weft_gpu::Link::Readback { why: "asked for".into() });
    let other = open(LinkChoice::Auto, Err("no picture")).unwrap();
    assert_eq!(other.link, weft_gpu::Link::Readback { why: "no picture".into() });
    let auto = open(LinkChoice::Auto, Ok(&share)).unwrap();
    println!("AUTO {:?}", auto.link);
    let none = GpuOptions { adapter: Some("abacus".into()), ..options(LinkChoice::InContext) };
    let refusal = link::open(&none, Ok(&share)).err().unwrap();
    assert!(refusal.contains("which is not `abacus`"), "{refusal}");
    let clock = Clock::new(&share).unwrap();
    clock.begin();
    clock.end();
    assert!(clock.ms() < 1e3);
}

#[test]
fn the_bench_draws_over_both_links_and_no_library_makes_noise() {
    if left_out("the_bench_draws_over_both_links_and_no_library_makes_noise", "the program beside it") {
        return;
    }
    let folder = places::temporary("bench-draw");
    // Without a session's folder of its own, which Wayland's library complains about.
    let weft = |arguments: &[&str]| {
        let mut command = Command::new(places::weft());
        command.args(arguments).current_dir(places::root()).env_remove("XDG_RUNTIME_DIR");
        command.output().unwrap_or_else(|error| panic!("{error}"))
    };
    // The particles of a cloth and of strands, and the hairs that are drawn around these.
    let bench = |kind: &str, solver: &str, n: u32, link: &str, [particles, hairs]: [u32; 2]| {
        let file = folder.join(format!("{kind}-{link}.png"));
        // As many frames on a busy machine, too.
        let line =
            format!("bench --path gpu --kind {kind} --solver {solver} -n {n} -f 6 -b 600 -s 4 --link {link}");
        let size = format!("{}x{}", SIZE.0, SIZE.1);
        let mut arguments: Vec<&str> = line.split(' ').collect();
        arguments.extend(["--draw", &size, "--shot", file.to_str().unwrap()]);
        let output = weft(&arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && err.is_empty(), "{out}{err}");
        let line: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(line["link"].as_str(), Some(link), "{out}");
        let counts = ["particles", "hairs"].map(|name| line[name].as_u64());
        assert_eq!(counts, [particles, hairs].map(|count| Some(count.into())), "{out}");
        assert!(line["ms_med"].as_f64().unwrap() > 0.0 && line["draw_device_ms"].is_f64(), "{out}");
        Picture::png(&file)
    };
    let runs = [("distance", "xpbd", 33, [33 * 33, 0]), ("hair", "verlet", 40, [40 * 32, 100_000])];
    for (kind, solver, n, counts) in runs {
        let shots = ["in-context", "readback"].map(|link| bench(kind, solver, n, link, counts));
        let differs = shots[0].difference(&shots[1], 8);
        println!("DIFFERENCE {kind}: {differs}");
        assert!(shots[0].colors() > 300 && differs < 5e-3, "{kind}: {differs} of the pixels differ");
    }
    let scene = places::scene("hanging.ron");
    let arguments =
        ["run", scene.to_str().unwrap(), "--path", "gpu", "--link", "in-context", "--frames", "1"];
    let output = weft(&arguments);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(err.starts_with("--link in-context: nothing is drawn while this runs; "), "{err}");
}
