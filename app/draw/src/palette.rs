//! Colours of numbers: knots that the cloth shader and the scale bar both interpolate between.

/// Knots of a palette, evenly spaced over the scale.
pub(crate) const KNOTS: usize = 9;

/// Colours of a scale from low to high.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Palette {
    /// Perceptually even, right in print and for the colour blind (Smith and van der Walt 2015).
    #[default]
    Viridis,
    /// Hues from cyan over blue, magenta and red to yellow: loud, good at small differences, uneven.
    Hsv,
}

impl Palette {
    pub const ALL: [Self; 2] = [Self::Viridis, Self::Hsv];

    pub fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Hsv => "hsv",
        }
    }

    /// sRGB, 0..1, one row a knot; w is 1.
    pub fn knots(self) -> [[f32; 4]; KNOTS] {
        let knots = match self {
            Self::Viridis => [
                0x0044_0154,
                0x0047_2d7b,
                0x003b_528b,
                0x002c_728e,
                0x0021_918c,
                0x0028_ae80,
                0x005e_c962,
                0x00ad_dc30,
                0x00fd_e725,
            ],
            // h = 1/2 + 2/3 t of the hue circle at full saturation; beyond, its colours would come again.
            Self::Hsv => [
                0x0000_ffff,
                0x0000_80ff,
                0x0000_00ff,
                0x0080_00ff,
                0x00ff_00ff,
                0x00ff_0080,
                0x00ff_0000,
                0x00ff_8000,
                0x00ff_ff00,
            ],
        };
        knots.map(|hex: u32| {
            let [_, r, g, b] = hex.to_be_bytes().map(|byte| f32::from(byte) / 255.0);
            [r, g, b, 1.0]
        })
    }
}
