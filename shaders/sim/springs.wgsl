// Force of all springs and their dampers on one particle, gathered over its links. A library; group 1 is its own.
//
// Each spring is k (l - rest) along itself, k as `stiffness.wgsl` limited it. Rows are added in the order of the distance
// table, as the coloured sweep of the CPU adds them. CPU twin: `Springs` in sim-dylib/src/solvers/explicit/springs.rs.

@group(1) @binding(0) var<storage, read> particle_links: array<vec2u>;
@group(1) @binding(1) var<storage, read> link_other: array<u32>;
@group(1) @binding(2) var<storage, read> link_rest: array<f32>;
@group(1) @binding(3) var<storage, read> link_stiffness: array<f32>;
@group(1) @binding(4) var<storage, read> link_damping: array<f32>;
@group(1) @binding(5) var<storage, read> link_row: array<u32>;
@group(1) @binding(6) var<storage, read_write> distance_force: array<f32>;
@group(1) @binding(7) var<storage, read> particle_position: array<vec4f>;
@group(1) @binding(8) var<storage, read> particle_velocity: array<vec4f>;

// Links of one particle lie so far apart.
const STRIP: u32 = 32u;
// Link of a row whose first end is another particle.
const SECOND: u32 = 0x80000000u;

// stable: stiffest stable spring at a particle of 1 kg [N/m]. tell: write the tension of the rows that start here.
fn spring_force(i: u32, x: vec4f, v: vec3f, stable: f32, h: f32, damped: bool, tell: bool) -> vec3f {
    let links = particle_links[i];
    var force = vec3f(0.0);
    for (var k = 0u; k < links.y; k++) {
        let link = links.x + k * STRIP;
        let j = link_other[link];
        let other = particle_position[j];
        let d = other.xyz - x.xyz;
        let l = sqrt(dot(d, d) + 1e-20);
        let stiffness = link_stiffness[link];
        var tension = stiffness * (l - link_rest[link]);
        if damped {
            // A damper d counts as a spring of 2 d / h and may use what is left of the stable range.
            let left = (stable / max(max(x.w, other.w), 1.1754944e-38) - stiffness) * (0.5 * h);
            let damping = select(0.0, min(link_damping[link], left), x.w + other.w > 0.0);
            tension += damping * (dot(particle_velocity[j].xyz - v, d) / l);
        }
        force += d * (tension / l);
        if tell && (link_row[link] & SECOND) == 0u {
            distance_force[link_row[link]] = tension;
        }
    }
    return force;
}
