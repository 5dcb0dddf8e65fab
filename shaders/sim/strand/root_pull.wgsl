// After a solve: minus all that it gave to the strand, mass times way [kg m]; where a collider or a hand took part, what the root itself
// was moved by, times its mass.
//
// CPU twin: `roots::gather`, `roots::pull_as_moved`.

#import <strand/root.wgsl>

fn touches(i: u32) -> bool {
#ifdef touching
    // The sweeps of `vbd` do not carry what a strand weighs to its root.
    return true;
#else
#ifdef planes
    return frame.colliders > 0u && particle_plane_depth[i].y >= 0.0;
#else
    return false;
#endif
#endif
}

@rows(64)
fn main(row: u32) {
    let span = strand_span[root_strand[row]];
    let root = borne_particle(row);
    var sum = vec3f(0.0);
    // A body may hold its tip.
    var met = strand_borne[root_strand[row]].y != 0xffffffffu;
    let number = select(0u, 1u, root != span[0]);
    let hangs = hanging(span, number);
    for (var k = number + 1u; k < span[2]; k++) {
        if k >= hangs.end && k < hangs.back {
            continue;
        }
        let i = span[0] + span[1] * k;
        if particle_position[i].w > 0.0 {
            sum -= moved(i) * particle_mass[i];
        }
        // What holds a particle gives to the strand as well.
        met = met || touches(i) || particle_position[i].w == 0.0;
    }
    let w = particle_position[root].w;
    if met {
        sum = (moved(root) - root_carried[row].xyz) * (1.0 / w);
    }
    // Of what is held nothing is told.
    root_pull[row] = vec4f(select(vec3f(0.0), sum, w > 0.0), 0.0);
}
