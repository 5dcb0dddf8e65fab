// Where the iterations of a substep start: x~ less the part of gravity that the last substep did not feel.
//
// Chen, Liu, Yang, Yuksel: Vertex Block Descent, 2024, section 3.7. After predict.wgsl, which leaves x~ and its velocity; those
// of the last substep are still in `particle_predicted`. CPU twin: `guess` in sim-dylib/src/solvers/vbd/descent.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    gravity: vec3f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_predicted: array<vec4f>;

// Roundings of a position that the solver may add up in one substep.
const ROUNDINGS: f32 = 2.0;
const EPSILON: f32 = 1.1920929e-7;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
    let x = particle_position[i];
    let v = particle_velocity[i];
    let change = v.xyz - particle_predicted[i].xyz;
    particle_predicted[i] = v;
    let g = frame.gravity;
    let square = dot(g, g);
    if square == 0.0 || x.w <= 0.0 {
        return;
    }
    let felt = dot(change, g) / (frame.h * square);
    let hidden = abs(g) * (ROUNDINGS * EPSILON / (frame.h * frame.h * square));
    let falls = felt + dot(abs(x.xyz), hidden) >= 1.0;
    let share = select(max(felt, 0.0), 1.0, falls);
    particle_position[i] = vec4f(x.xyz - g * (frame.h * frame.h * (1.0 - share)), x.w);
}
