// Where the iterations of a substep start: x~ less the part of gravity that the last substep did not feel.
//
// Chen, Liu, Yang, Yuksel: Vertex Block Descent, 2024, section 3.7. After step/predict.wgsl, which leaves x~ and its
// velocity; those of the last substep are still in `particle_predicted`, with 1 in w for what touched a collider: that
// starts where inertia leads. What air took in between is put back first.
//
// CPU twin: `implicit::guess::Guess::of`.

#import <lib/wind_sample.wgsl>
#import <lib/forces.wgsl>

// Roundings of a position that the solver may add up in one substep.
const ROUNDINGS: f32 = 2.0;
const EPSILON: f32 = 1.1920929e-7;

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let v = particle_velocity[i];
    let before = particle_predicted[i];
    let g = frame.gravity;
    let square = dot(g, g);
    if square == 0.0 || x.w <= 0.0 || before.w > 0.0 {
        return;
    }
    let wind = wind_sample(i, frame.wind_coefficient);
    let push = push_of(frame.h, g, frame.air_damping, frame.wind_coefficient);
    let change = v.xyz + taken(push, x.w, v.xyz, wind.normal, wind.air) - before.xyz;
    let felt = dot(change, g) / (frame.h * square);
    let hidden = ROUNDINGS * EPSILON / (frame.h * frame.h * sqrt(square));
    let far = max(abs(x.xyz), abs(v.xyz) * frame.h);
    let falls = felt + max(max(far.x, far.y), far.z) * hidden >= 1.0;
    let share = select(max(felt, 0.0), 1.0, falls);
    particle_position[i] = vec4f(x.xyz - g * (frame.h * frame.h * (1.0 - share)), x.w);
}
