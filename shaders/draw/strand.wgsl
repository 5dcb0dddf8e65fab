// Strands: ribbons that face the eye. Each instance is one hair of every strand; the strand itself is the first.
// Light on a hair: the three ways through a cylinder of Marschner et al. 2003, in the closed forms of d'Eon et al. 2011 and Karis 2016
// (Physically Based Hair Shading in Unreal); or, for less, Kajiya and Kay 1989 with the shifted highlights of Scheuermann 2004.

struct Strand {
    root: vec3<f32>,
    tip: vec3<f32>,
    // Farthest that a hair is from its strand [m].
    spread: f32,
    // How far hairs come together at the tip, 0..1.
    clump: f32,
    // At the root [m].
    width: f32,
    // How many are drawn around each strand; of the last a part. Below 1: of so many strands one hair.
    hairs: f32,
    // Width of a pixel, by its distance from the eye.
    pixel: f32,
    // 1: lobes of Marschner; 0: Kajiya-Kay.
    lobes: i32,
    // 1: numbers are shown.
    shaded: i32,
    // sRGB, low to high.
    palette: array<vec4<f32>, 9>,
}
@group(0) @binding(3) var<uniform> object: Strand;

// Scales of a hair rise towards its tip, as tiles do towards the ridge's other end: the first highlight lies nearer to the tip and the
// second, which has been through the hair, nearer to the root.
const SHIFT = vec2(0.09, -0.14);
const GLOSS = vec2(90.0, 22.0);
// Strength of both.
const HIGHLIGHTS = vec2(0.035, 0.10);
// Part of the lamp that reaches hair in the shadow of the map, where hair that lets light through may be in it; and where it is not.
const UNDER = 0.22;
const UNDER_ALL = 0.04;
// What an opaque hair takes of the light on hair, as an exponent; the rest goes on from hair to hair.
const SHADE = 0.55;
// Steps of a layer for an opaque hair.
const STEPS = 16.0;
// Light that comes through hair with the lamp behind it.
const THROUGH = 0.45;

// Marschner's lobes: R off the surface, TT through the hair, TRT through it and back from the far side.
// Of the sum of both inclinations [rad]: -2a, a, 4a for scales that rise by a = 3 degrees (Chiang et al. 2016), and twice the widths
// b, b/2, 2b of their mean, b = 6 degrees (5 to 10 in Marschner's table); that of TT for a lock.
const LOBE_SHIFT = vec3(-0.105, 0.052, 0.209);
const LOBE_WIDTH = vec3(0.209, 0.181, 0.419);
// Hairs of a lock that light has been through when it comes out: each takes its part, and together they spread it by the root of so
// many along and around. Of one alone TT would be a glare.
const LOCK = 3.0;
// What a mass of hair scatters, beside what each hair does.
const SCATTERED = 0.75;
// Reflected straight on, of keratin (index 1.55).
const FRESNEL = 0.0465;
// D of the albedo exp(-D sqrt(absorption)) of a mass of such hair, at the azimuthal roughness 0.3 (Chiang et al. 2016, 9).
const ALBEDO_SLOPE = 5.89;

struct Vertex {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) tangent: vec3<f32>,
    // Way along the strand 0..1, across the ribbon -1..1.
    @location(2) on: vec2<f32>,
    // 0..1, of this hair.
    @location(3) chance: f32,
    @location(4) value: f32,
    // From the strand to this hair, by the farthest that one is.
    @location(5) outward: vec3<f32>,
}

// lowbias32 (Wellons) as 0..1.
fn chance(seed: u32) -> f32 {
    var x = seed;
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return f32((x ^ (x >> 16u)) >> 8u) / 16777216.0;
}

struct Hair {
    center: vec3<f32>,
    outward: vec3<f32>,
    chance: f32,
}

fn hair(position: vec4<f32>, tangent: vec3<f32>, aside: vec4<f32>, instance: u32) -> Hair {
    let seed = u32(aside.w) * 747796405u + instance * 2891336453u;
    let angle = 2.0 * PI * chance(seed);
    let distance = select(sqrt(chance(seed + 1u)), 0.0, instance == 0u);
    let across = aside.xyz * cos(angle) + cross(tangent, aside.xyz) * sin(angle);
    let along = position.w;
    // Apart along the way, and together at the tip; each waves a little for itself.
    let wave = 1.0 + 0.25 * sin(9.0 * along + 6.0 * chance(seed + 2u));
    let outward = across * distance * (1.0 - object.clump * along * along) * wave;
    return Hair(position.xyz + outward * object.spread, outward, chance(seed + 3u));
}

// Hairs, and their pieces, end in a point, and differ in length.
fn width_at(gone: f32, share: f32) -> f32 {
    let end = mix(0.82, 1.0, share);
    return object.width * saturate1((end - gone) * 5.0);
}

