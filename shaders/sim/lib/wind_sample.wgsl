// What the wind needs of a particle: its normal and the air there.
//
// step/normals.wgsl and step/air.wgsl fill both once a frame.
//
// CPU twin: `forces::Push::advance`.

struct WindSample {
    // Unit normal; w: area [m2].
    normal: vec4f,
    // [m/s]
    air: vec3f,
}

// Without wind nothing is loaded, and nothing of it is read.
fn wind_sample(i: u32, wind_coefficient: f32) -> WindSample {
    var found = WindSample(vec4f(0.0), vec3f(0.0));
    if wind_coefficient > 0.0 {
        found = WindSample(particle_normal[i], particle_air[i].xyz);
    }
    return found;
}
