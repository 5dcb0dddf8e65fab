// Strands: ribbons that face the eye, or lines where they are no wider than a pixel. Each instance is one hair of every strand; the strand
// itself is the first.
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
    // 1: lines as wide as a pixel or texel; 0: ribbons.
    lines: i32,
    // 1: the last hair is there or not; 0: it is as wide as the part of it that counts.
    whole: i32,
    // 1: lobes of Marschner; 0: Kajiya-Kay.
    lobes: i32,
    // How much of it water covers, 0..1.
    wet: f32,
    // 1: numbers are shown.
    shaded: i32,
    // How far hairs lie between strands, and not around one, 0..1.
    interpolation: f32,
    // Places of a strand in `guides`; 0: there is nothing to lie between.
    points: i32,
    // Low corner and longest side of the box that places are told in [m].
    corner: vec3<f32>,
    side: f32,
    // Strands farther apart have less between them [m].
    reach: f32,
    // sRGB, low to high.
    palette: array<vec4<f32>, 9>,
}
@group(0) @binding(3) var<uniform> object: Strand;
// Places and tangents of all strands, and those around each (`guide_maps.rs`).
@group(0) @binding(8) var guides: texture_2d<f32>;
@group(0) @binding(9) var around: texture_2d<f32>;
// Texels in a row of both.
const ROW = 1024u;
// Triangles of a strand.
const SLOTS = 8u;
// What is left of the way from the strand to a hair around it, for one that lies between three.
const LOOSE = 0.45;
// Part of a hair in which it goes from its own root to the strand that it stays with, where others part from that.
const ROOTED = 0.2;

// Scales of a hair rise towards its tip, as tiles do towards the ridge's other end: the first highlight lies nearer to the tip and the
// second, which has been through the hair, nearer to the root.
const SHIFT = vec2(0.09, -0.14);
const GLOSS = vec2(90.0, 22.0);
// Strength of both.
const HIGHLIGHTS = vec2(0.035, 0.10);
// Part of the lamp that reaches hair in the shadow of the map, where hair that lets light through may be in it; and where it is not.
const UNDER = 0.22;
const UNDER_ALL = 0.04;
// Index of refraction of water, what it reflects straight, and how far its light is spread along a hair [rad].
const WATER = 1.33;
const WATER_FRESNEL = 0.02;
const FILM_WIDTH = 0.035;
// What an opaque hair takes of the light on hair, as an exponent; the rest goes on from hair to hair.
const SHADE = 0.55;
// Taps in the layers at a place of a hair: its neighbours take others.
const TAPS = 4;
// Steps of a layer for an opaque hair.
const STEPS = 16.0;
// A place that nobody sees, in clip space.
const NOWHERE = vec4(0.0, 0.0, 2.0, 1.0);
// Light that comes through hair with the lamp behind it.
const THROUGH = 0.45;

// Marschner's lobes: R off the surface, TT through the hair, TRT through it and back from the far side.
// Of the sum of both inclinations [rad]: -2a, a, 4a for scales that rise by a = 3 degrees (Chiang et al. 2016), and twice the widths
// b, b/2, 2b of their mean, b = 6 degrees (5 to 10 in Marschner's table); that of TT for a lock.
const LOBE_SHIFT = vec3(-0.105, 0.052, 0.209);
const LOBE_WIDTH = vec3(0.209, 0.181, 0.419);
// Hairs of a lock that light has been through when it comes out: each takes its part, and together they spread it by the root of so
// many along and around. Of one alone TT would be a glare. TRT comes back from half of them: of one alone it would be frost on light hair.
const LOCK = 3.0;
// What a mass of hair scatters, beside what each hair does.
const SCATTERED = 0.75;
// Reflected straight on, of keratin (index 1.55).
const FRESNEL = 0.0465;
// D of the albedo exp(-D sqrt(absorption)) of a mass of such hair, at the azimuthal roughness 0.3 (Chiang et al. 2016, 9).
const ALBEDO_SLOPE = 5.89;

