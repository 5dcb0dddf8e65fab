//! Points of two states compared.

pub use crate::fixture::vector as xyz;

/// Largest distance between two lists of points.
pub fn apart(a: &[[f32; 4]], b: &[[f32; 4]]) -> f64 {
    assert_eq!(a.len(), b.len(), "as many points");
    weft_core::state::farthest(a, b).1
}
