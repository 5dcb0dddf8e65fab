// One Newton step of a particle in its three coordinates.
//
// Chen, Liu, Yang, Yuksel: Vertex Block Descent, 2024, eq. 8 to 10.
//
// CPU twin: `solvers::vbd::system::Descent::visit`, `solvers::vbd::block::Block::solve`.

#import <lib/block.wgsl>

// Solution of A d = b for a positive definite A by A = L D L^T; diagonal: xx, yy, zz; off: yz, zx, xy.
fn solve(diagonal: vec3f, off: vec3f, b: vec3f) -> vec3f {
    let per_x = 1.0 / diagonal.x;
    let lyx = off.z * per_x;
    let lzx = off.y * per_x;
    let per_y = 1.0 / (diagonal.y - lyx * off.z);
    let zy = off.x - lzx * off.z;
    let lzy = zy * per_y;
    let per_z = 1.0 / (diagonal.z - lzx * off.y - lzy * zy);
    let y = b.y - lyx * b.x;
    let z = (b.z - lzx * b.x - lzy * y) * per_z;
    let down = y * per_y - lzy * z;
    return vec3f(b.x * per_x - lyx * down - lzx * z, down, z);
}

// Where the particle i goes from x.
fn descended(i: u32, x: vec4f, system: System) -> vec4f {
    // Eq. 8 times h2/m: no division by the mass, and a pinned particle (w = 0) goes to its x~.
    let h2w = x.w * (frame.h * frame.h);
    let left = particle_inertial[i].xyz - x.xyz + system.force * h2w;
    let moved = x.xyz + solve(system.diagonal * h2w + 1.0, system.off * h2w, left);
    return vec4f(select(x.xyz, moved, x.w > 0.0), x.w);
}
