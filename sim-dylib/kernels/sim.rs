//! A step at work: what solvers, contact and readings of one frame share.

use sim_api::{Frame, Par, ParamDesc, ParamKind, SolverDesc};

use crate::state::State;

/// A way to advance the state by one frame.
pub struct Solver {
    pub description: SolverDesc,
    pub step: fn(&mut Sim),
}

/// A step at work: the bound tables, the solver's parameters and the substep in hand.
pub struct Sim<'a> {
    pub frame: &'a Frame,
    pub par: Par,
    pub state: State<'a>,
    solver: &'static Solver,
    /// Length of a substep [s].
    pub h: f32,
    /// Simulated time at the start of the substep [s].
    pub time: f32,
    /// The substep's place in the frame: its start and end, 0..=1.
    pub span: [f32; 2],
    /// Where positions are (`substep/columns.rs`).
    pub positions: Positions,
    /// They are at the end of a substep, and the next sweep brings them into the next one first (`substep::Turn`).
    pub turn_is_due: bool,
    /// What cloth did to cloth in this frame.
    pub self_stats: SelfCollisionStats,
}

/// Where positions are of this moment.
#[derive(Clone, Copy, PartialEq)]
pub enum Positions {
    /// In `particle.position`.
    Rows,
    /// In `particle.columns`: those in rows are old.
    Columns,
    /// There and there.
    Both,
}

impl<'a> Sim<'a> {
    pub fn new(frame: &'a Frame, solver: &'static Solver, state: State<'a>) -> Self {
        let (h, time) = (frame.dt, frame.time);
        let self_stats = SelfCollisionStats::default();
        let span = [0.0, 1.0];
        Self {
            frame,
            par: frame.par,
            state,
            solver,
            h,
            time,
            span,
            positions: Positions::Rows,
            turn_is_due: false,
            self_stats,
        }
    }

    /// Value of one of this solver's parameters, inside its declared range.
    ///
    /// # Panics
    /// If the solver does not list `param`.
    #[track_caller]
    pub fn param(&self, param: &ParamDesc) -> f32 {
        let params = self.solver.description.params.as_slice();
        let Some(index) = params.iter().position(|p| p.name.as_str() == param.name.as_str()) else {
            panic!("solver {} does not list the parameter {}", self.solver.description.name, param.name)
        };
        param.clamp(self.frame.params().get(index).copied().unwrap_or(param.default))
    }

    /// Whether this solver has a form of the rows of a table.
    pub fn takes(&self, table: &str) -> bool {
        self.solver.description.taken(table).is_some()
    }

    /// A whole-number parameter.
    #[track_caller]
    pub fn count(&self, param: &ParamDesc) -> usize {
        self.param(param) as usize
    }

    /// Whether the frame ends with this substep.
    pub fn in_last_substep(&self) -> bool {
        self.span[1] == 1.0
    }

    /// The name of the choice a parameter stands on.
    #[track_caller]
    pub fn choice(&self, param: &ParamDesc) -> &'static str {
        sim_api::checked!(param.kind == ParamKind::Choice, "{} is no choice", param.name);
        param.choices.as_str().split('|').nth(self.count(param)).unwrap_or_default()
    }
}

/// What self collision did in a frame, for its readings.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "steps that were taken")]
pub struct SelfCollisionStats {
    /// The list of pairs stands.
    pub(crate) listed: bool,
    /// None of its pairs was looked at yet.
    pub(crate) fresh: bool,
    /// What any pair may have come closer since the list was made, as its fastest corners went [m].
    pub(crate) lost: f32,
    /// Widest margin of the list [m], and particles that went further than that in a substep, most of any.
    pub(crate) widest: f32,
    pub(crate) too_fast: u32,
    pub(crate) broad_phases: u32,
    /// Pairs in the list, and rows that touched in the last substep.
    pub(crate) pairs: u32,
    pub(crate) touching: u32,
    /// Pairs that the tables had no room for, most of any broad phase.
    pub(crate) overflow: u32,
    /// Pairs that passed through each other in spite of all.
    pub(crate) missed: u32,
    /// Rounds of `zones.rs`.
    pub(crate) zones: u32,
    /// Edges that pierced a triangle at the start of the frame, once that was looked at; whether they cut a part off.
    pub(crate) crossings: u32,
    pub(crate) looked: bool,
    pub(crate) parted: bool,
}
