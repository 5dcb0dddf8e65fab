//! The trial of new code: its first steps are timed, and it counts as good when it has finished them.

use std::{collections::VecDeque, sync::Arc, time::Duration};
use weft_core::pulse;

use super::{Notice, Session, waits::Waits};
use weft_engine::{
    generation::Generation,
    run::{Params, StepError},
};

/// Steps that new code must finish before it counts as good.
const TRIAL_STEPS: u32 = 60;
/// Good generations kept to go back to.
const KEPT: usize = 4;
/// Steps whose times say what is usual.
const TIMES: usize = 120;
/// A step on trial may take this many times the median of good code, …
const TIMES_MEDIAN: u32 = 20;
/// … twice its slowest, and this long in any case: a build may run beside it.
const LEAST_LIMIT: Duration = Duration::from_millis(500);
/// A step that takes longer than this, and than ten times the slowest of good code, is taken to hang.
const HANG_LIMIT: Duration = Duration::from_secs(2);
/// The same as long as no step has been timed: the first one may factor a large matrix.
const UNKNOWN_LIMIT: Duration = Duration::from_secs(30);

/// What decides how long a step takes, besides the code.
#[derive(Default, PartialEq)]
struct Load {
    topology: u64,
    solver: String,
    params: Params,
}

/// Which code is known to be good, and how far the running one is on its trial.
pub struct Rollback {
    /// Passed their trial, the newest last.
    good: Vec<Arc<Generation>>,
    /// Steps until the running generation has passed.
    left: u32,
    /// Of steps under good code, the newest last.
    times: VecDeque<Duration>,
    slowest: Duration,
    /// Was rolled back; the same file saved once more is tried once more.
    rejected: Option<Arc<Generation>>,
    /// What the times were measured with.
    load: Load,
    /// Of the threads, up to the last step of a trial.
    waits: Waits,
    /// The last step of a trial took too long. Once, it may be the machine's fault.
    was_slow: bool,
}

impl Rollback {
    /// `generation` is taken to be good: it is built in, or ran before.
    pub(super) fn new(generation: Arc<Generation>) -> Self {
        Self {
            good: vec![generation],
            left: 0,
            times: VecDeque::with_capacity(TIMES),
            slowest: Duration::ZERO,
            load: Load::default(),
            waits: Waits::default(),
            was_slow: false,
            rejected: None,
        }
    }

    /// `good` is what an earlier process could go back to, what it went back to last.
    pub(super) fn after(good: Vec<Arc<Generation>>) -> Self {
        let mut rollback = Self::new(Generation::built_in());
        rollback.good.extend(good);
        rollback
    }

    /// New code was swapped in.
    pub(super) fn begin(&mut self) {
        self.left = TRIAL_STEPS;
        self.waits = Waits::now();
        self.was_slow = false;
        self.rejected = None;
    }

    pub fn on_trial(&self) -> bool {
        self.left > 0
    }

    /// After this time a step is taken to hang.
    fn hangs_after(&self) -> Duration {
        if self.times.is_empty() { UNKNOWN_LIMIT } else { HANG_LIMIT.max(self.slowest * 10) }
    }

    /// Times of another scene, solver or parameter say nothing.
    fn know(&mut self, topology: u64, solver: &str, params: &Params) {
        let load = &mut self.load;
        if load.topology != topology || load.solver != solver || load.params != *params {
            *load = Load { topology, solver: solver.to_string(), params: params.clone() };
            self.times.clear();
            self.slowest = Duration::ZERO;
        }
    }

    /// Generations that passed their trial, the newest last.
    pub fn good(&self) -> &[Arc<Generation>] {
        &self.good
    }

    /// `failed` is not good and not on trial any more.
    pub(super) fn forget(&mut self, failed: &Generation) {
        self.left = 0;
        self.good.retain(|good| good.number != failed.number);
    }

    /// Longest time that a step on trial may take. Before the first step of good code nothing is known.
    pub fn limit(&self) -> Option<Duration> {
        if !self.on_trial() || self.times.is_empty() {
            return None;
        }
        let mut times: Vec<Duration> = self.times.iter().copied().collect();
        let (_, median, _) = times.select_nth_unstable(self.times.len() / 2);
        Some(LEAST_LIMIT.max(*median * TIMES_MEDIAN).max(self.slowest * 2))
    }

