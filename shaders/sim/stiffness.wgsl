// Stiffness of each spring as explicit steps bear it: 1/compliance, but at most a share of m/h2.
//
// Gershgorin: omega_max2 <= 2 sum(k) / m over 12 springs, and h2 omega_max2 <= 4 is stable, so k <= m / (6 h2).
// Once a frame, for each link of a particle. CPU twin: `stiffest` and `project` in
// sim-dylib/src/solvers/explicit/springs.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    stability_cap: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_links: array<vec2u>;
@group(0) @binding(3) var<storage, read> link_other: array<u32>;
@group(0) @binding(4) var<storage, read> link_compliance: array<f32>;
@group(0) @binding(5) var<storage, read_write> link_stiffness: array<f32>;

// Links of one particle lie so far apart.
const STRIP: u32 = 32u;
const SMALLEST: f32 = 1.1754944e-38;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let w = particle_position[i].w;
    let links = particle_links[i];
    let stable = stable_stiffness(frame.h, frame.stability_cap);
    let cap = select(1.0, frame.stability_cap, frame.stability_cap > 0.0);
    for (var k = 0u; k < links.y; k++) {
        let link = links.x + k * STRIP;
        let other = particle_position[link_other[link]].w;
        let stiffest = stable / max(max(w, other), SMALLEST) * cap;
        let stiffness = min(1.0 / max(link_compliance[link], SMALLEST), stiffest);
        // Between two pins there is nothing to pull on.
        link_stiffness[link] = select(0.0, stiffness, w + other > 0.0);
    }
}
