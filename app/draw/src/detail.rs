//! How much of all hair a picture draws.

use super::curve;
use super::segments::Straight;
use super::strand::LEVELS;

/// How closely a picture shows hair. Where hairs are thinner than pixels fewer and wider ones cover the same area: stochastic
/// simplification (Cook, Halstead, Planck, Ryu, ACM Trans. Graph. 26, 2007). A strand's hairs lie around it at random, so that any
/// first n of them stand for all. n is no whole number: the last hair is as wide as the part of it that counts (`part_of` of
/// `strand.wgsl`), which is nothing where it comes and goes. Below one hair a strand it is strands that come and go, by their `place`.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Detail {
    /// Width of a pixel, by its distance from the eye.
    pub pixel: f32,
    /// From the eye to the scene [m].
    pub distance: f32,
    /// Hairs of a list that are drawn at least, however thin they are.
    pub fewest: f32,
    /// Hairs of a strand for one that is drawn at least.
    pub at_least: f32,
    /// It shows that hairs end in points, as lines do not.
    pub points: bool,
    /// There is time for the lobes of Marschner.
    pub lobes: bool,
    /// Hairs come and go one by one: what is thinner than a pixel is dashes where a pixel has one sample.
    pub whole: bool,
    /// How far from its place hair may be drawn [m].
    pub tolerance: f32,
    /// Segments of a strand that are drawn at least, however straight it is: light is told at their ends, or hair's own waves and ends
    /// bear no longer ones.
    pub segments: f32,
    /// Places of hairs that are drawn at most to show curls rounder (`curve.rs`).
    pub places: f32,
}

/// A picture from a metre away.
#[cfg(test)]
pub(crate) const NEAR: Detail = Detail {
    pixel: 1e-4,
    distance: 1.0,
    points: true,
    fewest: 32.0,
    at_least: 1.0,
    lobes: true,
    whole: false,
    tolerance: 1e-4,
    segments: 6.0,
    places: 0.0,
};

/// Share of the way along a hair from which on hairs end (`hair` of `strand.wgsl`).
const ENDS: f32 = 0.8;

/// Segments between particles that are drawn as one at most near the tip, whose hairs grow thin and end one by one.
const SHORT: u32 = 2;

/// Hairs of which one more or less is not seen.
const MANY: f32 = 1000.0;

/// Hairs that are left out make the rest as wide as a pixel, but for this.
const ROUNDING: f32 = 1.0001;

impl Detail {
    /// That of a picture, and of the maps of its light. `pixel` is the width of one, a metre from the eye and so far away as the scene is;
    /// `layered`: hair is in layers before the light, whose maps have so wide texels [m].
    pub(crate) fn levels(
        [pixel, there]: [f32; 2],
        distance: f32,
        texel: f32,
        layered: bool,
    ) -> [Self; LEVELS] {
        let seen = Self {
            pixel,
            distance,
            points: true,
            // A fringe of a few never thins out.
            fewest: 32.0,
            at_least: if layered { 1.0 } else { 4.0 },
            lobes: layered,
            whole: !layered,
            tolerance: 0.8 * there,
            segments: 6.0,
            places: if layered { 4e6 } else { 4e5 },
        };
        // In the layers hairs that are thinner than a texel are as much too many as in the picture those thinner than a pixel; what is
        // read of them is the mean of more than a texel.
        let lit = Self {
            pixel: texel,
            distance: 1.0,
            points: false,
            // Of fewer there would be grain.
            fewest: 4000.0,
            tolerance: texel,
            segments: 4.0,
            ..seen
        };
        [seen, if layered { lit } else { seen }]
    }

    /// How many of so many hairs of this width [m] are drawn around each of so many strands.
    pub(crate) fn hairs(self, all: f32, width: f32, strands: usize) -> f32 {
        let in_a_pixel = self.pixel * self.distance / width.max(f32::MIN_POSITIVE);
        let near = (all / self.at_least).max(1.0);
        // More than a hair a strand would cover too much of a picture; in a map they are as much less opaque.
        let most = if self.points { 1.0 } else { all };
        (near / in_a_pixel.max(1.0)).max((self.fewest / strands as f32).min(most))
    }

    /// Whether one of them is no wider than a pixel at the nearest, as the lines of any OpenGL are. Lines come and go one by one, which shows of a few.
    pub(crate) fn is_line(self, all: f32, width: f32, strands: usize) -> bool {
        let hairs = self.hairs(all, width, strands);
        let many = !self.points || hairs * strands as f32 >= MANY;
        many && width * all / hairs <= self.pixel * self.distance * ROUNDING
    }

    /// What may be left out of a strand of so many segments. Hairs around it lie off a straight one by `bulge` [m] in its middle, and by
    /// the square of its part on a part of it.
    ///
    /// Of segments that are drawn in `parts` less is left out: from that close by a corner shows.
    pub(crate) fn straight(self, segments: u32, parts: u32, bulge: f32) -> Straight {
        let longest = segments as f32 / self.fewest_segments(bulge);
        let tolerance = self.left_out(parts);
        let short = SHORT * parts;
        Straight { tolerance, longest: longest as u32, end: (ENDS * segments as f32) as u32, short }
    }

    /// Segments of a strand that are drawn at least.
    pub(crate) fn fewest_segments(self, bulge: f32) -> f32 {
        (bulge / self.tolerance.max(f32::MIN_POSITIVE)).sqrt().max(self.segments)
    }

    /// How far a place may be from where it is drawn [m], of segments in so many parts.
    pub(crate) fn left_out(self, parts: u32) -> f32 {
        if parts > 1 && self.points { curve::LEFT * self.tolerance } else { self.tolerance }
    }
}

/// Where a strand lies in the order in which they are left out, 0..1: multiples of (sqrt(165) - 5)/14, the continued fraction of 1, 1, 3
/// and 1 over and over, so that neighbours in a list lie far apart and any share of it is spread over all (`place` of `strand.wgsl`).
/// Those of the golden ratio, which are as even in a list, turn with the roots of a cap: they would leave out one side of it.
pub(crate) fn place(strand: u32) -> f32 {
    (strand.wrapping_mul(2_406_786_955) >> 8) as f32 / 16_777_216.0
}

/// The place from which on no strand is drawn, for a share of them; just below it they are thin (`part_of` of `strand.wgsl`).
pub(crate) fn drawn_to(share: f32) -> f32 {
    share * (1.0 + (1.0 - share).clamp(0.0, 0.25))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each eighth has one of these numbers in 0..1.
    fn eighths(all: impl Iterator<Item = f64>) -> [usize; 8] {
        let mut found = [0; 8];
        all.for_each(|one| found[(one * 8.0) as usize % 8] += 1);
        found
    }

    #[test]
    fn what_is_left_out_of_hair_leaves_no_bald_side() {
        for (strands, share) in [(300, 0.5), (300, 0.25), (1000, 0.1), (10_000, 0.02)] {
            let drawn = || (0..strands).filter(|&strand| place(strand) < share).map(f64::from);
            let mean = f64::from(strands) * f64::from(share) / 8.0;
            // Rows of hair, and roots on a cap, each turned by the golden angle from the last.
            for all in [
                eighths(drawn().map(|i| i / f64::from(strands))),
                eighths(drawn().map(|i| i * 0.381_966_011 % 1.0)),
            ] {
                let near = |&n: &usize| (n as f64 - mean).abs() <= 1.0 + 0.25 * mean;
                assert!(all.iter().all(near), "{share} of {strands} strands: {all:?}, {mean} each");
            }
        }
    }
}
