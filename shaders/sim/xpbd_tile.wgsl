// One Gauss-Seidel sweep of XPBD over the distance table, a workgroup for each tile of the cloth, in one dispatch.
//
// The result is that of xpbd_distance.wgsl colour by colour, to the last bit but for rounding: a tile comes with the border
// that its particles depend on, and the colours of the border are run again by every tile that has it. Layout:
// app/src/gpu/tiles.rs. One iteration: lambda starts at 0. `with` says what becomes of the particles (`store`). CPU twin:
// `Springs` in sim-dylib/src/solvers/xpbd.rs with `order: coloured`.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    per_h: f32,
    per_h2: f32,
    substep_is_last: u32,
    gravity: vec3f,
    air_damping: f32,
    wind_coefficient: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> distance_force: array<f32>;
@group(1) @binding(0) var<storage, read> tile_span: array<vec4u>;
@group(1) @binding(1) var<storage, read> tile_slot: array<u32>;
@group(1) @binding(2) var<storage, read> member_particle: array<u32>;
@group(1) @binding(3) var<storage, read> turn_end: array<u32>;
@group(1) @binding(4) var<storage, read> pair_ends: array<u32>;
@group(1) @binding(5) var<storage, read> sort_values: array<vec2f>;
@group(1) @binding(6) var<storage, read> slot_row: array<u32>;

const THREADS: u32 = 256u;
const NONE: u32 = 0xffffffffu;

// Members of the tile.
var<workgroup> members: array<vec4f, 1936>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let tile = frame.first + group.y * frame.line + group.x;
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
            let a = pair & 0x7ffu;
            let b = (pair >> 11u) & 0x7ffu;
            let values = sort_values[pair >> 22u];
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
        store(member_particle[span.x + k], members[k]);
    }
}
