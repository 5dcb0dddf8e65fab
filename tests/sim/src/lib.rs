//! A host in a hundred lines: the tables of `weft_core`, some threads, and the hot code.
//!
//! It needs none of the program's large dependencies, so that a debug build takes seconds and Miri can run it.

mod threads;

use std::ffi::c_void;

use sim_api::{Frame, FrameParts, Status, Wind, World};
use weft_core::factor::{self, Factorizations};
pub use weft_core::state;
use weft_core::state::{Blueprint, Bound, Column, Data, Schema, State, StateHash, TableRows};

/// Names of all solvers.
pub fn solvers() -> Vec<&'static str> {
    sim::solvers::DESCRIPTIONS.iter().map(|solver| solver.name.as_str()).collect()
}

/// A cloth of `columns` x `rows` particles, 0.05 m apart, two corners pinned, above a sphere and a plane.
pub fn cloth(columns: u32, rows: u32) -> Blueprint {
    let place = |i: u32| (i % columns, i / columns);
    let count = columns * rows;
    let position = |i| {
        let ((x, y), w) = (place(i), if i == 0 || i + 1 == columns { 0.0 } else { 400.0 });
        [0.05 * x as f32 - 0.3, 0.7 + 0.002 * ((x * y) % 5) as f32, 0.05 * y as f32, w]
    };
    let (mut idx, mut rest, mut kind) = (Vec::new(), Vec::new(), Vec::new());
    let steps = [(1, 0, 0), (0, 1, 0), (1, 1, 1), (-1, 1, 1), (2, 0, 2), (0, 2, 2)];
    for (dx, dy, of_kind) in steps {
        for i in 0..count {
            let (x, y) = place(i);
            let other = x.checked_add_signed(dx).filter(|&x| x < columns).zip(Some(y + dy));
            if let Some((x, y)) = other.filter(|&(_, y)| y < rows) {
                idx.push([i, y * columns + x]);
                rest.push(0.05 * ((dx * dx) as f32 + (dy * dy) as f32).sqrt());
                kind.push(of_kind);
            }
        }
    }
    let compliance = kind.iter().map(|&kind| [0.0, 1e-4, 1e-2][kind as usize]).collect();
    let mut triangles = Vec::new();
    for i in (0..count - columns).filter(|i| (i + 1) % columns != 0) {
        triangles.extend([[i, i + columns, i + 1], [i + 1, i + columns, i + columns + 1]]);
    }
    let n = idx.len();
    let pose = |x: [f32; 4]| Data::F32x4(vec![x, [0.0; 4]]);
    let turn = || Data::F32x4(vec![[0.0, 0.0, 0.0, 1.0]; 2]);
    let both = |x: f32| Data::F32(vec![x; 2]);
    let ball = [0.1, 0.35, 0.2, 0.0];
    let tables = [
        (
            "particle",
            vec![
                ("position", Data::F32x4((0..count).map(position).collect())),
                ("velocity", Data::F32x4(vec![[0.0; 4]; count as usize])),
                ("mass", Data::F32(vec![0.0025; count as usize])),
                ("friction", Data::F32(vec![1.0; count as usize])),
            ],
        ),
        (
            "distance",
            vec![
                ("idx", Data::U32x2(idx)),
                ("rest", Data::F32(rest)),
                ("compliance", Data::F32(compliance)),
                ("damping", Data::F32(vec![1e-4; n])),
                ("kind", Data::U32(kind)),
                ("object", Data::U32(vec![0; n])),
            ],
        ),
        ("triangle", vec![("object", Data::U32(vec![0; triangles.len()])), ("idx", Data::U32x3(triangles))]),
        (
            "collider",
            vec![
                ("kind", Data::U32(vec![1, 0])),
                ("position", pose(ball)),
                ("rotation", turn()),
                ("begin_position", pose(ball)),
                ("begin_rotation", turn()),
                ("size", Data::F32x4(vec![[0.3, 0.0, 0.0, 0.0], [0.0; 4]])),
                ("velocity", pose([0.0; 4])),
                ("inverse_mass", both(0.0)),
                ("surface", pose([0.5, 0.4, 0.1, 0.004])),
            ],
        ),
    ];
    let table = |(name, columns): (&'static str, Vec<(&'static str, Data)>)| {
        let (_, first) = &columns[0];
        TableRows { name, rows: first.bytes().len() / first.element().size(), columns }
    };
    Blueprint { tables: tables.into_iter().map(table).collect() }
}

