// Puts the anchors' positions beside their tethers, once a substep: a soft pin moves, but not for its tethers.
//
// CPU twin: `constraints::tables::Group::place`.

@rows(128)
fn main(row: u32) {
    tether_anchor_position[row] = particle_position[tether_anchor[row]];
}
