//! One frame of a program as commands: which pass, over which rows, with which buffers and numbers.

use std::{collections::HashMap, ops::Range};

use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindingResource, Buffer, BufferBinding, BufferDescriptor,
    BufferUsages, ComputePass,
};

use super::{
    Gpu,
    buffers::Buffers,
    passes::By,
    program::{Pass, Program, Step},
    reflect::What,
    values::{DispatchContext, Slot, Value},
};

/// A dispatch.
pub(crate) struct Command {
    /// Place in [`Program::passes`].
    pub pass: usize,
    /// Place in [`Recorder::sets`].
    set: usize,
    /// Start of its numbers in the uniform buffer [bytes].
    offset: u32,
    groups: [u32; 2],
}

/// A pass with certain buffers.
struct Set {
    pass: usize,
    /// By binding; the uniform has none.
    places: Vec<usize>,
    group: Option<BindGroup>,
}

/// Rows of a table, and its colours or batches.
pub(crate) struct TableRows {
    pub rows: u32,
    /// End row of each colour, of strands of each batch; rows behind the last run one by one.
    pub ends: Vec<u32>,
}

impl TableRows {
    /// What may run at the same time: a colour, a batch, or one row that is in none.
    fn parts(&self) -> Vec<Range<u32>> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let tail = self.ends.last().copied().unwrap_or(0)..self.rows;
        starts.zip(&self.ends).map(|(start, end)| start..*end).chain(tail.map(|row| row..row + 1)).collect()
    }
}

/// Makes commands, and keeps what can be used again in the next frame.
#[derive(Default)]
pub(crate) struct Recorder {
    pub commands: Vec<Command>,
    sets: Vec<Set>,
    known: HashMap<(usize, Vec<usize>), usize>,
    blocks: Vec<u8>,
    offsets: HashMap<Vec<u8>, u32>,
    uniforms: Option<Buffer>,
    /// Inside of [`Step::Colours`]: the table and the rows of a colour.
    colour: Option<(String, Range<u32>)>,
}

/// What a frame is recorded from.
pub(crate) struct FrameInputs<'a> {
    pub gpu: &'a Gpu,
    pub program: &'a Program,
    pub params: &'a [Value],
    pub tables: &'a HashMap<String, TableRows>,
    /// Whether each pass has what its `when` asks for.
    pub runs: &'a [bool],
}

impl Recorder {
    /// Forgets bind groups: a buffer was replaced, or a pass.
    pub(crate) fn forget(&mut self) {
        self.sets.clear();
        self.known.clear();
    }

    /// Records a frame. Columns that were swapped an odd number of times stay so in `buffers`.
    pub(crate) fn record(
        &mut self,
        score: &FrameInputs,
        buffers: &mut Buffers,
        moment: DispatchContext,
    ) -> Result<(), String> {
        self.commands.clear();
        self.blocks.clear();
        self.offsets.clear();
        self.walk(score, &score.program.steps, buffers, moment);
        self.write_uniforms(score.gpu)?;
        for set in 0..self.sets.len() {
            if self.sets[set].group.is_none() {
                self.sets[set].group = self.group(score, buffers, set)?;
            }
        }
        Ok(())
    }

    fn walk(&mut self, score: &FrameInputs, steps: &[Step], buffers: &mut Buffers, moment: DispatchContext) {
        for step in steps {
            match step {
                Step::Pass(pass) if score.runs[*pass] => self.pass(score, *pass, buffers, moment),
                Step::Swap(a, b) => buffers.swap(*a, *b),
                Step::Substeps(steps) => {
                    (0..moment.substeps).for_each(|substep| {
                        self.walk(score, steps, buffers, DispatchContext { substep, ..moment })
                    });
                }
                Step::Iterations(steps) => {
                    for iteration in 0..moment.iterations {
                        self.walk(score, steps, buffers, DispatchContext { iteration, ..moment });
                    }
                }
                Step::FirstSubstep(steps) if moment.substep == 0 => {
                    self.walk(score, steps, buffers, moment);
                }
                Step::Pass(_) | Step::FirstSubstep(_) => {}
                Step::Rounds(least, share, steps) => {
                    let iterations = (moment.iterations as f32 * share) as u32;
                    let moment = DispatchContext { iterations: iterations.max(*least), ..moment };
                    for iteration in 0..moment.iterations {
                        self.walk(score, steps, buffers, DispatchContext { iteration, ..moment });
                    }
                }
                Step::Count(param, each, steps) => {
                    let Value::U32(count) = score.params[*param] else { continue };
                    let moment = DispatchContext { iterations: count.div_ceil(*each), ..moment };
                    for iteration in 0..moment.iterations {
                        self.walk(score, steps, buffers, DispatchContext { iteration, ..moment });
                    }
                }
                Step::Colours(table, steps) => {
                    for rows in score.tables.get(table).map_or(Vec::new(), TableRows::parts) {
                        self.colour = Some((table.clone(), rows));
                        self.walk(score, steps, buffers, moment);
                    }
                    self.colour = None;
                }
            }
        }
    }

    fn pass(&mut self, score: &FrameInputs, pass: usize, buffers: &Buffers, moment: DispatchContext) {
        let what = &score.program.passes[pass];
        let Some(table) = score.tables.get(&what.over) else { return };
        let set = self.set(what, pass, buffers);
        match what.by {
            By::Rows if !what.in_batches() => {
                let colour = self.colour.as_ref().filter(|(table, _)| *table == what.over);
                let rows = colour.map_or(0..table.rows, |(_, rows)| rows.clone());
                self.dispatch(score, (pass, set), rows, moment);
            }
            By::Rows | By::Colours => {
                for rows in table.parts() {
                    self.dispatch(score, (pass, set), rows, moment);
                }
            }
        }
    }