    /// A step of `running` counted.
    fn finished(&mut self, running: &Arc<Generation>, took: Duration) {
        if !self.on_trial() {
            if self.times.len() == TIMES {
                self.times.pop_front();
            }
            self.times.push_back(took);
            self.slowest = self.slowest.max(took);
            return;
        }
        self.left -= 1;
        if self.left == 0 {
            self.good.retain(|good| good.number != running.number);
            if self.good.len() == KEPT {
                self.good.remove(0);
            }
            self.good.push(Arc::clone(running));
        }
    }

    /// The newest good code before `failed` that has this solver.
    fn before(&self, failed: u32, solver: &str) -> Option<Arc<Generation>> {
        let others = self.good.iter().rev().filter(|good| good.number != failed);
        others.into_iter().find(|good| good.solver(solver).is_some()).cloned()
    }
}

/// Whether this is the code's fault in any case, not only right after a swap: physics may blow up at any time.
fn always_code(error: &StepError) -> bool {
    matches!(error, StepError::Panicked { .. } | StepError::WroteBeside { .. })
}

impl Session {
    /// Before a step: tells the watchdog how long it may take.
    pub(super) fn limit_step(&mut self) {
        let (run, rollback) = (self.engine.run(), &mut self.recovery.rollback);
        rollback.know(self.setup.topology(), &run.solver, &run.params);
        pulse::limit_steps(rollback.hangs_after());
    }

    /// A step was done in `took`. `Err`: it took longer than new code may, and so did the one before it; the state is to be
    /// taken back. Time in which it waited for a processor does not count.
    pub(super) fn judge(&mut self, took: Duration) -> Result<(), StepError> {
        let (run, rollback) = (self.engine.run(), &mut self.recovery.rollback);
        let Some(limit) = rollback.limit() else {
            rollback.finished(&run.generation, took);
            return Ok(());
        };
        let before = std::mem::replace(&mut rollback.waits, Waits::now());
        let waited = rollback.waits.longest_since(&before).min(took);
        let slow = took.saturating_sub(waited) > limit;
        if slow && rollback.was_slow {
            return Err(StepError::TooSlow { solver: run.solver.clone(), took, limit });
        }
        rollback.was_slow = slow;
        rollback.finished(&run.generation, took);
        if took > limit && !slow {
            let [took, waited] = [took, waited].map(|time| time.as_secs_f64());
            let text = format!(
                "the machine is busy: {waited:.2} s of a step of {took:.2} s were spent waiting for it"
            );
            self.report.notice(Notice::good("log", text));
        }
        Ok(())
    }

    /// Goes back to the last good code if the running one is to blame and there is another one.
    pub(super) fn roll_back(&mut self, error: &StepError) {
        let code = always_code(error) || self.recovery.rollback.on_trial();
        let other = matches!(error, StepError::UnknownSolver { .. } | StepError::Gpu(_));
        if !code || other || self.engine.gpu().is_some() {
            return;
        }
        let run = self.engine.run();
        let failed = Arc::clone(&run.generation);
        let Some(before) = self.recovery.rollback.before(failed.number, &run.solver) else { return };
        let number = before.number;
        if self.swap_engine(before).is_err() {
            return;
        }
        self.end_compare();
        self.recovery.end_trial(&failed);
        let name = if number == 0 { "the built-in code".to_string() } else { format!("generation {number}") };
        let text = format!("generation {} failed: {error}; {name} runs again; save a fix", failed.number);
        self.report.problems.code = Some(text.clone());
        self.report.notice(Notice::bad("rollback", text));
        self.recovery.rollback.rejected = Some(failed);
    }

    /// The code that was rolled back was saved again as it was: another try.
    pub(super) fn try_again(&mut self) -> Option<Notice> {
        let rejected = self.recovery.rollback.rejected.take()?;
        let number = rejected.number;
        self.swap_engine(rejected).ok()?;
        self.recovery.rollback.begin();
        self.report.problems.code = None;
        self.go_on();
        Some(Notice::good("reload", format!("the same code as before: generation {number} runs again")))
    }
}
