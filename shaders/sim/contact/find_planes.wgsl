// Before a solve: what each particle is about to meet, as the constraint n . (x - q) >= 0.
//
// `inertial` is where its velocity took it, and the position that, or where strands were led to from there.
//
// CPU twin: `collide::plane::find`.

#import <contact/collide.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let previous = particle_inertial[i].xyz - particle_velocity[i].xyz * frame.h;
    var plane = vec4f(0.0);
    // Of the deepest, and its collider; -1: there is none.
    var deepest = vec2f(0.0, -1.0);
    // Ends of strands that have mass only in a solve lie in what holds them (`strand/end.wgsl`).
    if x.w > 0.0 && particle_velocity[i].w == 0.0 {
        for (var c = 0u; c < frame.colliders; c++) {
            let met = meet_collider(c, frame.span, x.xyz, previous);
            if met.depth > deepest.x {
                plane = vec4f(met.normal, dot(met.normal, x.xyz + met.out));
                deepest = vec2f(met.depth, f32(c));
            }
        }
    }
    particle_plane[i] = plane;
    particle_plane_depth[i] = vec2f(0.0, deepest.y);
}
