//! What the scene check needs to know about a solver; the host fills it from the hot code.

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
    /// In `unit`, inclusive.
    pub min: f64,
    /// In `unit`, inclusive.
    pub max: f64,
    /// Names to choose from; empty for a number.
    pub choices: Vec<String>,
    /// Only whole numbers.
    pub integer: bool,
}
