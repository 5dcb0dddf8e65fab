// Sweeps over the coarse constraints, a workgroup for each tile of nodes: neighbours that are farther apart than the
// threads between them are long come closer, then each free node into reach of its anchors.
//
// The result is that of coloured sweeps over all nodes: a tile comes with the border that its core depends on in
// NODE_SWEEPS sweeps. Only the moves of the nodes are written. Layout: app/gpu/src/coarse.rs. Lambda starts at 0 and is
// forgotten.
//
// CPU twin: `coarse::correct`, `coarse::Constraints::scales`, `coarse::reach`.

#import <constraints/distance.wgsl>

var<storage> coarse_node_next_moved: array<vec4f>;

// Members of the tile.
var<workgroup> nodes: array<vec4f, NODE_MEMBERS>;

// No reach.
const FAR: f32 = 3e38;

// Anchors of a node: their positions, and how far from each it may be [m].
struct Anchors {
    a: vec4f,
    b: vec4f,
    c: vec4f,
    d: vec4f,
}

// Where the node's own particle stands for an anchor there is none.
fn anchor(particle: u32, own: u32, reach: f32) -> vec4f {
    return vec4f(particle_position[particle].xyz, select(reach, FAR, particle == own));
}

fn anchors_of(member: u32) -> Anchors {
    let node = tile_node_node[member];
    let own = tile_node_particle[member];
    let near = coarse_node_anchors[node];
    let reach = coarse_node_reach[node];
    return Anchors(
        anchor(near.x, own, reach.x), anchor(near.y, own, reach.y),
        anchor(near.z, own, reach.z), anchor(near.w, own, reach.w),
    );
}

fn in_reach(here: vec3f, anchor: vec4f) -> vec3f {
    let way = here - anchor.xyz;
    let far = sqrt(dot(way, way));
    return select(here, anchor.xyz + way * (anchor.w / far), far > anchor.w);
}

// A free member goes straight to where its anchors allow, one after another.
fn pull_into_reach(k: u32, to: Anchors) {
    let x = nodes[k];
    if x.w > 0.0 {
        let here = in_reach(in_reach(in_reach(in_reach(x.xyz, to.a), to.b), to.c), to.d);
        nodes[k] = vec4f(here, x.w);
    }
}

// Two members that may come closer, and not move apart. values: rest [m], compliance [m/N], inverse masses of what
// follows them [1/kg]; pinned or held, none of it gives way.
fn project_pair(pair: u32, values: vec4f) {
    let a = pair & 0xffffu;
    let b = pair >> 16u;
    let x0 = nodes[a];
    let x1 = nodes[b];
    let w0 = select(0.0, values.z, x0.w > 0.0);
    let w1 = select(0.0, values.w, x1.w > 0.0);
#ifdef rigid
    let alpha = 0.0;
#else
    let alpha = values.y * frame.per_h2;
#endif
    let d = project(vec4f(x0.xyz, w0), vec4f(x1.xyz, w1), values.x, alpha, 0.0);
    let apart = x1.xyz - x0.xyz;
    if dot(apart, apart) > values.x * values.x {
        nodes[a] = vec4f(x0.xyz - d.xyz * w0, x0.w);
        nodes[b] = vec4f(x1.xyz + d.xyz * w1, x1.w);
    }
}

@groups(256)
fn main(tile: u32, lane: u32) {
    if tile >= frame.end {
        return;
    }
    let span = node_tile_span[tile];
    let core = span.y & 0xffffu;
    let all = span.y >> 16u;
    for (var k = lane; k < all; k += THREADS) {
        var x = particle_position[tile_node_particle[span.x + k]];
        // What earlier sweeps made of it.
        if frame.iteration > 0u {
            x += vec4f(coarse_node_moved[tile_node_node[span.x + k]].xyz, 0.0);
        }
        nodes[k] = x;
    }
    // Of the first two members of a thread; where there are none, any.
    let first = anchors_of(span.x + lane);
    let second = anchors_of(span.x + lane + THREADS);
    workgroupBarrier();
    // Of an odd number the last sweep is alone.
    let skipped = select(0u, 1u, frame.coarse - NODE_SWEEPS * frame.iteration == 1u);
    var color = span.z + skipped * (span.w & 0xffffu);
    var at = node_color_end[color] + lane;
    var end = node_color_end[color + 1u];
    // A thread's first pair of a color is on its way during the color before; behind the last one it is any.
    var pair = node_pair_ends[at];
    var values = node_pair_values[at];
    for (var sweep = skipped; sweep < NODE_SWEEPS; sweep++) {
        let last = color + select(span.w >> 16u, span.w & 0xffffu, sweep == 0u);
        for (; color < last; color++) {
            let next = end + lane;
            let next_end = node_color_end[color + 2u];
            let next_pair = node_pair_ends[next];
            let next_values = node_pair_values[next];
            if at < end {
                project_pair(pair, values);
            }
            for (at += THREADS; at < end; at += THREADS) {
                project_pair(node_pair_ends[at], node_pair_values[at]);
            }
            at = next;
            end = next_end;
            pair = next_pair;
            values = next_values;
            workgroupBarrier();
        }
        if lane < all {
            pull_into_reach(lane, first);
        }
        if lane + THREADS < all {
            pull_into_reach(lane + THREADS, second);
        }
        for (var k = lane + 2u * THREADS; k < all; k += THREADS) {
            pull_into_reach(k, anchors_of(span.x + k));
        }
        workgroupBarrier();
    }
    for (var k = lane; k < core; k += THREADS) {
        let start = particle_position[tile_node_particle[span.x + k]];
        coarse_node_next_moved[tile_node_node[span.x + k]] = vec4f(nodes[k].xyz - start.xyz, 0.0);
    }
}
