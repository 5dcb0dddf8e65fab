//! The belt of V23 with the few iterations of defaults: what the solvers' documentation says of them, as it is now, and that the
//! residual shows it.

use weft_core::statistics::largest;
use weft_proof::validate::capstan::{belt, falls};

#[test]
fn few_iterations_hold_a_belt_or_let_it_creep() {
    for times in [0.97, 1.3] {
        let mut fixture = belt("implicit_newton", times);
        let residuals = (0..30).map(|_| {
            fixture.frames(1);
            fixture.run.readings["residual"]
        });
        let residual = largest(residuals);
        let creeps = falls(fixture).expect("the step counts");
        let held = falls(belt("vbd", times)).expect("the step counts");
        println!(
            "{times} of the limit: implicit_newton {creeps:.4} m/s, residual {residual:.2}; vbd {held:.5} m/s"
        );
        assert!(residual > 0.1, "converged to {residual}: then it slides");
        assert!(
            (3e-3..0.03).contains(&creeps),
            "implicit_newton at 4 iterations: {creeps} m/s at {times} of the limit"
        );
        assert!(held.abs() < 1e-3, "vbd at 2 iterations: {held} m/s at {times} of the limit");
    }
}
