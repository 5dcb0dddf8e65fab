//! What a cloth is made of: mass, stiffness of its threads, its membrane and its folds, friction.
//!
//! Stiffness is given in one of two ways. `compliance` is that of each distance row, so the cloth gets softer with a
//! finer grid. `sheet` is that of the material, in N per metre of width; rows are then made so that the sheet has it at
//! any resolution. Where `sheet` says 0, `compliance` counts.

use serde::{Deserialize, Serialize};

use super::fields::{Choice, choice};
use super::{preset, tear::Tear};

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(from = "Written")]
pub struct Material {
    /// Fabric that the values were taken from, empty for none; what is written beside it counts instead.
    pub preset: String,
    /// Mass per area [kg/m2].
    pub density: f32,
    pub compliance: Compliance,
    /// Damping of each distance constraint [N s/m].
    pub spring_damping: f32,
    /// Factor on the coefficients of friction of what it touches, dimensionless.
    pub friction: f32,
    pub sheet: Sheet,
    pub membrane: Membrane,
    pub bending: Bending,
    /// What it takes to tear; without it nothing breaks.
    pub tear: Option<Tear>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            preset: String::new(),
            density: 0.15,
            compliance: Compliance::default(),
            spring_damping: 0.0,
            friction: 1.0,
            sheet: Sheet::default(),
            membrane: Membrane::Springs,
            bending: Bending::Auto,
            tear: None,
        }
    }
}

/// Inverse stiffness [m/N] of each family of distance constraints; 0 is inextensible.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Compliance {
    pub structural: f32,
    pub shear: f32,
    pub bend: f32,
}

impl Default for Compliance {
    fn default() -> Self {
        Self { structural: 0.0, shear: 1e-5, bend: 1e-3 }
    }
}

/// Stiffness of the material itself; 0 is not given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sheet {
    /// Young's modulus times thickness [N/m].
    pub stretch: f32,
    /// Shear modulus times thickness [N/m]; of springs on a grid only, the membrane models are isotropic.
    pub shear: f32,
    /// Bending rigidity [N m].
    pub bend: f32,
    /// Poisson's ratio of the membrane models, 0 to 0.95.
    pub poisson: f32,
    /// Damping of each spring by its stiffness [s].
    pub damping: f32,
}

impl Default for Sheet {
    fn default() -> Self {
        Self { stretch: 0.0, shear: 0.0, bend: 0.0, poisson: 0.3, damping: 0.0 }
    }
}

impl Sheet {
    /// Lamé's mu and lambda [N/m], plane stress.
    pub fn lame(&self) -> [f64; 2] {
        let (stretch, poisson) = (f64::from(self.stretch), f64::from(self.poisson));
        [stretch / (2.0 * (1.0 + poisson)), stretch * poisson / (1.0 - poisson * poisson)]
    }
}

/// What keeps the sheet from stretching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Membrane {
    /// Distance rows along edges (and diagonals of a grid).
    Springs,
    /// Triangles, St. Venant-Kirchhoff. No distance rows between neighbours.
    StVK,
    /// Triangles, stable neo-Hookean. No distance rows between neighbours.
    NeoHookean,
    /// Springs, and each triangle keeps its area.
    Area,
}

choice!(Membrane: Springs, StVK, NeoHookean, Area);

impl Membrane {
    /// Distance rows between neighbours carry the sheet.
    pub fn has_springs(self) -> bool {
        matches!(self, Self::Springs | Self::Area)
    }
}

/// What keeps the sheet from bending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Bending {
    /// With `sheet.bend` given hinges, `Quadratic` for a flat rest shape and else `Dihedral`; without it `SkipOne`.
    Auto,
    /// Distance rows over two edges, with `compliance.bend`. They resist a bend only in the second order, so
    /// `sheet.bend` has no meaning for them.
    SkipOne,
    /// Hinges, quadratic in the positions (Bergou 2006).
    Quadratic,
    /// Hinges by their angle (discrete shells).
    Dihedral,
}

choice!(Bending: Auto, SkipOne, Quadratic, Dihedral);

impl Material {
    /// The bending model, never `Auto`, for a flat rest shape.
    pub fn bending(&self) -> Bending {
        match self.bending {
            Bending::Auto if self.sheet.bend > 0.0 => Bending::Quadratic,
            Bending::Auto => Bending::SkipOne,
            given => given,
        }
    }
}

/// As in the file: what is left out comes from the preset.
#[derive(Default, Deserialize)]
#[serde(rename = "Material", deny_unknown_fields, default)]
struct Written {
    preset: String,
    density: Option<f32>,
    compliance: Option<Compliance>,
    spring_damping: Option<f32>,
    friction: Option<f32>,
    sheet: WrittenSheet,
    membrane: Option<Membrane>,
    bending: Option<Bending>,
    tear: Option<Tear>,
}

#[derive(Default, Deserialize)]
#[serde(rename = "Sheet", deny_unknown_fields, default)]
struct WrittenSheet {
    stretch: Option<f32>,
    shear: Option<f32>,
    bend: Option<f32>,
    poisson: Option<f32>,
    damping: Option<f32>,
}

impl From<Written> for Material {
    /// An unknown preset is left to the check.
    fn from(written: Written) -> Self {
        let base = preset::material(&written.preset).unwrap_or_default();
        let sheet = Sheet {
            stretch: written.sheet.stretch.unwrap_or(base.sheet.stretch),
            shear: written.sheet.shear.unwrap_or(base.sheet.shear),
            bend: written.sheet.bend.unwrap_or(base.sheet.bend),
            poisson: written.sheet.poisson.unwrap_or(base.sheet.poisson),
            damping: written.sheet.damping.unwrap_or(base.sheet.damping),
        };
        Self {
            preset: written.preset,
            density: written.density.unwrap_or(base.density),
            compliance: written.compliance.unwrap_or(base.compliance),
            spring_damping: written.spring_damping.unwrap_or(base.spring_damping),
            friction: written.friction.unwrap_or(base.friction),
            sheet,
            membrane: written.membrane.unwrap_or(base.membrane),
            bending: written.bending.unwrap_or(base.bending),
            tear: written.tear.or(base.tear),
        }
    }
}
