// The plane that held a particle while its solver iterated; written by find_planes.wgsl and hold_planes.wgsl. A library;
// group 2 is its own.

@group(2) @binding(0) var<storage, read> particle_plane: array<vec4f>;
@group(2) @binding(1) var<storage, read> particle_plane_depth: array<vec2f>;

fn plane_of(i: u32) -> Plane {
    let plane = particle_plane[i];
    let depth = particle_plane_depth[i];
    return Plane(plane.xyz, plane.w, depth.x, depth.y);
}
