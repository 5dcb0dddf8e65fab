// From one substep's corrections to the next one's prediction: v += moved / h, then v += h a, x += h v. The last
// substep leaves positions and velocities instead.
//
// Between substeps the columns hold predicted positions and velocities, so that a particle reads 16 bytes of another
// and works nothing out for it; step/predict.wgsl makes the first ones.
//
// CPU twin: `substep::velocities_from_positions`, `substep::predict`.

#import <lib/wind_sample.wgsl>
#import <lib/forces.wgsl>

// Where a particle was predicted that is at x now, for coarse/follow.wgsl keeps it.
fn start_of(i: u32, x: vec4f) -> vec4f {
#ifdef coarse_node
    if frame.coarse > 0u {
        return particle_next_position[i];
    }
#endif
    return x;
}

// x: where the particle was predicted; moved: what rows made of it [m].
fn fused_predict(i: u32, x: vec4f, moved: vec3f) {
    let before = particle_velocity[i].xyz;
    let free = x.w > 0.0;
    // What does not move by itself keeps the hand's velocity, or none.
    var v = before + moved * frame.per_h;
    var to = x.xyz + moved;
    if frame.substep_is_last != 0u {
        particle_predicted[i] = vec4f(before, 0.0);
    } else {
        let wind = wind_sample(i, frame.wind_coefficient);
        let push = push_of(frame.h, frame.gravity, frame.air_damping, frame.wind_coefficient);
        v = select(v, advance(push, x.w, v, wind.normal, wind.air), free);
        to += select(vec3f(0.0), v * frame.h, free);
    }
    particle_next_position[i] = vec4f(to, x.w);
    particle_next_velocity[i] = vec4f(v, 0.0);
}
