// Gradient and inverse masses of a rigid row as they count in a division: its free corners have a share of the gradient at
// least, or it is a matter of rounding.
//
// CPU twin: `constraints::value::lever`.

// Squared.
const LEVER: f32 = 0.01;

fn lever(sum: f32, lightest: f32, whole: f32) -> f32 {
    return max(max(sum, lightest * whole * LEVER), 1e-20);
}