// Where a strand lies in the order in which they are left out, 0..1 (`place` of `strand.rs`).
fn place(strand: u32) -> f32 {
    return f32((strand * 2654435769u) >> 8u) / 16777216.0;
}

// Of a hair's width: the last comes and goes by it, and strands do where there is less than a hair for each (`Detail` and `drawn_to` of
// `strand.rs`).
fn part_of(instance: u32, strand: u32) -> f32 {
    if (object.hairs >= 1.0) {
        return saturate1(object.hairs - f32(instance));
    }
    let band = clamp(1.0 - object.hairs, 1e-4, 0.25);
    return saturate1((object.hairs * (1.0 + band) - place(strand)) / (2.0 * band * object.hairs));
}

@vertex
fn vs_main(
    @location(0) position: vec4<f32>,
    @location(1) tangent: vec4<f32>,
    @location(2) aside: vec4<f32>,
    // What is shown, 0..1; way along the piece, 0..1.
    @location(3) value: vec2<f32>,
    @builtin(instance_index) instance: u32,
) -> Vertex {
    let own = hair(position, tangent.xyz, aside, instance);
    let to_eye = frame.eye - own.center;
    let across = cross(tangent.xyz, to_eye);
    let width = width_at(value.y, own.chance);
    // No thinner than a pixel, where there is anything of it.
    let drawn = select(max(width, object.pixel * length(to_eye)), 0.0, width <= 0.0) * part_of(instance, u32(aside.w));
    let world = own.center + across * inverseSqrt(max(dot(across, across), 1e-20)) * (0.5 * drawn * tangent.w);
    let clip = frame.clip_from_world * vec4(world, 1.0);
    return Vertex(clip, world, tangent.xyz, vec2(position.w, tangent.w), own.chance, value.x, own.outward);
}

// Where the lamp sees a side of a hair, no thinner than a texel.
fn before_lamp(own: Hair, tangent: vec4<f32>, width: f32, part: f32) -> vec4<f32> {
    let across = cross(tangent.xyz, frame.to_light);
    let drawn = select(max(width, frame.hair_texel), 0.0, width <= 0.0) * part;
    let way = across * inverseSqrt(max(dot(across, across), 1e-20));
    return frame.shadow_from_world * vec4(own.center + way * (0.5 * drawn * tangent.w), 1.0);
}

@vertex
fn vs_shadow(
    @location(0) position: vec4<f32>,
    @location(1) tangent: vec4<f32>,
    @location(2) aside: vec4<f32>,
    // What is shown, 0..1; way along the piece, 0..1.
    @location(3) value: vec2<f32>,
    @builtin(instance_index) instance: u32,
) -> @builtin(position) vec4<f32> {
    let own = hair(position, tangent.xyz, aside, instance);
    return before_lamp(own, tangent, width_at(value.y, own.chance), part_of(instance, u32(aside.w)));
}

struct Layered {
    @builtin(position) clip: vec4<f32>,
    // Of the texels that it is drawn over.
    @location(0) opacity: f32,
    @location(1) chance: f32,
}

@vertex
fn vs_opacity(
    @location(0) position: vec4<f32>,
    @location(1) tangent: vec4<f32>,
    @location(2) aside: vec4<f32>,
    @location(3) value: vec2<f32>,
    @builtin(instance_index) instance: u32,
) -> Layered {
    let own = hair(position, tangent.xyz, aside, instance);
    let width = width_at(value.y, own.chance);
    let clip = before_lamp(own, tangent, width, part_of(instance, u32(aside.w)));
    return Layered(clip, width / max(width, frame.hair_texel), own.chance);
}

// Adds to the layer that this is in, and to all behind it.
@fragment
fn fs_opacity(in: Layered) -> @location(0) vec4<f32> {
    let behind = (in.clip.z - textureLoad(hair_depth, vec2<i32>(in.clip.xy), 0).r) / frame.hair_layer;
    let before_end = vec4(behind) < LAYER_BEGIN + LAYER_SIZE;
    let steps = floor(in.opacity * STEPS + fract(in.chance + pixel_noise(in.clip.xy)));
    return select(vec4(0.0), vec4(1.0), vec4(before_end.xyz, true)) * (steps / 255.0);
}

fn palette_color(value: f32) -> vec3<f32> {
    let at = clamp(value, 0.0, 1.0) * 8.0;
    let knot = min(i32(at), 7);
    return mix(object.palette[knot].rgb, object.palette[knot + 1].rgb, at - f32(knot));
}

// A highlight around the cone that light leaves in, with the hair's normal turned towards its tip.
fn lobe(t: vec3<f32>, n: vec3<f32>, half_way: vec3<f32>, shift: f32, gloss: f32) -> f32 {
    let th = dot(normalize(t + n * shift), half_way);
    return pow(sqrt(max(1.0 - th * th, 0.0)), gloss);
}

