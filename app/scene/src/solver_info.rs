//! What the scene check needs to know of solvers and readings; the host fills it from the hot code.

/// The names that a scene may use beside its own fields. What is empty is not checked.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    pub solvers: Vec<SolverInfo>,
    /// Names of readings.
    pub readings: Vec<&'static str>,
}

/// A solver and its parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolverInfo {
    pub name: String,
    pub doc: String,
    pub params: Vec<ParamInfo>,
}

/// One parameter of a solver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParamInfo {
    pub name: String,
    pub unit: String,
    pub doc: String,
    pub default: f64,
    /// The default of scenes with strands.
    pub with_strands: f64,
    /// In `unit`, inclusive.
    pub min: f64,
    /// In `unit`, inclusive.
    pub max: f64,
    /// Names to choose from; empty for a number.
    pub choices: Vec<String>,
    /// Only whole numbers.
    pub integer: bool,
}
