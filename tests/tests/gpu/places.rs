//! Passes that name more columns than an adapter has places for: OpenGL has 16, and the rods of strands take more. Given ones share a
//! buffer then.

use tests::{
    device::{self, on},
    fixture::{Fixture, small},
    left_out, long, places,
    state_points::apart,
};
use weft_draw::{ShaderSources, gl::GlShare, offscreen::Offscreen};
use weft_gpu::{Gpu, GpuOptions, LinkChoice, link, passes};
use weft_scene::Edit;
use weft_session::{Options, Session};

const NEEDS: &str = "OpenGL 4.3 without a window (libegl1, libgl1-mesa-dri)";

fn options() -> GpuOptions {
    GpuOptions { link: LinkChoice::InContext, ..GpuOptions::default() }
}

/// A picture's context, and the device on it.
fn in_context() -> (Offscreen, GlShare, Gpu) {
    let mut offscreen = Offscreen::new(&ShaderSources::built_in()).unwrap_or_else(|why| panic!("{why}"));
    let share = GlShare::current().unwrap_or_else(|why| panic!("{why}"));
    offscreen.gl.share(&share);
    let gpu = link::open(&options(), Ok(&share)).unwrap_or_else(|why| panic!("{why}"));
    (offscreen, share, gpu)
}

/// A head that turns, and a ball with a mass that swings: what moves colliders and what a slider changes reach the shared buffer too.
#[test]
fn strands_go_on_opengl_as_on_the_cpu() {
    if left_out("strands_go_on_opengl_as_on_the_cpu", NEEDS) {
        return;
    }
    let (_offscreen, share, gpu) = in_context();
    let places = gpu.limits.max_storage_buffers_per_shader_stage;
    drop(gpu);
    let runs = [
        ("head_turn.ron", "strand_newton"),
        ("pompom.ron", "vbd"),
        ("head_turn.ron", "xpbd"),
        ("pompom.ron", "strand_newton"),
        ("pompom.ron", "verlet"),
    ];
    for (file, solver) in runs.into_iter().take(if long() { runs.len() } else { 3 }) {
        let scene = places::scene(file);
        // Hair that lies on its head sticks or slips by a rounding.
        let upright =
            (file == "head_turn.ron").then(|| ("strands[0].roots.lean".to_string(), "0".to_string()));
        let set = Vec::from_iter(upright);
        let run = |link: Option<LinkChoice>| {
            let mut session =
                Session::open(Options { scene: scene.clone(), set: set.clone(), ..Options::default() })
                    .unwrap_or_else(|e| panic!("{e}"));
            session.set_context(Ok(share.clone()));
            session.choose_solver(solver);
            if let Some(link) = link {
                let on = GpuOptions { link, adapter: Some(device::adapter()), ..GpuOptions::default() };
                session.use_gpu(&on).unwrap_or_else(|why| panic!("{file}, {solver}, {places} places: {why}"));
            }
            for frame in 0..4 {
                if frame == 2 {
                    let path = format!("strands.{}.material.young", session.scene().strands[0].id);
                    session.edit(&path, &Edit::Numbers(vec![5e7])).unwrap_or_else(|e| panic!("{e}"));
                }
                session.step().unwrap_or_else(|e| panic!("{e}"));
            }
            assert_eq!(session.gpu().is_some(), link.is_some(), "{file}, {solver}: it runs there");
            session.read_all();
            session.positions().to_vec()
        };
        let [cpu, shared, alone] = [None, Some(LinkChoice::InContext), Some(LinkChoice::Readback)].map(run);
        let (off, own) = (apart(&cpu, &shared), apart(&cpu, &alone));
        println!(
            "PLACES {file} {solver}: {off:.1e} m apart on {places} places, {own:.1e} with places for all"
        );
        assert!(off < 2.0 * own + 1e-5, "{file}, {solver}: {off} m apart, {own} with places for all");
    }
}

/// What is written cannot be shared.
#[test]
fn more_than_there_are_places_for_is_refused_by_name() {
    if left_out("more_than_there_are_places_for_is_refused_by_name", NEEDS) {
        return;
    }
    let (_offscreen, _share, gpu) = in_context();
    let allows = gpu.limits.max_storage_buffers_per_shader_stage;
    let mut sources = passes::Sources::built_in();
    let file = passes::path("step/predict");
    let text = sources.text(&file).expect("it is there").to_string();
    let more = |line: fn(u32) -> String| (0..=allows).map(line).collect::<String>();
    let declared = more(|n| format!("var<storage> particle_more{n}: array<f32>;\n"));
    let written = more(|n| format!("    particle_more{n}[i] = 1.0;\n"));
    let marked = text.replace("@rows(128)", &format!("{declared}\n@rows(128)"));
    let (head, tail) = marked.split_once("fn main(i: u32) {\n").expect("an entry point");
    sources.set(&file, &format!("{head}fn main(i: u32) {{\n{written}{tail}"));
    let mut fixture = Fixture::of(small("hanging.ron", 9, 9));
    let why = on(gpu, sources, &mut fixture, None).err().expect("too many");
    assert!(
        why.contains(&format!("{allows} places for buffers in a pass")) && why.contains("predict"),
        "{why}"
    );
}
