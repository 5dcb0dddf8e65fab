//! Round numbers on a scale, for the window and for pictures.

/// Distance of round numbers on a scale from 0 to `top`, three to six of them, and their decimal places.
pub(crate) fn ticks(top: f32) -> (f32, usize) {
    if top <= 0.0 {
        return (0.0, 0);
    }
    let raw = f64::from(top) / 5.0;
    let power = raw.log10().floor();
    let unit = 10.0_f64.powf(power);
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|n| n * unit >= raw * 0.999).unwrap_or(10.0) * unit;
    let digits = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0);
    (step as f32, digits as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        for (top, expected) in [
            (9.81, (2.0, 0)),
            (100.0, (20.0, 0)),
            (0.37, (0.1, 1)),
            (1.0, (0.2, 1)),
            (0.0012, (0.0005, 4)),
            (24.0, (5.0, 0)),
        ] {
            let (step, digits) = ticks(top);
            assert!(
                (step - expected.0).abs() < 1e-6 * expected.0 && digits == expected.1,
                "{top}: {step} {digits}"
            );
            assert!((2.0..=5.1).contains(&(top / step)), "{top}");
        }
        assert_eq!(ticks(0.0), (0.0, 0));
    }
}
