// What the passes of the explicit solver share. A library without bindings.
// CPU twin: `evaluate` in sim-dylib/src/solvers/explicit/springs.rs.

// Stiffest stable spring at a particle of 1 kg [N/m]; without a cap as good as endless.
fn stable_stiffness(h: f32, stability_cap: f32) -> f32 {
    return select(3e38, 2.0 / (12.0 * h * h), stability_cap > 0.0);
}
