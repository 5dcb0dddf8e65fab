// Adds the rows of one table and model to the particles' blocks of the matrix, as often as the matrix may not outrun.
//
// A row of N particles counts N/2 times, but at least once: the matrix is then at most twice its blocks, so that Jacobi
// iterations do not diverge. Tethers count as taut.
//
// CPU twin: `elastic::Energies::add_blocks`.

#import <constraints/elastic.wgsl>
#import <lib/block.wgsl>

@rows(128)
fn main(vertex: u32) {
    let rows = vertex_others[vertex];
    var sum = Block(vec3f(0.0), vec3f(0.0));
    for (var at = rows.x; at < rows.x + rows.y; at++) {
        if is_wanted(at) {
            let own = block_of(incident_row[at], incident_other[at]);
            sum = Block(sum.diagonal + own.diagonal, sum.off + own.off);
        }
    }
    let i = vertex_particle[vertex];
    particle_diagonal[i] += vec4f(sum.diagonal, 0.0);
    particle_off_diagonal[i] += vec4f(sum.off, 0.0);
}
