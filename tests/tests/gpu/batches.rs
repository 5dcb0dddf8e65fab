//! Strands that take turns on the GPU path, where what a solve keeps of all of them does not fit into one binding.

use sim_api::Class;
use tests::{
    device::{self, Twins},
    fixture::Fixture,
    left_out,
};
use weft_gpu::{Gpu, Sources};
use weft_scene::{Scene, check::MAX_PARTICLES};

use super::strands::{NEEDS, ORDERS, scene};

/// Lists of strands of two lengths, with strips of 32, 32 and 6, and of 32 and 13; on a head, in the wind.
const HAIR: &str = "colliders: [(id: \"ball\", shape: Sphere(radius: 0.05), at: (0.1, 0.9, 0.08))],
    wind: (velocity: (3, 0, 1), coefficient: 0.4, gust: 0.5), strands: [
    (id: \"long\", length: 0.24, length_spread: 0.1, particles: 9, material: (young: 4e7, radius: (4e-4, 4e-4)),
        roots: Row(from: (0, 1, 0), to: (0.2, 1, 0.02), count: 70, direction: (0, 0.3, 1))),
    (id: \"short\", length: 0.15, particles: 7, material: (young: 4e7, radius: (4e-4, 4e-4)),
        roots: Row(from: (0, 1, 0.1), to: (0.2, 1, 0.12), count: 45, direction: (0, 0.3, 1)))";
/// A ring among them: then more is kept of each node.
const RING: &str = "(id: \"ring\", length: 0.5, particles: 16, root: Pinned, closed: true,
        material: (young: 4e7, radius: (4e-4, 4e-4)), roots: Points(at: [(0.5, 1, 0), (0.7, 1, 0)], direction: (0, 0, 1)))";

fn hair(ring: &str) -> Scene {
    scene("strand_newton", &format!("{HAIR}{ring}]"))
}

/// A device that binds at most so many bytes at once.
fn within(most: u64) -> Gpu {
    let mut gpu = device::open();
    gpu.limits.max_storage_buffer_binding_size = most;
    gpu
}

const SUBSTEPS: usize = 3;

/// What two frames came to.
struct Outcome {
    /// All that lasts, bit for bit.
    bits: Vec<u8>,
    batches: usize,
    /// Of a frame.
    dispatches: usize,
}

fn run(ring: &str, gpu: Gpu) -> Outcome {
    let mut twins = Twins::on(gpu, &hair(ring), &[("substeps", SUBSTEPS as f32)], 3, None, &|_| {});
    (0..2).for_each(|_| twins.frame());
    let columns = twins.fixture.run.state.tables.iter().flat_map(|table| &table.columns);
    let lasts = columns.filter(|column| column.class == Class::State);
    let bits = lasts.flat_map(|column| column.bytes().to_vec()).collect();
    Outcome { bits, batches: twins.gpu.batches(), dispatches: twins.gpu.dispatches() }
}

#[test]
fn strands_that_take_turns_keep_their_bits() {
    if left_out("strands_that_take_turns_keep_their_bits", NEEDS) {
        return;
    }
    let of_ring = format!(", {RING}");
    // Bytes of a node, and how many there are.
    for (ring, node, all) in [("", 176, 945), (of_ring.as_str(), 368, 977)] {
        let whole = run(ring, device::open());
        assert_eq!(whole.batches, 1);
        let strip = 32 * 9;
        // As little as it takes; two strips and what is left of the third; a node less than all, and all.
        for (nodes, batches) in [(strip, 4), (strip * 9 / 4, 2), (all - 1, 2), (all, 1)] {
            let parted = run(ring, within(node * nodes));
            println!("BATCHES {nodes} of {all} nodes: {}", parted.batches);
            assert_eq!(parted.batches, batches, "with {nodes} nodes");
            assert_eq!(parted.dispatches, whole.dispatches + SUBSTEPS * (batches - 1));
            assert!(parted.bits == whole.bits, "other bits in {batches} batches");
        }
    }
}

#[test]
fn what_no_batch_makes_small_enough_is_refused() {
    if left_out("what_no_batch_makes_small_enough_is_refused", NEEDS) {
        return;
    }
    let refusal = |most| {
        let mut fixture = Fixture::of(hair(""));
        device::on(within(most), Sources::built_in(), &mut fixture, None).err().expect("a refusal")
    };
    let strip = refusal(176 * 32 * 9 - 1);
    assert!(strip.contains("column strand_node.number") && strip.contains("32 or fewer"), "{strip}");
    assert!(strip.contains("may have 287 particles together"), "{strip}");
    let state = refusal(16 * 945 - 1);
    assert!(state.contains("column particle.") && state.contains("944 rows of it"), "{state}");
}

/// Hair of as many particles as a scene may have, where 128 MiB are bound at most: 32 bytes for each.
#[test]
fn all_hair_that_a_scene_may_have_fits_into_common_bindings() {
    if left_out("all_hair_that_a_scene_may_have_fits_into_common_bindings", NEEDS) {
        return;
    }
    const STRANDS: u64 = 500;
    const BYTES: u64 = (128 << 20) / MAX_PARTICLES;
    let mut refused = Vec::new();
    for (solver, passes, params) in ORDERS {
        for between in ["", ", between: (cell: 0.1)"] {
            let text = format!(
                "wind: (velocity: (3, 0, 1), coefficient: 0.4, gust: 0.5), strands: [(id: \"hair\", length: 0.2,
                    particles: 4, material: (young: 4e7, radius: (4e-4, 4e-4)){between},
                    roots: Row(from: (0, 1, 0), to: (0.2, 1, 0), count: {STRANDS}, direction: (0, 0.3, 1)))]"
            );
            let fixture = Fixture::of(scene(solver, &text));
            let mut fixture = params.iter().fold(fixture, |fixture, (name, value)| fixture.set(name, *value));
            let gpu = within(BYTES * STRANDS * 4);
            let made = device::on(gpu, Sources::built_in(), &mut fixture, Some(passes));
            refused.extend(made.err().map(|why| format!("{passes}{between}: {why}")));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
