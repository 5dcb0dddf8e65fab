//! The child: `weft probe`. It has no window, watches nothing and does one order.

use std::{
    collections::VecDeque,
    io::{self, Write},
    sync::{Arc, mpsc},
    thread,
};

use sim_api::{Element, Hold};

use super::{
    Fault, limits, look, small,
    wire::{self, Ask, Order, OrderedRun, Place, Say},
};
use weft_core::state::{Blueprint, State};
use weft_engine::{
    generation::Generation,
    guard::Guard,
    run::{INVERSE_MASS, Run, StepError, StepInput},
    threads::Threads,
};

use crate::live::gate;

/// A parameter, and what solvers that do not run get of it: the save waits for each of them, and all substeps run the same code.
const SUBSTEPS: &str = "substeps";
const FEW_SUBSTEPS: f32 = 2.0;

/// `weft probe --threads T`: waits for an order at the standard input and answers at the standard output.
pub fn main(threads: usize) -> Result<(), String> {
    limits::at_start();
    weft_core::state::fence();
    let host = limits::output().map_err(|e| format!("cannot keep the way to the host: {e}"))?;
    let frames = incoming();
    let mut probe = Probe {
        host: Box::new(host),
        threads: Threads::new(threads)?,
        small: small::blueprint()?,
        kept: Vec::new(),
        guard: Guard::new(),
    };
    probe.work(&frames).map_err(|e| format!("weft probe is started by weft alone: {e}"))
}

/// Frames from the host, read on a thread of their own: its end is seen even in the middle of an endless loop.
fn incoming() -> mpsc::Receiver<Vec<u8>> {
    let (sender, frames) = mpsc::channel();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(frame) = wire::receive(&mut input) {
            if sender.send(frame).is_err() {
                break;
            }
        }
        limits::leave()
    });
    frames
}

struct Probe {
    host: Box<dyn Write>,
    threads: Threads,
    small: Blueprint,
    /// From before the library was loaded.
    guard: Guard,
    /// The state columns after each step, by run, to show where two children differ.
    kept: Vec<(usize, Vec<Vec<u8>>)>,
}

impl Probe {
    fn work(&mut self, frames: &mpsc::Receiver<Vec<u8>>) -> io::Result<()> {
        let next = || frames.recv().map_err(io::Error::other);
        self.say(&Say::Ready)?;
        let order: Order = wire::read(&next()?)?;
        limits::memory(order.memory);
        let generation = match &order.library {
            // SAFETY: the file is complete and no other is written over it; this process is here to see it crash.
            Some(path) => unsafe { gate::load(path) }.map(Arc::new),
            None => Ok(Generation::built_in()),
        };
        let generation = match generation {
            Ok(generation) => generation,
            Err(refusal) => return self.say(&Say::Loaded(Err(refusal))),
        };
        self.say(&Say::Loaded(Ok(())))?;

        let mut states: VecDeque<Vec<u8>> = VecDeque::new();
        for _ in order.runs.iter().filter(|run| run.image.is_some()) {
            states.push_back(next()?);
        }
        let mut runs = Vec::new();
        for (index, ordered) in order.runs.iter().enumerate() {
            let state = ordered.image.as_ref().and_then(|_| states.pop_front());
            match self.build(&generation, ordered, state) {
                Ok(run) => runs.push(run),
                Err(why) => {
                    self.say(&Say::Trying(Place {
                        solver: ordered.solver.clone(),
                        run: Some(index),
                        step: 1,
                    }))?;
                    return self.say(&Say::Failed(Fault::BadTables(why)));
                }
            }
        }
        for (index, (run, ordered)) in runs.iter_mut().zip(&order.runs).enumerate() {
            // A solver that is gone is no fault: the host says so and waits for another choice.
            if generation.solver(&ordered.solver).is_some()
                && !self.steps(index, run, ordered, order.steps)?
            {
                return Ok(());
            }
        }
        if let Some(first) = order.others
            && !self.others(&generation, &order.runs, first)?
        {
            return Ok(());
        }
        self.say(&Say::Done)?;
        loop {
            let ask: Ask = wire::read(&next()?)?;
            let kept = self.kept.get(ask.step).and_then(|(run, columns)| Some((runs.get(*run)?, columns)));
            let values = kept
                .and_then(|(run, columns)| look::values(&run.state, ask.column, columns.get(ask.column)?))
                .ok_or_else(|| io::Error::other("no such column"))?;
            self.say(&Say::Column(values))?;
        }
    }

    fn say(&mut self, what: &Say) -> io::Result<()> {
        wire::send(&mut self.host, what)
    }

    fn build(
        &self,
        generation: &Arc<Generation>,
        ordered: &OrderedRun,
        state: Option<Vec<u8>>,
    ) -> Result<Run, String> {
        let mut run = match (&ordered.image, state) {
            (Some(image), Some(state)) => {
                let image = weft_engine::run::RunImage { state, ..image.clone() };
                Run::from_image(Arc::clone(generation), &image)?
            }
            _ => Run::new(Arc::clone(generation), self.small.clone(), &ordered.solver)?,
        };
        run.params.clone_from(&ordered.params);
        run.look_every = 0;
        stand_still(&mut run.state);
        Ok(run)
    }

