// Shared by every drawing shader; the host appends this text to each file.
// Space: world, y up, metres. Light and colours are linear until `display`.

struct Frame {
    clip_from_world: mat4x4<f32>,
    shadow_from_world: mat4x4<f32>,
    eye: vec3<f32>,
    to_light: vec3<f32>,
    light_color: vec3<f32>,
    ambient: f32,
    to_rim: vec3<f32>,
    rim_color: vec3<f32>,
    horizon: vec3<f32>,
    zenith: vec3<f32>,
    bounce: vec3<f32>,
    shadow_texel: f32,
    hair_texel: f32,
    // Thickness of the first layer of hair, in depth.
    hair_layer: f32,
    // What of its maps hair is in: low and high corner, 0..1.
    hair_low: vec2<f32>,
    hair_high: vec2<f32>,
    // Number of taps in the layers of hair; 0: there are none.
    hair_taps: i32,
    fog_distance: f32,
    center: vec3<f32>,
    radius: f32,
    // Number of taps of a soft shadow; 4 or fewer draws a plain one.
    shadow_taps: i32,
    occluder_count: i32,
    occluders: array<vec4<f32>, 8>,
}
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;
// Depth of the first hair from the lamp, and hairs before the ends of four layers behind it (`opacity.rs`).
@group(0) @binding(6) var hair_depth: texture_2d<f32>;
@group(0) @binding(7) var hair_layers: texture_2d<f32>;
@group(0) @binding(10) var hair_sampler: sampler;

// A third of a stop down: folds of light cotton keep their shades.
const EXPOSURE = 0.85;
const PI = 3.14159265;
const GOLDEN_ANGLE = 2.39996323;
// From one place of Vogel's spiral to the next, as cosine and sine; and half of it.
const GOLDEN_TURN = vec2(-0.73736888, 0.67549029);
const GOLDEN_TURN_HALF = vec2(0.36237489, 0.93203242);
// Half width of the soft edge of a shadow [texels], and how fast it grows with the depth to the caster.
const PENUMBRA_MIN = 2.0;
const PENUMBRA_MAX = 18.0;
const LAMP_SIZE = 170.0;
// Depth of the shadow map's box for its width.
const BOX_DEPTH = 2.0;
// Steepest surface that the filter follows, in depth for a step across the map.
const STEEPEST = 2.0;
// Hairs that a full layer stands for, and where layers begin and how thick they are, by the first.
const HAIRS_IN_ALL = 15.9375;
const LAYER_BEGIN = vec4(0.0, 1.0, 3.0, 7.0);
const LAYER_SIZE = vec4(1.0, 2.0, 4.0, 8.0);
// Narrowest and widest filter in the maps of hair [texels], and how fast it grows with the depth to the first hair.
const HAIR_BLUR_MIN = 0.7;
const HAIR_BLUR_MAX = 2.4;
const HAIR_BLUR = 29.3;
// Looks for hair, the first in the middle.
const HAIR_PROBES = 9;
const MORE_PROBES = 40;
// What an opaque hair takes of the light on what is no hair, as an exponent: it stands for several.
const HAIR_SHADE = 2.2;
// Just short of where the map is empty.
const FARTHEST = 0.99999;

fn saturate1(x: f32) -> f32 {
    return clamp(x, 0.0, 1.0);
}

fn unit(angle: f32) -> vec2<f32> {
    return vec2(cos(angle), sin(angle));
}

// Turned by the angle of another direction: both multiplied as complex numbers.
fn rotated(a: vec2<f32>, by: vec2<f32>) -> vec2<f32> {
    return vec2(a.x * by.x - a.y * by.y, a.x * by.y + a.y * by.x);
}

fn linear_from_srgb(c: vec3<f32>) -> vec3<f32> {
    return select(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, c <= vec3(0.04045));
}

fn srgb_from_linear(c: vec3<f32>) -> vec3<f32> {
    return select(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, c * 12.92, c <= vec3(0.0031308));
}

