//! Fabrics by name: values in real units, to start from.
//!
//! Bending rigidity B [N m] and weight w [N/m2] give the bending length c = (B / w)^(1/3) of ASTM D1388, which goes with
//! the drape coefficient (Cusick 1965): about 1.5 cm for silk, 2.5 cm for a firm cotton, 3 cm and more for denim.
//! 1 gf cm2/cm of the Kawabata system (KES-F) is 98 uN m; 1 gf/(cm degree) of shear is 56 N/m.
//!
//! Friction is by what is touched, here as a factor that is 1 for cotton. The factors are chosen, not measured: filament
//! yarns (silk, polyester) slide more easily than spun ones, and friction grows with the share of cotton in a blend (Das,
//! Kothari, Vandana: A Study on Frictional Characteristics of Woven Fabrics, 2005); wool has scales.
//!
//! Not here: warp and weft apart, knits, hysteresis.

use super::material::{Material, Sheet};

struct Preset {
    name: &'static str,
    /// [kg/m2]
    density: f32,
    /// [N/m]
    stretch: f32,
    /// [N/m]
    shear: f32,
    /// [N m]
    bend: f32,
    /// Dimensionless.
    friction: f32,
}

const PRESETS: [Preset; 5] = [
    // Habotai of 17 momme (4.34 g/m2 each); B 0.026 and shear 0.2 in KES units, c = 1.5 cm.
    Preset { name: "silk", density: 0.075, stretch: 1500.0, shear: 11.0, bend: 2.5e-6, friction: 0.7 },
    // Plain weave of 150 g/m2; stretch and shear of the cotton blend "royal target" in Wang, O'Brien, Ramamoorthi 2011
    // (2,100 and 40 N/m). B is chosen, not measured: c = 2.3 cm, a firm weave, which drapes within Cusick's 60 to 76 %.
    Preset { name: "cotton", density: 0.15, stretch: 2100.0, shear: 40.0, bend: 1.8e-5, friction: 1.0 },
    // Suiting of 240 g/m2; B 0.16 and shear 0.6 in KES units, c = 1.9 cm.
    Preset { name: "wool", density: 0.24, stretch: 1500.0, shear: 34.0, bend: 1.6e-5, friction: 1.2 },
    // "11oz black denim" in Wang, O'Brien, Ramamoorthi 2011: 324 g/m2, stiffer thread 1,060 N/m, shear 72 N/m, bending 60
    // to 120 uN m by direction; c = 3.2 cm.
    Preset { name: "denim", density: 0.324, stretch: 1060.0, shear: 72.0, bend: 1.0e-4, friction: 1.1 },
    // Woven polyester of 115 g/m2 (flags are sold from 110 to 160); filament yarn stretches little. c = 1.9 cm.
    Preset { name: "flag", density: 0.115, stretch: 5000.0, shear: 90.0, bend: 8.0e-6, friction: 0.8 },
];

/// Loss factor 0.1 at 8 Hz, of the order of woven fabrics: 0.1 / (2 pi 8 Hz) [s].
const DAMPING: f32 = 0.002;

/// Of woven fabrics at small strains.
const POISSON: f32 = 0.2;

/// Names of all presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|preset| preset.name)
}

/// A material of this name.
pub fn material(name: &str) -> Option<Material> {
    let &Preset { name, density, stretch, shear, bend, friction } =
        PRESETS.iter().find(|preset| preset.name == name)?;
    let sheet = Sheet { stretch, shear, bend, poisson: POISSON, damping: DAMPING };
    Some(Material { preset: name.to_owned(), density, sheet, friction, ..Material::default() })
}
