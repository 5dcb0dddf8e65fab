// The relaxation of Jacobi iterations: as chosen, but no more than so many in a substep bear.
//
// Of an odd number k the error of the stiffest mode changes its sign: from (1 + 3^(-1/k))/2 on it grows from one substep
// to the next.
//
// CPU twin: `implicit::jacobi::safe_relaxation`.

fn relaxation() -> f32 {
    let most = 0.5 + 0.5 * pow(3.0, -1.0 / f32(frame.iterations));
    return select(frame.relaxation, min(frame.relaxation, most), frame.iterations % 2u == 1u);
}
