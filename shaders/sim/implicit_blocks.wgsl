// Inverse of each particle's own 3 x 3 block of the matrix of an implicit step, at the substep's start.
//
// Every row counts as at least a little stiff across, for rows turn while the iterations run. CPU twin: `assemble` with
// `dominant` in sim-dylib/src/implicit.rs, ACROSS of sim-dylib/src/implicit/jacobi.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h: f32,
    per_h2: f32,
    damped: u32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_mass: array<f32>;
@group(0) @binding(2) var<storage, read_write> particle_diagonal: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_off_diagonal: array<vec4f>;

const ACROSS: f32 = 0.3;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let near = neighbours(i);
    let bearing = Bearing(frame.stiffest * frame.per_h2, frame.per_h, frame.damped != 0u);
    var diagonal = vec3f(particle_mass[i] * frame.per_h2);
    var off = vec3f(0.0);
    for (var k = 0u; k < near.y; k++) {
        let spring = spring_of(i, x, near.x, k, bearing);
        let per_l = inverseSqrt(dot(spring.d, spring.d) + 1e-20);
        let across = spring.k * max(1.0 - spring.rest * per_l, ACROSS);
        let n = spring.d * per_l;
        diagonal += n * n * (spring.k - across) + across;
        off += n.yzx * n.zxy * (spring.k - across);
    }
    // Cofactors, scaled to a unit trace: the determinant of a light particle's block would leave the range of f32.
    let scale = 3.0 / (diagonal.x + diagonal.y + diagonal.z);
    let d = diagonal * scale;
    let o = off * scale;
    let c = d.yzx * d.zxy - o * o;
    let co = o.yzx * o.zxy - d * o;
    let factor = scale / (d.x * c.x + o.z * co.z + o.y * co.y);
    // A particle that does not move has an inverse of 0: nothing moves it.
    let free = x.w > 0.0;
    particle_diagonal[i] = vec4f(select(vec3f(0.0), c * factor, free), 0.0);
    particle_off_diagonal[i] = vec4f(select(vec3f(0.0), co * factor, free), 0.0);
}
