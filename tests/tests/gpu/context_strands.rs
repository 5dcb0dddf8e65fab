//! The picture of strands that the device of a picture's context writes, against that of the same places in the processor's memory.

use glam::{Vec2, Vec3};
use tests::{left_out, picture::Picture, places};
use weft_draw::{Camera, Quality, RibbonJob, ShaderSources, Viewport, gl::GlShare, offscreen::Offscreen};
use weft_gpu::{GpuOptions, LinkChoice, ReadbackScope};
use weft_session::{Options, Session};
use weft_window::view::{self, View};

const NEEDS: &str = "OpenGL 4.3 without a window (libegl1, libgl1-mesa-dri)";
const SIZE: (u32, u32) = (280, 240);
/// Share of pixels that may be another colour, by more than 8 of 255: hairs are as thin as pixels, and round differently.
const OFF: f64 = 1e-3;

/// A session on the context that draws it.
struct Show {
    session: Session,
    view: View,
    offscreen: Offscreen,
}

impl Show {
    /// A scene with other values, moved by passes that are cheap to compile.
    fn new(file: &str, set: &[(&str, &str)], quality: Quality) -> Self {
        let mut offscreen = Offscreen::new(&ShaderSources::built_in()).unwrap_or_else(|why| panic!("{why}"));
        let share = GlShare::current().unwrap_or_else(|why| panic!("{why}"));
        offscreen.gl.share(&share);
        let (renderer, mut gl) = offscreen.parts();
        renderer.set_quality(&mut *gl, quality);
        drop(gl);
        let set = set.iter().map(|(path, value)| (path.to_string(), value.to_string())).collect();
        let options = Options { scene: places::scene(file), set, ..Options::default() };
        let mut session = Session::open(options).unwrap_or_else(|why| panic!("{why}"));
        session.set_context(Ok(share));
        session.choose_solver("verlet");
        let on = GpuOptions { link: LinkChoice::InContext, ..GpuOptions::default() };
        session.use_gpu(&on).unwrap_or_else(|why| panic!("{file}: {why}"));
        session.set_readback(ReadbackScope::Drawn);
        Self { session, view: View::default(), offscreen }
    }

    fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| drop(self.session.step().unwrap_or_else(|error| panic!("{error}"))));
    }

    /// That of the scene, or one that is nearer to a strand.
    fn camera(&self, nearer: f32) -> Camera {
        let camera = view::camera(&self.session.scene().camera);
        let positions = self.session.positions();
        let [x, y, z, _] = positions[positions.len() * 3 / 4];
        let target = if nearer > 1.0 { Vec3::new(x, y, z) } else { camera.target };
        Camera { target, distance: camera.distance / nearer, ..camera }
    }

    /// What the window does before it draws; what the device was asked to write of strands.
    fn paint(&mut self, share: f32, camera: Camera) -> Vec<RibbonJob> {
        let Self { session, view, offscreen } = self;
        view.update(session, share, None);
        assert!(view.on_device, "it draws from the device");
        let (renderer, mut gl) = offscreen.parts();
        let vertices = renderer.vertices(&mut *gl, &view.cloths(session).collect::<Vec<_>>());
        let tables = renderer.strand_tables(&mut *gl, &view.strands(session).collect::<Vec<_>>());
        drop(gl);
        view.painted = session.paint((&vertices, &tables), share);
        assert!(view.painted.is_some());
        let part = Viewport { x: 0, y: 0, width: SIZE.0 as i32, height: SIZE.1 as i32 };
        let (renderer, mut gl) = offscreen.parts();
        let jobs = view.picture(session, camera, |picture| renderer.ribbon_jobs(&mut *gl, picture, part));
        drop(gl);
        let done = session.write_ribbons(&jobs).expect("the device works");
        let (renderer, mut gl) = offscreen.parts();
        renderer.take_ribbons(&mut *gl, &jobs, &done);
        jobs
    }

    fn picture(&mut self, camera: Camera) -> Picture {
        let Self { session, view, offscreen } = self;
        let (width, height) = SIZE;
        let pixels = view.picture(session, camera, |picture| offscreen.render(picture, width, height));
        let pixels = pixels.as_chunks::<4>().0.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        Picture { width: width as usize, height: height as usize, pixels }
    }

    /// A picture from the device, those of the same places and of the ones before on the host, and what the device was asked.
    fn pictures(&mut self, name: &str, share: f32, nearer: f32) -> ([Picture; 3], Vec<RibbonJob>) {
        self.session.read(ReadbackScope::Positions);
        let camera = self.camera(nearer);
        let before = self.session.positions().to_vec();
        self.steps(1);
        let jobs = self.paint(share, camera);
        let device = self.picture(camera);
        self.session.read(ReadbackScope::Positions);
        let part = |(a, b): (&[f32; 4], &[f32; 4])| std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share);
        (self.view.on_device, self.view.painted) = (false, None);
        self.view.positions = before.iter().zip(self.session.positions()).map(part).collect();
        let host = self.picture(camera);
        self.view.positions = before;
        let old = self.picture(camera);
        if let Some(folder) = std::env::var_os("WEFT_TESTS_PICTURES") {
            for (from, picture) in [("device", &device), ("host", &host)] {
                let rgba: Vec<u8> = picture.pixels.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
                let file = std::path::Path::new(&folder).join(format!("{name}-{from}.png"));
                weft_draw::png::save(&file, &rgba, SIZE).unwrap_or_else(|why| panic!("{why}"));
            }
        }
        ([device, host, old], jobs)
    }

    /// The same, compared: they are one picture, and a frame of difference would be seen.
    fn compare(&mut self, name: &str, share: f32, nearer: f32) -> Vec<RibbonJob> {
        let ([device, host, old], jobs) = self.pictures(name, share, nearer);
        let [off, moved, any] =
            [(&host, 8), (&old, 8), (&host, 0)].map(|(other, by)| device.difference(other, by));
        println!(
            "DIFFERENCE {name}: {off:.1e} ({any:.1e} at all), {moved:.1e} in a frame, {} colours",
            host.colors()
        );
        assert!(host.colors() > 300, "{name}: {} colours", host.colors());
        assert!(off <= OFF, "{name}: a share of {off} of the pixels differs");
        assert!(moved > 4.0 * OFF, "{name}: a share of {moved} moves");
        jobs
    }
}

