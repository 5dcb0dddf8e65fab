// Symmetric 3 x 3 blocks of particles: xx, yy, zz and yz, zx, xy.
//
// CPU twin: `implicit::times_block`, `implicit::inverse`.

fn times_block(diagonal: vec4f, off: vec4f, v: vec3f) -> vec3f {
    return diagonal.xyz * v + off.zxy * v.yzx + off.yzx * v.zxy;
}

struct Block {
    diagonal: vec3f,
    off: vec3f,
}

// Force on a particle [N], and the block of its negative derivative [N/m].
struct System {
    force: vec3f,
    diagonal: vec3f,
    off: vec3f,
}

// Of a positive definite block, by cofactors.
fn inverse_block(diagonal: vec3f, off: vec3f) -> Block {
    // Scaled to a unit trace: the determinant of a light particle's block would leave the range of f32.
    let scale = 3.0 / (diagonal.x + diagonal.y + diagonal.z);
    let d = diagonal * scale;
    let o = off * scale;
    let c = d.yzx * d.zxy - o * o;
    let co = o.yzx * o.zxy - d * o;
    let factor = scale / (d.x * c.x + o.z * co.z + o.y * co.y);
    return Block(c * factor, co * factor);
}
