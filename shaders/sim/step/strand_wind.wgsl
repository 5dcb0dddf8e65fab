// What strands show to the wind: a unit vector across each particle's strand into the slip, and in w the area [m2] that is seen
// from there, less where strands around keep the wind away. Once a frame, after the normals of cloth and the air.
//
// CPU twin: `wind::face_the_wind`, `grid::open`.

fn unit(v: vec3f) -> vec3f {
    let l = sqrt(dot(v, v));
    return select(vec3f(0.0), v / l, l > 0.0);
}

// Share of the wind that comes through the strands around a particle.
fn open(i: u32) -> f32 {
#ifdef strand_grid
    let segment = i - strand_span[0][0];
    let grid = segment_grid[segment];
    if grid != 0xffffffffu && strand_grid_shelter[grid] > 0.0 {
        return 1.0 / (1.0 + segment_density[segment] / strand_grid_shelter[grid]);
    }
#endif
    return 1.0;
}

@rows(64)
fn main(i: u32) {
    let span = strand_span[i];
    let ring = segment_stretch[span[0] + span[1] * (span[2] - 1u) - strand_span[0][0]] != 0.0;
    for (var k = 0u; k < span[2]; k++) {
        let row = span[0] + span[1] * k;
        var before = span[0] + span[1] * select(max(k, 1u) - 1u, span[2] - 1u, ring && k == 0u);
        var after = span[0] + span[1] * select(min(k + 1u, span[2] - 1u), 0u, ring && k + 1u == span[2]);
        // Not across a cut.
        before = select(before, row, segment_stretch[before - strand_span[0][0]] < 0.0);
        after = select(after, row, segment_stretch[row - strand_span[0][0]] < 0.0);
        let tangent = unit(particle_position[after].xyz - particle_position[before].xyz);
        let slip = particle_air[row].xyz - particle_velocity[row].xyz;
        let across = unit(slip - tangent * dot(tangent, slip));
        particle_normal[row] = vec4f(across, particle_area[row] * open(row));
    }
}
