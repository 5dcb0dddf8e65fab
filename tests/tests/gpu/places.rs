//! Passes that bind more buffers than an adapter has places for: OpenGL has 16, and the rods of strands take more.

use tests::{left_out, places};
use weft_draw::{ShaderSources, gl::GlShare, offscreen::Offscreen};
use weft_gpu::{GpuOptions, LinkChoice, link};
use weft_session::{Options, Session};

const NEEDS: &str = "OpenGL 4.3 without a window (libegl1, libgl1-mesa-dri)";

#[test]
fn passes_that_opengl_has_no_places_for_are_refused_by_name_and_the_cpu_goes_on() {
    if left_out("passes_that_opengl_has_no_places_for_are_refused_by_name_and_the_cpu_goes_on", NEEDS) {
        return;
    }
    let mut offscreen = Offscreen::new(&ShaderSources::built_in()).unwrap_or_else(|why| panic!("{why}"));
    let share = GlShare::current().unwrap_or_else(|why| panic!("{why}"));
    offscreen.gl.share(&share);
    let options = GpuOptions { link: LinkChoice::InContext, ..GpuOptions::default() };
    let gpu = link::open(&options, Ok(&share)).unwrap_or_else(|why| panic!("{why}"));
    let places = gpu.limits.max_storage_buffers_per_shader_stage;
    let scene = places::scene("head_turn.ron");
    let mut session =
        Session::open(Options { scene, ..Options::default() }).unwrap_or_else(|why| panic!("{why}"));
    session.set_context(Ok(share));
    session.switch_path(Some(options.clone()));
    for (solver, list) in [
        ("strand_newton", Some("newton.wgsl of strand_newton")),
        ("follow_the_leader", None),
        ("vbd", Some("cosserat.wgsl of vbd_rods")),
        ("verlet", None),
        ("xpbd", Some("compliant.wgsl of xpbd_rods")),
    ] {
        session.choose_solver(solver);
        let frame = session.run().frame;
        session.step().unwrap();
        assert_eq!(session.run().frame, frame + 1, "{solver}: somebody goes on");
        assert!(session.problems().passes.is_empty(), "{solver}: nothing is to be mended");
        let device = session.device();
        let says = |why: &str, list: &str| {
            let [few, binds] = [
                format!("{places} places for buffers in a pass"),
                format!("shaders/sim/strand/{list} binds"),
            ];
            assert!(why.contains(&few) && why.contains(&binds), "{solver}: {why}");
        };
        if let Some(list) = list {
            says(device.refusal().expect("the CPU goes on"), list);
        } else {
            assert_eq!(device.refusal(), None, "{solver}");
            // What is grey in the list of solvers.
            let grey = |name: &str| device.capabilities().solvers.get(name).expect("not offered").as_str();
            says(grey("vbd"), "cosserat.wgsl of vbd_rods");
            says(grey("strand_newton"), "newton.wgsl of strand_newton");
        }
        assert_eq!(session.gpu().is_some(), list.is_none(), "{solver}");
        assert!(session.device().wanted().is_some(), "{solver}: it is asked for still");
    }
}
