// Overlays: lines of so many pixels, and dots where a line has no length. Four corners to each, in the order begin and end,
// left and right.

struct Lines {
    // Of the picture [pixels].
    size: vec2<f32>,
    // Pixels of the picture for one of a line's width.
    scale: f32,
    // How far lines stand before what they lie on, towards the eye [m]; dots four times as far.
    lift: f32,
}
@group(0) @binding(3) var<uniform> object: Lines;

const DOT_LIFT = 4.0;
// Nearest to the eye that a line is drawn, in clip space.
const NEAREST = 1e-3;

struct Vertex {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec3<f32>,
    // Along the line from its begin, and across it [pixels].
    @location(1) on: vec2<f32>,
    // Length and half the width [pixels].
    @location(2) reach: vec2<f32>,
}

@vertex
fn vs_main(
    // w: the colour.
    @location(0) begin: vec4<f32>,
    // w: the width.
    @location(1) end: vec4<f32>,
    @builtin(vertex_index) index: u32,
) -> Vertex {
    let is_dot = all(begin.xyz == end.xyz);
    let lift = object.lift * select(1.0, DOT_LIFT, is_dot);
    var a = lifted(begin.xyz, lift);
    var b = lifted(end.xyz, lift);
    let half = 0.5 * end.w * object.scale;
    let color = unpack(begin.w);
    if (a.w < NEAREST && b.w < NEAREST) {
        return Vertex(vec4(2.0, 2.0, 2.0, 1.0), color, vec2(0.0), vec2(0.0, half));
    }
    // What lies behind the eye is cut off.
    if (a.w < NEAREST) {
        a = mix(a, b, (NEAREST - a.w) / (b.w - a.w));
    } else if (b.w < NEAREST) {
        b = mix(b, a, (NEAREST - b.w) / (a.w - b.w));
    }
    let from_a = a.xyz / a.w;
    let from_b = b.xyz / b.w;
    let way = (from_b.xy - from_a.xy) * 0.5 * object.size;
    let long = length(way);
    let along = select(vec2(1.0, 0.0), way / max(long, 1e-6), long > 1e-3);
    let across = vec2(-along.y, along.x);
    let at_end = (index & 2u) != 0u;
    let side = select(-1.0, 1.0, (index & 1u) != 0u);
    let past = select(-half, half, at_end);
    let place = select(from_a, from_b, at_end);
    let moved = (along * past + across * side * half) * 2.0 / object.size;
    // w is 1, so that what the corners have is interpolated straight over the picture.
    let on = vec2(select(0.0, long, at_end) + past, side * half);
    return Vertex(vec4(place.xy + moved, place.z, 1.0), color, on, vec2(long, half));
}

@fragment
fn fs_main(in: Vertex) -> @location(0) vec4<f32> {
    let past = max(max(-in.on.x, in.on.x - in.reach.x), 0.0);
    // Ends are round.
    if (past * past + in.on.y * in.on.y > in.reach.y * in.reach.y + 0.3) {
        discard;
    }
    return vec4(in.color, 1.0);
}
