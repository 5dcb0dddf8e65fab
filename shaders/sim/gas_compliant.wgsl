// Gas that gives way: alpha~ = alpha / h². A library.

fn alpha_of(alpha: f32) -> f32 {
    return alpha * frame.per_h2;
}
