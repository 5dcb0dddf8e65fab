// How each cloth that nothing holds has to move and turn as a whole, so that it keeps its momentum. A workgroup for each adds up its
// parts, always in the same order. `all_pieces`: those without gas, too.
//
// CPU twin: `momentum::move_back`.

#import <lib/sums.wgsl>

// [m]; w is 1, and 0 of one that is held.
var<storage> piece_back: array<vec4f>;
// [rad]
var<storage> piece_turn: array<vec4f>;
// [m]
var<storage> piece_center: array<vec4f>;

@groups(256)
fn main(index: u32, lane: u32) {
    let row = min(index, arrayLength(&piece_parts) - 1u);
    let parts = piece_parts[row];
    var sums = array<vec4f, 6>();
    for (var part = lane; part < parts.y; part += THREADS) {
        let at = parts.x + part;
        sums[0] += piece_part_begun[at];
        sums[1] += piece_part_back[at];
        sums[2] += piece_part_twist[at];
        sums[3] += piece_part_spread_x[at];
        sums[4] += piece_part_spread_y[at];
        sums[5] += piece_part_spread_z[at];
    }
    let begun = sum_up(lane, sums[0]);
    workgroupBarrier();
    let backs = sum_up(lane, sums[1]);
    workgroupBarrier();
    let twist = sum_up(lane, sums[2]);
    workgroupBarrier();
    let spread_x = sum_up(lane, sums[3]);
    workgroupBarrier();
    let spread_y = sum_up(lane, sums[4]);
    workgroupBarrier();
    let spread_z = sum_up(lane, sums[5]);
    if lane == 0u {
        let per_mass = 1.0 / begun.w;
        let p = begun.xyz * per_mass;
        let back = backs.xyz * per_mass;
        let torque = twist.xyz * per_mass - cross(p, back);
        // Around the centres: y p by columns. Columns of the inertia, by its trace.
        let y = vec3f(spread_x.w, spread_y.w, spread_z.w) * per_mass;
        let x_column = spread_x.xyz * per_mass - y * p.x;
        let y_column = spread_y.xyz * per_mass - y * p.y;
        let z_column = spread_z.xyz * per_mass - y * p.z;
        let trace = 2.0 * (x_column.x + y_column.y + z_column.z);
        let a = vec3f(0.5, 0.0, 0.0) - x_column / trace;
        let b = vec3f(0.0, 0.5, 0.0) - y_column / trace;
        let c = vec3f(0.0, 0.0, 0.5) - z_column / trace;
        let determinant = dot(a, cross(b, c));
        let t = torque / trace;
        let turn = vec3f(dot(cross(b, c), t), dot(cross(c, a), t), dot(cross(a, b), t)) / determinant;
#ifdef all_pieces
        let own = true;
#else
        let own = piece_closed[row] != 0u;
#endif
        piece_back[row] = vec4f(back, select(0.0, 1.0, backs.w == 0.0 && own));
        // What lies on a line has no inertia around it.
        piece_turn[row] = vec4f(select(vec3f(0.0), turn, determinant > 0.0), 0.0);
        let origin = particle_position[piece_part_span[parts.x].z].xyz;
        piece_center[row] = vec4f(origin + y, 0.0);
    }
}
