//! Strands on bodies with a mass on the GPU path: both go as their twins do, and keep their momentum.

use glam::DVec3;
use sim_api::Key;
use tests::{device::Twins, fixture::vector, left_out};
use weft_core::{state::State, statistics::largest};

use super::strands::{self, NEEDS};

fn rows(state: &State, column: &'static str) -> Vec<DVec3> {
    state.get(Key::<[f32; 4]>::new("collider", column)).iter().map(|row| vector(*row)).collect()
}

/// Hair, clamped and pinned, on a ball that a cord holds, from which a box hangs by another one.
fn scene(solver: &str) -> weft_scene::Scene {
    let wool = "length: 0.12, particles: 9, seat: Collider(\"ball\"), material: (young: 1e8, shear: 4e7, radius: (5e-4, 5e-4), density: 800)";
    let cord = "particles: 13, root: Pinned, tip: Pinned, material: (young: 1e8, shear: 4e7, radius: (3e-3, 3e-3), density: 900)";
    strands::scene(
        solver,
        &format!(
            "wind: (coefficient: 0), strands: [
              (id: \"cord\", roots: Points(at: [(0, 1.5, 0)], direction: (0.6, -0.8, 0)), length: 0.4, tip_seat: Collider(\"ball\"), {cord}),
              (id: \"clamped\", roots: Cap(axis: (0, -1, 0), angle: 100, count: 70), root: Clamped, {wool}),
              (id: \"pinned\", roots: Cap(axis: (0, 1, 0), angle: 60, count: 20), root: Pinned, {wool}),
              (id: \"lower\", seat: Collider(\"ball\"), roots: Points(at: [(0.05, 0, 0)], direction: (1, 0, 0)), length: 0.3,
               tip_seat: Collider(\"crate\"), {cord})],
             colliders: [
              (id: \"ball\", shape: Sphere(radius: 0.05), at: (0.27, 1.14, 0), mass: 0.4, thickness: 0.003, velocity: (0, 0, 0.5)),
              (id: \"crate\", shape: Box(half: (0.03, 0.02, 0.04)), at: (0.65, 1.14, 0), mass: 0.2, thickness: 0.003)]"
        ),
    )
}

#[test]
fn bodies_that_hold_strands_go_as_their_twins_do() {
    if left_out("bodies_that_hold_strands_go_as_their_twins_do", NEEDS) {
        return;
    }
    for (solver, passes, params) in [
        strands::NEWTON,
        ("xpbd", "xpbd_rods", &[("iterations", 3.0)]),
        ("vbd", "vbd_rods", &[("iterations", 3.0)]),
        ("verlet", "verlet", &[("iterations", 5.0)]),
    ] {
        let mut twins = Twins::new(&scene(solver), &[params, &[("substeps", 8.0)]].concat(), 2, Some(passes));
        let mut apart = [0.0_f64; 2];
        for _ in 0..3 {
            twins.frame();
            let [cpu, gpu] = [&twins.cpu.run.state, &twins.fixture.run.state];
            let way = |column| {
                largest(rows(cpu, column).into_iter().zip(rows(gpu, column)).map(|(a, b)| a.distance(b)))
            };
            apart = [largest([apart[0], way("position")]), largest([apart[1], way("rotation")])];
        }
        let [fallen, left] =
            [rows(&twins.fixture.run.state, "velocity")[0], DVec3::new(0.0, -9.81 / 12.0, 0.5)];
        let strands = twins.apart();
        println!("MOUNTS {passes}: bodies {apart:?} apart, strands {strands:.1e} rest lengths");
        assert!(apart[0] < 2e-6 && apart[1] < 2e-5, "{passes}: bodies are {apart:?} apart");
        assert!(strands < 5e-3, "{passes}: strands are {strands} rest lengths apart");
        // It does not fall freely: the cord holds it.
        assert!((fallen - left).length() > 0.05, "{passes}: the ball falls as if nothing held it: {fallen}");
    }
}
