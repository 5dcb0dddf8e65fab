// The floor: a plane with a grid of anti-aliased lines that fades into the horizon.

struct Ground {
    color: vec3<f32>,
    height: f32,
    grid: f32,
}
@group(0) @binding(3) var<uniform> object: Ground;

// Light of the wall on the ground, by that of the sky alone.
const WALL = 1.5;
// Width of a line as part of a cell.
const LINE = 0.012;

struct Vertex {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
}

@vertex
fn vs_main(@location(0) corner: vec2<f32>) -> Vertex {
    let flat = frame.center.xz + corner * frame.fog_distance * 2.0;
    let world = vec3(flat.x, object.height, flat.y);
    return Vertex(frame.clip_from_world * vec4(world, 1.0), world);
}

// How much of the pixel lines cover, 0..1 (after Golus, "The best darn grid shader").
fn lines(at: vec2<f32>, width: f32) -> f32 {
    let footprint = max(fwidth(at), vec2(1e-6));
    let drawn = clamp(vec2(width), footprint, vec2(0.5));
    let edge = footprint * 1.5;
    let away = abs(fract(at - 0.5) - 0.5) * 2.0;
    var cover = smoothstep(drawn + edge, drawn - edge, away) * clamp(width / drawn, vec2(0.0), vec2(1.0));
    cover = mix(cover, vec2(width), clamp(footprint * 2.0 - 1.0, vec2(0.0), vec2(1.0)));
    return mix(cover.x, 1.0, cover.y);
}

@fragment
fn fs_main(in: Vertex) -> @location(0) vec4<f32> {
    let cell = in.world.xz / max(object.grid, 1e-6);
    let fine = lines(cell, LINE);
    let coarse = lines(cell / 4.0, LINE * 0.6);
    let up = vec3(0.0, 1.0, 0.0);
    let visible = sun_visibility(in.world, up, in.clip.xy);
    let open = openness(in.world, up);

    let drawn = select(0.0, max(fine * 0.35, coarse * 0.6), object.grid > 0.0);
    let base = mix(object.color, object.color * 0.45, drawn);
    var color = base * saturate1(frame.to_light.y) * frame.light_color * visible;
    // The wall around throws light into the shadow as well.
    color += base * ambient_light(up) * open * WALL;
    // A pool of light around the scene draws the eye to it.
    let off_center = length(in.world.xz - frame.center.xz) / frame.radius;
    color *= mix(0.6, 1.12, exp2(-0.3 * off_center * off_center));

    let away = length(in.world - frame.eye) / frame.fog_distance;
    // Into the colour of the backdrop right behind it: a curved wall, no edge.
    let fog = smoothstep(0.0, 0.75, away);
    let behind = sky_color(normalize(in.world - frame.eye));
    return display(mix(color, behind, fog), in.clip.xy);
}
