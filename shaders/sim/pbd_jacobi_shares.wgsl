// 1 over a particle's rows and `weight`: its own place counts as so many rows in the average. A pass of pbd_shares.wgsl.
//
// CPU twin: `step` in sim-dylib/src/solvers/pbd_jacobi.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    weight: f32,
}

fn share_of(rows: f32) -> f32 {
    return 1.0 / (rows + frame.weight);
}
