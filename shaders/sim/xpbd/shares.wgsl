// How much of what its rows want a particle allows each: omega over their number, at most 1; 1 for what does not move.
//
// A compliant row counts as the part W / (W + alpha) of a rigid one, W the inverse masses of its ends. Once a frame,
// for Jacobi iterations (Macklin et al.: Unified Particle Physics, 2014, section 4.3).
//
// CPU twin: `solvers::xpbd::write_shares`, `projection::order::count_rows`.

#import <lib/neighbours.wgsl>

@rows(128)
fn main(i: u32) {
    let own = particle_position[i].w;
    let near = neighbours(i);
    var rows = 0.0;
    for (var k = 0u; k < near.y; k++) {
        let to = neighbour(i, near.x, k);
        let w = own + particle_position[to.particle].w;
        // Padding ties a particle to itself.
        let counts = to.particle != i && w > 0.0;
        rows += select(0.0, w / (w + to.compliance * frame.per_h2), counts);
    }
    particle_share[i] = select(1.0, min(frame.omega / max(rows, 1.0), 1.0), own > 0.0);
}
