// Of each particle: change of the velocity over the frame [m/s2], and the trace of the stress of the cloth [N/m].
//
// The virial of the rows: a half of force times rest of each, over the particle's area. CPU twin: `accelerations` and
// `particle_stresses` in sim-dylib/src/outcome.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    dt: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_velocity: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_acceleration: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_area: array<f32>;
@group(0) @binding(4) var<storage, read> particle_links: array<vec2u>;
@group(0) @binding(5) var<storage, read> link_rest: array<f32>;
@group(0) @binding(6) var<storage, read> link_row: array<u32>;
@group(0) @binding(7) var<storage, read> distance_force: array<f32>;
@group(0) @binding(8) var<storage, read_write> particle_stress: array<f32>;

// Links of one particle lie so far apart.
const STRIP: u32 = 32u;
const ROW: u32 = 0x7fffffffu;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let change = particle_velocity[i].xyz - particle_acceleration[i].xyz;
    particle_acceleration[i] = vec4f(change / frame.dt, 0.0);
    let links = particle_links[i];
    var sum = 0.0;
    for (var k = 0u; k < links.y; k++) {
        let link = links.x + k * STRIP;
        // Padding has rest 0.
        sum += 0.5 * distance_force[link_row[link] & ROW] * link_rest[link];
    }
    let area = particle_area[i];
    particle_stress[i] = select(0.0, sum / area, area > 0.0);
}
