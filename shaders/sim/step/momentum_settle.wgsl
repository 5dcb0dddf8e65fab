// The particles of each cloth that nothing holds move and turn as a whole; a workgroup for each part.
//
// CPU twin: `momentum::move_back`.

@groups(CLOTH_PART)
fn main(part: u32, lane: u32) {
    if part >= arrayLength(&piece_part_span) || lane >= piece_part_span[part].y {
        return;
    }
    let piece = piece_part_span[part].w;
    let back = piece_back[piece];
    if back.w == 0.0 {
        return;
    }
    let i = piece_part_span[part].x + lane;
    let x = particle_position[i];
    let moved = back.xyz + cross(piece_turn[piece].xyz, x.xyz - piece_center[piece].xyz);
    particle_position[i] = vec4f(x.xyz + moved, x.w);
}
