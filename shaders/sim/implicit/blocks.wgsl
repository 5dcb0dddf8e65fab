// Each particle's own 3 x 3 block of the matrix of an implicit step, at the substep's start: inertia and springs.
//
// Other tables add theirs (implicit/elastic_blocks.wgsl), then it is inverted (implicit/inverse.wgsl). Every row counts
// as at least a little stiff across, for rows turn while the iterations run.
//
// CPU twin: `implicit::assemble`.

#import <implicit/springs.wgsl>
#import <lib/neighbours.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let near = neighbours(i);
    let bearing = Bearing(frame.stiffest * frame.per_h2, frame.per_h, frame.damped != 0u);
    var diagonal = vec3f(particle_mass[i] * frame.per_h2);
    var off = vec3f(0.0);
    for (var k = 0u; k < near.y; k++) {
        let spring = spring_of(i, x, near.x, k, bearing);
        let line = line_of(spring);
        diagonal += line.n * line.n * (spring.k - line.across) + line.across;
        off += line.n.yzx * line.n.zxy * (spring.k - line.across);
    }
    particle_diagonal[i] = vec4f(diagonal, 0.0);
    particle_off_diagonal[i] = vec4f(off, 0.0);
}
