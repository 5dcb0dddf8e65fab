// omega over a particle's rows. A pass of pbd_shares.wgsl.
//
// Macklin et al.: Unified Particle Physics, 2014, section 4.3. CPU twin: `step` in sim-dylib/src/solvers/pbd_sor.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
    omega: f32,
}

fn share_of(rows: f32) -> f32 {
    return frame.omega / rows;
}
