// The plane that held a particle while its solver iterated (contact/find_planes.wgsl, contact/hold_planes.wgsl); none
// for solvers that meet colliders after their solve only.
//
// CPU twin: `collide::plane::Planes::hold`.

#import <contact/collide.wgsl>

fn plane_of(i: u32) -> Plane {
#ifdef planes
    let plane = particle_plane[i];
    let depth = particle_plane_depth[i];
    return Plane(plane.xyz, plane.w, depth.x, depth.y);
#else
    return Plane(vec3f(0.0), 0.0, 0.0, -1.0);
#endif
}
