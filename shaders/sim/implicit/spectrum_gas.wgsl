// The spectral radius that was estimated, where gas is projected after the solve: what that moves is no part of the system,
// and accelerated further errors of light cloth grow from substep to substep.
//
// CPU twin: `implicit::jacobi::solve`.

const BESIDE_GAS: f32 = 0.8;

@compute @workgroup_size(1)
fn main() {
    spectrum_rho[0] = min(spectrum_rho[0], BESIDE_GAS);
}
