// What strands show to the wind: a unit vector across each particle's strand into the slip, and in w the area [m2] that is seen
// from there. Once a frame, after the normals of cloth and the air.
//
// CPU twin: `wind::face_the_wind`.

fn unit(v: vec3f) -> vec3f {
    let l = sqrt(dot(v, v));
    return select(vec3f(0.0), v / l, l > 0.0);
}

@rows(64)
fn main(i: u32) {
    let span = strand_span[i];
    for (var k = 0u; k < span[2]; k++) {
        let row = span[0] + span[1] * k;
        let before = span[0] + span[1] * (max(k, 1u) - 1u);
        let after = span[0] + span[1] * min(k + 1u, span[2] - 1u);
        let tangent = unit(particle_position[after].xyz - particle_position[before].xyz);
        let slip = particle_air[row].xyz - particle_velocity[row].xyz;
        let across = unit(slip - tangent * dot(tangent, slip));
        particle_normal[row] = vec4f(across, particle_area[row]);
    }
}
