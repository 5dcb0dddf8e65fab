//! The couple of a clamp on cloth is left out: cloth and strands together gain angular momentum by it, and how much that is.

use tests::fixture::Fixture;

/// What a free and weightless sheet of 63 particles and the yarn along its hem, which swings, gain of their angular momentum about x
/// in 30 ms. Shares of what there was.
fn gained(root: &str, young: f64) -> f64 {
    let mut fixture = Fixture::new(&format!(
        "(version: 1, step: 5e-4, gravity: (0, 0, 0), air_damping: 0, wind: (coefficient: 0),
          solver: (name: \"strand_newton\", params: {{\"substeps\": 4, \"strand_iterations\": 6}}),
          cloths: [(id: \"sheet\", shape: Grid(columns: 9, rows: 7, width: 0.5, height: 0.35), at: (0, 1, 0),
                    material: (density: 0.5, compliance: (structural: 1e-3, shear: 1e-2, bend: 0.1)))],
          strands: [(id: \"fringe\", seat: Cloth(\"sheet\"), length: 0.1, particles: 10, root: {root},
                     roots: Edge(side: Bottom, count: 11),
                     material: (young: {young}, shear: {young}, radius: (8e-4, 8e-4), density: 800))])"
    ));
    let hem = fixture.x()[62][1];
    let down: Vec<f32> = fixture.x().iter().map(|x| hem - x[1]).collect();
    for (v, down) in fixture.v_mut().iter_mut().zip(down).skip(63) {
        v[2] = 5.0 * down.max(0.0);
    }
    let start = fixture.angular_momentum();
    fixture.frames(60);
    (fixture.angular_momentum() - start).x / start.length()
}

/// A known failure, and all of it: what is pinned keeps its angular momentum, and so does yarn that hardly bends.
#[test]
fn the_couple_of_a_clamp_is_what_angular_momentum_lacks() {
    let pinned = gained("Pinned", 1e7);
    let clamped = [1e3, 1e6, 1e7].map(|young| gained("Clamped", young));
    println!("COUPLE pinned {pinned:.1e}, clamped {clamped:.4?}");
    assert!(pinned.abs() < 5e-4, "pinned roots gain {pinned}");
    let [limp, yarn, stiff] = clamped;
    assert!(limp.abs() < 5e-4, "limp yarn gains {limp}");
    assert!((0.004..0.01).contains(&yarn), "yarn gains {yarn}");
    assert!((0.015..0.04).contains(&stiff), "stiff yarn gains {stiff}");
}
