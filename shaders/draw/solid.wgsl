// Solids: smooth painted plaster with a soft highlight and a faint reflection of the background.

struct Solid {
    world_from_local: mat4x4<f32>,
    scale: vec3<f32>,
    half_height: f32,
    color: vec3<f32>,
    // Middle of the hair on a sphere, a unit vector, and the cosine of the angle at which that ends.
    crown: vec4<f32>,
    // Colour under hair, and how much of the skin hair covers, 0..1.
    scalp: vec4<f32>,
    highlight: f32,
}
@group(0) @binding(3) var<uniform> object: Solid;

const ROUGHNESS = 0.42;
// Half the width of the line at which hair ends, as a cosine.
const HAIRLINE = 0.08;

struct Vertex {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // Cosine of the angle from the middle of the hair.
    @location(2) crown: f32,
}

// `corner.xyz` times the size of the shape; `corner.w` = -1 or 1 says which cap of a capsule this belongs to.
fn place(corner: vec4<f32>) -> vec3<f32> {
    let local = corner.xyz * object.scale + vec3(0.0, corner.w * object.half_height, 0.0);
    return (object.world_from_local * vec4(local, 1.0)).xyz;
}

@vertex
fn vs_main(@location(0) corner: vec4<f32>, @location(1) normal: vec3<f32>) -> Vertex {
    let world = place(corner);
    let turned = (object.world_from_local * vec4(normal, 0.0)).xyz;
    return Vertex(frame.clip_from_world * vec4(world, 1.0), world, turned, dot(corner.xyz, object.crown.xyz));
}

@vertex
fn vs_shadow(@location(0) corner: vec4<f32>) -> @builtin(position) vec4<f32> {
    return frame.shadow_from_world * vec4(place(corner), 1.0);
}

@fragment
fn fs_main(in: Vertex) -> @location(0) vec4<f32> {
    let n = normalize(in.normal);
    let v = normalize(frame.eye - in.world);
    let nl = saturate1(dot(n, frame.to_light));
    let visible = sun_visibility(in.world, n, in.clip.xy) * smoothstep(0.0, 0.12, nl);
    let open = openness(in.world, n);

    let line = object.crown.w;
    let hairy = object.scalp.w * smoothstep(line - HAIRLINE, line + HAIRLINE, in.crown);
    let base = mix(object.color, object.scalp.xyz, hairy);
    var color = base * nl * visible * frame.light_color;
    color += base * ambient_light(n) * open;
    color += (1.0 - hairy) * highlight(n, v, ROUGHNESS) * frame.light_color * visible;

    color += mix(base, vec3(0.5), 0.3) * rim_light(n, v) * (open * (1.0 - hairy));

    let fresnel = 0.03 + 0.5 * pow(1.0 - saturate1(dot(n, v)), 5.0);
    let mirrored = reflect(-v, n);
    let around = mix(frame.bounce, sky_color(mirrored), smoothstep(-0.3, 0.2, mirrored.y));
    color += around * fresnel * frame.ambient * (open * (1.0 - hairy));

    let rim = pow(1.0 - saturate1(dot(n, v)), 2.5);
    color += object.highlight * (0.02 + 0.9 * rim) * vec3(1.0, 0.42, 0.06);
    return display(color, in.clip.xy);
}
