// The smallest Rayleigh quotient so far, and the spectral radius that follows: rho = 1 - relaxation x A x / x D x.
//
// Never larger than it is; and no larger than what `iterations` can make use of.
//
// CPU twin: `implicit::spectrum::estimate_rho`, `implicit::jacobi::Settings::useful`.

#import <lib/sums.wgsl>
#import <implicit/relaxation.wgsl>

var<storage> spectrum_least: array<f32, 1>;

@groups(256)
fn main(lane: u32) {
    var own = vec4f(0.0);
    for (var part = lane; part < arrayLength(&part_sums); part += THREADS) {
        own += part_sums[part];
    }
    let sum = sum_up(lane, own);
    if lane == 0u {
        var least = 1.0;
        if frame.iteration > 0u {
            least = spectrum_least[0];
        }
        if sum.x > 0.0 {
            least = min(least, sum.y / sum.x);
        }
        spectrum_least[0] = least;
        let few = f32(max(frame.iterations, 3u));
        spectrum_rho[0] = min(clamp(1.0 - relaxation() * least, 0.0, 0.9999), 1.0 - 4.0 / (few * few));
    }
}
