// One Newton step of a particle in its three coordinates.
//
// Chen, Liu, Yang, Yuksel: Vertex Block Descent, 2024, eq. 8 to 10.
//
// CPU twin: `solvers::vbd::system::Descent::visit`, `solvers::vbd::block::Block::solve`, `lanes::vertex::descend`.

#import <lib/block.wgsl>
#import <lib/lost.wgsl>

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

// Iterations from which on what the last place of a position loses of one goes with the next; not from one substep to the next.
const MANY: u32 = 10;

// The particle i of row `vertex` goes from x.
fn descend(vertex: u32, i: u32, x: vec4f, system: System) {
    // Eq. 8 times h2/m: no division by the mass, and a pinned particle (w = 0) stays.
    let h2w = x.w * (frame.h * frame.h);
    let left = particle_inertial[i].xyz - x.xyz + system.force * h2w;
    var way = solve(system.diagonal * h2w + 1.0, system.off * h2w, left);
    let keeps = frame.iterations >= MANY;
    if keeps && frame.iteration > 0u {
        way += vertex_lost[vertex].xyz;
    }
    let there = select(x.xyz, x.xyz + way, x.w > 0.0);
    if keeps {
        vertex_lost[vertex] = vec4f(lost_of(way, x.xyz, there), 0.0);
    }
    particle_position[i] = vec4f(there, x.w);
}
