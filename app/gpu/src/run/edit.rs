//! Saved files of `shaders/sim` under a running frame: what is right goes on at once, what is wrong changes nothing.

use super::{
    super::{
        compose::Scope,
        links::Adjacency,
        parity::{Parity, Question},
        passes::{PASSES, Sources},
        program::Program,
        ribbons,
        surface::{self, Surface},
    },
    Fault, GpuRun, Guard, bring,
};
use weft_draw::ShaderError;
use weft_engine::run::{Run, StepInput};

impl GpuRun {
    /// The texts in use.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Compares the passes in use with their CPU twin on a small copy of a scene.
    pub fn parity(&self, question: &Question) -> Result<Parity, String> {
        Parity::of(&self.gpu, &self.sources, &self.list.name, &self.program, question)
    }

    /// Goes on with a saved file of `shaders/sim`. On an error everything stays as it was.
    /// Returns how many passes were compiled anew.
    pub fn edit(&mut self, run: &Run, file: &str, text: &str) -> Result<usize, ShaderError> {
        let mut sources = self.sources.clone();
        sources.set(file, text);
        self.take(run, &[file], sources)
    }

    /// Goes on with `sources`, of which `files` are others than before. On an error everything stays as it was.
    fn take(&mut self, run: &Run, files: &[&str], sources: Sources) -> Result<usize, ShaderError> {
        let solver =
            run.generation.solver(&run.solver).and_then(|solver| run.generation.solvers().get(solver));
        let params = solver.map_or(&[][..], |solver| solver.params.as_slice());
        let mut program = self.program.clone();
        let mut count = 0;
        let own = [surface::FILE].into_iter().chain(ribbons::FILES);
        let changed: Vec<&str> = own.filter(|file| files.contains(file)).collect();
        if let Some(surface) = self.surface.take_if(|_| !changed.is_empty()) {
            let strands = surface.ribbons.is_some();
            let made = Surface::new(&self.gpu, &sources, self.rows("particle"), strands);
            if made.is_err() {
                self.surface = Some(surface);
            }
            let made = made?;
            changed.iter().for_each(|file| self.sources.set(file, sources.text(file).unwrap_or_default()));
            count = made.passes();
            self.surface = Some(made);
        }
        let (columns, features) = (&self.columns, &self.list.known);
        let scope = Scope { sources: &sources, columns, params, features, places: self.gpu.places(columns) };
        for file in files {
            count += program.reload(&self.gpu, scope, file)?;
        }
        let file = files.first().copied().unwrap_or_default();
        self.bind(run, &program).map_err(|why| ShaderError::new(file, why))?;
        (self.program, self.sources) = (program, sources);
        self.recorder.forget();
        Ok(count)
    }

    /// Brings there what other passes bind besides.
    fn bind(&mut self, run: &Run, program: &Program) -> Result<(), String> {
        let used = program.used(&self.lasting);
        let more: Vec<usize> =
            used.iter().map(|used| used.0).filter(|column| !self.buffers.has(*column)).collect();
        for &column in &more {
            self.buffers.add(&self.gpu, &self.columns, column)?;
        }
        if !more.is_empty() {
            self.upload(run, Some(&Adjacency::of(&run.state)?), &more)?;
        }
        // What is bound no more stays up to date: another edit may bind it again.
        let known = self.used.clone();
        self.used.extend(used.iter().map(|used| used.0).filter(|column| !known.contains(column)));
        self.followed = bring::followed(&self.columns, &used);
        self.guard = Guard::default();
        Ok(())
    }

    /// Whether a folder has other lists or other columns of the device alone, so that all is made anew with it.
    pub fn starts_over(&self, folder: &Sources) -> bool {
        // A declaration that is wrong is one of its text.
        let declared = |sources: &Sources| {
            let columns = sources.columns().unwrap_or_default().into_iter();
            columns.map(|column| (column.name, column.element, column.rows)).collect::<Vec<_>>()
        };
        self.sources.text(PASSES) != folder.text(PASSES) || declared(&self.sources) != declared(folder)
    }

    /// Goes on with a folder in which `saved` was saved: with all that changed there if that is right, else with this file
    /// alone. The state on the host must be up to date if it [starts over](Self::starts_over). Returns how many passes were compiled.
    pub fn reload(
        &mut self,
        run: &mut Run,
        input: &StepInput,
        wanted: Option<&str>,
        saved: &str,
        folder: &Sources,
    ) -> Result<usize, Fault> {
        let changed: Vec<&str> =
            folder.names().filter(|name| folder.text(name) != self.sources.text(name)).collect();
        if changed.is_empty() {
            return Ok(0);
        }
        let mut alone = self.sources.clone();
        if let Some(text) = folder.text(saved) {
            alone.set(saved, text);
        }
        if self.starts_over(folder) {
            let all = self.with(run, input, wanted, folder.clone());
            let made = match all {
                Ok(made) => made,
                Err(error) if changed.len() == 1 => return Err(error),
                Err(_) if self.starts_over(&alone) => self.with(run, input, wanted, alone)?,
                Err(_) => return Ok(self.take(run, &[saved], alone)?),
            };
            *self = made;
            return Ok(self.program.passes.len());
        }
        match self.take(run, &changed, folder.clone()) {
            Ok(count) => Ok(count),
            Err(error) if changed == [saved] => Err(error.into()),
            Err(_) => Ok(self.take(run, &[saved], alone)?),
        }
    }

    /// The same device with other texts, and the state as it is on the host.
    fn with(
        &self,
        run: &mut Run,
        input: &StepInput,
        wanted: Option<&str>,
        sources: Sources,
    ) -> Result<Self, Fault> {
        Self::make(self.gpu.clone(), sources, run, input, wanted, None)
    }

    /// The same device and texts, for a state whose tables, code or solver are others. On an error all stays as it was.
    pub fn renew(&mut self, run: &mut Run, input: &StepInput, wanted: Option<&str>) -> Result<(), Fault> {
        let made = self.with(run, input, wanted, self.sources.clone())?;
        *self = Self { looked: self.looked, profile: self.profile, ..made };
        Ok(())
    }
}
