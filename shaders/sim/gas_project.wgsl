// The constraint C = V - k V0 of each balloon: lambda += change = -(C + alpha lambda) / (sum of w |dV/dx|² + alpha).
//
// Macklin, Müller, Chentanez: XPBD, 2016, eq. 18. A workgroup for each balloon adds up its parts, always in the same order.
// CPU twin: `Gas::project` in sim-dylib/src/gas.rs.

struct Frame {
    first: u32,
    line: u32,
    per_h2: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> balloon_volume: array<f32>;
@group(0) @binding(2) var<storage, read> balloon_pressure: array<f32>;
@group(0) @binding(3) var<storage, read> balloon_compliance: array<f32>;
@group(0) @binding(4) var<storage, read> balloon_leaked: array<f32>;
@group(0) @binding(5) var<storage, read_write> balloon_lambda: array<f32>;
// First part of each balloon, and how many.
@group(0) @binding(6) var<storage, read> balloon_parts: array<vec2u>;
@group(0) @binding(7) var<storage, read> gas_sums: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> balloon_change: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let row = min(frame.first + group.y * frame.line + group.x, arrayLength(&balloon_parts) - 1u);
    let parts = balloon_parts[row];
    var own = vec4f(0.0);
    for (var part = lane; part < parts.y; part += THREADS) {
        own += gas_sums[parts.x + part];
    }
    let sum = sum_up(lane, own);
    if lane == 0u {
        let wanted = balloon_pressure[row] * (1.0 - balloon_leaked[row]) * balloon_volume[row];
        let alpha = alpha_of(balloon_compliance[row] * balloon_volume[row]);
        var change = 0.0;
        // Else nothing moves, or it lies flat: there is no way to go.
        if sum.x > 0.0 {
            change = -(sum.y / 3.0 - wanted + alpha * balloon_lambda[row]) / (sum.x + alpha);
        }
        balloon_lambda[row] += change;
        balloon_change[row] = change;
    }
}
