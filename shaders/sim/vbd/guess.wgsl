// Where the iterations of a substep start: x~ less the part of gravity that the last substep did not feel.
//
// Chen, Liu, Yang, Yuksel: Vertex Block Descent, 2024, section 3.7. After step/predict.wgsl, which leaves x~ and its
// velocity; those of the last substep are still in `particle_predicted`, with 1 in w for what touched a collider: that
// starts where inertia leads.
//
// CPU twin: `implicit::guess::Guess::of`.

// Roundings of a position that the solver may add up in one substep.
const ROUNDINGS: f32 = 2.0;
const EPSILON: f32 = 1.1920929e-7;

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let v = particle_velocity[i];
    let before = particle_predicted[i];
    let change = v.xyz - before.xyz;
    let g = frame.gravity;
    let square = dot(g, g);
    if square == 0.0 || x.w <= 0.0 || before.w > 0.0 {
        return;
    }
    let felt = dot(change, g) / (frame.h * square);
    let hidden = ROUNDINGS * EPSILON / (frame.h * frame.h * sqrt(square));
    let falls = felt + max(max(abs(x.x), abs(x.y)), abs(x.z)) * hidden >= 1.0;
    let share = select(max(felt, 0.0), 1.0, falls);
    particle_position[i] = vec4f(x.xyz - g * (frame.h * frame.h * (1.0 - share)), x.w);
}
