// Tension of each row [N] where an implicit step ends, dampers included; before contact.
//
// CPU twin: `elastic::springs::write_tension`.

#import <lib/clamped.wgsl>

@rows(128)
fn main(row: u32) {
    if frame.substep_is_last == 0u {
        return;
    }
    let idx = distance_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let most = frame.stiffest * frame.per_h2;
    var clamped = Clamped(clamped_stiffness(distance_compliance[row], x0.w, x1.w, most), distance_rest[row]);
    if frame.damped != 0u {
        let way = particle_previous[idx.y].xyz - particle_previous[idx.x].xyz;
        clamped = with_damper(clamped.k, clamped.rest, distance_damping[row], frame.per_h, sqrt(dot(way, way)));
    }
    let d = x1.xyz - x0.xyz;
    distance_force[row] = clamped.k * (sqrt(dot(d, d)) - clamped.rest);
}
