//! `--set PATH=VALUE`: one field of a scene from two texts.

use std::{collections::BTreeMap, fmt};

use serde::de::DeserializeOwned;

use super::locate::segments;
use super::{Address, Change, Rod, Scene, Slot, Value, parse, visit};
use weft_core::suggest::nearest;

/// Why a field was not set; the scene is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetError {
    /// As it was given.
    pub path: String,
    pub message: String,
    pub help: Option<String>,
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, " ({help})"))
    }
}

impl std::error::Error for SetError {}

/// Sets a field. Objects are named by id or number (`cloths.flag.at`, `cloths[0].at`); the value is RON,
/// texts may go without quotes. `solver.NAME` is short for `solver.params.NAME`, which need not exist
/// yet; whether the solver knows it is for the check to say. A material's `preset` replaces the whole material.
pub fn set(scene: &mut Scene, path: &str, value: &str) -> Result<(), SetError> {
    let fail = |message: String, help: Option<String>| SetError { path: path.to_owned(), message, help };
    let wanted = by_id(scene, path);
    if path.split('.').any(|part| part.trim().is_empty()) {
        let help = match wanted.as_str() {
            "" => "NAME=VALUE, such as `solver.substeps=40`".into(),
            wanted => format!("did you mean `{wanted}`?"),
        };
        return Err(fail("a part of its name is missing".into(), Some(help)));
    }
    if let Some(name) = wanted.strip_prefix("solver.").filter(|name| *name != "name") {
        let name = name.strip_prefix("params.").unwrap_or(name);
        let value = param(value.trim()).map_err(|message| fail(message, None))?;
        scene.solver.params.insert(name.to_owned(), value);
        return Ok(());
    }
    if let Some(id) = wanted.strip_prefix("cloths.").and_then(|rest| rest.strip_suffix(".pins"))
        && let Some(cloth) = scene.cloths.iter_mut().find(|cloth| cloth.id == id)
    {
        let pins = parse::options().from_str(value);
        cloth.pins = pins.map_err(|error| {
            let help = "a list, such as [Edge(Left), Particle(column: 3, row: 0)]".to_string();
            fail(error.code.to_string(), Some(help))
        })?;
        return Ok(());
    }
    if let Some(name) = wanted.strip_suffix(".material.preset") {
        let preset = value.trim().trim_matches('"');
        let unknown = |names: Vec<&str>| {
            fail(format!("there is no preset {preset:?}"), Some(format!("there are {}", names.join(", "))))
        };
        let strands =
            scene.strands.iter_mut().find(|strands| name.strip_prefix("strands.") == Some(&strands.id));
        if let Some(strands) = strands {
            let rod = Rod::preset(preset);
            strands.material = rod.ok_or_else(|| unknown(crate::strands::rod::presets().collect()))?;
            return Ok(());
        }
        let cloth = scene.cloths.iter_mut().find(|cloth| name.strip_prefix("cloths.") == Some(&cloth.id));
        if let Some(cloth) = cloth {
            let material = super::preset::material(preset);
            cloth.material = material.ok_or_else(|| unknown(super::preset::names().collect()))?;
            return Ok(());
        }
    }
    let mut outcome = None;
    let mut known = Vec::new();
    visit(scene, Address::Id, &mut |mut field| {
        let name = segments(&field.path).collect::<Vec<_>>().join(".");
        if name == wanted {
            let short = name.rsplit('.').next().unwrap_or(&name);
            outcome = Some(assign(&mut field.slot, &field.row, short, value.trim()));
        }
        known.push(name);
    });
    let Some(outcome) = outcome else {
        // Each byte of a page is waited for, and it has no --set.
        let block = if cfg!(target_arch = "wasm32") { None } else { not_written(&wanted, &known) };
        if let Some(block) = block {
            let (of, name) = block.rsplit_once('.').unwrap_or(("the scene", &block));
            let help = format!("write `{name}: (...)` there; --set changes what a file has");
            return Err(fail(format!("{of} has no `{name}`"), Some(help)));
        }
        let near = nearest(&wanted, known.iter().map(String::as_str));
        return Err(fail(
            "there is no such field".into(),
            near.map(|near| format!("did you mean `{near}`?")),
        ));
    };
    let near = nearest(&wanted, known.iter().map(String::as_str)).filter(|near| *near != wanted);
    outcome.map_err(|message| fail(message, near.map(|near| format!("did you mean `{near}`?"))))
}

/// The outermost part of a path that a scene may have and this one does not write, of which `known` are all fields.
fn not_written(wanted: &str, known: &[String]) -> Option<String> {
    let mut generic: Vec<&str> = wanted.split('.').collect();
    let objects = ["cloths", "colliders", "strands"].contains(generic.first()?);
    if let Some(id) = generic.get_mut(1).filter(|_| objects) {
        *id = "ID";
    }
    let generic = generic.join(".");
    let within = |field: &str, part: &str| {
        field.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let may_be = super::schema()
        .iter()
        .any(|(path, _)| within(&segments(path).collect::<Vec<_>>().join("."), &generic));
    let has = |part: &str| known.iter().any(|field| within(field, part));
    let ends = wanted.match_indices('.').map(|(end, _)| end).chain([wanted.len()]);
    let missing = ends.map(|end| &wanted[..end]).find(|part| !has(part))?;
    // An object that is not there has another answer.
    (may_be && (!objects || missing.matches('.').count() > 1)).then(|| missing.to_owned())
}

/// A value for a field, as a control of the panel has it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// As many as the field has components.
    Numbers(Vec<f32>),
    Text(String),
}