    /// The steps of one run. False: something else than physics went wrong and was said.
    fn steps(&mut self, index: usize, run: &mut Run, ordered: &OrderedRun, steps: u32) -> io::Result<bool> {
        let holds = if ordered.image.is_some() { ordered.holds() } else { Vec::new() };
        for step in 1..=steps {
            self.say(&Say::Trying(Place { solver: ordered.solver.clone(), run: Some(index), step }))?;
            if let Err(fault) = self.step(run, ordered, &holds) {
                let physics = fault.may_be_physics();
                self.say(&Say::Failed(fault))?;
                return Ok(physics);
            }
            self.kept.push((index, look::copies(&run.state)));
            self.say(&Say::Stepped(look::hashes(&run.state)))?;
        }
        Ok(true)
    }

    fn step(&mut self, run: &mut Run, ordered: &OrderedRun, holds: &[Hold]) -> Result<(), Fault> {
        run.update_topology();
        let given = look::given(&run.state);
        self.guard.started();
        let input = StepInput { dt: ordered.dt, world: ordered.world, holds, guarded: true };
        let result = run.step(&self.threads, &input);
        if self.guard.started() {
            return Err(Fault::Started);
        }
        if let Some(change) = self.guard.put_back().first() {
            return Err(Fault::Changed(change.what.into()));
        }
        match result {
            Err(StepError::Panicked { message, .. }) => Err(Fault::Panicked(message)),
            Err(StepError::WroteBeside { column, .. }) => Err(Fault::WroteBeside(column)),
            Err(StepError::BadFrame) => Err(Fault::BadTables(StepError::BadFrame.to_string())),
            // The choice of a solver is not the code's.
            // The time is judged by the host, and the GPU path runs other code.
            Ok(())
            | Err(
                StepError::UnknownSolver { .. }
                | StepError::TooSlow { .. }
                | StepError::Gpu(_)
                | StepError::NotOffered(_),
            ) => Ok(()),
            Err(StepError::NotFinite { particle, column, hint, .. }) => {
                Err(Fault::NotFinite { column: format!("particle.{column}"), row: particle, hint })
            }
            Err(StepError::Spoilt { column, row, .. }) => {
                Err(Fault::NotFinite { column, row, hint: String::new() })
            }
            Err(StepError::InverseMass { particle, .. }) => {
                Err(Fault::Changed(format!("{INVERSE_MASS} of particle {particle}")))
            }
            Err(StepError::NoRotation { row, .. }) => Err(Fault::NoRotation(row)),
            Err(StepError::NotFactored { message, .. }) => Err(Fault::NotFactored(message)),
        }
        // Physics is no excuse for this one.
        .map_err(|fault| match look::changed(&run.state, &given) {
            Some(column) if fault.may_be_physics() => Fault::WroteGiven(column),
            _ => fault,
        })
        .and_then(|()| match look::changed(&run.state, &given) {
            Some(column) => Err(Fault::WroteGiven(column)),
            None => Ok(()),
        })
    }

    /// One step of every second solver that does not run, from `start` on, on the small cloth. False: one of them spoils
    /// what is the host's.
    fn others(
        &mut self,
        generation: &Arc<Generation>,
        runs: &[OrderedRun],
        start: usize,
    ) -> io::Result<bool> {
        let Some(first) = runs.first() else { return Ok(true) };
        let solvers = generation.solvers().iter().map(|solver| solver.name.as_str());
        let others = solvers.filter(|solver| runs.iter().all(|run| run.solver != *solver));
        for solver in others.skip(start).step_by(2) {
            self.say(&Say::Trying(Place { solver: solver.to_string(), run: None, step: 1 }))?;
            let Ok(mut run) = Run::new(Arc::clone(generation), self.small.clone(), solver) else { continue };
            run.look_every = 0;
            if run.param(SUBSTEPS).is_some_and(|count| count > FEW_SUBSTEPS) {
                run.params.insert(SUBSTEPS.into(), FEW_SUBSTEPS);
            }
            match self.step(&mut run, first, &[]) {
                // A panic is caught in the host too, when that solver is chosen; so is NaN.
                Ok(()) | Err(Fault::Panicked(_)) => {}
                Err(fault) if fault.may_be_physics() => {}
                Err(fault) => {
                    self.say(&Say::Failed(fault))?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Colliders where they are: a sweep from the start of the last frame would be its second.
fn stand_still(state: &mut State) {
    let Some(table) = state.table_mut("collider") else { return };
    for (from, to) in [("position", "begin_position"), ("rotation", "begin_rotation")] {
        let pose = table.column(from).filter(|column| column.element == Element::F32x4);
        let pose = pose.map(|column| column.bytes().to_vec());
        let begin = table.column_mut(to).filter(|column| column.element == Element::F32x4);
        if let (Some(pose), Some(begin)) = (pose, begin) {
            begin.bytes_mut().copy_from_slice(&pose);
        }
    }
}
