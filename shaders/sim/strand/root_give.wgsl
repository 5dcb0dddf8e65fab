// Corners get what the strands on their triangles gave to their roots. Their velocity gets it here, and `inertial` goes along.
//
// CPU twin: `roots::give`.

@rows(64)
fn main(row: u32) {
    let rows = bearer_borne[row];
    var sum = vec3f(0.0);
    for (var k = rows.x; k < rows.x + rows.y; k++) {
        let root = borne_root[k];
        sum += root_pull[root].xyz * root_weights[root][borne_corner[k]];
    }
    let i = bearer_particle[row];
    let x = particle_position[i];
    if x.w == 0.0 {
        return;
    }
    let moved = sum * x.w;
    let to = x.xyz + moved;
    particle_position[i] = vec4f(to, x.w);
    particle_inertial[i] = vec4f(particle_inertial[i].xyz + (to - x.xyz), x.w);
    particle_velocity[i] = vec4f(particle_velocity[i].xyz + moved * frame.per_h, 0.0);
}
