// Sweeps over the coarse constraints, a workgroup for each tile of nodes: neighbours that are farther apart than the threads between
// them are long come closer, then each free node into reach of its anchors.
//
// The result is that of coloured sweeps over all nodes: a tile comes with the border that its core depends on in
// NODE_SWEEPS sweeps. Nothing but the moves of the nodes is written. Layout: app/gpu/src/coarse.rs. Lambda starts at 0 and is
// forgotten.
//
// CPU twin: `coarse::correct`, `coarse::Constraints::scales`, `coarse::reach`.

#import <constraints/distance.wgsl>

var<storage> coarse_node_next_moved: array<vec4f>;

// Members of the tile.
var<workgroup> nodes: array<vec4f, NODE_MEMBERS>;

// Where a node at `here` may be for an anchor; its own particle is none.
fn in_reach(here: vec3f, anchor: u32, own: u32, reach: f32) -> vec3f {
    let at = particle_position[anchor].xyz;
    let way = here - at;
    let far = sqrt(dot(way, way));
    return select(here, at + way * (reach / far), anchor != own && far > reach);
}

// Two members that may come closer, and not move apart. values: rest [m], compliance [m/N], inverse masses of what follows
// them [1/kg]; pinned or held, none of it gives way.
fn draw_together(pair: u32, values: vec4f) {
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
        var x = particle_position[node_member_particle[span.x + k]];
        // What earlier sweeps made of it.
        if frame.iteration > 0u {
            x += vec4f(coarse_node_moved[node_member_node[span.x + k]].xyz, 0.0);
        }
        nodes[k] = x;
    }
    workgroupBarrier();
    // Of an odd number the last sweep is alone.
    let skipped = select(0u, 1u, frame.coarse - NODE_SWEEPS * frame.iteration == 1u);
    var turn = span.z + skipped * (span.w & 0xffffu);
    var at = node_turn_end[turn] + lane;
    var end = node_turn_end[turn + 1u];
    // A thread's first pair of a turn is on its way during the turn before; behind the last one it is any.
    var pair = node_pair_ends[at];
    var values = node_pair_values[at];
    for (var sweep = skipped; sweep < NODE_SWEEPS; sweep++) {
        let last = turn + select(span.w >> 16u, span.w & 0xffffu, sweep == 0u);
        for (; turn < last; turn++) {
            let next = end + lane;
            let next_end = node_turn_end[turn + 2u];
            let next_pair = node_pair_ends[next];
            let next_values = node_pair_values[next];
            if at < end {
                draw_together(pair, values);
            }
            for (at += THREADS; at < end; at += THREADS) {
                draw_together(node_pair_ends[at], node_pair_values[at]);
            }
            at = next;
            end = next_end;
            pair = next_pair;
            values = next_values;
            workgroupBarrier();
        }
        for (var k = lane; k < all; k += THREADS) {
            let x = nodes[k];
            if x.w > 0.0 {
                let node = node_member_node[span.x + k];
                let own = node_member_particle[span.x + k];
                let anchors = coarse_node_anchors[node];
                let reach = coarse_node_reach[node];
                var here = in_reach(x.xyz, anchors.x, own, reach.x);
                here = in_reach(here, anchors.y, own, reach.y);
                here = in_reach(here, anchors.z, own, reach.z);
                here = in_reach(here, anchors.w, own, reach.w);
                nodes[k] = vec4f(here, x.w);
            }
        }
        workgroupBarrier();
    }
    for (var k = lane; k < core; k += THREADS) {
        let start = particle_position[node_member_particle[span.x + k]];
        coarse_node_next_moved[node_member_node[span.x + k]] = vec4f(nodes[k].xyz - start.xyz, 0.0);
    }
}
