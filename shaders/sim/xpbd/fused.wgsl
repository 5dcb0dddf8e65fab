// A whole substep of XPBD with one Jacobi iteration in one pass: project, velocity, and the next substep's prediction.
//
// The same steps as xpbd/jacobi.wgsl, step/velocity.wgsl and step/predict.wgsl one after the other, without colliders;
// xpbd/fused_predict.wgsl says what the columns hold between substeps.
//
// CPU twin: `substep::steps`.

#import <constraints/distance.wgsl>
#import <lib/neighbours.wgsl>
#import <xpbd/fused_predict.wgsl>

// What a row wants of a particle at x whose other end is `there`, but for masses and shares [m kg].
fn wanted(x: vec4f, to: Neighbour, there: vec4f) -> vec3f {
    return project(x, there, to.rest, to.compliance * frame.per_h2, 0.0).xyz;
}

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let own = particle_share[i];
    let near = neighbours(i);
    let last = near.y - 1u;
    var sum = vec3f(0.0);
    // Four at a time: their loads do not wait for each other.
    for (var k = 0u; k < near.y; k += 4u) {
        let a = neighbour(i, near.x, k);
        let b = neighbour(i, near.x, min(k + 1u, last));
        let c = neighbour(i, near.x, min(k + 2u, last));
        let d = neighbour(i, near.x, min(k + 3u, last));
        let xa = particle_position[a.particle];
        let xb = particle_position[b.particle];
        let xc = particle_position[c.particle];
        let xd = particle_position[d.particle];
        let shares = min(vec4f(own), vec4f(
            particle_share[a.particle], particle_share[b.particle],
            particle_share[c.particle], particle_share[d.particle],
        ));
        sum -= wanted(x, a, xa) * shares.x;
        sum -= wanted(x, b, xb) * select(0.0, shares.y, k + 1u < near.y);
        sum -= wanted(x, c, xc) * select(0.0, shares.z, k + 2u < near.y);
        sum -= wanted(x, d, xd) * select(0.0, shares.w, k + 3u < near.y);
    }
    let start = start_of(i, x);
    fused_predict(i, start, x.xyz - start.xyz + sum * x.w);
}
