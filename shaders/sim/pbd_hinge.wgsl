// Hinges of one model as PBD has them. A library of pbd_others.wgsl; group 3 is its own. `with` names the model.
//
// CPU twin: `Dihedrals` and `QuadraticBends` in sim-dylib/src/projection/rigid/shapes.rs.

@group(3) @binding(0) var<storage, read> hinge_idx: array<vec4u>;
@group(3) @binding(1) var<storage, read> hinge_model: array<u32>;

const TABLE: u32 = 2u;

fn is_mine(row: u32) -> bool {
    return hinge_model[row] == MODEL;
}

fn change_of(row: u32, corner: u32) -> vec3f {
    let idx = hinge_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let x2 = particle_position[idx.z];
    let x3 = particle_position[idx.w];
    let w = vec4f(x0.w, x1.w, x2.w, x3.w);
    var way = bend(row, mat4x3f(x0.xyz, x1.xyz, x2.xyz, x3.xyz), w, frame.bend);
    return way[corner] * w[corner];
}
