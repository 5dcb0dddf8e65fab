// Of CLOTH_PART particles of a cloth: what the momentum of the whole is worked out from, mass-weighted sums of y = x - o, p of where the
// substep began, and back = x~ - x, o a particle of the cloth and x~ where inertia leads. A workgroup for each part.
//
// CPU twin: `momentum::sums`.

#import <lib/sums.wgsl>

// p, and 1.
var<storage> piece_part_begun: array<vec4f>;
// back, and how many particles are pinned or meet a collider.
var<storage> piece_part_back: array<vec4f>;
// p x back.
var<storage> piece_part_twist: array<vec4f>;
// y p.x, and y.x; the same of the other axes.
var<storage> piece_part_spread_x: array<vec4f>;
var<storage> piece_part_spread_y: array<vec4f>;
var<storage> piece_part_spread_z: array<vec4f>;

@groups(CLOTH_PART)
fn main(part: u32, lane: u32) {
    var span = vec4u(0u);
    if part < arrayLength(&piece_part_span) {
        span = piece_part_span[part];
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
    let twist = sum_up(lane, vec4f(cross(p, back), 0.0) * mass);
    workgroupBarrier();
    let spread_x = sum_up(lane, vec4f(y * p.x, y.x) * mass);
    workgroupBarrier();
    let spread_y = sum_up(lane, vec4f(y * p.y, y.y) * mass);
    workgroupBarrier();
    let spread_z = sum_up(lane, vec4f(y * p.z, y.z) * mass);
    if lane == 0u && part < arrayLength(&piece_part_span) {
        piece_part_begun[part] = begun;
        piece_part_back[part] = backs;
        piece_part_twist[part] = twist;
        piece_part_spread_x[part] = spread_x;
        piece_part_spread_y[part] = spread_y;
        piece_part_spread_z[part] = spread_z;
    }
}
