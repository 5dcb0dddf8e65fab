//! What a solver says of itself. The panel, the scene check, `weft solvers`, readings, the stability analysis and the
//! validation cases are built from it: the host knows no solver by name.

use crate::{List, ParamDesc, ReadingDesc, Str};

/// A solver as the host lists it. What it does not say stands for the plainest one: distance rows alone, projected
/// geometrically, no readings.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SolverDesc {
    pub name: Str,
    pub doc: Str,
    pub params: List<ParamDesc>,
    pub kind: Kind,
    pub stiffness: Stiffness,
    /// Constraint tables that it has a form of; rows of the others do nothing while it runs, and the host says so.
    pub takes: List<Takes>,
    /// Numbers that it gives about its own step, through [`crate::Frame::reading`].
    pub readings: List<ReadingDesc>,
    /// It moves one particle at a time, from all rows around it: the tables `vertex` and `incident` have rows while it runs.
    pub by_particle: bool,
    /// It was made for strands: cloth goes as another solver has it, or not at all.
    pub for_strands: bool,
}

/// How a solver integrates M x'' = f(x, x') in time.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Forces at known positions and velocities, no system to solve (symplectic Euler, Verlet, Runge-Kutta). Conditionally
    /// stable: the step is bounded by the highest frequency, h < 2/omega_max for most.
    Explicit = 0,
    /// Backward Euler, M (x - y) = h² f(x) with y where inertia leads, as a system or a minimum over positions (Newton,
    /// Jacobi, projective dynamics, vertex block descent). Stable at any step once solved; damps what is faster than the step.
    Implicit = 1,
    /// Position-based dynamics: predicted positions are projected onto the constraints, row by row or averaged, and
    /// velocities follow from positions (PBD, XPBD).
    Projection = 2,
}

impl Kind {
    /// As `weft solvers` prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Implicit => "implicit",
            Self::Projection => "projection",
        }
    }
}

/// What a solver makes of a row's stiffness 1/compliance [N/m], above all where that is infinite.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Stiffness {
    /// Compliance is not read. A projection takes back a share of the error, and how stiff that feels depends on the number
    /// of iterations and the step (PBD).
    Geometric,
    /// As the row has it; compliance 0 is rigid (XPBD).
    Compliant,
    /// At most `parameter` m/h², m the mass of the lighter end, h the substep: a rigid row becomes that spring.
    Inertia { parameter: Str },
    /// At most the share `parameter` of what is stable at the substep h where `springs` equal ones meet at a particle,
    /// 2 m / (springs h²): omega_max² <= 2 sum(k) / m (Gershgorin) and h² omega_max² <= 4. A damper d counts as 2 d / h and
    /// may use what the spring leaves of the whole. 0 lifts both limits.
    StableStep { parameter: Str, springs: f32 },
}

impl Stiffness {
    /// [`Stiffness::Inertia`], by that parameter of the solver.
    pub const fn inertia(parameter: &ParamDesc) -> Self {
        Self::Inertia { parameter: parameter.name }
    }

    /// [`Stiffness::StableStep`], by that parameter of the solver.
    pub const fn stable_step(parameter: &ParamDesc, springs: f32) -> Self {
        Self::StableStep { parameter: parameter.name, springs }
    }

    /// The parameter that limits it.
    pub const fn parameter(&self) -> Option<&'static str> {
        match self {
            Self::Geometric | Self::Compliant => None,
            Self::Inertia { parameter } | Self::StableStep { parameter, .. } => Some(parameter.as_str()),
        }
    }
}

/// Rows of a constraint table that a solver has a form of.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Takes {
    pub table: Str,
    /// Values of the table's column `model`; empty: rows of every model.
    pub models: List<u32>,
}

impl Takes {
    /// What a solver takes that does not say.
    const DISTANCE: &'static [Self] = &[Self::rows("distance")];

    /// All rows of a table.
    pub const fn rows(table: &'static str) -> Self {
        Self::models(table, &[])
    }

    /// The rows of some models.
    pub const fn models(table: &'static str, models: &'static [u32]) -> Self {
        Self { table: Str::new(table), models: List::new(models) }
    }

    /// Whether a row of this model is among them.
    pub fn has(&self, model: u32) -> bool {
        let models = self.models.as_slice();
        models.is_empty() || models.contains(&model)
    }
}

impl SolverDesc {
    pub const fn new(name: &'static str, doc: &'static str, params: &'static [ParamDesc]) -> Self {
        Self {
            name: Str::new(name),
            doc: Str::new(doc),
            params: List::new(params),
            kind: Kind::Projection,
            stiffness: Stiffness::Geometric,
            takes: List::new(Takes::DISTANCE),
            readings: List::new(&[]),
            by_particle: false,
            for_strands: false,
        }
    }

    pub const fn kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    pub const fn stiffness(self, stiffness: Stiffness) -> Self {
        Self { stiffness, ..self }
    }

    pub const fn takes(self, takes: &'static [Takes]) -> Self {
        Self { takes: List::new(takes), ..self }
    }

    pub const fn readings(self, readings: &'static [ReadingDesc]) -> Self {
        Self { readings: List::new(readings), ..self }
    }

    /// With the tables `vertex` and `incident`.
    pub const fn by_particle(self) -> Self {
        Self { by_particle: true, ..self }
    }

    /// With cloth that goes as another solver has it, or not at all.
    pub const fn for_strands(self) -> Self {
        Self { for_strands: true, ..self }
    }

    /// The parameter of a name.
    pub fn param(&self, name: &str) -> Option<&'static ParamDesc> {
        self.params.as_slice().iter().find(|param| param.name.as_str() == name)
    }

    /// What it takes of a table; `None`: nothing.
    pub fn taken(&self, table: &str) -> Option<&'static Takes> {
        self.takes.as_slice().iter().find(|takes| takes.table.as_str() == table)
    }

    /// Whether it has a form of the rows of a model.
    pub fn has_form_of(&self, table: &str, model: u32) -> bool {
        self.taken(table).is_some_and(|takes| takes.has(model))
    }

    /// Whether compliances and moduli mean anything to it: false for PBD.
    pub fn reads_compliance(&self) -> bool {
        !matches!(self.stiffness, Stiffness::Geometric)
    }

    /// Whether it declares a reading.
    pub fn gives(&self, reading: &str) -> bool {
        self.readings.as_slice().iter().any(|given| given.name.as_str() == reading)
    }
}

layout! {
    SolverDesc { name, doc, params, kind, stiffness, takes, readings, by_particle, for_strands }
    Takes { table, models }
}
