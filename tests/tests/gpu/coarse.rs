//! Coarse constraints on the GPU path, on the software adapter: cloth goes the way that it goes on the CPU.

use tests::{
    device::{Order, Twins},
    fixture::Fixture,
    left_out,
};
use weft_core::state::{Snapshot, col};

use super::parity::{Outcome, TOLERANCE};

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// Every list for cloth, with numbers of sweeps that take none, one and several dispatches.
const ORDERS: [Order; 10] = [
    ("xpbd", "xpbd_tiled", &[("order", 0.0)]),
    ("xpbd", "xpbd_tiled_sweep", &[("order", 0.0), ("coarse", 3.0)]),
    ("xpbd", "xpbd_coloured", &[("order", 0.0), ("iterations", 3.0), ("coarse", 1.0)]),
    ("xpbd", "xpbd_coloured", &[("order", 0.0), ("coarse", 0.0)]),
    ("xpbd", "xpbd_fused", &[("order", 1.0)]),
    ("xpbd", "xpbd_fused", &[("order", 1.0), ("coarse", 0.0)]),
    ("xpbd", "xpbd_fused_links", &[("order", 1.0), ("coarse", 5.0)]),
    ("xpbd", "xpbd_jacobi", &[("order", 1.0), ("iterations", 3.0), ("coarse", 4.0)]),
    ("pbd_jacobi", "pbd_jacobi", &[("iterations", 3.0)]),
    ("pbd_sor", "pbd_sor", &[("iterations", 3.0), ("coarse", 1.0)]),
];

/// A sheet that hangs by two corners, behind another one without coarse constraints.
fn scene(solver: &str, tear: &str, strands: &str) -> weft_scene::Scene {
    let text = format!(
        r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "{solver}", params: {{"substeps": 20}}), {strands}
            cloths: [
                (id: "plain", rotation: (90.0, 0.0, 0.0), at: (3.0, 0.0, 0.0), pins: [Corner(TopLeft)],
                    shape: Grid(columns: 11, rows: 9, width: 0.4, height: 0.4),
                    material: (compliance: (structural: 1e-6, shear: 1e-3, bend: 1e-2))),
                (id: "held", rotation: (90.0, 0.0, 0.0), coarse: (spacing: 4), pins: [Corner(TopLeft), Corner(TopRight)],
                    shape: Grid(columns: 63, rows: 58, width: 2.0, height: 1.8),
                    material: (compliance: (structural: 0.0, shear: 1e-3, bend: 1e-2) {tear}))])"#
    );
    let vocabulary = weft_scene::Vocabulary::default();
    weft_scene::parse_text("held", &text, None, &vocabulary).unwrap_or_else(|e| panic!("{e}")).scene
}

/// Mean distance that the nodes moved in the last substep on the CPU [m].
fn moved(twins: &Twins) -> f32 {
    twins.cpu.run.readings.get("coarse_moved").copied().unwrap_or(0.0)
}

#[test]
fn coarse_constraints_hold_cloth_as_on_the_cpu() {
    if left_out("coarse_constraints_hold_cloth_as_on_the_cpu", NEEDS) {
        return;
    }
    for (solver, passes, params) in ORDERS {
        let mut twins = Twins::new(&scene(solver, "", ""), params, 8, Some(passes));
        let mut before = Snapshot::default();
        before.take(&twins.cpu.run.state);
        twins.same_frame(&format!("{passes} {params:?}"), 1e-4);
        twins.same_outcome(passes);
        let none = params.contains(&("coarse", 0.0));
        assert_eq!(moved(&twins) > 0.0, !none, "{passes} {params:?}");
        // The same frame without is another one.
        before.restore(&mut twins.cpu.run.state);
        twins.cpu.run.params.insert("coarse".into(), 0.0);
        twins.cpu.frames(1);
        assert!(none || twins.apart() > 3.0 * TOLERANCE, "{passes} {params:?}: {}", twins.apart());
    }
}

#[test]
fn coarse_constraints_hold_cloth_beside_strands() {
    if left_out("coarse_constraints_hold_cloth_beside_strands", NEEDS) {
        return;
    }
    let hair = r#"strands: [(id: "hair", length: 0.3, particles: 8, seat: World,
        roots: Row(from: (-1, 1, 1), to: (1, 1, 1), count: 3, direction: (1, -0.2, 0.3)))],"#;
    for (solver, passes) in [("strand_newton", "strand_newton"), ("xpbd", "xpbd_rods")] {
        let mut twins = Twins::new(&scene(solver, "", hair), &[], 8, Some(passes));
        twins.same_frame(passes, 1e-4);
        assert!(moved(&twins) > 0.0, "{passes}");
    }
}

#[test]
fn cloth_that_is_cut_goes_on_without() {
    if left_out("cloth_that_is_cut_goes_on_without", NEEDS) {
        return;
    }
    for (passes, order) in [("xpbd_coloured", 0.0), ("xpbd_fused_links", 1.0)] {
        let mut twins = Twins::new(&scene("xpbd", ", tear: ()", ""), &[("order", order)], 8, Some(passes));
        twins.same_frame(passes, 1e-4);
        assert!(moved(&twins) > 0.0, "{passes}");
        let cut = |fixture: &mut Fixture| {
            fixture.run.state.get_mut(col::thread::broken)[100] = 1;
            assert!(fixture.run.state.compact());
            fixture.run.readings.clear();
        };
        cut(&mut twins.cpu);
        cut(&mut twins.fixture);
        twins.same_frame(&format!("{passes}, cut"), 1e-4);
        assert_eq!(moved(&twins), 0.0, "{passes}");
    }
}
