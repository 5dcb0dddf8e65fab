// The axis along which the cloth as a whole is stiffest.
//
// CPU twin: `implicit::spectrum::begin`.

#import <lib/sums.wgsl>

var<storage> spectrum_axis: array<u32, 1>;

@groups(256)
fn main(lane: u32) {
    var own = vec4f(0.0);
    for (var part = lane; part < arrayLength(&part_sums); part += THREADS) {
        own += part_sums[part];
    }
    let sum = sum_up(lane, own);
    if lane == 0u {
        let high = max(max(sum.x, sum.y), sum.z);
        spectrum_axis[0] = select(select(2u, 1u, sum.y == high), 0u, sum.x == high);
    }
}
