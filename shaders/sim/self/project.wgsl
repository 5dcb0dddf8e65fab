// Self collision 8: what each particle's pairs move it by, averaged, so that both ends move by opposite impulses.
//
// What a pair came closer in this substep is an impulse, with Coulomb friction along the sheets (Macklin et al.:
// Unified Particle Physics, 2014, eq. 24 and section 4.2 for the average); what it was too close already is a push that
// adds no speed.
//
// CPU twin: `self_collision::project::project`.

#import <self/pair.wgsl>

// Speed apart that the push may add [m/s].
const REST: f32 = 0.2;

@rows(128)
fn main(i: u32) {
    let all = arrayLength(&layer_part);
    let x = particle_position[i];
    let begin = layer_last_valid[i].xyz;
    let hold = layer_friction_static[i];
    let slide = layer_friction_dynamic[i];
    let own = layer_part_size[i];
    var change = vec3f(0.0);
    var push = vec3f(0.0);
    let listed = select(0u, layer_part[i], x.w > 0.0);
    for (var slot = 0u; slot < listed; slot++) {
        let j = near_other[slot * all + i];
        let other = particle_position[j];
        let before = begin - layer_last_valid[j].xyz;
        let now = x.xyz - other.xyz;
        let bound = bound_of(before, now, near_limit[slot * all + i]);
        let depth = bound.w - dot(bound.xyz, now);
        if bound.w <= 0.0 || depth <= 0.0 {
            continue;
        }
        let way = now - before;
        let along = dot(bound.xyz, way);
        let impulse = min(depth, max(REST * frame.h - along, 0.0));
        let slip = way - bound.xyz * along;
        let length = sqrt(dot(slip, slip));
        var taken = 1.0;
        if length > 0.5 * (hold + layer_friction_static[j]) * impulse {
            taken = min(0.5 * (slide + layer_friction_dynamic[j]) * impulse / length, 1.0);
        }
        // The same number for both ends.
        let share = x.w / ((x.w + other.w) * f32(max(own, layer_part_size[j])));
        change += (bound.xyz * depth - slip * taken) * share;
        push += bound.xyz * ((depth - impulse) * share);
    }
    layer_position_at_narrow_phase[i] = vec4f(change, 0.0);
    layer_position_at_broad_phase[i] = vec4f(push, 0.0);
}
