// Tension of the segments of strands at the end of a frame [N].
//
// CPU twin: `strands::write_tension`.

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    if idx.x < strand_span[0][0] {
        return;
    }
    let way = particle_position[idx.y].xyz - particle_position[idx.x].xyz;
    let most = frame.stiffest * min(particle_mass[idx.x], particle_mass[idx.y]) * frame.per_h2;
    let compliance = max(distance_compliance[row], 1.0 / most);
    distance_force[row] = (sqrt(dot(way, way)) - distance_rest[row]) / compliance;
}
