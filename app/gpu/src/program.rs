//! A list of passes, compiled for a device: pipelines, and what each binds.

use std::borrow::Cow;

use naga::{AddressSpace, StorageAccess};
use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType,
    ComputePipeline, ComputePipelineDescriptor, PipelineCompilationOptions, PipelineLayoutDescriptor,
    ShaderModuleDescriptor, ShaderRuntimeChecks, ShaderSource, ShaderStages,
};

use sim_api::{ParamDesc, ParamKind};

use super::{
    Gpu,
    batches::{NODES, STRANDS},
    choice,
    compose::{Scope, at_mark},
    module::{self, Parsed},
    passes::{self, By, Condition, List, Node, PASSES},
    reflect::{Binding, Block, What},
};
use weft_draw::ShaderError;

/// A compiled list. Copies share the pipelines.
#[derive(Clone)]
pub struct Program {
    pub passes: Vec<Pass>,
    pub steps: Vec<Step>,
}

/// One pass of the list.
#[derive(Clone)]
pub struct Pass {
    /// As `passes.ron` has it.
    pub file: String,
    pub features: Vec<String>,
    pub over: String,
    pub by: By,
    pub when: Vec<Condition>,
    pub shader: Shader,
}

impl Pass {
    /// A dispatch for each batch of strands.
    pub(crate) fn in_batches(&self) -> bool {
        self.shader.keeps_nodes && self.over == STRANDS
    }
}

/// What is made anew when a file is saved.
#[derive(Clone)]
pub struct Shader {
    /// Every file that is in its text.
    pub files: Vec<String>,
    pub threads: u32,
    /// A workgroup takes a row, not a thread.
    pub groups: bool,
    /// `None`: it cannot run as the tables are.
    pub pipeline: Option<ComputePipeline>,
    pub layout: Option<BindGroupLayout>,
    pub bindings: Vec<Binding>,
    /// Members of the uniform; `None` without one.
    pub block: Option<Block>,
    /// It keeps nodes of strands, in a room that a batch of them has.
    pub keeps_nodes: bool,
}

/// [`Node`] with places instead of names.
#[derive(Clone)]
pub enum Step {
    /// Place in [`Program::passes`].
    Pass(usize),
    /// Two columns.
    Swap(usize, usize),
    Substeps(Vec<Step>),
    Iterations(Vec<Step>),
    FirstSubstep(Vec<Step>),
    /// So many times at least, and that share of the iterations.
    Rounds(u32, f32, Vec<Step>),
    /// So many times as this parameter says, that many at a time.
    Count(usize, u32, Vec<Step>),
    /// For each colour of a table.
    Colours(String, Vec<Step>),
}

/// Checks a file for a pass that is listed with some features.
type Compile<'a> = dyn Fn(&str, &[String]) -> Result<Shader, ShaderError> + 'a;

impl Program {
    /// All passes are checked; those that may run where `lasting` holds are compiled.
    pub fn new(gpu: &Gpu, scope: Scope, list: &List, lasting: &[Condition]) -> Result<Self, ShaderError> {
        let mut program = Self { passes: Vec::new(), steps: Vec::new() };
        program.steps = program.steps_of(
            &list.passes,
            &|file, features| Shader::new(gpu, scope, &parse(scope, file, features)?),
            list,
            scope,
        )?;
        program.complete(gpu, scope, lasting)?;
        Ok(program)
    }

    /// Compiles what may run where `lasting` holds and was not compiled yet.
    pub fn complete(&mut self, gpu: &Gpu, scope: Scope, lasting: &[Condition]) -> Result<(), ShaderError> {
        for pass in &mut self.passes {
            let may_run = pass.when.iter().all(|condition| choice::may_hold(condition, lasting));
            if may_run && pass.shader.pipeline.is_none() {
                pass.shader.compile(gpu, &parse(scope, &pass.file, &pass.features)?)?;
            }
        }
        Ok(())
    }

