// The first half of a substep: v += h a, inertial = x += h v, with gravity, wind and air damping.
//
// CPU twin: `substep::predict`.

#import <lib/wind_sample.wgsl>
#import <lib/forces.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let before = particle_velocity[i];
    let wind = wind_sample(i, frame.wind_coefficient);
    let push = push_of(frame.h, frame.gravity, frame.air_damping, frame.wind_coefficient);
    let free = x.w > 0.0;
    // What does not move by itself has no velocity but the hand's, which step/holds.wgsl sets.
    let v = select(vec3f(0.0), advance(push, x.w, before.xyz, wind.normal, wind.air), free);
#ifdef gives_back
    // `inertial` will be another one before contact is looked for.
    particle_previous[i] = x;
#else
    // For dampers that act on the change of a length.
    if frame.damped != 0u {
        particle_previous[i] = x;
    }
#endif
    let to = vec4f(x.xyz + select(vec3f(0.0), v * frame.h, free), x.w);
    particle_velocity[i] = vec4f(v, before.w);
    particle_inertial[i] = to;
    particle_position[i] = to;
}
