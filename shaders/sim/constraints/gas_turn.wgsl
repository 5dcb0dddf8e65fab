// How each balloon that nothing holds has to move and turn as a whole, so that it keeps its momentum. A workgroup for each adds up its
// parts, always in the same order.
//
// CPU twin: `gas::momentum::move_back`.

#import <lib/sums.wgsl>

// [m]; w is 1, and 0 of one that is held.
var<storage> balloon_back: array<vec4f>;
// [rad]
var<storage> balloon_turn: array<vec4f>;
// [m]
var<storage> balloon_center: array<vec4f>;

@groups(256)
fn main(index: u32, lane: u32) {
    let row = min(index, arrayLength(&balloon_parts) - 1u);
    let parts = balloon_parts[row];
    var own = array<vec4f, 5>();
    for (var part = lane; part < parts.y; part += THREADS) {
        let at = parts.x + part;
        own[0] += gas_begun[at];
        own[1] += gas_back[at];
        own[2] += gas_twist[at];
        own[3] += gas_squares[at];
        own[4] += gas_products[at];
    }
    let begun = sum_up(lane, own[0]);
    workgroupBarrier();
    let backs = sum_up(lane, own[1]);
    workgroupBarrier();
    let twist = sum_up(lane, own[2]);
    workgroupBarrier();
    let squares = sum_up(lane, own[3]);
    workgroupBarrier();
    let products = sum_up(lane, own[4]);
    if lane == 0u {
        let per_mass = 1.0 / begun.w;
        let p = begun.xyz * per_mass;
        let back = backs.xyz * per_mass;
        let torque = twist.xyz * per_mass - cross(p, back);
        let square = squares.xyz * per_mass - p * p;
        let product = products.xyz * per_mass - vec3f(p.x * p.y, p.x * p.z, p.y * p.z);
        let trace = 2.0 * (square.x + square.y + square.z);
        // Columns of the inertia, by its trace.
        let a = vec3f(square.y + square.z, -product.x, -product.y) / trace;
        let b = vec3f(-product.x, square.x + square.z, -product.z) / trace;
        let c = vec3f(-product.y, -product.z, square.x + square.y) / trace;
        let determinant = dot(a, cross(b, c));
        let t = torque / trace;
        // Its matrix is symmetric, and so is the inverse.
        let turn = vec3f(dot(cross(b, c), t), dot(cross(c, a), t), dot(cross(a, b), t)) / determinant;
        balloon_back[row] = vec4f(back, select(0.0, 1.0, backs.w == 0.0 && parts.z == 0u));
        // What lies on a line has no inertia around it.
        balloon_turn[row] = vec4f(select(vec3f(0.0), turn, determinant > 0.0), 0.0);
        let origin = particle_position[gas_span[parts.x].z].xyz;
        balloon_center[row] = vec4f(origin + vec3f(twist.w, squares.w, products.w) * per_mass, 0.0);
    }
}