    fn steps_of(
        &mut self,
        nodes: &[Node],
        compile: &Compile,
        list: &List,
        scope: Scope,
    ) -> Result<Vec<Step>, ShaderError> {
        let mut steps = Vec::new();
        for node in nodes {
            steps.push(match node {
                Node::Pass { file, over, by, when, features } => {
                    if scope.columns.rows(over).is_none() {
                        let message =
                            format!("{}: {file} runs over `{over}`, but there is no such table", list.name);
                        return Err(passes::misnamed(scope.sources, &message));
                    }
                    let shader = compile(file, features)?;
                    let (file, features, over) = (file.clone(), features.clone(), over.clone());
                    self.passes.push(Pass { file, features, over, by: *by, when: when.clone(), shader });
                    Step::Pass(self.passes.len() - 1)
                }
                Node::Swap(a, b) => swap(list, scope, a, b)?,
                Node::Substeps(nodes) => Step::Substeps(self.steps_of(nodes, compile, list, scope)?),
                Node::Iterations(nodes) => Step::Iterations(self.steps_of(nodes, compile, list, scope)?),
                Node::FirstSubstep(nodes) => Step::FirstSubstep(self.steps_of(nodes, compile, list, scope)?),
                Node::Rounds { least, share, passes } => {
                    Step::Rounds(*least, *share, self.steps_of(passes, compile, list, scope)?)
                }
                Node::Count { of, each, passes } => {
                    let count =
                        |param: &ParamDesc| param.name.as_str() == of && param.kind == ParamKind::Count;
                    let Some(param) = scope.params.iter().position(count) else {
                        let message = format!("{}: the solver has no count `{of}`", list.name);
                        return Err(passes::misnamed(scope.sources, &message));
                    };
                    Step::Count(param, *each, self.steps_of(passes, compile, list, scope)?)
                }
                Node::Colours(table, nodes) => {
                    if scope.columns.rows(table).is_none() {
                        let message = format!("{}: there is no table `{table}` of colours", list.name);
                        return Err(passes::misnamed(scope.sources, &message));
                    }
                    Step::Colours(table.clone(), self.steps_of(nodes, compile, list, scope)?)
                }
                Node::When(..) | Node::Part(_) | Node::Each { .. } => {
                    let message = format!("{}: `Passes::read` left {node:?}", list.name);
                    return Err(ShaderError::new(PASSES, message));
                }
            });
        }
        Ok(steps)
    }

    /// Compiles the passes that use a saved file anew. On an error all stay as they are.
    pub fn reload(&mut self, gpu: &Gpu, scope: Scope, file: &str) -> Result<usize, ShaderError> {
        let mut made = Vec::new();
        for (place, pass) in self.passes.iter().enumerate() {
            if pass.shader.files.iter().any(|used| used == file) {
                let parsed = parse(scope, &pass.file, &pass.features)?;
                let mut shader = Shader::new(gpu, scope, &parsed)?;
                if pass.shader.pipeline.is_some() {
                    shader.compile(gpu, &parsed)?;
                }
                made.push((place, shader));
            }
        }
        let count = made.len();
        made.into_iter().for_each(|(place, shader)| self.passes[place].shader = shader);
        Ok(count)
    }

    /// Every column that is swapped or that a pass binds which may run, and whether a pass writes it.
    pub fn used(&self, lasting: &[Condition]) -> Vec<(usize, bool)> {
        let mut used: Vec<(usize, bool)> = Vec::new();
        let mut note = |column: usize, write: bool| match used.iter_mut().find(|known| known.0 == column) {
            Some(known) => known.1 |= write,
            None => used.push((column, write)),
        };
        let may_run = |pass: &&Pass| pass.when.iter().all(|condition| choice::may_hold(condition, lasting));
        for binding in self.passes.iter().filter(may_run).flat_map(|pass| &pass.shader.bindings) {
            if let What::Column { index, write } = binding.what {
                note(index, write);
            }
        }
        let mut open: Vec<&Step> = self.steps.iter().collect();
        while let Some(step) = open.pop() {
            match step {
                Step::Swap(a, b) => [*a, *b].into_iter().for_each(|column| note(column, true)),
                Step::Substeps(steps)
                | Step::Iterations(steps)
                | Step::FirstSubstep(steps)
                | Step::Rounds(_, _, steps)
                | Step::Count(_, _, steps)
                | Step::Colours(_, steps) => open.extend(steps),
                Step::Pass(_) => {}
            }
        }
        used
    }
}

fn swap(list: &List, scope: Scope, a: &str, b: &str) -> Result<Step, ShaderError> {
    let columns = scope.columns;
    let fail = |message: String| {
        let message = format!("{}: Swap(`{a}`, `{b}`): {message}", list.name);
        Err(passes::misnamed(scope.sources, &message))
    };
    let (Some(first), Some(second)) = (columns.path(a), columns.path(b)) else {
        let missing = if columns.path(a).is_none() { a } else { b };
        return fail(format!("there is no column `{missing}`"));
    };
    let (one, other) = (&columns.list[first], &columns.list[second]);
    if one.element != other.element || one.rows != other.rows {
        return fail("the two hold other rows".into());
    }
    if let Some(why) = one.read_only().or(other.read_only()) {
        return fail(format!("one of them {why}"));
    }
    Ok(Step::Swap(first, second))
}

