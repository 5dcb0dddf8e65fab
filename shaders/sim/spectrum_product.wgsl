// The matrix of an implicit step times `search`: inertia and springs. Other tables add theirs (elastic_products.wgsl).
//
// CPU twin: `product` in sim-dylib/src/implicit/cg.rs with `linearise` and `SpringProduct` of
// sim-dylib/src/elastic/springs.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    per_h: f32,
    per_h2: f32,
    damped: u32,
    stiffest: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_mass: array<f32>;
@group(0) @binding(2) var<storage, read> particle_search: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> particle_image: array<vec4f>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = frame.first + id.y * frame.line + id.x;
    if i >= frame.end {
        return;
    }
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
