//! Runs beside on a device: all on one, the session's own if it is on one. What cannot go on there stands still and says why;
//! the others go on.

use sim_api::Hold;

use super::{
    super::{Notice, Polled, Session},
    Engine,
};
use crate::{
    beside::Twin,
    on_device::{self, OnDevice},
};
use weft_engine::run::{self, Run, StepInput};
use weft_gpu::{Fault, Sources};

impl Session {
    /// Whether a state has to come back before its numbers are taken: that of the session's own run, or of one beside.
    pub fn any_on_device(&self) -> bool {
        self.engine.gpu().is_some() || self.timeline.beside.on_device()
    }

    /// Brings those of the GPU path in line with code, values and state, and onto a device where they are not on one.
    pub(super) fn sync_beside(&mut self, holds: &[Hold]) {
        let Self { setup, engine, timeline, report, .. } = self;
        let (topology, input) = (setup.topology(), run::input(&setup.scene, holds));
        for twin in timeline.beside.twins_mut().iter_mut().filter(|twin| twin.waits_for_device()) {
            let enters = twin.gpu().is_none();
            let synced = twin.sync(topology, &input, |run| engine.enter_beside(run, &input));
            let name = twin.run.solver.clone();
            match (synced, twin.gpu()) {
                (Err(fault), _) => {
                    let text = format!("{name} beside stands still: {fault}");
                    if twin.told.as_deref() != Some(&text) {
                        report.notice(Notice::bad("gpu", text.clone()));
                        twin.told = Some(text);
                    }
                    if let Fault::Shader(error) = fault {
                        report.problems.refuse_pass(&error.file.clone(), error);
                    }
                }
                (Ok(()), Some(gpu)) if enters => {
                    let (adapter, passes, link) = (&gpu.gpu.info.name, &gpu.list.name, gpu.gpu.link.text());
                    let text = format!("{name} beside goes on on {adapter} with the passes {passes}, {link}");
                    report.notice(Notice::good("gpu", text));
                    twin.told = None;
                }
                (Ok(()), _) => {}
            }
        }
    }

    /// Runs beside go on with a saved file of `shaders/sim`. Where it is wrong they go on as they are, and where it was why they
    /// stood still they try again.
    pub(super) fn reload_beside(
        &mut self,
        file: &str,
        sources: &Sources,
        polled: &mut Polled,
    ) -> Result<(), Fault> {
        let input = run::input(&self.setup.scene, &[]);
        let mut wrong = Ok(());
        let stands = |twin: &Twin| twin.problem.is_some();
        if self.timeline.beside.twins().iter().any(stands) {
            self.read_all();
        }
        let Self { engine, timeline, report, .. } = self;
        for twin in timeline.beside.twins_mut() {
            let stood = stands(twin);
            let taken = twin.reload(file, sources, &input);
            if stood
                && !stands(twin)
                && let Err(why) = twin.follow(engine.run())
            {
                report.notice(Notice::bad("gpu", format!("{} beside: {why}", twin.run.solver)));
            }
            match taken {
                Ok(0) => {}
                Ok(count) => {
                    let text =
                        format!("{file} computes {} beside: {count} pass(es) compiled", twin.run.solver);
                    polled.notices.push(Notice::good("pass", text));
                }
                Err(fault) => wrong = Err(fault),
            }
        }
        wrong
    }
}

impl Engine {
    fn enter_beside(&mut self, run: &mut Run, input: &StepInput) -> Result<OnDevice, Fault> {
        let own = self.path.gpu();
        let gpu = self.device.shared(own)?;
        let mut sources = Sources::find()?;
        sources.leave_out(&self.device.banned);
        let mut made = on_device::enter(&gpu, &self.device.options(), sources, run, input)?;
        // Pictures of it are drawn from its state.
        made.show_between(false);
        self.device.spare = Some(made.gpu.clone());
        Ok(made)
    }
}
