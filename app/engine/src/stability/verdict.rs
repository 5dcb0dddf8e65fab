//! What omega_max of a run is, and what its explicit scheme may do with it.

use super::{Damping, Dynamics, Lanczos, Motion, Search, dampers};
use crate::elastic;
use sim_api::{Kind, ParamDesc, SolverDesc, Stiffness};
use weft_core::state::col;

use crate::{
    elastic::{Limit, System},
    run::Run,
};

/// An explicit solver's settings in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Explicit {
    /// Name of the integrator.
    pub scheme: String,
    /// Share of the stable range that a spring may use; 0: no limit.
    pub cap: f64,
    /// Springs at a particle that the cap is for.
    pub springs: f64,
    /// Length of a substep [s].
    pub h: f64,
    /// Of them in a frame.
    pub substeps: f64,
}

impl Explicit {
    /// Those of a run whose frames last `dt` seconds; `None` if its solver is not explicit.
    pub fn of(run: &Run, dt: f32) -> Option<Self> {
        let solver = run.description().filter(|solver| solver.kind == Kind::Explicit)?;
        Some(Self::described(solver, |param| run.param(param.name.as_str()), substeps(run), dt))
    }

    /// Those of an explicit solver at its defaults, for a run whose frames last `dt` seconds; without such a solver those
    /// of symplectic Euler on the true stiffness.
    pub fn standard(run: &Run, dt: f32) -> Self {
        let none = SolverDesc::new("", "", &[]);
        let mut all = run.generation.solvers().iter();
        let solver = all.find(|solver| solver.kind == Kind::Explicit).unwrap_or(&none);
        Self::described(solver, |param| Some(param.default), substeps(run), dt)
    }

    /// A solver without a parameter `integrator` is taken for symplectic Euler.
    fn described(
        solver: &SolverDesc,
        value: impl Fn(&ParamDesc) -> Option<f32>,
        substeps: f64,
        dt: f32,
    ) -> Self {
        let chosen = solver.param("integrator").and_then(|param| {
            weft_scene::assemble::choices(param).nth(value(param)? as usize).map(str::to_string)
        });
        let (cap, springs) = match solver.stiffness {
            Stiffness::StableStep { parameter, springs } => {
                (solver.param(parameter.as_str()).and_then(value).unwrap_or(0.0), springs)
            }
            _ => (0.0, 1.0),
        };
        Self {
            scheme: chosen.unwrap_or_else(|| "symplectic_euler".into()),
            cap: cap.into(),
            springs: springs.into(),
            h: f64::from(dt) / substeps,
            substeps,
        }
    }

    pub fn limit(&self) -> Limit {
        Limit::StableStep { cap: self.cap, springs: self.springs, h: self.h }
    }
}

/// Frequencies above this [rad/s] are those of rows without a stiffness: `Limit::StableStep` without a cap takes them as
/// stiff as single precision goes.
pub(super) const UNBOUNDED: f64 = 1e12;

/// Substeps a frame of a run's solver.
pub fn substeps(run: &Run) -> f64 {
    run.param("substeps").map_or(1.0, |substeps| f64::from(substeps).max(1.0))
}

/// What is known about the largest step.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Largest angular frequency [rad/s], the residual's bound added. Of the true stiffness, or under an explicit
    /// solver of what its cap makes of it.
    pub omega_max: f64,
    /// Rows of compliance 0 were left out: with them there is no largest frequency.
    pub rigid_left_out: bool,
    /// Longest stable step [s] of the scheme that runs, a lower bound; `None` under a solver that is not explicit.
    pub dt_max: Option<f64>,
    /// The substep that runs by that.
    pub dt_over_dt_max: Option<f64>,
    /// Substeps a frame that are enough, if any number is.
    pub enough: Option<f64>,
}

