// What the wind needs of a particle: its normal and the air there. A library; group 3 is its own.
//
// normals.wgsl and air.wgsl fill both once a frame. CPU twin: the arguments of `Push::advance` in sim-dylib/src/forces.rs.

@group(3) @binding(0) var<storage, read> particle_normal: array<vec4f>;
@group(3) @binding(1) var<storage, read> particle_air: array<vec4f>;

struct Around {
    // Unit normal; w: area [m2].
    normal: vec4f,
    // [m/s]
    air: vec3f,
}

// Without wind nothing is loaded, and nothing of it is read.
fn around(i: u32, wind_coefficient: f32) -> Around {
    var found = Around(vec4f(0.0), vec3f(0.0));
    if wind_coefficient > 0.0 {
        found = Around(particle_normal[i], particle_air[i].xyz);
    }
    return found;
}
