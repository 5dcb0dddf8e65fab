// The particles of each balloon move by w dV/dx times the change of its multiplier; a workgroup for each part.
//
// CPU twin: `gas::Gas::project`.

@groups(CLOTH_PART)
fn main(part: u32, lane: u32) {
    if part >= arrayLength(&gas_span) || lane >= gas_span[part].y {
        return;
    }
    let i = gas_span[part].x + lane;
    let x = particle_position[i];
    let way = particle_volume_gradient[i].xyz * (x.w * balloon_change[gas_span[part].w]);
    particle_position[i] = vec4f(x.xyz + way, x.w);
}
