// Overlays: lines of one pixel between points that many of them share.

struct Wires {
    color: vec3<f32>,
    // How far lines stand before what they lie on, towards the eye [m].
    lift: f32,
}
@group(0) @binding(3) var<uniform> object: Wires;

@vertex
fn vs_main(
    // w: not used.
    @location(0) at: vec4<f32>,
) -> @builtin(position) vec4<f32> {
    return lifted(at.xyz, object.lift);
}

@fragment
fn fs_main() -> @location(0) vec4<f32> {
    return vec4(object.color, 1.0);
}
