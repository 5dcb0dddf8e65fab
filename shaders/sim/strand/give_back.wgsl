// Each particle gets back the share `correction` of what the next one was moved, by where its velocity is told from.
// A strand that a surface pushes gets nothing where it is cut, or its root is free.
//
// CPU twin: `leader::follow`.

@rows(64)
fn main(row: u32) {
    let span = strand_span[row];
#ifdef colliders
    var pushed = false;
    var loose = particle_position[span[0]].w > 0.0;
    for (var k = 0u; k < span[2]; k++) {
        let i = span[0] + span[1] * k;
        pushed = pushed || particle_plane_depth[i].x > 0.0;
        loose = loose || (k + 1u < span[2] && segment_stretch[i - strand_span[0][0]] < 0.0);
    }
    if pushed && loose {
        return;
    }
#endif
    for (var k = 0u; k + 1u < span[2]; k++) {
        let i = span[0] + span[1] * k;
        let next = i + span[1];
        let whole = segment_stretch[i - strand_span[0][0]] >= 0.0;
        if whole && particle_position[i].w > 0.0 && particle_position[next].w > 0.0 {
            let moved = particle_position[next].xyz - particle_inertial[next].xyz;
            let told = particle_inertial[i];
            particle_inertial[i] = vec4f(told.xyz + moved * frame.correction, told.w);
        }
    }
}
