// One Newton step of each particle of a colour with what all tables gave it.
//
// CPU twin: `solvers::vbd::system::Descent::visit`.

#import <lib/block.wgsl>
#import <vbd/solve.wgsl>

@rows(128)
fn main(vertex: u32) {
    let i = vertex_particle[vertex];
    let system = System(particle_force[i].xyz, particle_diagonal[i].xyz, particle_off_diagonal[i].xyz);
    descend(vertex, i, particle_position[i], system);
}
