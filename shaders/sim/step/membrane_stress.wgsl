// Adds to each particle's stress what the triangles of one model around it have: tr(sigma) times the area at rest, a third to each
// corner. The present area times tr(sigma) is the sum of x dE/dx over the corners.
//
// CPU twin: `outcome::membranes`.

#import <constraints/membrane.wgsl>
#import <constraints/membrane_model.wgsl>

@rows(128)
fn main(i: u32) {
    let fan = particle_fan[i];
    var sum = 0.0;
    for (var k = fan.x; k < fan.x + fan.y; k++) {
        let row = fan_triangle[k];
        if triangle_model[row] == MODEL {
            let idx = triangle_idx[row];
            let x = mat3x3f(
                particle_position[idx[0]].xyz, particle_position[idx[1]].xyz, particle_position[idx[2]].xyz,
            );
            let b = triangle_inverse_rest[row];
            let g = gradient_of(x, Sheet(b, triangle_area[row], triangle_mu[row], triangle_lame[row]));
            // The gradients add up to 0: places may be told from x0. Of the triangle as it is; a particle's area is that at rest.
            let work = dot(x[1] - x[0], g[1]) + dot(x[2] - x[0], g[2]);
            let now = max(0.5 * length(cross(x[1] - x[0], x[2] - x[0])), 1e-30);
            sum += work * (triangle_area[row] / now) / 3.0;
        }
    }
    let area = particle_area[i];
    particle_stress[i] += select(0.0, sum / area, area > 0.0);
}
