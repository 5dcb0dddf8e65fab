// After a solve: minus all that it gave to the strand, mass times way [kg m]; where a collider or a hand took part, what the root itself
// was moved by, times its mass.
//
// CPU twin: `roots::gather`, `roots::pull_as_moved`.

#import <strand/root.wgsl>

fn moved(i: u32) -> vec3f {
    return particle_position[i].xyz - particle_inertial[i].xyz;
}

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
    var met = false;
    let base = first_segment();
    let past = span[0] + span[1] * span[2];
    // What hangs together with it: to a cut, and of a ring, from its other end to one.
    var end = root;
    while end < past && !is_cut(end - base) {
        end += span[1];
    }
    end = min(end + span[1], past);
    var back = past;
    if is_ring(span) {
        while back > end && !is_cut(back - span[1] - base) {
            back -= span[1];
        }
    }
    for (var i = root + span[1]; i < past; i += span[1]) {
        if i >= end && i < back {
            continue;
        }
        if particle_position[i].w > 0.0 {
            sum -= moved(i) * particle_mass[i];
        }
        // What holds a particle gives to the strand as well.
        met = met || touches(i) || particle_position[i].w == 0.0;
    }
    let w = particle_position[root].w;
    if met {
        sum = moved(root) * (1.0 / w);
    }
    // Of what is held nothing is told.
    root_pull[row] = vec4f(select(vec3f(0.0), sum, w > 0.0), 0.0);
}
