// Velocity after an explicit substep: v + h F/m, with all forces at its start; 0 for what does not move.
//
// CPU twin: `solvers::explicit::integrate::integrate`.

#import <explicit/bearable.wgsl>
#import <explicit/springs.wgsl>
#import <lib/wind_sample.wgsl>
#import <lib/forces.wgsl>

fn faster(i: u32, x: vec4f) -> vec3f {
    let v = particle_velocity[i].xyz;
    let wind = wind_sample(i, frame.wind_coefficient);
    let outer = outer_force(
        frame.gravity, frame.air_damping, frame.wind_coefficient, particle_mass[i], v, wind.normal, wind.air,
    );
    let inner = spring_force(i, x, v, bearable_of(frame.h, frame.stability_cap), frame.damped != 0u);
    return select(vec3f(0.0), v + (outer + inner) * (x.w * frame.h), x.w > 0.0);
}
