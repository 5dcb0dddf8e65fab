// The spectral radius that the parameter `rho` says.
//
// CPU twin: `step` in sim-dylib/src/solvers/implicit_chebyshev.rs.

struct Frame {
    rho: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> spectrum_rho: array<f32>;

@compute @workgroup_size(1)
fn main() {
    spectrum_rho[0] = frame.rho;
}
