// Stress of each row: force over the width of its strip of cloth [N/m].
//
// CPU twin: `outcome::row_stresses`.

@rows(128)
fn main(i: u32) {
    let width = distance_width[i];
    distance_stress[i] = select(0.0, distance_force[i] / width, width > 0.0);
}
