// Cloth: two sides, textured, woven, a little translucent; or numbers in the colours of a palette.

struct Cloth {
    front: vec3<f32>,
    back: vec3<f32>,
    uv_scale: vec2<f32>,
    sheen: f32,
    roughness: f32,
    weave: f32,
    // 1: numbers are shown.
    shaded: i32,
    // 1: triangles are no larger than pixels.
    fine: i32,
    // sRGB, low to high.
    palette: array<vec4<f32>, 9>,
}
@group(0) @binding(3) var<uniform> object: Cloth;
@group(0) @binding(4) var albedo: texture_2d<f32>;
@group(0) @binding(5) var albedo_sampler: sampler;

// Threads per repeat of the texture.
const THREADS = 128.0;
// How far light bleeds past the terminator, 0..1.
const WRAP = 0.2;
// Curvature times this is how closed a fold is [m].
const FOLD_DEPTH = 0.05;
// Part of the light that comes through to the other side.
const TRANSLUCENCY = 0.3;
// What is left of a palette's colours in the darkest fold, 0..1: folds can be read, and so can the colours.
const DARKEST = 0.5;

struct Vertex {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    // Part of the lamp's light, 0..1, if cloth is fine: a pixel would work it out for each triangle that it sees.
    @location(3) visible: f32,
    // Place on the scale of what is shown, 0..1.
    @location(4) value: f32,
    // Mean curvature [1/m], positive in a valley seen from the front.
    @location(5) curvature: f32,
}

@vertex
fn vs_main(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec4<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) value: f32,
) -> Vertex {
    let clip = frame.clip_from_world * vec4(position, 1.0);
    var visible = 1.0;
    if (object.fine != 0) {
        visible = sun_visibility(position, lit_side(normal.xyz), vec2(0.0));
    }
    return Vertex(clip, position, normal.xyz, uv * object.uv_scale, visible, value, normal.w);
}

// The side of a surface that faces the lamp.
fn lit_side(normal: vec3<f32>) -> vec3<f32> {
    return normal * select(-1.0, 1.0, dot(normal, frame.to_light) > 0.0);
}

@vertex
fn vs_shadow(@location(0) position: vec3<f32>) -> @builtin(position) vec4<f32> {
    return frame.shadow_from_world * vec4(position, 1.0);
}

// Slope of a plain weave at `thread` (in threads): over, under, over, under. Fades where threads are below a pixel.
fn weave_slope(thread: vec2<f32>, footprint: vec2<f32>) -> vec2<f32> {
    let cell = floor(thread);
    let within = fract(thread) - 0.5;
    let warp_on_top = fract((cell.x + cell.y) * 0.5) < 0.25;
    let slope = within * select(vec2(0.5, 1.6), vec2(1.6, 0.5), warp_on_top);
    let fade = 1.0 - smoothstep(0.25, 0.6, max(footprint.x, footprint.y));
    return slope * fade;
}

// Light that the fuzz on a fabric throws back (Estevez and Kulla 2017; visibility after Neubelt).
fn fuzz(n: vec3<f32>, v: vec3<f32>, roughness: f32) -> f32 {
    let l = frame.to_light;
    let h = normalize(l + v);
    let nl = saturate1(dot(n, l));
    let nv = saturate1(dot(n, v));
    let sharpness = 1.0 / max(roughness * roughness, 0.05);
    let sine2 = max(1.0 - pow(dot(n, h), 2.0), 0.0);
    let distribution = (2.0 + sharpness) * pow(sine2, 0.5 * sharpness) / (2.0 * PI);
    return distribution * nl / (4.0 * (nl + nv - nl * nv) + 1e-3);
}

// Colour of a place on the scale, sRGB; what is beyond the scale has the colour of its end.
fn palette_color(value: f32) -> vec3<f32> {
    let at = saturate1(value) * 8.0;
    let knot = min(i32(at), 7);
    return mix(object.palette[knot].rgb, object.palette[knot + 1].rgb, at - f32(knot));
}

@fragment
fn fs_main(in: Vertex, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let side = select(-1.0, 1.0, is_front);
    let thread = in.uv * THREADS;
    let footprint = fwidth(thread);
    let dpx = dpdx(in.world);
    let dpy = dpdy(in.world);
    let duvx = dpdx(in.uv);
    let duvy = dpdy(in.uv);
    let texel = textureSample(albedo, albedo_sampler, in.uv).rgb;

    let smooth_normal = normalize(in.normal) * side;
    let v = normalize(frame.eye - in.world);
    // Cotangent frame (Schueler 2013): directions in which u and v grow.
    let ax = cross(dpy, smooth_normal);
    let ay = cross(smooth_normal, dpx);
    let tangent = ax * duvx.x + ay * duvy.x;
    let bitangent = ax * duvx.y + ay * duvy.y;
    let stretch = inverseSqrt(max(max(dot(tangent, tangent), dot(bitangent, bitangent)), 1e-20));
    let slope = weave_slope(thread, footprint) * object.weave * 0.6;
    let n = normalize(smooth_normal + (tangent * slope.x + bitangent * slope.y) * stretch);

    let base = linear_from_srgb(texel) * select(object.back, object.front, is_front);
    let l = frame.to_light;
    let nl = dot(n, l);
    var visible = in.visible;
    if (object.fine == 0) {
        visible = sun_visibility(in.world, lit_side(smooth_normal), in.clip.xy);
    }
    // Valleys of folds see less of the sky and of the lamp's surroundings.
    let valley = in.curvature * side * FOLD_DEPTH;
    let open = openness(in.world, smooth_normal) * clamp(1.0 - valley, 0.5, 1.1);

    let wrapped = saturate1((nl + WRAP) / (1.0 + WRAP));
    if (object.shaded != 0) {
        // Not tone-mapped: the colours are those of the scale bar, only darker.
        let lit = saturate1(0.5 * wrapped * visible + 0.5 * saturate1(0.5 + 0.5 * n.y) * open + 0.2);
        return vec4(palette_color(in.value) * mix(DARKEST, 1.0, lit), 1.0);
    }
    let through = saturate1(-nl) * TRANSLUCENCY;
    let sun = frame.light_color * visible;
    var color = base * sun * wrapped * wrapped * mix(1.0, open, 0.5);
    color += base * sun * through;
    color += base * ambient_light(n) * open;

    let fuzz_color = mix(vec3(0.25), sqrt(base), 0.7) * object.sheen;
    color += fuzz_color * fuzz(n, v, 0.35 + 0.5 * object.roughness) * sun;
    let rim = pow(1.0 - saturate1(dot(n, v)), 4.0);
    color += fuzz_color * rim * ambient_light(n) * 0.6 * open;

    color += mix(base, vec3(0.5), 0.3) * rim_light(n, v) * open;

    let gloss = highlight(n, v, 0.35 + 0.6 * object.roughness) * (1.0 - object.roughness);
    color += gloss * sun;
    return display(color, in.clip.xy);
}