/// A pass as `passes.ron` lists it.
fn parse(scope: Scope, file: &str, features: &[String]) -> Result<Parsed, ShaderError> {
    module::parse(scope, &passes::path(file), features)
}

impl Shader {
    fn new(gpu: &Gpu, scope: Scope, parsed: &Parsed) -> Result<Self, ShaderError> {
        let bindings = parsed.bindings.clone();
        let most =
            gpu.limits.max_compute_invocations_per_workgroup.min(gpu.limits.max_compute_workgroup_size_x);
        let all = parsed.threads.saturating_mul(parsed.lanes);
        if all > most {
            let message = format!("a workgroup of {all} threads: this adapter allows {most}");
            return Err(at_mark(scope.sources, &parsed.file, &message));
        }
        let block = bindings.iter().find_map(|binding| match &binding.what {
            What::Frame(block) => Some(block.clone()),
            What::Column { .. } => None,
        });
        let (files, threads, groups) = (parsed.files.clone(), parsed.threads, parsed.groups);
        let of_nodes = |index: usize| scope.columns.list[index].table == NODES;
        let keeps_nodes = bindings
            .iter()
            .any(|binding| matches!(binding.what, What::Column { index, .. } if of_nodes(index)));
        Ok(Self { files, threads, groups, pipeline: None, layout: None, bindings, block, keeps_nodes })
    }

    fn compile(&mut self, gpu: &Gpu, parsed: &Parsed) -> Result<(), ShaderError> {
        let frame = gpu.frame_binding() != BufferBindingType::Uniform && self.block.is_some();
        let storage = parsed.columns() + usize::from(frame);
        let most = gpu.limits.max_storage_buffers_per_shader_stage;
        if storage > most as usize {
            let message = format!("binds {storage} storage buffers; this adapter allows {most} in a pass");
            return Err(ShaderError::new(&parsed.file, message));
        }
        let made = gpu.scoped("it does not compile", || pipeline(gpu, parsed));
        let (pipeline, layout) = made.map_err(|message| ShaderError::new(&parsed.file, message))?;
        (self.pipeline, self.layout) = (Some(pipeline), Some(layout));
        Ok(())
    }
}

fn pipeline(gpu: &Gpu, parsed: &Parsed) -> (ComputePipeline, BindGroupLayout) {
    let label = Some(parsed.file.as_str());
    let frame = gpu.frame_binding();
    let mut module = parsed.checked.module.clone();
    if let BufferBindingType::Storage { .. } = frame {
        for (_, variable) in module.global_variables.iter_mut() {
            if variable.space == AddressSpace::Uniform {
                variable.space = AddressSpace::Storage { access: StorageAccess::LOAD };
            }
        }
    }
    let source = ShaderSource::Naga(Cow::Owned(module));
    let descriptor = ShaderModuleDescriptor { label, source };
    let module = if parsed.built_in {
        // Counting every turn of every loop, so that none is endless, costs time in the innermost ones.
        let checks = ShaderRuntimeChecks { force_loop_bounding: false, ..ShaderRuntimeChecks::checked() };
        // SAFETY: all loops of the program's own files end: they count up to a number that was read before.
        unsafe { gpu.device.create_shader_module_trusted(descriptor, checks) }
    } else {
        gpu.device.create_shader_module(descriptor)
    };
    let entries: Vec<BindGroupLayoutEntry> =
        parsed.bindings.iter().map(|binding| entry(binding, frame)).collect();
    let group = gpu.device.create_bind_group_layout(&BindGroupLayoutDescriptor { label, entries: &entries });
    let layout = gpu.device.create_pipeline_layout(&PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&group)],
        immediate_size: 0,
    });
    let pipeline = gpu.device.create_compute_pipeline(&ComputePipelineDescriptor {
        label,
        layout: Some(&layout),
        module: &module,
        entry_point: Some(&parsed.entry),
        // The program's own files write workgroup memory before they read it.
        compilation_options: PipelineCompilationOptions {
            zero_initialize_workgroup_memory: !parsed.built_in,
            ..PipelineCompilationOptions::default()
        },
        cache: None,
    });
    (pipeline, group)
}

fn entry(binding: &Binding, frame: BufferBindingType) -> BindGroupLayoutEntry {
    let (ty, dynamic) = match binding.what {
        What::Column { write, .. } => (BufferBindingType::Storage { read_only: !write }, false),
        What::Frame(_) => (frame, true),
    };
    BindGroupLayoutEntry {
        binding: binding.binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer { ty, has_dynamic_offset: dynamic, min_binding_size: None },
        count: None,
    }
}
