//! Strands on the GPU path: what is cut off falls, and iterations that may run away are left to the CPU.

use tests::{
    device::{Twins, on_device},
    fixture::{Fixture, vector},
    left_out,
};
use weft_core::state::col;

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

fn text(solver: &str, strands: &str) -> String {
    format!(
        "(version: 1, air_damping: 0, wind: (coefficient: 0), solver: (name: \"{solver}\"), strands: [{strands}])"
    )
}

/// A rope with a free root that hangs from its tip: what is on the root's side of a cut falls as a stone does.
#[test]
fn the_side_of_a_free_root_falls_at_once_under_vbd() {
    if left_out("the_side_of_a_free_root_falls_at_once_under_vbd", NEEDS) {
        return;
    }
    let rope = "(id: \"ropes\", length: 0.4, particles: 24, root: Free,
                 material: (young: 1e7, radius: (0.003, 0.003), density: 800, tear: (strain: 0)),
                 roots: Row(from: (0, 0.6, 0), to: (0, 0.6, 0.3), count: 4, direction: (0, 1, 0)))";
    let row = |fixture: &Fixture, strand: usize, i: u32| {
        let [first, stride, _] = fixture.run.state.get(col::strand::span)[strand];
        (first + stride * i) as usize
    };
    let cut = |fixture: &mut Fixture| {
        for strand in 0..4 {
            let tip = row(fixture, strand, 23);
            fixture.x_mut()[tip][3] = 0.0;
        }
        fixture.frames(10);
        let segment = [row(fixture, 0, 11), row(fixture, 0, 12)].map(|particle| particle as u32);
        let state = &mut fixture.run.state;
        let thread = state.get(col::thread::ends).binary_search(&segment).expect("a segment");
        state.get_mut(col::thread::broken)[thread] = 1;
    };
    let scene = Fixture::new(&text("vbd", rope)).scene;
    let mut twins = Twins::with(&scene, &[], 0, Some("vbd_rods"), &cut);
    let part = |fixture: &Fixture| {
        let mean =
            |rows: &[[f32; 4]]| (0..12).map(|i| vector(rows[row(fixture, 0, i)])).sum::<glam::DVec3>() / 12.0;
        (mean(fixture.x()), mean(fixture.v()))
    };
    let (from, speed) = part(&twins.fixture);
    (0..6).for_each(|_| twins.frame());
    // g t² / 2, and half a substep more or less.
    let (to, after) = part(&twins.fixture);
    let (way, got) = (to - from - speed * 0.1, after - speed);
    assert!((way.y + 0.049).abs() < 0.004, "it fell by {way}");
    assert!((got.y + 0.981).abs() < 0.03, "it got {got} m/s");
    let held = row(&twins.fixture, 1, 0);
    assert!(vector(twins.fixture.v()[held]).length() < 0.2, "what is whole hangs on");
}

/// Passes do not see where acceleration makes things worse.
#[test]
fn accelerated_iterations_are_not_offered_for_strands() {
    if left_out("accelerated_iterations_are_not_offered_for_strands", NEEDS) {
        return;
    }
    let mut fixture = Fixture::new(&text(
        "implicit_chebyshev",
        "(id: \"hair\", length: 0.1, roots: Points(at: [(0, 1, 0)]))",
    ));
    let why = on_device(&mut fixture, None).err().expect("refused");
    assert!(why.contains("implicit_chebyshev needs a scene without strands"), "{why}");
}
