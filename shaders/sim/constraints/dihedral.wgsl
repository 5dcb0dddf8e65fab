// The dihedral model of bending: C is the angle of two triangles less that at rest.
//
// Grinspun et al.: Discrete Shells, 2003; gradient of Bridson, Marino, Fedkiw 2003.
//
// CPU twin: `constraints::hinge::Dihedral::bend`, `constraints::hinge::angle`.

const MODEL: u32 = HINGE_DIHEDRAL;
const PI: f32 = 3.14159265;
// Least squared length of a normal that is divided by [m4].
const LEAST: f32 = 1e-30;

struct Bend {
    // [rad]
    c: f32,
    // By the corners [1/m].
    g: mat4x3f,
}

fn bend_of(row: u32, x: mat4x3f) -> Bend {
    let edge = x[1] - x[0];
    let side2 = x[2] - x[0];
    let side3 = x[3] - x[0];
    let n2 = cross(edge, side2);
    let n3 = cross(side3, edge);
    let l = sqrt(dot(edge, edge) + 1e-20);
    let sine = dot(cross(n3, n2), edge) / l;
    let cosine = dot(n2, n3);
    // WGSL leaves the angle of the origin open.
    let angle = select(atan2(sine, cosine), 0.0, sine == 0.0 && cosine == 0.0);
    // A corner turns about the edge: 1 / (its distance from the edge) along its normal.
    let g2 = n2 * (l / max(dot(n2, n2), LEAST));
    let g3 = n3 * (l / max(dot(n3, n3), LEAST));
    // The ends take it back as a lever does, by the corner's foot on the edge.
    let t2 = dot(side2, edge) / (l * l);
    let t3 = dot(side3, edge) / (l * l);
    let g0 = g2 * (t2 - 1.0) + g3 * (t3 - 1.0);
    let g1 = -(g2 * t2 + g3 * t3);
    // The shorter way round.
    var c = angle - hinge_rest_angle[row];
    c -= select(0.0, 2.0 * PI, c > PI);
    c += select(0.0, 2.0 * PI, c < -PI);
    return Bend(c, mat4x3f(g0, g1, g2, g3));
}

// dE/dx of a hinge of 1 N m.
fn gradient_of(row: u32, x: mat4x3f) -> mat4x3f {
    let bend = bend_of(row, x);
    return bend.g * bend.c;
}

// Gauss-Newton: g g^T d. The angle's own second derivative is left out.
fn stiffness_times(row: u32, x: mat4x3f, d: mat4x3f) -> mat4x3f {
    let g = bend_of(row, x).g;
    return g * (dot(g[0], d[0]) + dot(g[1], d[1]) + dot(g[2], d[2]) + dot(g[3], d[3]));
}
