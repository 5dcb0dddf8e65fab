// Each particle gets back the share `correction` of what the next one was moved, by where its velocity is told from.
//
// CPU twin: `leader::follow`.

@rows(64)
fn main(row: u32) {
    let span = strand_span[row];
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
