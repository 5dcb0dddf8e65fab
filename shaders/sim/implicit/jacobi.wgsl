// One Jacobi iteration on the equation of an implicit step: x += relaxation D^-1 r.
//
// What the last place of a position loses of that goes with the next iteration; of what other tables add
// (implicit/elastic_step.wgsl) it is lost.
//
// CPU twin: `implicit::jacobi::advance`.

#import <implicit/step.wgsl>
#import <lib/lost.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    var way = jacobi_step(i, x);
    if frame.iteration > 0u {
        way += particle_lost[i].xyz;
    }
    let there = x.xyz + way;
    particle_lost[i] = vec4f(lost_of(way, x.xyz, there), 0.0);
    particle_next_position[i] = vec4f(there, x.w);
}
