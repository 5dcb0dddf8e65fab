// The constraint C = V - k V0 of each balloon: lambda += change = -(C + alpha lambda) / (sum of w |dV/dx|² + alpha).
//
// Macklin, Müller, Chentanez: XPBD, 2016, eq. 18. A workgroup for each balloon adds up its parts, always in the same
// order.
//
// CPU twin: `gas::Gas::project`.

#import <lib/sums.wgsl>

// Of the multiplier in this iteration.
var<storage> balloon_change: array<f32>;

@groups(256)
fn main(index: u32, lane: u32) {
    let row = min(index, arrayLength(&balloon_parts) - 1u);
    let parts = balloon_parts[row];
    var own = vec4f(0.0);
    for (var part = lane; part < parts.y; part += THREADS) {
        own += gas_sums[parts.x + part];
    }
    let sum = sum_up(lane, own);
    if lane == 0u {
        let wanted = balloon_pressure[row] * (1.0 - balloon_leaked[row]) * balloon_volume[row];
#ifdef rigid
        let alpha = 0.0;
#else
        let alpha = balloon_compliance[row] * balloon_volume[row] * frame.per_h2;
#endif
        var change = 0.0;
        // Else nothing moves, or it lies flat: there is no way to go.
        if sum.x > 0.0 {
            change = -(sum.y / 3.0 - wanted + alpha * balloon_lambda[row]) / (sum.x + alpha);
        }
        balloon_lambda[row] += change;
        balloon_change[row] = change;
    }
}