struct Vertex {
    @builtin(position) clip: vec4<f32>,
    // Light that comes from it to the eye; of the palette's colours, where they are shown.
    @location(0) light: vec3<f32>,
    @location(1) value: f32,
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
    tangent: vec3<f32>,
    outward: vec3<f32>,
    chance: f32,
    // [m]
    width: f32,
    // Of it that is drawn.
    part: f32,
}

// Three bytes as a whole number.
fn number(texel: vec4<f32>) -> f32 {
    return dot(texel.xyz, vec3(255.0 * 65536.0, 255.0 * 256.0, 255.0));
}

// One of the two other strands of a slot.
fn neighbor(strand: u32, slot: u32, which: u32) -> u32 {
    let at = (strand * SLOTS + slot) * 2u + which;
    return u32(number(textureLoad(around, vec2<i32>(vec2(at % ROW, at / ROW)), 0)) + 0.5);
}

// A place and its tangent: axes are rows of texels.
fn guide(at: u32) -> array<vec3<f32>, 2> {
    let row = vec2<i32>(vec2(at % ROW, at / ROW * 3u));
    let x = textureLoad(guides, row, 0);
    let y = textureLoad(guides, row + vec2(0, 1), 0);
    let z = textureLoad(guides, row + vec2(0, 2), 0);
    let place = vec3(number(x), number(y), number(z)) * (object.side / 16777215.0);
    return array(object.corner + place, vec3(x.w, y.w, z.w) * 2.0 - 1.0);
}

// A hair of a strand is that strand and a way from it: around it at random, or towards two of its neighbours by barycentric weights that
// are those of a random place in the part of their triangle that is nearest to it.
fn hair(position: vec4<f32>, tangent: vec3<f32>, aside: vec4<f32>, gone: f32, instance: u32) -> Hair {
    let strand = u32(aside.w);
    let seed = strand * 747796405u + instance * 2891336453u;
    let angle = 2.0 * PI * chance(seed);
    let distance = select(sqrt(chance(seed + 1u)), 0.0, instance == 0u);
    let across = aside.xyz * cos(angle) + cross(tangent, aside.xyz) * sin(angle);
    let along = position.w;
    let choice = u32(chance(seed + 4u) * f32(2u * SLOTS));
    let share = chance(seed + 5u);
    // Software GL skips what is not needed in a loop of no turns.
    var way = vec3(0.0);
    var turned = vec3(0.0);
    let point = u32(along * f32(object.points - 1) + 0.5);
    let lies_between = object.points > 0 && object.interpolation > 0.0 && instance > 0u;
    // For those between three.
    var between = select(0.0, 1.0, lies_between);
    for (var k = 0u; k < select(0u, 2u, lies_between); k++) {
        let other = neighbor(strand, choice / 2u, k);
        // Half of the nearest part, from the strand to the middle of a side and to that of the triangle.
        var weight = distance * select(share / 3.0, 0.5 - share / 6.0, k == choice % 2u);
        let at = guide(other * u32(object.points) + point);
        let apart = at[0] - position.xyz;
        // What parts, or curls the other way, keeps its hairs, but their roots cover the skin between.
        let alike = max(saturate1(1.0 + 2.0 * dot(at[1], tangent)), 1.0 - along / ROOTED);
        let near = min(1.0, object.reach * object.reach / max(dot(apart, apart), 1e-12)) * alike;
        weight *= near * object.interpolation;
        way += weight * apart;
        turned += weight * (at[1] - tangent);
        between = min(between, select(0.0, near, other != strand));
    }
    between *= object.interpolation;
    // Apart along the way, and together at the tip; each waves a little for itself.
    let wave = 1.0 + 0.25 * sin(9.0 * along + 6.0 * chance(seed + 2u));
    let taper = 1.0 - object.clump * along * along;
    let loose = across * (distance * object.spread * mix(1.0, LOOSE, between) * wave);
    let outward = across * distance * (1.0 - between) + normalize(way - tangent * dot(way, tangent) + across * 1e-6) * (distance * between);
    // Hairs, and their pieces, differ in length, and end in a point.
    let own = chance(seed + 3u);
    let width = object.width * saturate1((mix(0.82, 1.0, own) - gone) * 5.0);
    return Hair(position.xyz + (way + loose) * taper, normalize(tangent + turned * taper), outward * taper, own, width, part_of(instance, strand));
}