/// Few enough that pictures are drawn at once.
const FEW: [(&str, &str); 2] = [("strands[0].roots.count", "60"), ("strands[0].look.children", "12")];

/// Seats that turn, hairs between strands, splines, layers of light and plain shadows, near and far.
#[test]
fn strands_from_the_device_look_as_those_from_the_host() {
    if left_out("strands_from_the_device_look_as_those_from_the_host", NEEDS) {
        return;
    }
    for quality in [Quality::Fine, Quality::Fast] {
        let mut show = Show::new("curls.ron", &FEW, quality);
        show.steps(3);
        let parts = [(0.3, 0.25), (1.0, 1.0), (0.5, 4.0)].map(|(share, nearer)| {
            let jobs = show.compare(&format!("curls-{quality:?}-{nearer}"), share, nearer);
            assert!(jobs.len() == 1 && jobs[0].interpolated);
            jobs[0].buffers.places
        });
        assert!(parts[0] < parts[2], "close by segments are drawn in parts: {parts:?}");
    }
}

/// Rings, strands of two lists, strands that cloth bears; and hair that is cut.
#[test]
fn rings_fringes_and_cut_hair_are_drawn_from_the_device() {
    if left_out("rings_fringes_and_cut_hair_are_drawn_from_the_device", NEEDS) {
        return;
    }
    for file in ["rings.ron", "fringe_on_cloth.ron"] {
        let mut show = Show::new(file, &[], Quality::Fine);
        let lists = show.session.scene().strands.len();
        assert_eq!(show.compare(file, 0.6, 1.0).len(), lists, "{file}");
    }
    let mut show = Show::new("haircut.ron", &FEW, Quality::Fine);
    let whole = show.compare("haircut-whole", 1.0, 1.0);
    let height =
        show.session.positions().iter().map(|x| x[1]).sum::<f32>() / show.session.positions().len() as f32;
    let seen = |at: Vec3| Some(Vec2::new(at.z, at.y));
    let segments = show.session.cut(Vec2::new(-9.0, height), Vec2::new(9.0, height), seen).expect("a cut");
    assert!(segments > 10, "{segments} segments are cut");
    show.steps(3);
    let cut = show.compare("haircut-cut", 1.0, 1.0);
    assert!(cut[0].buffers.made != whole[0].buffers.made, "other tables");
}

/// Of a frame that is drawn from the device a few words come back: how the step went, boxes, how many corners there are.
#[test]
fn no_place_of_a_strand_comes_back_for_its_picture() {
    if left_out("no_place_of_a_strand_comes_back_for_its_picture", NEEDS) {
        return;
    }
    let mut show = Show::new("curls.ron", &FEW, Quality::Fast);
    let camera = show.camera(1.0);
    show.steps(1);
    show.paint(1.0, camera);
    let read = |show: &Show| show.session.gpu().expect("it runs there").gpu.bytes_read();
    let before = read(&show);
    show.steps(4);
    let step = read(&show) - before;
    for share in [0.5, 1.0] {
        show.paint(share, camera);
        show.picture(camera);
    }
    let picture = read(&show) - before - step;
    let places = 16 * show.session.positions().len() as u64;
    println!("BYTES {} a step, {} a picture, {places} of positions", step / 4, picture / 2);
    assert!(step / 4 + picture / 2 < places / 20, "{step} and {picture}");
    // The state is as it was, until somebody asks.
    let old = show.session.positions().to_vec();
    show.session.read(ReadbackScope::Positions);
    assert!(old != show.session.positions() && read(&show) - before >= places);
}

/// Numbers are the host's: they, and the places that they are drawn at, come back.
#[test]
fn numbers_of_strands_are_drawn_from_the_host() {
    if left_out("numbers_of_strands_are_drawn_from_the_host", NEEDS) {
        return;
    }
    let mut show = Show::new("curls.ron", &FEW, Quality::Fast);
    show.steps(1);
    show.view.update(&show.session, 1.0, None);
    assert!(show.view.on_device);
    show.view.scale.quantity = view::Quantity::named("tension").expect("a number of strands");
    show.session.set_readback(ReadbackScope::All);
    show.steps(1);
    show.view.update(&show.session, 1.0, None);
    assert!(!show.view.on_device && show.view.positions == show.session.positions());
    let camera = show.camera(1.0);
    let tension = show.picture(camera);
    show.view.scale.quantity = view::Quantity::look();
    show.paint(1.0, camera);
    let look = show.picture(camera);
    assert!(tension.difference(&look, 8) > 0.02, "colours show numbers");
    // A pass of the picture is live.
    let file = weft_gpu::ribbons::FILES[0];
    let (gpu, run) = show.session.on_device().expect("it runs there");
    let text = gpu.sources().text(file).expect("it is there").to_string();
    let wrong = gpu.edit(run, file, &text.replace("var aside", "var asid")).expect_err("a mistake");
    assert!(wrong.to_string().contains("aside"), "{wrong}");
    gpu.edit(run, file, &text.replace("* share) * share) * share", "* share) * share) * share * 1.0"))
        .expect("it is right");
    show.paint(1.0, camera);
    assert!(show.picture(camera).difference(&look, 8) <= OFF);
}
