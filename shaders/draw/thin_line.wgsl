// Overlays: lines of one pixel, each of two ends.

struct Lines {
    // How far lines stand before what they lie on, towards the eye [m].
    lift: f32,
}
@group(0) @binding(3) var<uniform> object: Lines;

struct Vertex {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec3<f32>,
}

@vertex
fn vs_main(
    // w: the colour.
    @location(0) end: vec4<f32>,
) -> Vertex {
    return Vertex(lifted(end.xyz, object.lift), unpack(end.w));
}

@fragment
fn fs_main(in: Vertex) -> @location(0) vec4<f32> {
    return vec4(in.color, 1.0);
}
