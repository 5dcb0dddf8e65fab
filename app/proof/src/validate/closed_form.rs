//! Closed forms that a shape is compared with, worked out in f64.

/// A chain between two ends at one level. Lengths by the span X, forces by the weight w X of a span's length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catenary {
    pub sag: f64,
    /// Horizontal force.
    pub horizontal: f64,
    /// Tension at the ends.
    pub end_tension: f64,
}

/// The catenary of `ratio` = length/span, above 1.
pub fn catenary(ratio: f64) -> Catenary {
    // y = a cosh(x/a); u = X/(2a) solves sinh(u)/u = ratio, and the left side grows with u.
    let u = root(1e-9, 50.0, |u| u.sinh() / u - ratio);
    Catenary {
        sag: (u.cosh() - 1.0) / (2.0 * u),
        horizontal: 1.0 / (2.0 * u),
        end_tension: u.cosh() / (2.0 * u),
    }
}

/// A strip clamped level that bends under its own weight, or under one at its tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastica {
    /// Fall of the tip by the length.
    pub drop: f64,
    /// From the clamp level to the tip, by the length.
    pub reach: f64,
    /// Of the line from the clamp to the tip below the horizontal [degrees].
    pub chord: f64,
}

/// The heavy elastica B theta'' + w (L - s) cos theta = 0 of G = w L³/B (Peirce 1930), by shooting from the tip.
pub fn elastica(g: f64) -> Elastica {
    shot(|t| g * t)
}

/// The light elastica B theta'' + P cos theta = 0 of P L²/B (Bisshopp, Drucker 1945), likewise.
pub fn loaded(p: f64) -> Elastica {
    shot(|_| p)
}

fn shot(load: impl Fn(f64) -> f64) -> Elastica {
    let slope = root(0.0, std::f64::consts::FRAC_PI_2, |tip| from_tip(&load, tip).0);
    let (_, reach, drop) = from_tip(&load, slope);
    Elastica { drop, reach, chord: drop.atan2(reach).to_degrees() }
}

/// Slope at the clamp [rad], and the way from tip to clamp sideways and up, for a slope at the tip [rad].
///
/// With t the way from the tip: theta'' = -`load`(t) cos theta, theta'(0) = 0. Runge-Kutta of order 4.
fn from_tip(load: impl Fn(f64) -> f64, tip: f64) -> (f64, f64, f64) {
    const STEPS: u32 = 2000;
    let h = 1.0 / f64::from(STEPS);
    let rate = |t: f64, y: [f64; 4]| [y[1], -load(t) * y[0].cos(), y[0].cos(), y[0].sin()];
    let ahead = |y: [f64; 4], k: [f64; 4], h: f64| [0, 1, 2, 3].map(|i| y[i] + h * k[i]);
    let mut y = [tip, 0.0, 0.0, 0.0];
    for step in 0..STEPS {
        let t = f64::from(step) * h;
        let a = rate(t, y);
        let b = rate(t + 0.5 * h, ahead(y, a, 0.5 * h));
        let c = rate(t + 0.5 * h, ahead(y, b, 0.5 * h));
        let d = rate(t + h, ahead(y, c, h));
        y = [0, 1, 2, 3].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    (y[0], y[2], y[3])
}

/// Where a function goes from below zero to above it, by bisection.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Zeros of J0, with how much the mode of each has of a slanting chain: 8/(z³ J1(z)).
const ASLANT: [(f64, f64); 5] = [
    (2.404_825_558, 1.108_022),
    (5.520_078_110, -0.139_778),
    (8.653_727_913, 0.045_476),
    (11.791_534_439, -0.020_991),
    (14.930_917_708, 0.011_636),
];

/// How far aside the end of a hanging chain is that was let go aslant, by how far it was, `time` [s] later: modes of the frequencies
/// z/2 sqrt(g/L) (Bernoulli 1732), `pace` = sqrt(g/L) [1/s], as implicit Euler of steps of `h` [s] has them.
pub fn swinging_chain(pace: f64, time: f64, h: f64) -> f64 {
    let mode = |(zero, share): (f64, f64)| {
        let (kept, angle) = implicit_euler(0.5 * zero * pace * h);
        share * kept.powf(time / h) * (angle * time / h).cos()
    };
    ASLANT.into_iter().map(mode).sum()
}

/// What is left of the amplitude of an oscillator after one step of implicit Euler, and its angle [rad]; z = omega h.
pub fn implicit_euler(z: f64) -> (f64, f64) {
    (1.0 / z.hypot(1.0), z.atan())
}

/// The same for the integrators of the explicit solver, without damping: modulus and angle of the eigenvalue.
pub fn explicit(integrator: &str, z: f64) -> Option<(f64, f64)> {
    // Symplectic Euler and velocity Verlet are both leapfrog: the same angle, and nothing lost.
    let leapfrog = 2.0 * (0.5 * z).asin();
    let taylor = (1.0 + 0.5 * z * z).sqrt();
    let (re, im) = (1.0 - z.powi(2) / 2.0 + z.powi(4) / 24.0, z - z.powi(3) / 6.0);
    match integrator {
        "symplectic_euler" | "velocity_verlet" => Some((1.0, leapfrog)),
        "explicit_euler" => Some((z.hypot(1.0), z.atan())),
        "taylor2" => Some((taylor, ((1.0 - 0.25 * z * z) / taylor).acos())),
        "rk4" => Some((re.hypot(im), im.atan2(re))),
        _ => None,
    }
}
