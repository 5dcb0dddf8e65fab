//! The limit to the stretch of strands on the GPU path.

use tests::{fixture::Fixture, left_out, state_points::xyz};
use weft_core::{state::col, statistics::largest};

use super::strands::{NEEDS, same_after};

/// Weights at the tips of hair, held and free, alone and on a head, that fly away with it.
#[test]
fn strands_under_weights_keep_their_lengths_as_their_twins_do() {
    if left_out("strands_under_weights_keep_their_lengths_as_their_twins_do", NEEDS) {
        return;
    }
    let hair = "length: 0.3, particles: 20, material: (tip_mass: 1e-4)";
    let alone = format!(
        "wind: (coefficient: 0), strands: [
            (id: \"held\", roots: Row(from: (0, 1, 0), to: (1, 1, 0), count: 5, direction: (0, -1, 0)), {hair}),
            (id: \"free\", root: Free, roots: Row(from: (0, 1, 1), to: (1, 1, 1), count: 4, direction: (0, -1, 0)), {hair})]"
    );
    let head = format!(
        "wind: (coefficient: 0), strands: [(id: \"hair\", seat: Collider(\"head\"), roots: Cap(axis: (0, 1, 0), angle: 60, count: 9), {hair})],
            colliders: [(id: \"head\", shape: Sphere(radius: 0.1), at: (0, 1.5, 0))]"
    );
    let throw = |fixture: &mut Fixture| {
        let spans = fixture.run.state.get(col::strand::span).to_vec();
        for (i, [first, stride, count]) in spans.into_iter().enumerate() {
            fixture.v_mut()[(first + stride * (count - 1)) as usize] = [4.0, 3.0, i as f32 * 0.5, 0.0];
        }
    };
    let order = ("strand_newton", "strand_newton", &[("substeps", 4.0), ("strand_iterations", 2.0)][..]);
    // Later on a bit sends hair on a head another way.
    for (what, rest, warm) in [("alone", &alone, 3), ("alone", &alone, 11), ("head", &head, 3)] {
        let twins = same_after(what, &order, rest, warm, &throw);
        let (state, x) = (&twins.fixture.run.state, twins.fixture.x());
        let rows = state.get(col::distance::idx).iter().zip(state.get(col::distance::rest));
        let strain = |[a, b]: &[u32; 2], rest: &f32| {
            xyz(x[*a as usize]).distance(xyz(x[*b as usize])) / f64::from(*rest) - 1.0
        };
        let longest = largest(rows.map(|(ends, rest)| strain(ends, rest).abs()));
        println!("LIMIT {what} after {warm} frames: {longest}");
        assert!(longest < 0.0075, "{what} after {warm} frames: {longest}");
    }
}
