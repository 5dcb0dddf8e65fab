// What bears an end is heavier along the strand than across it: w of its velocity says how much, see `strand/mount.wgsl`.
//
// CPU twin: `system::weigh`.

#import <strand/element.wgsl>

fn weighed(node: Node, strand: Strand, k: u32, own: Given) -> Node {
    if !is_borne(strand.borne, k) {
        return node;
    }
    let heavier = max(particle_velocity[particle_of(strand, k)].w, 1.0);
    let beside = particle_of(strand, select(k + 1u, strand.count - 2u, k + 1u == strand.count));
    let way = particle_inertial[beside].xyz - strand.origin - own.inertial;
    let n = direction_of(way);
    let more = own.mass * (heavier - 1.0);
    var out = node;
    out.xx += along_only(more, n);
    out.rx += n * (more * dot(n, own.inertial - own.place));
    return out;
}
