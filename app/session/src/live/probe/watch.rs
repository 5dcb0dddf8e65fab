//! One order, from the writing of it to what came of it: both children are listened to, timed and compared.

use std::{
    path::Path,
    sync::mpsc::RecvTimeoutError,
    time::{Duration, Instant},
};

use super::{
    Failure, Fault, Trial, look,
    pair::{Heard, Pair, THREADS},
    wire::{Ask, Order, OrderedRun, Place, Say, Values},
};
use crate::live::Refusal;
use weft_core::child::Work;

/// Shortest time that a step may take [s], on a processor where the system says so; longer ones get [`PATIENCE`] times what the
/// last step took.
const STEP_SECS: f32 = 2.0;
const PATIENCE: f32 = 20.0;
/// A library is loaded within this time [s], in the same way.
const LOAD_SECS: f32 = 10.0;
/// What a child said before its end is heard within this time [s]; the thread that reads it may have to wait for a
/// processor first.
const LAST_WORDS: f32 = 1.0;
/// How often it is asked whether a newer library came [s].
const LOOK_UP: Duration = Duration::from_millis(10);
/// All steps of a run together are to take about so long [s].
const SHARE: f32 = 0.03;
/// Memory of a child beside what the images need [bytes], and a multiple of those.
const MEMORY: u64 = 1 << 30;
const MEMORY_PER_IMAGE: u64 = 40;

/// Why an order came to nothing.
pub(super) enum Stop {
    /// A newer library is there.
    Superseded,
    Refused(Refusal),
    /// The children do not run, and why: no fault of the library.
    NoProbe(String),
}

/// Faults that may be physics, of the run by index.
pub(super) type Physics = Vec<(usize, Failure)>;

/// What is asked of one child for a trial: few steps where they take long.
pub(super) fn order(library: Option<&Path>, trial: &Trial, others: Option<usize>) -> Order {
    let slowest = trial.runs.iter().fold(0.0, |slowest: f32, run| slowest.max(run.step_secs));
    let images = trial.runs.iter().filter_map(|run| run.image.as_ref()).map(|image| image.state.len() as u64);
    Order {
        library: library.map(Path::to_path_buf),
        runs: trial.runs.iter().map(OrderedRun::of).collect(),
        steps: (SHARE / slowest.max(1e-6)).clamp(1.0, 3.0) as u32,
        others,
        memory: MEMORY + MEMORY_PER_IMAGE * images.sum::<u64>(),
    }
}

struct Listener<'a> {
    pair: &'a mut Pair,
    orders: &'a [Order],
    trial: &'a Trial,
    superseded: &'a dyn Fn() -> bool,
    told: Vec<Told>,
}

/// What one child said so far.
struct Told {
    /// It waited for the order.
    ready: bool,
    at: Option<Place>,
    /// Since when nothing is heard of it, and its processor time then [s]; `None`: it has just spoken.
    silent: Option<(Instant, f64)>,
    stepped: Vec<(Place, Vec<u64>)>,
    done: bool,
    column: Option<Values>,
    /// When its process was first seen gone, with its output not at an end.
    gone: Option<Instant>,
}

/// Gives each child of the pair its order and waits for all that have one.
pub(super) fn carry_out(
    pair: &mut Pair,
    (orders, trial): (&[Order], &Trial),
    superseded: &dyn Fn() -> bool,
) -> Result<Physics, Stop> {
    // A child that does not take it all has ended; it is heard of below.
    let _ = pair.order(orders, trial);
    let told = || Told {
        ready: false,
        at: None,
        silent: None,
        stepped: Vec::new(),
        done: false,
        column: None,
        gone: None,
    };
    let told = orders.iter().map(|_| told()).collect();
    let mut listener = Listener { pair, orders, trial, superseded, told };
    let physics = listener.listen()?;
    listener.compare()?;
    Ok(physics)
}

/// Whether its code is to blame for a child that has been silent for longer than `limit` [s], and had had `before` [s] of a processor
/// until then: on a busy machine it may still wait for its turn.
fn is_to_blame(work: Option<Work>, before: f64, limit: f32) -> bool {
    work.is_none_or(|work| work.sleeps || work.seconds - before > f64::from(limit))
}

