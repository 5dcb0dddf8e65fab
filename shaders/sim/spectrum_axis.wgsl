// The axis along which the cloth as a whole is stiffest.
//
// CPU twin: `begin` in sim-dylib/src/implicit/spectrum.rs.

@group(0) @binding(1) var<storage, read> part_sums: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> spectrum_axis: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
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
