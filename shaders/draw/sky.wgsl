// The background: a gradient from the horizon up, on the far plane, drawn last.

struct Sky {
    world_from_clip: mat4x4<f32>,
}
@group(0) @binding(3) var<uniform> object: Sky;

struct Vertex {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
}

@vertex
fn vs_main(@location(0) corner: vec2<f32>) -> Vertex {
    let far = object.world_from_clip * vec4(corner, 1.0, 1.0);
    return Vertex(vec4(corner, 1.0, 1.0), far.xyz / far.w);
}

@fragment
fn fs_main(in: Vertex) -> @location(0) vec4<f32> {
    return display(sky_color(normalize(in.world - frame.eye)), in.clip.xy);
}