// Fresnel reflection of a dielectric (Schlick 1994).
fn reflected(cosine: f32) -> f32 {
    return FRESNEL + (1.0 - FRESNEL) * pow(1.0 - saturate1(cosine), 5.0);
}

// Light from `l` that one hair sends to `v`, for that of the lamp on a white wall; `jitter` [rad] is the hair's own shift.
// Longitudinal terms M are Gaussians of the sum of both inclinations, azimuthal ones N fits to the exact integrals (Karis 2016).
fn marschner(base: vec3<f32>, t: vec3<f32>, l: vec3<f32>, v: vec3<f32>, jitter: f32) -> vec3<f32> {
    let sines = vec2(dot(t, l), dot(t, v));
    let cosines = sqrt(max(1.0 - sines * sines, vec2(1e-4)));
    let cos_phi = clamp((dot(l, v) - sines.x * sines.y) / (cosines.x * cosines.y), -1.0, 1.0);
    let cos_half_phi = sqrt(0.5 + 0.5 * cos_phi);
    let cos_d = sqrt(0.5 + 0.5 * (cosines.x * cosines.y + sines.x * sines.y));
    let away = (sines.x + sines.y - LOBE_SHIFT - jitter) / LOBE_WIDTH;
    let m = exp(-0.5 * away * away) / (2.5066 * LOBE_WIDTH);
    // What the hair takes by the radius, from the colour of a mass of it.
    let root = log(clamp(base, vec3(1e-4), vec3(0.99))) / ALBEDO_SLOPE;
    let absorption = root * root;
    // Index of refraction for the projection across the hair; h is where the light enters, 0 in the middle.
    let index = 1.19 / cos_d + 0.36 * cos_d;
    let h = cos_half_phi * (1.0 + (0.6 - 0.8 * cos_phi) / index);
    let enters = 1.0 - reflected(cos_d * sqrt(saturate1(1.0 - h * h)));
    let inside = 2.0 * sqrt(saturate1(1.0 - h * h / (index * index))) / cos_d;
    let far_side = reflected(0.5 * cos_d);
    let r = 0.25 * cos_half_phi * reflected(sqrt(saturate1(0.5 + 0.5 * dot(l, v))));
    let tt = exp(-3.65 * cos_phi - 3.98) / sqrt(LOCK) * pow(enters * enters * exp(-absorption * inside), vec3(LOCK));
    let trt = exp(17.0 * cos_phi - 16.78) * (1.0 - far_side) * (1.0 - far_side) * far_side * exp(-absorption * (3.2 / cos_d));
    return PI * cosines.x * (m.x * r + m.y * tt + m.z * trt);
}

@fragment
fn fs_main(in: Vertex) -> @location(0) vec4<f32> {
    let t = normalize(in.tangent);
    let v = normalize(frame.eye - in.world);
    let l = frame.to_light;
    // Across the hair, towards the eye; and of the lock that it belongs to.
    let n = normalize(v - t * dot(v, t));
    let lock = normalize(n + 0.8 * in.outward);
    let layered = frame.hair_taps > 0;
    let past_hair = light_past_hair(in.world, SHADE, in.clip.xy);
    let visible = mix(select(UNDER, UNDER_ALL, layered), 1.0, map_visibility(in.world, lock, in.clip.xy) * past_hair);
    let open = openness(in.world, lock) * (0.55 + 0.45 * length(in.outward));
    let tl = dot(t, l);
    let diffuse = sqrt(max(1.0 - tl * tl, 0.0)) * (0.35 + 0.65 * saturate1(0.5 + 0.5 * dot(lock, l)));
    if (object.shaded != 0) {
        // Not tone-mapped: the colours are those of the scale bar, only darker.
        return vec4(palette_color(in.value) * mix(0.5, 1.0, saturate1(diffuse * (0.4 + 0.6 * visible))), 1.0);
    }
    let base = mix(object.root, object.tip, in.on.x) * mix(0.65, 1.25, in.chance);
    let sun = frame.light_color * visible;
    var color = base * sun * diffuse;
    if (object.lobes != 0) {
        color *= SCATTERED;
        color += sun * marschner(base, t, l, v, 0.1 * in.chance - 0.05);
    } else {
        let half_way = normalize(l + v);
        let first = lobe(t, n, half_way, SHIFT.x - 0.05 * in.chance, GLOSS.x) * HIGHLIGHTS.x;
        let second = lobe(t, n, half_way, SHIFT.y - 0.10 * in.chance, GLOSS.y) * HIGHLIGHTS.y;
        color += sun * (vec3(first) + sqrt(base) * second) * saturate1(1.6 * diffuse);
        let behind = pow(saturate1(-dot(l, v)), 4.0);
        color += sqrt(base) * base * sun * behind * THROUGH;
    }
    color += base * ambient_light(lock) * open;
    color += sqrt(base) * rim_light(lock, v) * open;
    return display(color, in.clip.xy);
}
