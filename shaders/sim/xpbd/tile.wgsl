// One Gauss-Seidel sweep of XPBD over the distance table, a workgroup for each tile of the cloth, in one dispatch.
//
// The result is that of xpbd/distance.wgsl colour by colour, to the last bit but for rounding: a tile comes with the
// border that its particles depend on, and the colours of the border are run again by every tile that has it. Layout:
// app/gpu/src/tiles.rs. One iteration: lambda starts at 0. With `fused` the particles go on to the next substep at
// once.
//
// CPU twin: `solvers::xpbd::Springs::solve`.

#import <constraints/distance.wgsl>
#ifdef fused
#import <xpbd/fused_predict.wgsl>
#endif

const NONE: u32 = 0xffffffffu;
// The bits of a member.
const MEMBER: u32 = (1u << TILE_MEMBER_BITS) - 1u;

// Members of the tile.
var<workgroup> members: array<vec4f, TILE_MEMBERS>;

@groups(256)
fn main(tile: u32, lane: u32) {
    if tile >= frame.end {
        return;
    }
    let span = tile_span[tile];
    let core = span.y & 0xffffu;
    let all = span.y >> 16u;
    for (var k = lane; k < all; k += THREADS) {
        members[k] = particle_position[member_particle[span.x + k]];
    }
    workgroupBarrier();
    let first = turn_end[span.z];
    for (var turn = 0u; turn < span.w; turn++) {
        let end = turn_end[span.z + turn + 1u];
        for (var at = turn_end[span.z + turn] + lane; at < end; at += THREADS) {
            let pair = pair_ends[at];
            let a = pair & MEMBER;
            let b = (pair >> TILE_MEMBER_BITS) & MEMBER;
            let values = sort_values[pair >> (2u * TILE_MEMBER_BITS)];
            let x0 = members[a];
            let x1 = members[b];
            let d = project(x0, x1, values.x, values.y * frame.per_h2, 0.0);
            members[a] = vec4f(x0.xyz - d.xyz * x0.w, x0.w);
            members[b] = vec4f(x1.xyz + d.xyz * x1.w, x1.w);
            if frame.substep_is_last != 0u {
                let row = slot_row[tile_slot[tile] + at - first];
                if row != NONE {
                    distance_force[row] = -d.w * frame.per_h2;
                }
            }
        }
        workgroupBarrier();
    }
    for (var k = lane; k < core; k += THREADS) {
        let i = member_particle[span.x + k];
#ifdef fused
        let start = start_of(i, particle_position[i]);
        fused_predict(i, start, members[k].xyz - start.xyz);
#else
        particle_next_position[i] = members[k];
#endif
    }
}