// Interleaved gradient noise (Jimenez 2014), 0..1.
fn pixel_noise(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

// Filmic curve: Stephen Hill's fit of ACES (RRT and ODT), which lets bright colours fade towards white.
fn tone_map(color: vec3<f32>) -> vec3<f32> {
    let input = mat3x3<f32>(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
    let output = mat3x3<f32>(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
    let v = input * color;
    let fitted = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    return clamp(output * fitted, vec3(0.0), vec3(1.0));
}

// Linear light to what the screen shows; half a step of noise hides the bands of 8-bit gradients.
fn display(color: vec3<f32>, pixel: vec2<f32>) -> vec4<f32> {
    let dither = (pixel_noise(pixel) - 0.5) / 255.0;
    return vec4(srgb_from_linear(tone_map(EXPOSURE * color)) + dither, 1.0);
}

// A curved wall: bright where it leaves the ground, so that no horizon shows, dark above, and lit behind the scene.
fn sky_color(direction: vec3<f32>) -> vec3<f32> {
    let up = max(direction.y + 0.05, 0.0);
    let wall = frame.horizon * vec3(1.50, 1.45, 1.38);
    let above = mix(frame.horizon, frame.zenith, 0.8);
    // Begins without a kink.
    let graded = mix(wall, above, 1.0 - exp2(-4.2 * up * up / (up + 0.25)));
    let aside = 1.0 - dot(normalize(direction), normalize(frame.center - frame.eye));
    return graded * mix(0.55, 1.1, exp2(-9.0 * aside));
}

fn luminance(color: vec3<f32>) -> f32 {
    return dot(color, vec3(0.2126, 0.7152, 0.0722));
}

// Light from everywhere else on a surface that faces `n`: the sky above, less blue than it looks, as the walls of a studio
// throw it back, and what the ground sends up.
fn ambient_light(n: vec3<f32>) -> vec3<f32> {
    let sky = mix(frame.horizon, frame.zenith, 0.35);
    let soft = mix(vec3(luminance(sky)), sky, 0.4);
    return frame.ambient * mix(frame.bounce, soft, 0.5 + 0.5 * n.y);
}

// What the lamp behind the scene adds to a surface: a thin bright line where it turns away from the eye, and a little where it
// faces that lamp.
fn rim_light(n: vec3<f32>, v: vec3<f32>) -> vec3<f32> {
    let facing = saturate1(dot(n, frame.to_rim));
    let edge = pow(1.0 - saturate1(dot(n, v)), 3.0);
    return frame.rim_color * facing * (0.2 + 2.0 * edge);
}

// 1 in the open, less near solids: the part of the hemisphere around `n` that the spheres cover.
fn openness(p: vec3<f32>, n: vec3<f32>) -> f32 {
    var open = 1.0;
    for (var i = 0; i < frame.occluder_count; i++) {
        let sphere = frame.occluders[i];
        let d = sphere.xyz - p;
        let distance = max(length(d), sphere.w) + 1e-6;
        let covered = max(dot(n, d) / distance, 0.0) * (sphere.w * sphere.w) / (distance * distance);
        open *= 1.0 - 0.9 * covered;
    }
    return open;
}

// How depth grows across the map on a plane with normal `n`: taps beside a point are compared with the plane, not with the
// point, or half of a disc on any slope would lie in its own shadow and be searched for a caster (receiver plane depth bias,
// Isidoro 2006).
fn depth_slope(n: vec3<f32>) -> vec2<f32> {
    let across = (frame.shadow_from_world * vec4(n, 0.0)).xyz * vec3(1.0, 1.0, BOX_DEPTH * BOX_DEPTH);
    let slope = across.xy / max(-across.z, 1e-9);
    return slope * min(1.0, STEEPEST / max(length(slope), 1e-6));
}

// Lit part of the disc of `radius` texels around `at` on a plane with this `slope`, from every `stride`-th of the taps on Vogel's
// spiral, rim first: a sum, one for each tap. `turn` is the cosine and sine of the disc's rotation.
fn lit_part(at: vec2<f32>, depth: f32, slope: vec2<f32>, radius: f32, turn: vec2<f32>, first: i32, stride: i32, end: i32) -> f32 {
    let reach = radius / vec2<f32>(textureDimensions(shadow_map));
    let back = unit(-f32(stride) * GOLDEN_ANGLE);
    var arm = rotated(unit((f32(frame.shadow_taps - 1 - first) + 0.5) * GOLDEN_ANGLE), turn);
    var lit = 0.0;
    for (var k = first; k < end; k += stride) {
        let offset = arm * sqrt((f32(frame.shadow_taps - 1 - k) + 0.5) / f32(frame.shadow_taps)) * reach;
        arm = rotated(arm, back);
        let compared = min(depth + dot(offset, slope), FARTHEST);
        lit += textureSampleCompareLevel(shadow_map, shadow_sampler, at + offset, compared);
    }
    return lit;
}

// Opaque hairs between the lamp and a depth, around a place in the maps [texels]; `level` 0: over four texels, 1: over
// sixteen. Where the middle one is empty the first hair is as far away as the nearest around, `gap`.
fn hairs_before(place: vec2<f32>, depth: f32, gap: f32, level: f32) -> f32 {
    let size = vec2<f32>(textureDimensions(hair_depth));
    let texel = clamp(vec2<i32>(place), vec2(0), vec2<i32>(size) - 1);
    let first = textureLoad(hair_depth, texel, 0).r;
    let behind = select(depth - first, gap, first >= FARTHEST) / frame.hair_layer;
    let part = clamp((vec4(behind) - LAYER_BEGIN) / LAYER_SIZE, vec4(0.0), vec4(1.0));
    let layers = textureSampleLevel(hair_layers, hair_sampler, place / size, level) * HAIRS_IN_ALL;
    return dot(part, layers - vec4(0.0, layers.xyz));
}

// What hair leaves of the lamp's light, 0..1, where an opaque one takes exp(-shade); by so many taps at most.
fn light_past_hair(p: vec3<f32>, shade: f32, pixel: vec2<f32>, most: i32) -> f32 {
    let at = (frame.shadow_from_world * vec4(p, 1.0)).xyz * 0.5 + 0.5;
    let inside = all(at.xy > frame.hair_low) && all(at.xy < frame.hair_high);
    var taps = select(0, min(frame.hair_taps, most), inside);
    let probes = min(taps, HAIR_PROBES);
    let edge = vec2<i32>(textureDimensions(hair_depth)) - 1;
    let center = at.xy * vec2<f32>(textureDimensions(hair_depth));
    let angle = pixel_noise(pixel) * 2.0 * PI;
    let turn = unit(angle);
    // Where their layers say that there are some, thin ones are not missed by chance, which would be bright grain.
    let more = select(0, MORE_PROBES, taps > 0 && textureSampleLevel(hair_layers, hair_sampler, at.xy, 2.0).w > 0.0);
    // The farther the hair, the softer.
    var gap = 0.0;
    var arm = turn;
    for (var k = 0; k < probes || (k < more && gap <= 0.0); k++) {
        let offset = arm * sqrt(f32(k) / f32(probes)) * HAIR_BLUR_MAX;
        arm = rotated(arm, GOLDEN_TURN);
        gap = max(gap, at.z - textureLoad(hair_depth, clamp(vec2<i32>(center + offset), vec2(0), edge), 0).r);
    }
    // Nothing lies before it, as nearly everywhere.
    taps = select(0, taps, gap > 0.0);
    let radius = clamp(gap * HAIR_BLUR, HAIR_BLUR_MIN, HAIR_BLUR_MAX);
    // As far as taps lie apart.
    let level = select(0.0, 1.0, radius > 2.0);
    var left = 0.0;
    arm = rotated(turn, GOLDEN_TURN_HALF);
    for (var k = 0; k < taps; k++) {
        let offset = arm * sqrt((f32(k) + 0.5) / f32(taps)) * radius;
        arm = rotated(arm, GOLDEN_TURN);
        left += exp(-shade * hairs_before(center + offset, at.z, gap, level));
    }
    return select(1.0, left / f32(max(taps, 1)), taps > 0);
}

// 0 in shadow .. 1 in the light.
fn sun_visibility(p: vec3<f32>, n: vec3<f32>, pixel: vec2<f32>) -> f32 {
    return map_visibility(p, n, pixel) * light_past_hair(p, HAIR_SHADE, pixel, frame.hair_taps);
}

// Where a point is looked up in the shadow map: a little off the side that casts the shadow.
fn shadow_place(p: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let grazing = 1.0 - saturate1(dot(n, frame.to_light));
    let lifted = p + n * frame.shadow_texel * (1.5 + 5.0 * grazing) + frame.to_light * frame.shadow_texel;
    return (frame.shadow_from_world * vec4(lifted, 1.0)).xyz * 0.5 + 0.5;
}

// The same of what is in the shadow map, with edges as soft everywhere.
fn plain_visibility(p: vec3<f32>, n: vec3<f32>) -> f32 {
    let at = shadow_place(p, n);
    let inside = all(at.xy > vec2(0.0)) && all(at.xy < vec2(1.0));
    let soft = frame.shadow_taps > 4;
    let stride = select(1, 3, soft);
    let taps = select(0, frame.shadow_taps, inside);
    let lit = lit_part(at.xy, clamp(at.z, 0.0, FARTHEST), depth_slope(n), select(PENUMBRA_MIN, PENUMBRA_MAX, soft), vec2(1.0, 0.0), 0, stride, taps);
    return select(1.0, lit * f32(stride) / f32(frame.shadow_taps), inside);
}

// The same of what is in the shadow map; edges are sharp at the caster and softer away from it.
// `n` is the side that faces the lamp, or the point is in shadow anyway.
// Work that is not needed is a loop of no turns, which software GL skips; it does not skip branches.
fn map_visibility(p: vec3<f32>, n: vec3<f32>, pixel: vec2<f32>) -> f32 {
    let at = shadow_place(p, n);
    let inside = all(at.xy > vec2(0.0)) && all(at.xy < vec2(1.0));
    let depth = clamp(at.z, 0.0, FARTHEST);
    let slope = depth_slope(n);
    let angle = pixel_noise(pixel) * 2.0 * PI;
    let turn = unit(angle);

    // Where these agree, the point is not on an edge. The search is the same for all pixels: only the last filter
    // may be noisy, its noise is faint.
    let upright = vec2(1.0, 0.0);
    let all_taps = f32(frame.shadow_taps);
    let soft = frame.shadow_taps > 4;
    let stride = select(1, 3, soft);
    let probes = select(0, frame.shadow_taps, inside);
    let probed = lit_part(at.xy, depth, slope, select(PENUMBRA_MIN, PENUMBRA_MAX, soft), upright, 0, stride, probes) * f32(stride) / all_taps;
    let on_edge = soft && inside && probed > 0.0 && probed < 1.0;
    let taps = select(0, frame.shadow_taps, on_edge);

    // Mean distance of the casters, in depth: the integral over d of the part that lies further than d.
    var further = 0.0;
    var step = 0.004;
    for (var i = 0; i < min(taps, 4); i++) {
        further += step * (1.0 - lit_part(at.xy, depth - step, slope, PENUMBRA_MAX, upright, i, 4, taps) * 4.0 / all_taps);
        step *= 2.0;
    }
    let caster = further / max(1.0 - probed, 0.15);
    let radius = clamp(caster * LAMP_SIZE, PENUMBRA_MIN, PENUMBRA_MAX);
    let lit = lit_part(at.xy, depth, slope, radius, turn, 0, 1, taps) / all_taps;
    return select(1.0, select(probed, lit, on_edge), inside);
}

// GGX highlight of a dielectric, without the colour of the light.
fn highlight(n: vec3<f32>, v: vec3<f32>, roughness: f32) -> f32 {
    let l = frame.to_light;
    let h = normalize(l + v);
    let nl = saturate1(dot(n, l));
    let nv = saturate1(dot(n, v)) + 1e-4;
    let nh = saturate1(dot(n, h));
    let a = roughness * roughness;
    let d = nh * nh * (a * a - 1.0) + 1.0;
    let distribution = a * a / (PI * d * d);
    let k = 0.5 * a;
    let visibility = 0.25 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    let fresnel = 0.04 + 0.96 * pow(1.0 - saturate1(dot(v, h)), 5.0);
    return distribution * visibility * fresnel * nl;
}

@fragment
fn fs_shadow() {}

// A colour of an overlay: 24 bits, red first.
fn unpack(color: f32) -> vec3<f32> {
    let bits = u32(color);
    return vec3(f32(bits >> 16u), f32((bits >> 8u) & 255u), f32(bits & 255u)) / 255.0;
}

// A place of an overlay, so far before what it lies on [m], towards the eye.
fn lifted(at: vec3<f32>, lift: f32) -> vec4<f32> {
    let way = frame.eye - at;
    let far = max(length(way), 1e-6);
    return frame.clip_from_world * vec4(at + way * min(lift / far, 0.5), 1.0);
}
