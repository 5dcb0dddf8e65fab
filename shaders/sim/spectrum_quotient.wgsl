// The smallest Rayleigh quotient so far, and the spectral radius that follows: rho = 1 - relaxation x A x / x D x.
//
// Never larger than it is; and no larger than what `iterations` can make use of. CPU twin: `estimate_rho` in
// sim-dylib/src/implicit/spectrum.rs, `useful` in sim-dylib/src/implicit/jacobi.rs.

struct Frame {
    iteration: u32,
    iterations: u32,
    relaxation: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> part_sums: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> spectrum_least: array<f32>;
@group(0) @binding(3) var<storage, read_write> spectrum_rho: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
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
        spectrum_rho[0] = min(clamp(1.0 - frame.relaxation * least, 0.0, 0.9999), 1.0 - 4.0 / (few * few));
    }
}
