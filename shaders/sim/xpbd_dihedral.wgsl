// XPBD over the hinges of the dihedral model, Gauss-Seidel: one colour a dispatch. C is the angle less that at rest.
//
// Grinspun et al.: Discrete Shells, 2003; gradient of Bridson, Marino, Fedkiw 2003; eq. 18 of XPBD times k h2. CPU twin:
// `Dihedrals` in sim-dylib/src/projection/compliant/bending.rs, `angle` in sim-dylib/src/constraints/hinge.rs and
// `scalar` in sim-dylib/src/constraints/compliant.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    h: f32,
    iteration: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> hinge_idx: array<vec4u>;
@group(0) @binding(2) var<storage, read> hinge_model: array<u32>;
@group(0) @binding(3) var<storage, read> hinge_stiffness: array<f32>;
@group(0) @binding(4) var<storage, read_write> hinge_lambda: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> particle_position: array<vec4f>;
@group(0) @binding(6) var<storage, read> hinge_rest_angle: array<f32>;

const MODEL: u32 = 1u;
const PI: f32 = 3.14159265;
// Least squared length of a normal that is divided by [m4].
const LEAST: f32 = 1e-30;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    if hinge_model[row] != MODEL {
        return;
    }
    let idx = hinge_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let x2 = particle_position[idx.z];
    let x3 = particle_position[idx.w];
    var lambda = 0.0;
    if frame.iteration > 0u {
        lambda = hinge_lambda[row].x;
    }
    let edge = x1.xyz - x0.xyz;
    let side2 = x2.xyz - x0.xyz;
    let side3 = x3.xyz - x0.xyz;
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
    let s = hinge_stiffness[row] * (frame.h * frame.h);
    let stiff = s * (dot(g0, g0) * x0.w + dot(g1, g1) * x1.w + dot(g2, g2) * x2.w + dot(g3, g3) * x3.w);
    let change = -(s * c + lambda) / (stiff + 1.0);
    hinge_lambda[row] = vec4f(lambda + change, 0.0, 0.0, 0.0);
    particle_position[idx.x] = vec4f(x0.xyz + g0 * (x0.w * change), x0.w);
    particle_position[idx.y] = vec4f(x1.xyz + g1 * (x1.w * change), x1.w);
    particle_position[idx.z] = vec4f(x2.xyz + g2 * (x2.w * change), x2.w);
    particle_position[idx.w] = vec4f(x3.xyz + g3 * (x3.w * change), x3.w);
}
