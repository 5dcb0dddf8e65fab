// Roots are moved by what their triangles moved since they were held, or since the last time, where a solver moves cloth and strands in turns.
//
// CPU twin: `roots::Following::follow`.

#import <strand/root.wgsl>

@rows(64)
fn main(row: u32) {
    let root = borne_particle(row);
    let corners = root_corners[row];
    let weights = root_weights[row];
    let place = particle_position[corners[0]].xyz * weights.x + particle_position[corners[1]].xyz * weights.y
        + particle_position[corners[2]].xyz * weights.z;
    let way = place - particle_inertial[root].xyz;
    let by = vec4f(way - root_carried[row].xyz, 0.0);
    particle_position[root] += by;
    // The stub before it.
    let first = strand_span[root_strand[row]][0];
    if first != root {
        particle_position[first] += by;
    }
    root_carried[row] = vec4f(way, 0.0);
}
