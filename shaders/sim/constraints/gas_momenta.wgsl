// Of GAS_PART particles of a balloon: what the momentum of the whole is worked out from, mass-weighted sums of y = x - o, p of where the
// substep began, and back = x~ - x, o a particle of the balloon and x~ where inertia leads. A workgroup for each part.
//
// CPU twin: `gas::momentum::sums`.

#import <lib/sums.wgsl>

// p, and 1.
var<storage> gas_begun: array<vec4f>;
// back, and how many particles are pinned or meet a collider.
var<storage> gas_back: array<vec4f>;
// p x back, and y.x.
var<storage> gas_twist: array<vec4f>;
// p.x², p.y², p.z², and y.y.
var<storage> gas_squares: array<vec4f>;
// p.x p.y, p.x p.z, p.y p.z, and y.z.
var<storage> gas_products: array<vec4f>;

@groups(GAS_PART)
fn main(part: u32, lane: u32) {
    var span = vec4u(0u);
    if part < arrayLength(&gas_span) {
        span = gas_span[part];
    }
    var mass = 0.0;
    var y = vec3f(0.0);
    var p = vec3f(0.0);
    var back = vec3f(0.0);
    var held = 0.0;
    if lane < span.y {
        let i = span.x + lane;
        let x = particle_position[i];
        let inertial = particle_inertial[i].xyz;
        let origin = particle_position[span.z].xyz;
        mass = particle_mass[i];
        y = x.xyz - origin;
        p = inertial - particle_velocity[i].xyz * frame.h - origin;
        back = inertial - x.xyz;
        held = select(0.0, 1.0, x.w == 0.0);
#ifdef planes
        if frame.colliders > 0u && particle_plane_depth[i].y >= 0.0 {
            held = 1.0;
        }
#endif
    }
    let begun = sum_up(lane, vec4f(p, 1.0) * mass);
    workgroupBarrier();
    let backs = sum_up(lane, vec4f(back * mass, held));
    workgroupBarrier();
    let twist = sum_up(lane, vec4f(cross(p, back), y.x) * mass);
    workgroupBarrier();
    let squares = sum_up(lane, vec4f(p * p, y.y) * mass);
    workgroupBarrier();
    let products = sum_up(lane, vec4f(p.x * p.y, p.x * p.z, p.y * p.z, y.z) * mass);
    if lane == 0u && part < arrayLength(&gas_span) {
        gas_begun[part] = begun;
        gas_back[part] = backs;
        gas_twist[part] = twist;
        gas_squares[part] = squares;
        gas_products[part] = products;
    }
}
