//! What it takes to tear cloth and strands.

use serde::{Deserialize, Serialize};

use super::Scene;

/// When threads of cloth break, and segments of strands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tear {
    /// Strain above which a thread breaks; 0: only a cut breaks it.
    pub strain: f32,
    /// How much the strain of one thread and another differ, 0 to 1: each is within `strain` (1 +- `spread`).
    pub spread: f32,
}

impl Tear {
    /// Strain above which the thread between two particles breaks; infinite: only a cut breaks it.
    pub(crate) fn limit(self, ends: [u32; 2]) -> f32 {
        if self.strain > 0.0 { self.strain * (1.0 + self.spread * draw(ends)) } else { f32::INFINITY }
    }
}

/// A number from -1 to 1 that depends on the ends alone: the finalizer of MurmurHash3 (Appleby 2011).
fn draw([a, b]: [u32; 2]) -> f32 {
    let mut bits = a.wrapping_mul(0x9e37_79b9) ^ b;
    bits = (bits ^ bits >> 16).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ bits >> 13).wrapping_mul(0xc2b2_ae35);
    bits ^= bits >> 16;
    (bits >> 8) as f32 / (1 << 23) as f32 - 1.0
}

impl Scene {
    /// What all cloths and then all strands say of tearing, by their ids.
    pub fn tears(&self) -> impl Iterator<Item = (&str, Option<Tear>)> {
        let cloths = self.cloths.iter().map(|cloth| (cloth.id.as_str(), cloth.material.tear));
        cloths.chain(self.strands.iter().map(|strands| (strands.id.as_str(), strands.material.tear)))
    }

    /// The same, to say something else.
    pub fn tears_mut(&mut self) -> impl Iterator<Item = (&str, &mut Option<Tear>)> {
        let cloths = self.cloths.iter_mut().map(|cloth| (cloth.id.as_str(), &mut cloth.material.tear));
        let strands = self.strands.iter_mut();
        cloths.chain(strands.map(|strands| (strands.id.as_str(), &mut strands.material.tear)))
    }
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
