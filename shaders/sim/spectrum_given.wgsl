// The spectral radius that the parameter `rho` says, as far as the iterations bear it.
//
// Beyond 1 - 4/n² errors live longer than n iterations last and are only swung about, until they run away. The host says
// so (app/src/gpu/run/notes.rs). The CPU tries it and takes it back where the residual or the energy grows.
// CPU twin: `step` in sim-dylib/src/solvers/implicit_chebyshev.rs, `useful` in sim-dylib/src/implicit/jacobi.rs.

struct Frame {
    rho: f32,
    iterations: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> spectrum_rho: array<f32>;

@compute @workgroup_size(1)
fn main() {
    let few = f32(max(frame.iterations, 3u));
    spectrum_rho[0] = min(frame.rho, 1.0 - 4.0 / (few * few));
}
