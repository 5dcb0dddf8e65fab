// The particles of each balloon that nothing holds move and turn as a whole; a workgroup for each part.
//
// CPU twin: `gas::momentum::move_back`.

@groups(GAS_PART)
fn main(part: u32, lane: u32) {
    if part >= arrayLength(&gas_span) || lane >= gas_span[part].y {
        return;
    }
    let balloon = gas_span[part].w;
    let back = balloon_back[balloon];
    if back.w == 0.0 {
        return;
    }
    let i = gas_span[part].x + lane;
    let x = particle_position[i];
    let moved = back.xyz + cross(balloon_turn[balloon].xyz, x.xyz - balloon_center[balloon].xyz);
    particle_position[i] = vec4f(x.xyz + moved, x.w);
}
