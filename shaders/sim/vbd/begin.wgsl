// Force and block that the springs give each particle of a colour, before other tables add theirs
// (vbd/elastic_system.wgsl).
//
// CPU twin: `solvers::vbd::system::System::assemble`.

#import <vbd/springs.wgsl>

@rows(128)
fn main(vertex: u32) {
    let i = vertex_particle[vertex];
    let system = springs_at(vertex, i, particle_position[i], frame.stiffest * frame.per_h2);
    particle_force[i] = vec4f(system.force, 0.0);
    particle_diagonal[i] = vec4f(system.diagonal, 0.0);
    particle_off_diagonal[i] = vec4f(system.off, 0.0);
}
