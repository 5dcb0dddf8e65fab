// Adds the rows of one table and model to the matrix times `particle.search`, for the spectral radius.
//
// CPU twin: `elastic::Energies::add_product`.

#import <constraints/elastic.wgsl>

@rows(128)
fn main(vertex: u32) {
    let rows = vertex_others[vertex];
    var sum = vec3f(0.0);
    for (var at = rows.x; at < rows.x + rows.y; at++) {
        if is_wanted(at) {
            let row = incident_row[at];
            let c = corners_of(row);
            let d = mat4x3f(
                particle_search[c.x].xyz, particle_search[c.y].xyz,
                particle_search[c.z].xyz, particle_search[c.w].xyz,
            );
            sum += product_of(row, incident_other[at], d);
        }
    }
    particle_image[vertex_particle[vertex]] += vec4f(sum, 0.0);
}