// From the middle of a hair to a side of its ribbon, which is no thinner than that, where there is anything of it; of a part thinner.
fn to_side(own: Hair, across: vec3<f32>, least: f32, side: f32) -> vec3<f32> {
    let drawn = select(max(own.width, least) * own.part, 0.0, own.width <= 0.0 || object.lines != 0);
    return across * inverseSqrt(max(dot(across, across), 1e-20)) * (0.5 * drawn * side);
}

// Where a strand lies in the order in which they are left out, 0..1 (`place` of `detail.rs`).
fn place(strand: u32) -> f32 {
    return f32((strand * 2406786955u) >> 8u) / 16777216.0;
}

// Of a hair's width: the last comes and goes by it, and strands do where there is less than a hair for each (`Detail` and `drawn_to` of
// `detail.rs`). Lines, which cannot be thinner, and hairs of a picture with
// one sample a pixel do so one by one.
fn part_of(instance: u32, strand: u32) -> f32 {
    if (object.whole != 0) {
        return select(0.0, 1.0, place(strand) < object.hairs - f32(instance));
    }
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
    let own = hair(position, tangent.xyz, aside, value.y, instance);
    let to_eye = frame.eye - own.center;
    let side = to_side(own, cross(own.tangent, to_eye), object.pixel * length(to_eye), tangent.w);
    let clip = frame.clip_from_world * vec4(own.center + side, 1.0);
    return Vertex(select(NOWHERE, clip, own.part > 0.0), light_of(own, normalize(to_eye), position.w), value.x);
}

// The normal of the lock that a hair belongs to, where it turns `n` to the eye.
fn lock_of(n: vec3<f32>, outward: vec3<f32>) -> vec3<f32> {
    return normalize(n + 0.8 * outward);
}

// Parts of the lamp's light and of all other light that reach a hair, 0..1. Each hair has its noise.
fn reached_by_light(own: Hair, lock: vec3<f32>) -> vec2<f32> {
    let noise = vec2(own.chance * 1024.0, 0.0);
    let visible = plain_visibility(own.center, lock) * light_past_hair(own.center, SHADE, noise, TAPS);
    return vec2(visible, openness(own.center, lock) * (0.55 + 0.45 * length(own.outward)));
}

// Where the lamp sees a side of a hair, no thinner than a texel.
fn before_lamp(own: Hair, side: f32) -> vec4<f32> {
    let way = to_side(own, cross(own.tangent, frame.to_light), frame.hair_texel, side);
    return select(NOWHERE, frame.shadow_from_world * vec4(own.center + way, 1.0), own.part > 0.0);
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
    // A line goes on where its hair ends: where nothing lies in the layers, the depth of the first hair tells nothing.
    return before_lamp(hair(position, tangent.xyz, aside, value.y, instance), tangent.w);
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
    let own = hair(position, tangent.xyz, aside, value.y, instance);
    let clip = before_lamp(own, tangent.w);
    // A line is one texel at each step along the longer axis, of which a slanting one has fewer than it is long.
    let way = abs((frame.shadow_from_world * vec4(own.tangent, 0.0)).xy);
    let slant = length(way) / max(max(way.x, way.y), 1e-9);
    let opacity = own.width / max(own.width, frame.hair_texel) * select(1.0, slant, object.lines != 0);
    return Layered(clip, opacity, own.chance);
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
    let trt = exp(17.0 * cos_phi - 16.78) * (1.0 - far_side) * (1.0 - far_side) * far_side * exp(-absorption * (0.5 * LOCK * 3.2 / cos_d));
    return PI * cosines.x * (m.x * r + m.y * tt + m.z * trt);
}

