//! Threads: the edges of the surface of a cloth that can tear, and how much strain each bears.
//!
//! Along the threads of a grid and along all edges of a mesh the limit is that of the material. The diagonals of a grid are
//! no threads: shear lengthens them and tears nothing. They are listed because a cut may cross them.

use super::super::material::Tear;
use super::edges::Edge;
use super::rest::Rest;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thread {
    /// The lower particle first.
    pub ends: [u32; 2],
    /// [m]
    pub rest: f32,
    /// Strain above which it breaks; infinite: only a cut breaks it.
    pub limit: f32,
    pub diagonal: bool,
}

/// One row per edge, sorted by their ends.
pub(super) fn threads(rest: &Rest, edges: &[Edge], tear: Tear) -> Vec<Thread> {
    let thread = |edge: &Edge| {
        let [a, b] = edge.ends;
        let length = rest.points[a as usize].distance(rest.points[b as usize]);
        let diagonal = rest.grid.as_ref().is_some_and(|grid| grid.is_diagonal(edge.ends));
        let bears = !diagonal && tear.strain > 0.0;
        let limit = if bears { tear.strain * (1.0 + tear.spread * draw(edge.ends)) } else { f32::INFINITY };
        Thread { ends: edge.ends, rest: length as f32, limit, diagonal }
    };
    edges.iter().map(thread).collect()
}

/// A number from -1 to 1 that depends on the ends alone: the finalizer of MurmurHash3 (Appleby 2011).
fn draw([a, b]: [u32; 2]) -> f32 {
    let mut bits = a.wrapping_mul(0x9e37_79b9) ^ b;
    bits = (bits ^ bits >> 16).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ bits >> 13).wrapping_mul(0xc2b2_ae35);
    bits ^= bits >> 16;
    (bits >> 8) as f32 / (1 << 23) as f32 - 1.0
}

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn draws_spread_over_the_whole_range() {
        let draws: Vec<f32> = (0..1000).map(|a| draw([a, a + 1])).collect();
        assert!(draws.iter().all(|x| (-1.0..=1.0).contains(x)));
        let mean = draws.iter().sum::<f32>() / 1000.0;
        let square = draws.iter().map(|x| x * x).sum::<f32>() / 1000.0;
        // Of an even spread 0 and 1/3; three standard deviations of a thousand draws.
        assert!(mean.abs() < 0.055 && (square - 1.0 / 3.0).abs() < 0.029, "{mean} {square}");
    }
}
