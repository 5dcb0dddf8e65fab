// Before each iteration: particles come back in front of their planes.
//
// CPU twin: `collide::plane::Planes::hold`.

@rows(128)
fn main(i: u32) {
    if particle_plane_depth[i].y < 0.0 {
        return;
    }
    let x = particle_position[i];
    let plane = particle_plane[i];
    let behind = plane.w - dot(plane.xyz, x.xyz);
    if behind > 0.0 {
        particle_position[i] = vec4f(x.xyz + plane.xyz * behind, x.w);
        particle_plane_depth[i].x += behind;
    }
}
