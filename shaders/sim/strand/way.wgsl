// What a solve keeps of each node of a strand, as 11 rows: those of a number lie side by side for all strands of a strip. Only the
// strands of a dispatch have room, and where not all fit into a binding, it runs several times (`app/gpu/src/batches.rs`).
//
// CPU twin: `nodes::Nodes::get`, `nodes::Nodes::set`.

#import <strand/block.wgsl>
#import <strand/place.wgsl>
#import <strand/strand.wgsl>

// Rows of all segments of the dispatch, then the next of all.
var<storage> strand_node_number: array<vec4f>;

// The first segment of the dispatch, and how many have room.
var<private> kept_first: u32;
var<private> kept_room: u32;

// Before anything is kept.
fn begin_to_keep() {
    kept_first = strand_span[frame.first][0] - first_segment();
#ifdef rings
    kept_room = arrayLength(&strand_node_number) / STRAND_RING_NODE_ROWS;
#else
    kept_room = arrayLength(&strand_node_number) / STRAND_NODE_ROWS;
#endif
}

fn keep(segment: u32, number: u32, value: vec3f, spare: f32) {
    strand_node_number[number * kept_room + segment - kept_first] = vec4f(value, spare);
}

fn kept(segment: u32, number: u32) -> vec4f {
    return strand_node_number[number * kept_room + segment - kept_first];
}

fn keep_way(segment: u32, way: Way) {
    keep(segment, 0u, way.xx[0], way.ww[2].x);
    keep(segment, 1u, way.xx[1], way.ww[2].y);
    keep(segment, 2u, way.xx[2], way.ww[2].z);
    keep(segment, 3u, way.xw[0], way.yx.x);
    keep(segment, 4u, way.xw[1], way.yx.y);
    keep(segment, 5u, way.xw[2], way.yx.z);
    keep(segment, 6u, way.wx[0], way.yw.x);
    keep(segment, 7u, way.wx[1], way.yw.y);
    keep(segment, 8u, way.wx[2], way.yw.z);
    keep(segment, 9u, way.ww[0], 0.0);
    keep(segment, 10u, way.ww[1], 0.0);
}

fn way_at(segment: u32) -> Way {
    let r0 = kept(segment, 0u);
    let r1 = kept(segment, 1u);
    let r2 = kept(segment, 2u);
    let r3 = kept(segment, 3u);
    let r4 = kept(segment, 4u);
    let r5 = kept(segment, 5u);
    let r6 = kept(segment, 6u);
    let r7 = kept(segment, 7u);
    let r8 = kept(segment, 8u);
    let r9 = kept(segment, 9u);
    let r10 = kept(segment, 10u);
    return Way(
        mat3x3f(r0.xyz, r1.xyz, r2.xyz),
        mat3x3f(r3.xyz, r4.xyz, r5.xyz),
        mat3x3f(r6.xyz, r7.xyz, r8.xyz),
        mat3x3f(r9.xyz, r10.xyz, vec3f(r0.w, r1.w, r2.w)),
        vec3f(r3.w, r4.w, r5.w),
        vec3f(r6.w, r7.w, r8.w),
    );
}

// In the place of what is no longer needed.
fn keep_step(segment: u32, step: Step) {
    keep(segment, 0u, step.step, 0.0);
    keep(segment, 1u, step.turn, 0.0);
}

fn step_at(segment: u32) -> Step {
    return Step(kept(segment, 0u).xyz, kept(segment, 1u).xyz);
}
