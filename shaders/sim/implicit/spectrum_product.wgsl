// The matrix of an implicit step times `search`: inertia and springs. Other tables add theirs
// (implicit/elastic_products.wgsl).
//
// CPU twin: `implicit::cg::product`, `elastic::springs::linearise`, `elastic::springs::SpringProduct::project`.

#import <implicit/springs.wgsl>
#import <lib/neighbours.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let own = particle_search[i].xyz;
    let near = neighbours(i);
    let bearing = Bearing(frame.stiffest * frame.per_h2, frame.per_h, frame.damped != 0u);
    var image = own * (particle_mass[i] * frame.per_h2);
    for (var k = 0u; k < near.y; k++) {
        let spring = spring_of(i, x, near.x, k, bearing);
        let line = line_of(spring);
        let change = own - particle_search[neighbour(i, near.x, k).particle].xyz;
        image += change * line.across + line.n * ((spring.k - line.across) * dot(line.n, change));
    }
    particle_image[i] = vec4f(image, 0.0);
}
