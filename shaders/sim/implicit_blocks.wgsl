// Each particle's own 3 x 3 block of the matrix of an implicit step, at the substep's start: inertia and springs.
//
// Other tables add theirs (elastic_blocks.wgsl), then it is inverted (implicit_inverse.wgsl). Every row counts as at least a little stiff across, for rows turn while the iterations run. CPU twin: `assemble` with
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
        let line = line_of(spring);
        diagonal += line.n * line.n * (spring.k - line.across) + line.across;
        off += line.n.yzx * line.n.zxy * (spring.k - line.across);
    }
    particle_diagonal[i] = vec4f(diagonal, 0.0);
    particle_off_diagonal[i] = vec4f(off, 0.0);
}
