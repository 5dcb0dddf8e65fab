// What the rows of one table and model add to a Jacobi iteration: omega relaxation D^-1 f, f their force on the
// particle.
//
// The step is linear in the residual, so that each table may add its part to the next positions, after the pass of the
// springs.
//
// CPU twin: `implicit::jacobi::advance`, `elastic::Energies::add_forces`.

#import <constraints/elastic.wgsl>
#import <implicit/omega.wgsl>
#import <lib/block.wgsl>
#import <implicit/relaxation.wgsl>

@rows(128)
fn main(vertex: u32) {
    let rows = vertex_others[vertex];
    var force = vec3f(0.0);
    for (var at = rows.x; at < rows.x + rows.y; at++) {
        if is_wanted(at) {
            force += force_of(incident_row[at], incident_other[at]);
        }
    }
    let i = vertex_particle[vertex];
    let step = times_block(particle_diagonal[i], particle_off_diagonal[i], force);
    let next = particle_next_position[i];
    particle_next_position[i] = vec4f(next.xyz + step * (relaxation() * omega_of(frame.iteration)), next.w);
}
