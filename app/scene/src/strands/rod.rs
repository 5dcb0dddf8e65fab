//! What strands are made of: moduli, section, density. Kinds by name to start from, in real units.

use serde::{Deserialize, Serialize};

use crate::{Tear, Vec2};

/// What a radius may be [m].
pub(crate) const RADIUS: [f32; 2] = [1e-6, 0.1];

/// Material of rods with a round section.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(from = "Written")]
pub struct Rod {
    /// What the values were taken from, empty for none; what is written beside it counts instead.
    pub preset: String,
    /// Young's modulus [Pa].
    pub young: f32,
    /// Shear modulus [Pa].
    pub shear: f32,
    /// Of the section, at the root and at the tip [m].
    pub radius: Vec2,
    /// [kg/m3]
    pub density: f32,
    /// What hangs on the last particle besides [kg].
    pub tip_mass: f32,
    /// Damping of stretch, by its stiffness [s].
    pub damping: f32,
    /// Factor on the coefficients of friction of what they touch, dimensionless.
    pub friction: f32,
    /// Share of gravity under which the shape is at rest.
    pub sag_free: f32,
    /// What it takes to tear a segment; without it nothing breaks.
    pub tear: Option<Tear>,
}

/// Name, Young's and shear modulus [Pa], radius [m], density [kg/m3], damping [s], friction.
type Preset = (&'static str, [f32; 2], f32, f32, f32, f32);

const PRESETS: [Preset; 4] = [
    // Human hair: Robbins, Chemical and Physical Behavior of Human Hair; softer against twist than its E tells.
    ("hair", [3.9e9, 0.9e9], 4e-5, 1320.0, 0.0, 1.0),
    // Laid cotton of 20 mm: its threads slide on each other, so that it bends as something far softer than cotton. The modulus is
    // chosen: half a metre of it, clamped level, hangs down.
    ("rope", [2e6, 8e5], 0.010, 600.0, 1e-3, 1.2),
    // Spring steel of half a millimetre: E 200 GPa, G 79 GPa.
    ("wire", [2e11, 7.9e10], 2.5e-4, 7850.0, 0.0, 0.6),
    // A thread of reeled silk, 0.1 mm: E 10 GPa (Pérez-Rigueiro et al.: Silkworm Silk as an Engineering Material, 1998).
    ("silk", [1e10, 3.8e9], 5e-5, 1300.0, 0.0, 0.7),
];

/// Names of all presets.
pub fn presets() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, ..)| *name)
}

impl Rod {
    /// A material of this name.
    pub fn preset(name: &str) -> Option<Self> {
        let &(name, [young, shear], radius, density, damping, friction) =
            PRESETS.iter().find(|(known, ..)| *known == name)?;
        let (preset, radius) = (name.to_owned(), [radius; 2]);
        let (tip_mass, sag_free, tear) = (0.0, 0.0, None);
        Some(Self { preset, young, shear, radius, density, tip_mass, damping, friction, sag_free, tear })
    }
}

impl Default for Rod {
    /// Human hair.
    fn default() -> Self {
        Written::default().into()
    }
}

/// As in the file: what is left out comes from the preset.
#[derive(Default, Deserialize)]
#[serde(rename = "Rod", deny_unknown_fields, default)]
struct Written {
    preset: String,
    young: Option<f32>,
    shear: Option<f32>,
    radius: Option<Vec2>,
    density: Option<f32>,
    tip_mass: Option<f32>,
    damping: Option<f32>,
    friction: Option<f32>,
    sag_free: Option<f32>,
    tear: Option<Tear>,
}

impl From<Written> for Rod {
    /// Without a preset it is hair; an unknown one is left to the check.
    fn from(written: Written) -> Self {
        let base = Self::preset(&written.preset).or_else(|| Self::preset("hair")).expect("hair is one");
        Self {
            preset: written.preset,
            young: written.young.unwrap_or(base.young),
            shear: written.shear.unwrap_or(base.shear),
            radius: written.radius.unwrap_or(base.radius),
            density: written.density.unwrap_or(base.density),
            tip_mass: written.tip_mass.unwrap_or(base.tip_mass),
            damping: written.damping.unwrap_or(base.damping),
            friction: written.friction.unwrap_or(base.friction),
            sag_free: written.sag_free.unwrap_or(base.sag_free),
            tear: written.tear.or(base.tear),
        }
    }
}
