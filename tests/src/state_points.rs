//! Points of two states compared.

pub use crate::rig::vector as xyz;

/// Largest distance between two lists of points.
pub fn apart(a: &[[f32; 4]], b: &[[f32; 4]]) -> f64 {
    assert_eq!(a.len(), b.len(), "as many points");
    let far = |(a, b): (&[f32; 4], &[f32; 4])| {
        let far = (xyz(*a) - xyz(*b)).length();
        if far.is_finite() { far } else { f64::INFINITY }
    };
    a.iter().zip(b).map(far).fold(0.0, f64::max)
}
