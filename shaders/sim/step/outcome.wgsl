// Of each particle: change of the velocity over the frame [m/s2], and the trace of the stress of the cloth [N/m].
//
// The virial of the rows: a half of force times rest of each, over the particle's area.
//
// CPU twin: `outcome::accelerations`, `outcome::particle_stresses`.

@rows(128)
fn main(i: u32) {
    let change = particle_velocity[i].xyz - particle_acceleration[i].xyz;
    particle_acceleration[i] = vec4f(change / frame.dt, 0.0);
    let links = particle_links[i];
    var sum = 0.0;
    for (var k = 0u; k < links.y; k++) {
        let link = links.x + k * LINK_STRIP;
        // Padding has rest 0.
        sum += 0.5 * distance_force[link_row[link] & ~LINK_SECOND] * link_rest[link];
    }
    let area = particle_area[i];
    particle_stress[i] = select(0.0, sum / area, area > 0.0);
}
