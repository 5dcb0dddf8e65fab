// One Jacobi iteration of PBD: each particle moves by its share of the sum of what its rows want of the positions at the
// iteration's start.
//
// Müller et al.: Position Based Dynamics, 2007. Each end of a row takes its own share (Macklin et al.: Unified Particle
// Physics, 2014, section 4.3), so momentum is kept on average only. The rows' rigid multipliers are added up in the
// last substep alone: forces are made of them. CPU twin: `averaged` with Share::OfParticle in
// sim-dylib/src/projection/order.rs over `Distances` in sim-dylib/src/projection/rigid/springs.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h2: f32,
    iteration: u32,
    iteration_is_last: u32,
    substep_is_last: u32,
    stiffness: f32,
    shear: f32,
    bend: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> particle_next_position: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_share: array<f32>;
@group(0) @binding(4) var<storage, read> particle_links: array<vec2u>;
@group(0) @binding(5) var<storage, read> link_other: array<u32>;
@group(0) @binding(6) var<storage, read> link_rest: array<f32>;
@group(0) @binding(7) var<storage, read> link_kind: array<u32>;
@group(0) @binding(8) var<storage, read_write> link_lambda: array<f32>;
@group(0) @binding(9) var<storage, read> link_row: array<u32>;
@group(0) @binding(10) var<storage, read_write> distance_force: array<f32>;

// Links of one particle lie so far apart.
const STRIP: u32 = 32u;
// Link of a row whose first end is another particle.
const SECOND: u32 = 0x80000000u;
// Kinds of rows.
const STRUCTURAL: u32 = 0u;
const SHEAR: u32 = 1u;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let own = particle_share[i];
    let links = particle_links[i];
    var sum = vec3f(0.0);
    for (var k = 0u; k < links.y; k++) {
        let link = links.x + k * STRIP;
        let j = link_other[link];
        let kind = link_kind[link];
        let stiffness = select(select(frame.bend, frame.shear, kind == SHEAR), frame.stiffness, kind == STRUCTURAL);
        let d = project(x, particle_position[j], link_rest[link], 0.0, 0.0) * stiffness;
        sum -= d.xyz;
        if frame.substep_is_last != 0u {
            var lambda = 0.0;
            if frame.iteration > 0u {
                lambda = link_lambda[link];
            }
            lambda += d.w * (0.5 * (own + particle_share[j]));
            link_lambda[link] = lambda;
            if frame.iteration_is_last != 0u && (link_row[link] & SECOND) == 0u {
                distance_force[link_row[link]] = -lambda * frame.per_h2;
            }
        }
    }
    particle_next_position[i] = vec4f(x.xyz + sum * (x.w * own), x.w);
}
