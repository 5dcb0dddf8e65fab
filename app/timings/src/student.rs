//! Student's t distribution: its quantile, from the incomplete beta function by Lentz's continued fraction (Numerical Recipes,
//! 3rd ed., 6.4 and 6.14.8).

/// ln Γ(x) for x > 0 (Lanczos, g = 7, nine terms; relative error 1e-15).
fn ln_gamma(x: f64) -> f64 {
    const C: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        // Reflection.
        return (std::f64::consts::PI / (std::f64::consts::PI * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let sum = C.iter().enumerate().skip(1).fold(C[0], |sum, (i, c)| sum + c / (x + i as f64));
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

/// The regularised incomplete beta function I_x(a, b).
fn beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // Below this it converges fast; above, the other tail does.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(1.0 - x, b, a);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let away = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction
}

/// P(T <= t) of `freedom` degrees, which need not be whole.
pub fn cdf(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * beta(freedom / (freedom + t * t), 0.5 * freedom, 0.5);
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The t with P(T <= t) = `share`, by bisection; infinite for no degree of freedom, NaN outside of 0 < share < 1.
pub fn quantile(share: f64, freedom: f64) -> f64 {
    if !(0.0..=1.0).contains(&share) || freedom.is_nan() {
        return f64::NAN;
    }
    if freedom <= 0.0 {
        return f64::INFINITY;
    }
    if share < 0.5 {
        return -quantile(1.0 - share, freedom);
    }
    let (mut low, mut high) = (0.0, 1.0);
    while cdf(high, freedom) < share && high < 1e12 {
        high *= 2.0;
    }
    // To the last bit.
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if cdf(middle, freedom) < share { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_its_own_inverse_and_ends_well() {
        for freedom in [1.0, 2.5, 5.0, 40.0] {
            for share in [0.01, 0.3, 0.5, 0.975] {
                let back = cdf(quantile(share, freedom), freedom);
                assert!((back - share).abs() < 1e-12, "{share} of {freedom}: {back}");
            }
        }
        // One degree of freedom is Cauchy's.
        assert!((quantile(0.75, 1.0) - 1.0).abs() < 1e-12);
        assert_eq!(quantile(0.975, 0.0), f64::INFINITY);
        assert!(quantile(1.5, 3.0).is_nan());
    }
}
