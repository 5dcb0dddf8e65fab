// Where each particle is before a substep moves it: which side of other cloth it comes from.
//
// CPU twin: `self_collision::begin`.

@rows(128)
fn main(i: u32) {
    layer_last_valid[i] = particle_position[i];
}
