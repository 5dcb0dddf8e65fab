//! The numbers that passes read: members of the uniform `frame`, bound by name.

use sim_api::{ParamDesc, ParamKind, World};

/// A value, and the type of a member that takes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    U32(u32),
    F32(f32),
    Vec2([f32; 2]),
    Vec3([f32; 3]),
}

impl Value {
    /// The type in WGSL.
    pub fn wgsl(self) -> &'static str {
        match self {
            Self::U32(_) => "u32",
            Self::F32(_) => "f32",
            Self::Vec2(_) => "vec2f",
            Self::Vec3(_) => "vec3f",
        }
    }

    pub fn write(self, to: &mut [u8]) {
        match self {
            Self::U32(value) => to[..4].copy_from_slice(&value.to_ne_bytes()),
            Self::F32(value) => to[..4].copy_from_slice(&value.to_ne_bytes()),
            Self::Vec2(value) => to[..8].copy_from_slice(bytemuck::cast_slice(&value)),
            Self::Vec3(value) => to[..12].copy_from_slice(bytemuck::cast_slice(&value)),
        }
    }
}

/// One dispatch as a pass sees it.
#[derive(Clone, Copy, Debug)]
pub struct DispatchContext {
    /// Length of the frame, and time at its start [s].
    pub dt: f32,
    pub time: f32,
    pub world: World,
    pub colliders: u32,
    pub damped: bool,
    pub substeps: u32,
    pub substep: u32,
    pub iterations: u32,
    pub iteration: u32,
    /// Rows of the dispatch, and how many a line of its workgroups covers.
    pub first: u32,
    pub end: u32,
    pub line: u32,
}

impl DispatchContext {
    /// Length of a substep [s].
    fn h(&self) -> f32 {
        self.dt / self.substeps as f32
    }
}

/// A member that is always there, and its value.
type Known = (&'static str, fn(&DispatchContext) -> Value);

/// Every member but the solver's parameters.
const KNOWN: &[Known] = &[
    ("first", |m| Value::U32(m.first)),
    ("end", |m| Value::U32(m.end)),
    ("line", |m| Value::U32(m.line)),
    ("dt", |m| Value::F32(m.dt)),
    ("time", |m| Value::F32(m.time + m.substep as f32 * m.h())),
    ("h", |m| Value::F32(m.h())),
    ("per_h", |m| Value::F32(1.0 / m.h())),
    ("per_h2", |m| Value::F32(1.0 / (m.h() * m.h()))),
    ("span", |m| Value::Vec2([m.substep, m.substep + 1].map(|s| s as f32 / m.substeps as f32))),
    ("substep", |m| Value::U32(m.substep)),
    ("substep_is_last", |m| Value::U32(u32::from(m.substep + 1 == m.substeps))),
    ("iteration", |m| Value::U32(m.iteration)),
    ("iteration_is_last", |m| Value::U32(u32::from(m.iteration + 1 == m.iterations))),
    ("colliders", |m| Value::U32(m.colliders)),
    ("damped", |m| Value::U32(u32::from(m.damped))),
    ("gravity", |m| Value::Vec3(m.world.gravity)),
    ("air_damping", |m| Value::F32(m.world.air_damping)),
    ("wind_velocity", |m| Value::Vec3(m.world.wind.velocity)),
    ("wind_coefficient", |m| Value::F32(m.world.wind.coefficient)),
    ("wind_gust", |m| Value::F32(m.world.wind.gust)),
    ("wind_gust_length", |m| Value::F32(m.world.wind.gust_length)),
];

/// Where a member's value comes from.
#[derive(Clone, Copy)]
pub enum Slot {
    Known(fn(&DispatchContext) -> Value),
    /// Place in the solver's list of parameters.
    Param(usize),
}

/// A parameter's value as a pass reads it: whole numbers and choices as `u32`.
pub(crate) fn param(param: &ParamDesc, value: f32) -> Value {
    if param.kind == ParamKind::Number { Value::F32(value) } else { Value::U32(value as u32) }
}

/// A member's source and its type.
pub(crate) fn slot(name: &str, params: &[ParamDesc]) -> Option<(Slot, &'static str)> {
    if let Some((_, read)) = KNOWN.iter().find(|known| known.0 == name) {
        return Some((Slot::Known(*read), read(&STILL).wgsl()));
    }
    let index = params.iter().position(|param| param.name.as_str() == name)?;
    Some((Slot::Param(index), param(&params[index], 0.0).wgsl()))
}

/// Every name that a member may have.
pub(crate) fn names(params: &[ParamDesc]) -> Vec<&str> {
    let known = KNOWN.iter().map(|known| known.0);
    known.chain(params.iter().map(|param| param.name.as_str())).collect()
}

/// A moment in which nothing acts: to ask for types.
pub(crate) const STILL: DispatchContext = DispatchContext {
    dt: 1.0,
    time: 0.0,
    world: World {
        gravity: [0.0; 3],
        air_damping: 0.0,
        wind: sim_api::Wind { velocity: [0.0; 3], coefficient: 0.0, gust: 0.0, gust_length: 1.0 },
    },
    colliders: 0,
    damped: false,
    substeps: 1,
    substep: 0,
    iterations: 1,
    iteration: 0,
    first: 0,
    end: 0,
    line: 0,
};
