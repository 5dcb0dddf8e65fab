// Tension of each row [N] where an implicit step ends, dampers included; before contact.
//
// CPU twin: `write_tension` in sim-dylib/src/elastic/springs.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h: f32,
    per_h2: f32,
    damped: u32,
    substep_is_last: u32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> distance_idx: array<vec2u>;
@group(0) @binding(2) var<storage, read> distance_rest: array<f32>;
@group(0) @binding(3) var<storage, read> distance_compliance: array<f32>;
@group(0) @binding(4) var<storage, read> distance_damping: array<f32>;
@group(0) @binding(5) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(6) var<storage, read> particle_previous: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> distance_force: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end || frame.substep_is_last == 0u {
        return;
    }
    let idx = distance_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let most = frame.stiffest * frame.per_h2;
    var held = Held(held_stiffness(distance_compliance[row], x0.w, x1.w, most), distance_rest[row]);
    if frame.damped != 0u {
        let way = particle_previous[idx.y].xyz - particle_previous[idx.x].xyz;
        held = with_damper(held.k, held.rest, distance_damping[row], frame.per_h, sqrt(dot(way, way)));
    }
    let d = x1.xyz - x0.xyz;
    distance_force[row] = held.k * (sqrt(dot(d, d)) - held.rest);
}
