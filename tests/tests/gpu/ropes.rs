//! Strands that keep off each other by their segments.

use glam::DVec3;
use tests::{device::Twins, left_out, state_points::xyz};
use weft_core::statistics::{largest, least};

use super::strands::{self, NEEDS, NEWTON};

/// A rope that falls across a held one, and hairs of a list that are alone. Segments are longer than two thicknesses: particles alone would
/// let each other through, or keep off by more.
#[test]
fn ropes_keep_off_each_other_by_their_segments() {
    if left_out("ropes_keep_off_each_other_by_their_segments", NEEDS) {
        return;
    }
    for order in [NEWTON, ("xpbd", "xpbd_rods", &[("substeps", 40.0)]), ("vbd", "vbd_rods", &[])] {
        let (solver, passes, params) = order;
        let scene = |own: &str| {
            let rope =
                "length: 0.3, particles: 24, material: (young: 1e7, radius: (0.003, 0.003), density: 800)";
            let held = format!(
                "(id: \"held\", roots: Points(at: [(-0.1, 1, 0)], direction: (1, 0, 0)), {rope}, {own})"
            );
            let roots = "root: Free, roots: Points(at: [(0, 1.05, -0.15)], direction: (0, 0, 1))";
            let hairs = "roots: Row(from: (1, 1, 0), to: (1.004, 1, 0), count: 4)";
            let rest = format!(
                "wind: (coefficient: 0), strands: [{held}, (id: \"falls\", {roots}, {rope}, {own}),
                    (id: \"hairs\", {hairs}, {rope}, self_collision: (thickness: 0.012, among: false))]"
            );
            strands::scene(solver, &rest)
        };
        let gap = |own: &str| {
            let mut twins = Twins::new(&scene(own), params, 0, Some(passes));
            let mut nearest_yet = f64::MAX;
            for _ in 0..12 {
                twins.frame();
                let x: Vec<_> = twins.fixture.x().iter().map(|x| xyz(*x)).collect();
                let along = |strand: &[DVec3]| -> Vec<_> {
                    let of = |ends: &[DVec3]| {
                        std::array::from_fn::<_, 16, _>(|i| ends[0].lerp(ends[1], i as f64 / 16.0))
                    };
                    strand.windows(2).flat_map(of).collect()
                };
                let (held, falls) = (along(&x[1..24]), along(&x[24..48]));
                // By where one crosses the other: 0 when it is through.
                let pairs = held.iter().flat_map(|a| falls.iter().map(move |b| *b - *a));
                let nearest = pairs.min_by(|a, b| a.length().total_cmp(&b.length())).expect("they are there");
                nearest_yet = least([nearest_yet, nearest.length() * nearest.y.signum()]);
            }
            // Hairs that are alone stay where they hang, 1.3 mm apart.
            let hairs = twins.fixture.x()[48..].iter().map(|x| f64::from(x[0]));
            let wide = largest(hairs.map(|x| (x - 1.002).abs()));
            assert!(wide < 0.0025, "{solver}: hairs are {wide} m off");
            nearest_yet
        };
        let [kept, through] = ["self_collision: (thickness: 0.006)", ""].map(gap);
        println!("ROPES {solver}: {kept} m above, {through} without");
        assert!(
            (0.003..0.0066).contains(&kept) && through < 0.001,
            "{solver}: {kept} m above, {through} without"
        );
    }
}
