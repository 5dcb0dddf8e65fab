// One Jacobi iteration of XPBD: each particle adds up what its rows want of the positions at the iteration's start.
//
// Both ends of a row take the least share that they allow, and so does lambda (Macklin 2014 averages, this keeps the
// momentum). Each end works its rows out for itself and keeps its own copy of lambda, so nothing is added atomically and
// a run repeats bit for bit. CPU twin: `averaged` with Share::OfRow in sim-dylib/src/projection/order.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    iteration: u32,
    iterations: u32,
    iteration_is_last: u32,
    substep_is_last: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_next_position: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_share: array<f32>;
@group(0) @binding(4) var<storage, read> particle_links: array<vec2u>;
@group(0) @binding(5) var<storage, read> link_other: array<u32>;
@group(0) @binding(6) var<storage, read> link_rest: array<f32>;
@group(0) @binding(7) var<storage, read> link_compliance: array<f32>;
@group(0) @binding(8) var<storage, read_write> link_lambda: array<f32>;
@group(0) @binding(9) var<storage, read> link_row: array<u32>;
@group(0) @binding(10) var<storage, read_write> distance_force: array<f32>;

// Links of one particle lie so far apart.
const STRIP: u32 = 32u;
// Link of a row whose first end is another particle.
const SECOND: u32 = 0x80000000u;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let own = particle_share[i];
    let links = particle_links[i];
    let tell = (frame.substep_is_last & frame.iteration_is_last) != 0u;
    var sum = vec3f(0.0);
    for (var k = 0u; k < links.y; k++) {
        let link = links.x + k * STRIP;
        let j = link_other[link];
        let share = min(own, particle_share[j]);
        let alpha = link_compliance[link] * frame.per_h2;
        var lambda = 0.0;
        if frame.iteration > 0u {
            lambda = link_lambda[link];
        }
        let d = project(x, particle_position[j], link_rest[link], alpha, lambda);
        sum -= d.xyz * (x.w * share);
        lambda += d.w * share;
        if frame.iterations > 1u {
            link_lambda[link] = lambda;
        }
        if tell && (link_row[link] & SECOND) == 0u {
            distance_force[link_row[link]] = -lambda * frame.per_h2;
        }
    }
    particle_next_position[i] = vec4f(x.xyz + sum, x.w);
}