/// Substeps that are short enough where `worst` allows no more than `dt_max`, for a scheme that is stable below `limit`/omega.
///
/// The cap gives springs their share of any step: (h omega)² <= cap limit² whatever h is (Gershgorin). The rest falls with
/// h², the part of the dampers with h, and the squares of the frequencies of a sum are at most their sum (Weyl).
fn enough(explicit: &Explicit, limit: f64, worst: Motion, dt_max: f64) -> Option<f64> {
    let shorter = if explicit.cap > 0.0 {
        let elastic = explicit.h * explicit.h * worst.square / (limit * limit);
        let dampers = 0.5 * explicit.h * worst.damping;
        let room = 1.0 - explicit.cap;
        // elastic s² + dampers s = room, s the new substep by the old one
        ((dampers * dampers + 4.0 * elastic * room).sqrt() - dampers) / (2.0 * elastic)
    } else {
        dt_max / explicit.h
    };
    let substeps = (explicit.substeps / shorter * 1.01).ceil();
    (substeps < 1e6).then_some(substeps)
}

impl Verdict {
    /// Whether `omega_max` is that of all rows.
    pub fn bounded(&self) -> bool {
        !self.rigid_left_out && self.omega_max <= UNBOUNDED
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        if self.omega_max > UNBOUNDED {
            return f.write_str(
                "omega_max unbounded: rigid constraints (compliance 0) without a limit on their stiffness",
            );
        }
        write!(f, "omega_max {:.1} rad/s", self.omega_max)?;
        if self.rigid_left_out {
            f.write_str(" without the rigid constraints")?;
        }
        match (self.dt_max, self.dt_over_dt_max) {
            (Some(dt_max), Some(ratio)) => write!(f, "  dt_max {:.4} ms  dt/dt_max {ratio:.4}", dt_max * 1e3),
            _ => Ok(()),
        }
    }
}

/// Everything the work needs: made on the main thread, sent to another.
pub(super) struct Question {
    system: System,
    explicit: Option<Explicit>,
    damping: Damping,
    rigid_left_out: bool,
}

impl Question {
    /// `air` is the scene's air damping [1/s], `dt` its frame [s].
    pub(super) fn of(run: &Run, air: f32, dt: f32) -> Result<Self, String> {
        let explicit = Explicit::of(run, dt);
        let limit = explicit.as_ref().map_or(Limit::WithoutRigid, Explicit::limit);
        let system = System::of(&run.state, limit)?;
        elastic::check(&system)?;
        let rigid = run.state.get(col::distance::compliance).contains(&0.0);
        let damping = dampers(&run.state, air, limit);
        Ok(Self { system, rigid_left_out: rigid && explicit.is_none(), explicit, damping })
    }

    /// `tolerance` of the bound, relative to omega_max²; `most` Lanczos steps.
    pub(super) fn answer(
        &self,
        lanczos: &mut Lanczos,
        tolerance: f64,
        most: usize,
    ) -> Result<Verdict, String> {
        let dynamics = Dynamics::of(&self.system, &self.damping);
        let size = self.system.free_particles.len();
        let mut search = Search { lanczos, dynamics: &dynamics, size, tolerance, most };
        let stiffest = search.stiffest()?;
        let mut verdict = Verdict {
            omega_max: stiffest.square.sqrt(),
            rigid_left_out: self.rigid_left_out,
            dt_max: None,
            dt_over_dt_max: None,
            enough: None,
        };
        if let Some(explicit) = &self.explicit {
            let starts = search.starts(stiffest)?;
            let (dt_max, worst) = search.longest(&explicit.scheme, &starts)?;
            verdict.dt_max = Some(dt_max);
            verdict.dt_over_dt_max = Some(explicit.h / dt_max);
            let limit = super::limit(&explicit.scheme);
            verdict.enough = limit.and_then(|limit| enough(explicit, limit, worst, dt_max));
        }
        Ok(verdict)
    }
}

/// At once, on this thread, to four digits.
pub fn verdict(run: &Run, air: f32, dt: f32) -> Result<Verdict, String> {
    Question::of(run, air, dt)?.answer(&mut Lanczos::default(), 1e-4, 300)
}
