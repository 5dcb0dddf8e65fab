// What becomes of a tile's particles: they go on to the next substep's prediction. A library of xpbd_tile.wgsl and
// leap.wgsl.

fn store(i: u32, x: vec4f) {
    let start = particle_position[i];
    leap(i, start, x.xyz - start.xyz);
}
