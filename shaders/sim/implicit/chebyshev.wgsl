// One Jacobi iteration with Chebyshev's acceleration: y = x(k) + relaxation D^-1 r, x(k + 1) = omega (y - x(k - 1)) +
// x(k - 1).
//
// Wang: A Chebyshev Semi-Iterative Approach for Accelerating Projective and Position-based Dynamics, 2015, eq. 8 and 9.
// x(k - 1) lies in `particle_next_position`, for the columns were swapped. rho is what the iterations bear at most
// (implicit/spectrum_given.wgsl).
//
// CPU twin: `implicit::jacobi::iterate`.

#import <implicit/omega.wgsl>
#import <implicit/step.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let step = jacobi_step(i, x);
    var before = x.xyz;
    if frame.iteration > 0u {
        before = particle_next_position[i].xyz;
    }
    let to = (x.xyz + step - before) * omega_of(frame.iteration) + before;
    particle_next_position[i] = vec4f(select(x.xyz, to, x.w > 0.0), x.w);
}
