// What the rows of one table and model add to a Jacobi iteration of PBD: the least share of its corners of what each wants.
//
// After the pass of the springs, which wrote the next positions; all rows see those at the iteration's start.
//
// CPU twin: `projection::order::averaged`.

#import <constraints/incident.wgsl>
#ifdef triangle
#ifdef area
#import <pbd/area.wgsl>
#else
#import <pbd/strains.wgsl>
#endif
#endif
#ifdef hinge
#import <pbd/hinge.wgsl>
#endif
#ifdef tether
#import <pbd/tether.wgsl>
#endif
#ifdef attachment
#import <pbd/attachment.wgsl>
#endif

@rows(128)
fn main(vertex: u32) {
    let rows = vertex_others[vertex];
    var sum = vec3f(0.0);
    for (var at = rows.x; at < rows.x + rows.y; at++) {
        if is_wanted(at) {
            sum += change_of(incident_row[at], incident_other[at]) * share_of(incident_row[at]);
        }
    }
    let i = vertex_particle[vertex];
    let next = particle_next_position[i];
    particle_next_position[i] = vec4f(next.xyz + sum, next.w);
}