// Colour under a film of water, which throws back a part of what it gets from below (Angstrom 1925).
fn under_water(base: vec3<f32>) -> vec3<f32> {
    return base / (WATER * WATER * (1.0 - base) + base);
}

// Light from `l` that a film of water around a hair or yarn sends to `v`, as the first lobe of `marschner`: smoother, without scales.
fn gleam(t: vec3<f32>, l: vec3<f32>, v: vec3<f32>) -> f32 {
    let sines = vec2(dot(t, l), dot(t, v));
    let cosines = sqrt(max(1.0 - sines * sines, vec2(1e-4)));
    let cos_phi = clamp((dot(l, v) - sines.x * sines.y) / (cosines.x * cosines.y), -1.0, 1.0);
    let away = (sines.x + sines.y) / FILM_WIDTH;
    let m = exp(-0.5 * away * away) / (2.5066 * FILM_WIDTH);
    let cosine = sqrt(saturate1(0.5 + 0.5 * dot(l, v)));
    let part = WATER_FRESNEL + (1.0 - WATER_FRESNEL) * pow(1.0 - cosine, 5.0);
    return PI * cosines.x * m * 0.25 * sqrt(0.5 + 0.5 * cos_phi) * part;
}

// Light that a hair sends to `v` at a place of it, of which nothing changes across the hair and all of it slowly along.
fn light_of(own: Hair, v: vec3<f32>, along: f32) -> vec3<f32> {
    let t = own.tangent;
    let l = frame.to_light;
    // Across the hair, towards the eye; and of the lock that it belongs to.
    let n = normalize(v - t * dot(v, t));
    let lock = lock_of(n, own.outward);
    let reached = reached_by_light(own, lock);
    let layered = frame.hair_taps > 0;
    let visible = mix(select(UNDER, UNDER_ALL, layered), 1.0, reached.x);
    let open = reached.y;
    let tl = dot(t, l);
    let diffuse = sqrt(max(1.0 - tl * tl, 0.0)) * (0.35 + 0.65 * saturate1(0.5 + 0.5 * dot(lock, l)));
    if (object.shaded != 0) {
        return vec3(mix(0.5, 1.0, saturate1(diffuse * (0.4 + 0.6 * visible))));
    }
    let dry = mix(object.root, object.tip, along) * mix(0.65, 1.25, own.chance);
    let base = mix(dry, under_water(min(dry, vec3(1.0))), object.wet);
    let sun = frame.light_color * visible;
    var color = base * sun * diffuse;
    if (object.lobes != 0) {
        color *= SCATTERED;
        color += sun * marschner(base, t, l, v, 0.1 * own.chance - 0.05);
    } else {
        let half_way = normalize(l + v);
        let first = lobe(t, n, half_way, SHIFT.x - 0.05 * own.chance, GLOSS.x) * HIGHLIGHTS.x;
        let second = lobe(t, n, half_way, SHIFT.y - 0.10 * own.chance, GLOSS.y) * HIGHLIGHTS.y;
        color += sun * (vec3(first) + sqrt(base) * second) * saturate1(1.6 * diffuse);
        let behind = pow(saturate1(-dot(l, v)), 4.0);
        color += sqrt(base) * base * sun * behind * THROUGH;
    }
    if (object.wet > 0.0) {
        color += sun * (object.wet * gleam(t, l, v));
    }
    color += base * ambient_light(lock) * open;
    return color + sqrt(base) * rim_light(lock, v) * open;
}

@fragment
fn fs_main(in: Vertex) -> @location(0) vec4<f32> {
    if (object.shaded != 0) {
        // Not tone-mapped: the colours are those of the scale bar, only darker.
        return vec4(palette_color(in.value) * in.light, 1.0);
    }
    return display(in.light, in.clip.xy);
}
