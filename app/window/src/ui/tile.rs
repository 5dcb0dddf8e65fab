//! The parts of the window: the picture, and the panels around it. Each is a tile of the [`super::dock`].

/// A part of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tile {
    /// The cloth; it takes what the others leave.
    Picture,
    Run,
    Scene,
    States,
    Times,
    Readings,
    Step,
    Plots,
    Particle,
    /// A page has a list of scenes of its own.
    #[cfg(not(target_arch = "wasm32"))]
    Scenes,
}

impl Tile {
    /// Those that can be closed, in the order of the menu.
    pub(super) const PANELS: &'static [Self] = &[
        Self::Run,
        Self::Scene,
        Self::States,
        Self::Times,
        Self::Readings,
        Self::Step,
        Self::Plots,
        Self::Particle,
        #[cfg(not(target_arch = "wasm32"))]
        Self::Scenes,
    ];

    /// On its tab, and in the file that keeps the layout.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Run => "run",
            Self::Scene => "scene",
            Self::States => "states",
            Self::Times => "times",
            Self::Readings => "readings",
            Self::Step => "step",
            Self::Plots => "plots",
            Self::Particle => "particle",
            #[cfg(not(target_arch = "wasm32"))]
            Self::Scenes => "scenes",
        }
    }

    /// What it shows.
    pub(super) fn doc(self) -> &'static str {
        match self {
            Self::Picture => "the cloth",
            Self::Run => "scene, clock, code, view, path and solver",
            Self::Scene => "the fields of the scene, and what was changed since its file",
            Self::States => "states by name",
            Self::Times => "how long frames and their stages take",
            Self::Readings => "all numbers of the run, and a condition to pause at",
            Self::Step => "a step by thread, as a flame graph",
            Self::Plots => "readings over time, of all runs; a click on a reading adds one",
            Self::Particle => "columns and constraints of one particle (key i)",
            #[cfg(not(target_arch = "wasm32"))]
            Self::Scenes => "the scenes of the folder as pictures (key m)",
        }
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Picture).chain(Self::PANELS.iter().copied())
    }
}
