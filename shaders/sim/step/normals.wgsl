// Unit normal of each particle and in w its share of the cloth's area [m2]: what wind pushes on. Once a frame.
//
// Each particle adds up the triangles around it in their order.
//
// CPU twin: `normals::update`.

@rows(128)
fn main(i: u32) {
    let fan = particle_fan[i];
    var sum = vec4f(0.0);
    for (var k = fan.x; k < fan.x + fan.y; k++) {
        let idx = triangle_idx[fan_triangle[k]];
        let a = particle_position[idx[0]].xyz;
        let doubled = cross(particle_position[idx[1]].xyz - a, particle_position[idx[2]].xyz - a);
        sum += vec4f(doubled, sqrt(dot(doubled, doubled)) / 6.0);
    }
    let l = sqrt(dot(sum.xyz, sum.xyz));
    particle_normal[i] = vec4f(select(vec3f(0.0), sum.xyz / l, l > 0.0), sum.w);
}
