// The spectral radius that the parameter `rho` says, as far as the iterations bear it.
//
// Beyond 1 - 4/n² errors live longer than n iterations last and are only swung about, until they run away. The host
// says so (app/gpu/src/run/notes.rs). The CPU tries it and takes it back where the residual or the energy grows.
//
// CPU twin: `solvers::implicit_chebyshev::step`, `implicit::jacobi::Settings::useful`.

@compute @workgroup_size(1)
fn main() {
    let few = f32(max(frame.iterations, 3u));
    spectrum_rho[0] = min(frame.rho, 1.0 - 4.0 / (few * few));
}
