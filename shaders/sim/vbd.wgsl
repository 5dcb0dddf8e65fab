// Vertex block descent: one Newton step of each particle in its three coordinates, one colour of particles a dispatch.
//
// Chen, Liu, Yang, Yuksel: Vertex Block Descent, 2024, eq. 8 to 10, springs only. Particles of a colour share no row. Incident rows
// of a particle lie 8 apart (app/src/state/incidence.rs). CPU twin: `Descent` in sim-dylib/src/solvers/vbd/system.rs, `spring`
// and `solve` in sim-dylib/src/solvers/vbd/block.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    per_h2: f32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> vertex_particle: array<u32>;
@group(0) @binding(2) var<storage, read> vertex_springs: array<vec2u>;
@group(0) @binding(3) var<storage, read> incident_other: array<u32>;
@group(0) @binding(4) var<storage, read> incident_rest: array<f32>;
@group(0) @binding(5) var<storage, read> incident_compliance: array<f32>;
@group(0) @binding(6) var<storage, read> particle_inertial: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> particle_position: array<vec4f>;

const STRIP: u32 = 8u;

// Solution of A d = b for a positive definite A by A = L D L^T; diagonal: xx, yy, zz; off: xy, xz, yz.
fn solve(diagonal: vec3f, off: vec3f, b: vec3f) -> vec3f {
    let per_x = 1.0 / diagonal.x;
    let lyx = off.x * per_x;
    let lzx = off.y * per_x;
    let per_y = 1.0 / (diagonal.y - lyx * off.x);
    let zy = off.z - lzx * off.x;
    let lzy = zy * per_y;
    let per_z = 1.0 / (diagonal.z - lzx * off.y - lzy * zy);
    let y = b.y - lyx * b.x;
    let z = (b.z - lzx * b.x - lzy * y) * per_z;
    let down = y * per_y - lzy * z;
    return vec3f(b.x * per_x - lyx * down - lzx * z, down, z);
}

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let i = vertex_particle[row];
    let x = particle_position[i];
    let springs = vertex_springs[row];
    let most = frame.stiffest * frame.per_h2;
    var force = vec3f(0.0);
    var diagonal = vec3f(0.0);
    var off = vec3f(0.0);
    for (var place = 0u; place < springs.y; place++) {
        let at = springs.x + STRIP * place;
        let j = incident_other[at];
        let other = particle_position[j];
        let stiffness = held_stiffness(incident_compliance[at], x.w, other.w, most);
        // Padding ties a particle to itself.
        let k = select(stiffness, 0.0, j == i);
        let d = other.xyz - x.xyz;
        let per_length = inverseSqrt(dot(d, d) + 1e-20);
        let pull = k * (1.0 - incident_rest[at] * per_length);
        // Across the spring: negative where it is pushed together, and cut off (Choi, Ko 2002).
        let across = max(pull, 0.0);
        let n = d * per_length;
        force += d * pull;
        diagonal += n * n * (k - across) + across;
        off += n.xxy * n.yzz * (k - across);
    }
    // Eq. 8 times h2/m: no division by the mass, and a pinned particle (w = 0) goes to its x~.
    let h2w = x.w * (frame.h * frame.h);
    let left = particle_inertial[i].xyz - x.xyz + force * h2w;
    let moved = x.xyz + solve(diagonal * h2w + 1.0, off * h2w, left);
    particle_position[i] = vec4f(select(x.xyz, moved, x.w > 0.0), x.w);
}
