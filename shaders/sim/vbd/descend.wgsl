// Vertex block descent on springs: one Newton step of each particle, one colour of particles a dispatch.
//
// Particles of a colour share no row. Where other tables have rows, vbd/begin.wgsl and vbd/end.wgsl take its place.
//
// CPU twin: `solvers::vbd::system::descend`.

#import <vbd/solve.wgsl>
#import <vbd/springs.wgsl>

@rows(128)
fn main(vertex: u32) {
    let i = vertex_particle[vertex];
    let x = particle_position[i];
    descend(vertex, i, x, springs_at(vertex, i, x, frame.stiffest * frame.per_h2));
}