    fn dispatch(
        &mut self,
        score: &FrameInputs,
        (pass, set): (usize, usize),
        rows: Range<u32>,
        moment: DispatchContext,
    ) {
        if rows.is_empty() {
            return;
        }
        let shader = &score.program.passes[pass].shader;
        // Rows that a workgroup takes.
        let taken = if shader.groups { 1 } else { shader.threads };
        let groups = (rows.end - rows.start).div_ceil(taken);
        let most = score.gpu.limits.max_compute_workgroups_per_dimension;
        // Even lines: the last one is not almost empty.
        let lines = groups.div_ceil(most);
        let across = groups.div_ceil(lines);
        let moment = DispatchContext { first: rows.start, end: rows.end, line: across * taken, ..moment };
        let (size, members) =
            shader.block.as_ref().map_or((0, &[][..]), |block| (block.size, &block.members));
        let mut block = vec![0; size as usize];
        for (offset, slot) in members {
            let value = match slot {
                Slot::Known(read) => read(&moment),
                Slot::Param(index) => score.params[*index],
            };
            value.write(&mut block[*offset as usize..]);
        }
        let align = score.gpu.frame_alignment();
        let blocks = &mut self.blocks;
        let offset = *self.offsets.entry(block).or_insert_with_key(|block| {
            let start = blocks.len();
            blocks.extend_from_slice(block);
            // The next one may be longer than what is left to the alignment; the tail is padded in `write_uniforms`.
            blocks.resize(blocks.len().next_multiple_of(align), 0);
            start as u32
        });
        self.commands.push(Command { pass, set, offset, groups: [across, lines] });
    }

    fn set(&mut self, what: &Pass, pass: usize, buffers: &Buffers) -> usize {
        let place = |what: &What| match what {
            What::Column { index, .. } => buffers.place(*index),
            What::Frame(_) => usize::MAX,
        };
        let places: Vec<usize> = what.shader.bindings.iter().map(|binding| place(&binding.what)).collect();
        let (sets, next) = (&mut self.sets, self.known.len());
        *self.known.entry((pass, places)).or_insert_with_key(|(pass, places)| {
            sets.push(Set { pass: *pass, places: places.clone(), group: None });
            next
        })
    }

    fn write_uniforms(&mut self, gpu: &Gpu) -> Result<(), String> {
        let bytes = self.blocks.len() as u64;
        if self.uniforms.as_ref().is_none_or(|buffer| buffer.size() < bytes) {
            let size = bytes.next_power_of_two().max(4096);
            let usage = BufferUsages::UNIFORM | BufferUsages::STORAGE | BufferUsages::COPY_DST;
            let descriptor =
                BufferDescriptor { label: Some("frame"), size, usage, mapped_at_creation: false };
            self.uniforms = Some(
                gpu.scoped("the buffer of a frame's numbers", || gpu.device.create_buffer(&descriptor))?,
            );
            self.sets.iter_mut().for_each(|set| set.group = None);
        }
        if let Some(buffer) = &self.uniforms {
            gpu.queue.write_buffer(buffer, 0, &self.blocks);
        }
        Ok(())
    }

    /// `None` for a pass that was not compiled.
    fn group(&self, score: &FrameInputs, buffers: &Buffers, set: usize) -> Result<Option<BindGroup>, String> {
        let (set, uniforms) = (&self.sets[set], self.uniforms.as_ref());
        let pass = &score.program.passes[set.pass];
        let Some(layout) = &pass.shader.layout else { return Ok(None) };
        let resource = |what: &What, place: usize| match what {
            What::Column { .. } => Some(buffers.buffer(place).as_entire_binding()),
            What::Frame(block) => uniforms.map(|buffer| {
                let size = std::num::NonZeroU64::new(block.size.into());
                BindingResource::Buffer(BufferBinding { buffer, offset: 0, size })
            }),
        };
        let bindings = pass.shader.bindings.iter().zip(&set.places);
        let entries: Vec<BindGroupEntry> = bindings
            .filter_map(|(binding, place)| {
                let resource = resource(&binding.what, *place)?;
                Some(BindGroupEntry { binding: binding.binding, resource })
            })
            .collect();
        let descriptor = BindGroupDescriptor { label: Some(&pass.file), layout, entries: &entries };
        score.gpu.scoped(&pass.file, || score.gpu.device.create_bind_group(&descriptor)).map(Some)
    }

    /// Puts the commands into a compute pass; `mark(i)` is called before command `i`. An error if one of them cannot run.
    pub(crate) fn encode(
        &self,
        program: &Program,
        to: &mut ComputePass,
        mut mark: impl FnMut(&mut ComputePass, usize),
    ) -> Result<(), String> {
        let (mut pipeline, mut set) = (usize::MAX, usize::MAX);
        for (number, command) in self.commands.iter().enumerate() {
            mark(to, number);
            let shader = &program.passes[command.pass].shader;
            if command.pass != pipeline {
                let pipeline = shader.pipeline.as_ref().ok_or_else(|| {
                    let Pass { file, when, .. } = &program.passes[command.pass];
                    format!("pass {file} was not compiled: {when:?} did not hold when these passes were made")
                })?;
                to.set_pipeline(pipeline);
            }
            let bound = self.sets[command.set].group.as_ref();
            if shader.block.is_some() {
                to.set_bind_group(0, bound, &[command.offset]);
            } else if command.set != set {
                to.set_bind_group(0, bound, &[]);
            }
            (pipeline, set) = (command.pass, command.set);
            to.dispatch_workgroups(command.groups[0], command.groups[1], 1);
        }
        Ok(())
    }
}
