// Each particle gets back the share `correction` of what the next one was moved, by where its velocity is told from. What is led
// from an end that nothing holds, behind a cut or a free root, gets nothing where a surface pushes the strand, or where there are
// surfaces and it is led further than its length; and where there are surfaces none gets more than half of its length.
//
// CPU twin: `leader::follow`.

/// [lengths of the segment]
const MOST_BACK = 0.5;

@rows(64)
fn main(row: u32) {
    let span = strand_span[row];
    var pushed = false;
#ifdef colliders
    for (var k = 0u; k < span[2]; k++) {
        pushed = pushed || particle_plane_depth[span[0] + span[1] * k].x > 0.0;
    }
#endif
    // From a free root or a cut on, until something is held.
    var loose = particle_position[span[0]].w > 0.0;
    for (var k = 0u; k + 1u < span[2]; k++) {
        let i = span[0] + span[1] * k;
        let next = i + span[1];
        let segment = i - strand_span[0][0];
        let whole = segment_stretch[segment] >= 0.0;
        let free = particle_position[next].w > 0.0;
        loose = (loose || !whole) && free;
        var moved = particle_position[next].xyz - particle_inertial[next].xyz;
        var thrown = false;
#ifdef colliders
        let way = length(moved);
        thrown = loose && (pushed || way > segment_rest[segment]);
        moved *= min(segment_rest[segment] * MOST_BACK / max(way, 1e-15), 1.0);
#endif
        if whole && free && !thrown && particle_position[i].w > 0.0 {
            let told = particle_inertial[i];
            particle_inertial[i] = vec4f(told.xyz + moved * frame.correction, told.w);
        }
    }
}