/// A state and the frames it has done.
pub struct Host {
    pub state: State,
    solver: usize,
    time: f32,
    bound: Bound,
    stages: Vec<String>,
    factor: Factorizations,
    threads: usize,
    /// Most substeps and iterations.
    most: f32,
}

impl Host {
    pub fn new(blueprint: &Blueprint, solver: &str) -> Self {
        let schema = Schema::read(sim::state::TABLES).expect("the built-in schema is good");
        let mut state = State::build(&schema, blueprint).expect("a good blueprint");
        let solver = solvers().iter().position(|name| *name == solver).expect("a known solver");
        state.update_topology(blueprint, sim::solvers::DESCRIPTIONS[solver].by_particle);
        Self {
            state,
            solver,
            time: 0.0,
            bound: Bound::default(),
            stages: Vec::new(),
            factor: Factorizations::default(),
            threads: 1,
            most: f32::MAX,
        }
    }

    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Without the table `stride`: all rows are gathered.
    pub fn without_strides(mut self) -> Self {
        if let Some(table) = self.state.table_mut("stride") {
            table.rows = 0;
            table.coloring.ends.clear();
            for column in &mut table.columns {
                *column = Column::new(&column.name, column.element, column.class, 0);
            }
        }
        self
    }

    /// Four substeps of four iterations at most: where a step takes a hundred times as long as elsewhere.
    pub fn shortened(mut self) -> Self {
        self.most = 4.0;
        self
    }

    /// One frame of 1/60 s at the solver's defaults, on poisoned scratch columns.
    pub fn step(&mut self) -> Result<(), String> {
        unsafe extern "C" fn stage(context: *mut c_void, name: *const u8, len: usize) {
            // SAFETY: the context is `stages`; name and length come from a `&str`.
            let (stages, name) =
                unsafe { (&mut *context.cast::<Vec<String>>(), std::slice::from_raw_parts(name, len)) };
            stages.push(String::from_utf8_lossy(name).into_owned());
        }
        unsafe extern "C" fn log(_: *mut c_void, _: *const u8, _: usize) {}
        self.stages.clear();
        self.state.tables.iter_mut().for_each(state::Table::poison_scratch);
        let mut message = [0_u8; 512];
        let tables = self.bound.bind(&mut self.state.tables);
        let wind = Wind { velocity: [1.0, 0.0, 0.5], coefficient: 0.5, gust: 0.4, gust_length: 1.1 };
        let counted = |name: &str| ["substeps", "iterations"].contains(&name);
        let value = |param: &sim_api::ParamDesc| {
            if counted(param.name.as_str()) { param.default.min(self.most) } else { param.default }
        };
        let params: Vec<f32> =
            sim::solvers::DESCRIPTIONS[self.solver].params.as_slice().iter().map(value).collect();
        let par = threads::par(self.threads);
        unsafe extern "C" fn reading(_: *mut c_void, _: *const u8, _: usize, _: f32) {}
        let mut matrices = factor::Context::new(&mut self.factor, par);
        let parts = FrameParts {
            solver: self.solver as u32,
            params: &params,
            dt: 1.0 / 60.0,
            time: self.time,
            world: World { gravity: [0.0, -9.81, 0.0], air_damping: 0.1, wind },
            tables,
            holds: &[],
            par,
            factor: matrices.service(),
            stage,
            log,
            reading,
            context: (&raw mut self.stages).cast(),
            message: &mut message,
        };
        // SAFETY: all parts live until the step returns; the functions are made for this context.
        let mut frame = unsafe { Frame::new(parts) };
        // SAFETY: the export is a static of `sim`, and the tables are bound for its schema.
        let status = unsafe { ((*sim::sim_api()).step)(&raw mut frame) };
        self.time += frame.dt;
        if let Some(why) = matrices.refusal {
            return Err(format!("no factor: {why}"));
        }
        match status {
            Status::Ok if self.stages.is_empty() => Err("the solver marked no stage".into()),
            Status::Ok => Ok(()),
            status => {
                let said = String::from_utf8_lossy(&message);
                Err(format!("{status:?} {}", said.trim_end_matches('\0')))
            }
        }
    }

    pub fn hash(&self) -> String {
        StateHash::of(&self.state).to_string()
    }
}
