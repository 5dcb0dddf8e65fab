// XPBD over the long-range attachments, one colour a dispatch: a string to a pinned particle that only pulls.
//
// Kim, Chentanez, Müller: Long Range Attachments, 2012; the anchor does not feel it.
//
// CPU twin: `constraints::tether::Tether::project`.

#import <constraints/distance.wgsl>

@rows(128)
fn main(row: u32) {
    let i = tether_idx[row];
    let x = particle_position[i];
    var lambda = 0.0;
    if frame.iteration > 0u {
        lambda = tether_lambda[row];
    }
    let alpha = tether_compliance[row] * frame.per_h2;
    let d = x.xyz - tether_anchor_position[row].xyz;
    let l = length_of(d);
    // Lambda never pushes.
    let change = min(-(l - tether_rest[row] + alpha * lambda) / max(x.w + alpha, TINY), -lambda);
    let taken = select(0.0, change, x.w > 0.0);
    tether_lambda[row] = lambda + taken;
    particle_position[i] = vec4f(x.xyz + d * (x.w * taken / l), x.w);
}
