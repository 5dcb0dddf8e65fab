// Adds the rows of one table and model to force and block of each particle of a colour, for vertex block descent.
//
// CPU twin: `solvers::vbd::system::System::others`.

#import <constraints/elastic.wgsl>
#import <lib/block.wgsl>

@rows(128)
fn main(vertex: u32) {
    let rows = vertex_others[vertex];
    var force = vec3f(0.0);
    var sum = Block(vec3f(0.0), vec3f(0.0));
    for (var at = rows.x; at < rows.x + rows.y; at++) {
        if is_wanted(at) {
            let row = incident_row[at];
            let corner = incident_other[at];
            force += force_of(row, corner);
            let own = stiffness_at(row, corner);
            sum = Block(sum.diagonal + own.diagonal, sum.off + own.off);
        }
    }
    let i = vertex_particle[vertex];
    particle_force[i] += vec4f(force, 0.0);
    particle_diagonal[i] += vec4f(sum.diagonal, 0.0);
    particle_off_diagonal[i] += vec4f(sum.off, 0.0);
}
