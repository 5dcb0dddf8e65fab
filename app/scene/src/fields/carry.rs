//! Values from one scene to another.

use std::collections::BTreeMap;

use super::{Address, Field, Slot, Value, Vec2, Vec3, visit};
use crate::Scene;

/// The value of a field.
enum Held {
    Float(f32),
    Int(u32),
    Vec2(Vec2),
    Vec3(Vec3),
    Flag(bool),
    Text(String),
    Choice(usize),
    Param(Value),
}

impl Held {
    fn of(slot: &Slot<'_>) -> Self {
        match slot {
            Slot::Float(value) => Self::Float(**value),
            Slot::Int(value) => Self::Int(**value),
            Slot::Vec2(value) => Self::Vec2(**value),
            Slot::Vec3(value) => Self::Vec3(**value),
            Slot::Flag(value) => Self::Flag(**value),
            Slot::Text(value) => Self::Text((*value).clone()),
            Slot::Choice(value) => Self::Choice(value.chosen()),
            Slot::Param(value) => Self::Param((*value).clone()),
        }
    }

    fn put(&self, slot: Slot<'_>) {
        match (self, slot) {
            (Self::Float(value), Slot::Float(to)) => *to = *value,
            (Self::Int(value), Slot::Int(to)) => *to = *value,
            (Self::Vec2(value), Slot::Vec2(to)) => *to = *value,
            (Self::Vec3(value), Slot::Vec3(to)) => *to = *value,
            (Self::Flag(value), Slot::Flag(to)) => *to = *value,
            (Self::Text(value), Slot::Text(to)) => to.clone_from(value),
            (Self::Choice(value), Slot::Choice(to)) => to.choose(*value),
            (Self::Param(value), Slot::Param(to)) => to.clone_from(value),
            // A field of another kind of object.
            _ => {}
        }
    }
}

/// Gives the fields at these paths (by id, as a diff has them) the values that `from` has; what either lacks stays as it is, but for
/// parameters of the solver, which come and go.
pub fn carry<'p>(paths: impl Iterator<Item = &'p str>, from: &Scene, to: &mut Scene) {
    let mut values: BTreeMap<&str, Option<Held>> = paths.map(|path| (path, None)).collect();
    visit(&mut from.clone(), Address::Id, &mut |field: Field<'_>| {
        if let Some(value) = values.get_mut(field.path.as_str()) {
            *value = Some(Held::of(&field.slot));
        }
    });
    for (path, value) in &values {
        let Some(param) = path.strip_prefix("solver.params.") else { continue };
        let params = &mut to.solver.params;
        match value {
            Some(Held::Param(value)) => params.insert(param.to_string(), value.clone()),
            _ => params.remove(param),
        };
    }
    visit(to, Address::Id, &mut |field: Field<'_>| {
        if let Some(Some(value)) = values.get(field.path.as_str()) {
            value.put(field.slot);
        }
    });
}