impl Listener<'_> {
    fn listen(&mut self) -> Result<Physics, Stop> {
        let mut physics = Physics::new();
        while self.told.iter().any(|told| !told.done) {
            let (child, say) = self.next()?;
            let told = &mut self.told[child];
            (told.silent, told.gone) = (None, None);
            match say {
                Say::Ready => told.ready = true,
                Say::Loaded(Ok(())) => {}
                Say::Loaded(Err(refusal)) => return Err(Stop::Refused(refusal)),
                Say::Trying(place) => told.at = Some(place),
                Say::Stepped(hashes) => told.stepped.extend(told.at.clone().map(|at| (at, hashes))),
                Say::Failed(fault) => {
                    let run = told.at.as_ref().and_then(|at| at.run);
                    let failure = self.failure(child, fault);
                    match run {
                        Some(run) if failure.fault.may_be_physics() => physics.push((run, failure)),
                        _ => return Err(Stop::Refused(Refusal::Failed(failure.into()))),
                    }
                }
                Say::Done => told.done = true,
                Say::Column(values) => told.column = Some(values),
            }
        }
        Ok(physics)
    }

    /// What the next child says; its end or too long a silence is a failure.
    fn next(&mut self) -> Result<(usize, Say), Stop> {
        loop {
            match self.pair.heard.recv_timeout(LOOK_UP) {
                Ok((child, _)) if child >= self.told.len() => {}
                Ok((child, Heard::Say(say))) => return Ok((child, say)),
                Ok((child, Heard::End)) => return Err(self.ended(child)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(0)),
                Err(RecvTimeoutError::Timeout) if (self.superseded)() => return Err(Stop::Superseded),
                Err(RecvTimeoutError::Timeout) => {
                    for child in 0..self.told.len() {
                        if !self.told[child].done && self.pair.is_over(child) {
                            let gone = *self.told[child].gone.get_or_insert_with(Instant::now);
                            if gone.elapsed().as_secs_f32() > LAST_WORDS {
                                return Err(self.ended(child));
                            }
                        }
                        let limit = self.limit(child);
                        if !self.told[child].done && self.is_endless(child, limit) {
                            let failure = self.failure(child, Fault::Endless(limit));
                            return Err(Stop::Refused(Refusal::Failed(failure.into())));
                        }
                    }
                }
            }
        }
    }

    fn ended(&mut self, child: usize) -> Stop {
        let fault = self.pair.death(child, self.orders[child].memory);
        if !self.told[child].ready {
            return Stop::NoProbe(format!("a process for the probe {fault} before it was asked anything"));
        }
        Stop::Refused(Refusal::Failed(self.failure(child, fault).into()))
    }

    /// Whether a child is at what it does now for longer than `limit` [s].
    fn is_endless(&mut self, child: usize, limit: f32) -> bool {
        let work = || self.pair.work(child);
        let Some((since, before)) = self.told[child].silent else {
            self.told[child].silent = Some((Instant::now(), work().map_or(0.0, |work| work.seconds)));
            return false;
        };
        since.elapsed().as_secs_f32() > limit && is_to_blame(work(), before, limit)
    }

    /// How long a child may take for what it does now [s].
    fn limit(&self, child: usize) -> f32 {
        let Some(at) = &self.told[child].at else { return LOAD_SECS };
        let run = at.run.and_then(|run| self.trial.runs.get(run));
        run.map_or(STEP_SECS, |run| STEP_SECS.max(PATIENCE * run.step_secs))
    }

    fn failure(&self, child: usize, fault: Fault) -> Failure {
        let at = self.told[child].at.as_ref();
        let run = at.and_then(|at| at.run);
        Failure {
            solver: at.map(|at| at.solver.clone()),
            step: at.map_or(0, |at| at.step),
            steps: if run.is_some() { self.orders[child].steps } else { 0 },
            small: run.and_then(|run| self.trial.runs.get(run)).is_none_or(|run| run.image.is_none()),
            threads: THREADS[child],
            fault,
        }
    }

    /// The first value in which the two children differ.
    fn compare(&mut self) -> Result<(), Stop> {
        let [one, two] = self.told.as_slice() else { return Ok(()) };
        let steps = one.stepped.iter().zip(&two.stepped).enumerate();
        let differing = steps.into_iter().find_map(|(step, ((at, one), (_, two)))| {
            let column = one.iter().zip(two).position(|(one, two)| one != two)?;
            Some((at.clone(), Ask { step, column }))
        });
        let Some((at, ask)) = differing else { return Ok(()) };
        for child in 0..2 {
            self.told[child].at = Some(at.clone());
            self.told[child].silent = None;
            self.told[child].done = false;
            let _ = self.pair.ask(child, &ask);
        }
        while self.told.iter().any(|told| told.column.is_none()) {
            let (child, say) = self.next()?;
            if let Say::Column(values) = say {
                self.told[child].column = Some(values);
                self.told[child].done = true;
            }
        }
        let columns = (self.told[0].column.take(), self.told[1].column.take());
        let fault = match columns {
            (Some(one), Some(two)) => look::difference(&one, &two).map(|(row, a, b)| Fault::Differs {
                column: one.column,
                row,
                one: a,
                two: b,
            }),
            _ => None,
        };
        let fault = fault.unwrap_or(Fault::BadTables("two processes see other columns".into()));
        Err(Stop::Refused(Refusal::Failed(self.failure(1, fault).into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_a_processor_is_waited_for() {
        let after = |seconds, sleeps| is_to_blame(Some(Work { seconds, sleeps }), 1.0, 2.0);
        assert!(!after(1.5, false), "it hardly had one");
        assert!(after(3.1, false), "a loop without end");
        assert!(after(1.5, true), "it sleeps");
        assert!(is_to_blame(None, 1.0, 2.0), "where nobody says more, time counts");
    }
}
