// Relaxation: each segment of a strand takes back its error, one after another from the root to the tip.
//
// CPU twin: `relax::sweep`, `distance::project_stiff`.

#import <constraints/distance.wgsl>
#import <strand/seat.wgsl>

@rows(64)
fn main(row: u32) {
    let span = strand_span[row];
    let base = strand_span[0][0];
    // What lies in a cloth or a body is moved with it.
    let borne = strand_borne[row].x;
    let root = select(borne, 0u, borne == 0xffffffffu);
    var before = particle_position[span[0] + span[1] * root];
    for (var k = root + 1u; k < span[2]; k++) {
        let i = span[0] + span[1] * k;
        let here = particle_position[i];
        let segment = i - span[1] - base;
        let d = select(project(before, here, segment_rest[segment], 0.0, 0.0), vec4f(0.0), is_cut(segment));
        particle_position[i - span[1]] = vec4f(before.xyz - d.xyz * before.w, before.w);
        before = vec4f(here.xyz + d.xyz * here.w, here.w);
#ifdef diagnostics
        segment_pull[segment] += d.w;
#endif
    }
    let last = span[0] + span[1] * (span[2] - 1u);
    if segment_stretch[last - base] > 0.0 {
        // What closes a ring.
        let first = particle_position[span[0]];
        let d = project(before, first, segment_rest[last - base], 0.0, 0.0);
        before = vec4f(before.xyz - d.xyz * before.w, before.w);
        particle_position[span[0]] = vec4f(first.xyz + d.xyz * first.w, first.w);
#ifdef diagnostics
        segment_pull[last - base] += d.w;
#endif
    }
    particle_position[last] = before;
}
