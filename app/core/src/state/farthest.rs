//! How far two states are apart.

/// Of points in the same order the one that is farthest from itself, and how far [m]; infinitely if that is not a number.
pub fn farthest(a: &[[f32; 4]], b: &[[f32; 4]]) -> (usize, f64) {
    let distance = |(a, b): (&[f32; 4], &[f32; 4])| {
        let square: f64 = (0..3).map(|i| (f64::from(a[i]) - f64::from(b[i])).powi(2)).sum();
        if square.is_nan() { f64::INFINITY } else { square.sqrt() }
    };
    let distances = a.iter().zip(b).map(distance).enumerate();
    distances.max_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::farthest;

    #[test]
    fn what_is_not_a_number_is_farthest() {
        let a = [[0.0; 4], [1.0, 0.0, 0.0, 5.0], [0.0; 4]];
        let mut b = [[0.0; 4], [1.0, 3.0, 4.0, 6.0], [0.5, 0.0, 0.0, 0.0]];
        assert_eq!(farthest(&a, &b), (1, 5.0));
        b[2][1] = -f32::NAN;
        assert_eq!(farthest(&a, &b), (2, f64::INFINITY));
        assert_eq!(farthest(&[], &[]), (0, 0.0));
    }
}
