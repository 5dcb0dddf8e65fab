// Chebyshev's omega of an iteration: 1, 2/(2 - rho2), 4/(4 - rho2 omega), ...
//
// rho 0 is plain Jacobi: omega stays 1.
//
// CPU twin: `implicit::jacobi::iterate`.

// Spectral radius of the iterations: spectrum_given.wgsl or spectrum_quotient.wgsl writes it.
var<storage> spectrum_rho: array<f32, 1>;

fn omega_of(iteration: u32) -> f32 {
    let rho = spectrum_rho[0];
    var omega = 1.0;
    for (var k = 1u; k <= iteration; k++) {
        omega = select(4.0 / (4.0 - rho * rho * omega), 2.0 / (2.0 - rho * rho), k == 1u);
    }
    return omega;
}