/// Puts a value into the field of a path by ids. Returns what that changes; `None` if there is no such field or it has the
/// value already.
pub fn edit(scene: &mut Scene, path: &str, value: &Edit) -> Option<Change> {
    let mut changed = None;
    visit(scene, Address::Id, &mut |field| {
        if field.path != path {
            return;
        }
        let changes = match (field.slot, value) {
            (Slot::Float(slot), Edit::Numbers(new)) => matches!(new[..], [x] if put(slot, x)),
            (Slot::Int(slot), Edit::Numbers(new)) => matches!(new[..], [x] if put(slot, x as u32)),
            (Slot::Vec2(slot), Edit::Numbers(new)) => matches!(new[..], [x, y] if put(slot, [x, y])),
            (Slot::Vec3(slot), Edit::Numbers(new)) => matches!(new[..], [x, y, z] if put(slot, [x, y, z])),
            (Slot::Text(slot), Edit::Text(new)) => put(slot, new.clone()),
            _ => false,
        };
        changed = changes.then_some(Change { path: field.path, class: field.row.class });
    });
    changed
}

/// Gives the fields at these paths (by ids, as a diff has them) the values that `from` has. What either scene lacks stays as it is, but
/// for parameters of solvers, which come and go.
pub fn carry<'p>(paths: impl Iterator<Item = &'p str>, from: &Scene, to: &mut Scene) {
    let mut written = BTreeMap::new();
    visit(&mut from.clone(), Address::Id, &mut |field| _ = written.insert(field.path, field.slot.written()));
    for path in paths {
        if let Some(name) = path.strip_prefix("solver.params.") {
            match from.solver.params.get(name) {
                Some(value) => to.solver.params.insert(name.to_owned(), value.clone()),
                None => to.solver.params.remove(name),
            };
        } else if path.starts_with("solver.others.") {
            to.solver.others.clone_from(&from.solver.others);
        } else if let Some(value) = written.get(path) {
            // There may be no such object.
            let _ = set(to, path, value);
        }
    }
}

/// Whether that is another value.
fn put<T: PartialEq>(slot: &mut T, new: T) -> bool {
    std::mem::replace(slot, new) != *slot
}

/// The path with dots only, and with ids in place of numbers.
fn by_id(scene: &Scene, path: &str) -> String {
    let mut parts: Vec<String> = segments(path.trim()).map(str::to_owned).collect();
    if let [list, item, ..] = parts.as_mut_slice()
        && let Ok(index) = item.parse::<usize>()
    {
        let id = match list.as_str() {
            "cloths" => scene.cloths.get(index).map(|cloth| &cloth.id),
            "strands" => scene.strands.get(index).map(|strands| &strands.id),
            "colliders" => scene.colliders.get(index).map(|collider| &collider.id),
            _ => None,
        };
        if let Some(id) = id {
            item.clone_from(id);
        }
    }
    parts.join(".")
}

fn param(value: &str) -> Result<Value, String> {
    let value = super::parse::options().from_str(value).unwrap_or_else(|_| Value::Text(value.to_owned()));
    match value {
        Value::Number(number) if !number.is_finite() => Err(format!("{number} is not a finite number")),
        value => Ok(value),
    }
}

/// Puts a value in if it is in range; the old one stays otherwise.
fn assign(slot: &mut Slot<'_>, row: &super::Row, name: &str, value: &str) -> Result<(), String> {
    match slot {
        Slot::Float(slot) => replace(*slot, value, "a number", |new| row.fault(name, &Slot::Float(new))),
        Slot::Int(slot) => replace(*slot, value, "a whole number", |new| row.fault(name, &Slot::Int(new))),
        Slot::Vec2(slot) => {
            replace(*slot, value, "two numbers, (x, y)", |new| row.fault(name, &Slot::Vec2(new)))
        }
        Slot::Vec3(slot) => {
            replace(*slot, value, "three numbers, (x, y, z)", |new| row.fault(name, &Slot::Vec3(new)))
        }
        Slot::Flag(slot) => replace(*slot, value, "true or false", |_| None),
        Slot::Text(slot) => {
            let quoted = value.starts_with(['"', 'r']).then(|| ron::from_str(value).ok()).flatten();
            **slot = quoted.unwrap_or_else(|| value.to_owned());
            Ok(())
        }
        Slot::Choice(slot) => {
            let names = slot.names();
            let Some(index) = names.iter().position(|name| *name == value.trim_matches('"')) else {
                return Err(format!("{value:?} is not one of {}", names.join(", ")));
            };
            slot.choose(index);
            Ok(())
        }
        Slot::Param(slot) => {
            **slot = param(value)?;
            Ok(())
        }
    }
}

fn replace<T: DeserializeOwned>(
    slot: &mut T,
    value: &str,
    wanted: &str,
    fault: impl FnOnce(&mut T) -> Option<(usize, String)>,
) -> Result<(), String> {
    let mut new: T =
        super::parse::options().from_str(value).map_err(|_| format!("{value:?} is not {wanted}"))?;
    if let Some((_, message)) = fault(&mut new) {
        return Err(message);
    }
    *slot = new;
    Ok(())
}
