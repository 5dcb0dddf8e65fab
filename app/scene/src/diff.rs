//! What changes between two scenes, and what a swap keeps. Objects are matched by `id`, in any order.

use std::collections::BTreeMap;

use super::cloth::{Cloth, Shape};
use super::collider::{ColliderShape, Motion};
use super::{Address, Class, Rod, Roots, Scene, StrandLook, Strands, visit};

/// One changed field or object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Such as `cloths.flag.material.density`; `cloths.flag` for a whole object.
    pub path: String,
    pub class: Class,
}

/// What becomes of a cloth of the new scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Positions and velocities go on.
    Kept,
    /// It starts again from the scene.
    Reset,
    /// It was not there before.
    New,
}

/// All changes, sorted by path; empty for equal scenes.
pub fn diff(old: &Scene, new: &Scene) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |path: String, class| changes.push(Change { path, class });
    if old.version != new.version {
        add("version".to_owned(), Class::Live);
    }
    if old.expect != new.expect {
        add("expect".to_owned(), Class::Live);
    }
    if old.runs != new.runs {
        add("runs".to_owned(), Class::Live);
    }
    let (before, after) = (values(old), values(new));
    for (path, (value, class)) in &after {
        match before.get(path) {
            Some((other, _)) if other != value => add(path.clone(), *class),
            // Fields of an object or variant that is new are told by that.
            None if path.starts_with("solver.") => add(path.clone(), *class),
            _ => {}
        }
    }
    for (path, (_, class)) in &before {
        if path.starts_with("solver.") && !after.contains_key(path) {
            add(path.clone(), *class);
        }
    }
    for cloth in &new.cloths {
        let path = format!("cloths.{}", cloth.id);
        match find(old, &cloth.id) {
            None => add(path, Class::Structural),
            Some(before) => cloths(&path, before, cloth, &mut add),
        }
    }
    for id in gone(&old.cloths, |cloth| &cloth.id, |id| find(new, id).is_some()) {
        add(format!("cloths.{id}"), Class::Structural);
    }
    strands(old, new, &mut add);
    colliders(old, new, &mut add);
    changes.sort();
    changes
}

/// What the table of fields does not show as a value.
fn cloths(path: &str, before: &Cloth, after: &Cloth, add: &mut impl FnMut(String, Class)) {
    if before.pins != after.pins {
        add(format!("{path}.pins"), Class::Rescale);
    }
    let weights = |cloth: &Cloth| cloth.weights.iter().map(|weight| weight.on.clone()).collect::<Vec<_>>();
    if weights(before) != weights(after) {
        add(format!("{path}.weights"), Class::Rescale);
    }
    let held = |cloth: &Cloth| cloth.handles.iter().map(|handle| handle.pins.clone()).collect::<Vec<_>>();
    if held(before) != held(after) {
        add(format!("{path}.handles"), Class::Rescale);
    }
    if before.tethers.is_some() != after.tethers.is_some() {
        add(format!("{path}.tethers"), Class::Rescale);
    }
    if before.coarse.is_some() != after.coarse.is_some() {
        add(format!("{path}.coarse"), Class::Rescale);
    }
    if before.self_collision.is_some() != after.self_collision.is_some() {
        add(format!("{path}.self_collision"), Class::Rescale);
    }
    if before.balloon.is_some() != after.balloon.is_some() {
        add(format!("{path}.balloon"), Class::Rescale);
    }
    if before.material.tear.is_some() != after.material.tear.is_some() {
        add(format!("{path}.material.tear"), Class::Rescale);
    }
    let other_kind = std::mem::discriminant(&before.shape) != std::mem::discriminant(&after.shape);
    let saved = matches!(
        (&before.shape, &after.shape),
        (Shape::Mesh { surface: a, file: x, .. }, Shape::Mesh { surface: b, file: y, .. }) if x == y && a != b
    );
    if other_kind || saved {
        add(format!("{path}.shape"), Class::Retopology);
    }
}

fn strands(old: &Scene, new: &Scene, add: &mut impl FnMut(String, Class)) {
    for strands in &new.strands {
        let path = format!("strands.{}", strands.id);
        let Some(before) = find_strands(old, &strands.id) else {
            add(path, Class::Structural);
            continue;
        };
        if before.seat != strands.seat {
            add(format!("{path}.seat"), Class::Retopology);
        }
        if before.tip_seat != strands.tip_seat {
            add(format!("{path}.tip_seat"), Class::Retopology);
        }
        if std::mem::discriminant(&before.shape) != std::mem::discriminant(&strands.shape) {
            add(format!("{path}.shape"), Class::Retopology);
        }
        if before.between.is_some() != strands.between.is_some() {
            add(format!("{path}.between"), Class::Rescale);
        }
        if before.self_collision.is_some() != strands.self_collision.is_some() {
            add(format!("{path}.self_collision"), Class::Rescale);
        }
        if before.material.tear.is_some() != strands.material.tear.is_some() {
            add(format!("{path}.material.tear"), Class::Rescale);
        }
        let kind = |strands: &Strands| (std::mem::discriminant(&strands.roots), strands.roots.count());
        let saved = matches!(
            (&before.roots, &strands.roots),
            (Roots::File { locks: a, .. }, Roots::File { locks: b, .. }) if a != b
        );
        if saved || kind(before) != kind(strands) || !same_ground((old, before), (new, strands)) {
            add(format!("{path}.roots"), Class::Retopology);
        }
    }
    for id in gone(&old.strands, |strands| &strands.id, |id| find_strands(new, id).is_some()) {
        add(format!("strands.{id}"), Class::Structural);
    }
}

fn colliders(old: &Scene, new: &Scene, add: &mut impl FnMut(String, Class)) {
    for collider in &new.colliders {
        let path = format!("colliders.{}", collider.id);
        let Some(before) = old.colliders.iter().find(|other| other.id == collider.id) else {
            add(path, Class::Structural);
            continue;
        };
        let saved = matches!(
            (&before.shape, &collider.shape),
            (ColliderShape::Mesh { solid: a, file: x, .. }, ColliderShape::Mesh { solid: b, file: y, .. })
                if x == y && a != b
        );
        if saved || std::mem::discriminant(&before.shape) != std::mem::discriminant(&collider.shape) {
            add(format!("{path}.shape"), Class::Structural);
        }
        if motion_shape(&before.motion) != motion_shape(&collider.motion) {
            add(format!("{path}.motion"), Class::Rescale);
        }
    }
    for before in &old.colliders {
        if !new.colliders.iter().any(|other| other.id == before.id) {
            add(format!("colliders.{}", before.id), Class::Structural);
        }
    }
}

/// Which variant, and how many keys: what the table of fields does not show as a value.
fn motion_shape(motion: &Motion) -> (std::mem::Discriminant<Motion>, usize) {
    let keys = match motion {
        Motion::Path { keys, .. } => keys.len(),
        Motion::Keyframes { keys, .. } => keys.len(),
        Motion::Still | Motion::Oscillate { .. } | Motion::Spin { .. } => 0,
    };
    (std::mem::discriminant(motion), keys)
}

/// What becomes of the cloth or the strands `id` of `new`; `New` as well for an id that is not there.
pub fn fate(old: &Scene, new: &Scene, id: &str) -> Fate {
    let same = match (find(old, id), find(new, id), find_strands(old, id), find_strands(new, id)) {
        (Some(before), Some(after), ..) => same_start(before, after),
        (.., Some(before), Some(after)) => {
            same_growth(before, after)
                && same_ground((old, before), (new, after))
                && same_cloth((old, before), (new, after))
        }
        _ => return Fate::New,
    };
    if same { Fate::Kept } else { Fate::Reset }
}

/// The same particles on the same seat; what they are made of may differ.
fn same_growth(before: &Strands, after: &Strands) -> bool {
    let own = |strands: &Strands| Strands {
        material: Rod::default(),
        between: None,
        self_collision: None,
        look: StrandLook::default(),
        teleport: 0.0,
        ..strands.clone()
    };
    own(before) == own(after)
}

/// On a mesh that is the same as it was, where roots lie on one.
fn same_ground(before: (&Scene, &Strands), after: (&Scene, &Strands)) -> bool {
    let on_mesh = |strands: &Strands| matches!(strands.roots, Roots::Surface { .. });
    let mesh = |(scene, strands): (&Scene, &Strands)| {
        strands.mesh(scene).map(|(solid, scale)| (solid.clone(), scale))
    };
    !on_mesh(after.1) || mesh(before) == mesh(after)
}

/// On a cloth that goes on, where they grow from one.
fn same_cloth(before: (&Scene, &Strands), after: (&Scene, &Strands)) -> bool {
    let cloth = |(scene, strands): (&Scene, &Strands)| strands.cloth(scene).map(|(_, cloth)| cloth.clone());
    match (cloth(before), cloth(after)) {
        (Some(before), Some(after)) => same_start(&before, &after),
        (before, after) => before.is_none() && after.is_none(),
    }
}

/// The same particles start in the same places, but for the size.
fn same_start(before: &Cloth, after: &Cloth) -> bool {
    let bits = |vector: [f32; 3]| vector.map(f32::to_bits);
    let place = |cloth: &Cloth| [cloth.at, cloth.rotation, cloth.velocity, cloth.spin].map(bits);
    place(before) == place(after)
        && match (&before.shape, &after.shape) {
            (Shape::Grid { .. }, Shape::Grid { .. }) => grid(&before.shape) == grid(&after.shape),
            (Shape::Mesh { surface: a, file: x, .. }, Shape::Mesh { surface: b, file: y, .. }) => {
                x == y && a == b
            }
            (Shape::Disc { rings: a, .. }, Shape::Disc { rings: b, .. }) => a == b,
            _ => false,
        }
}

fn grid(shape: &Shape) -> Option<(u32, u32, u32, u32)> {
    match *shape {
        Shape::Grid { columns, rows, gather, folds, .. } => Some((columns, rows, gather.to_bits(), folds)),
        _ => None,
    }
}

/// Cloths and strands of `old` that `new` no longer has, sorted.
pub fn removed<'a>(old: &'a Scene, new: &Scene) -> Vec<&'a str> {
    let there = |id: &str| find(new, id).is_some() || find_strands(new, id).is_some();
    let mut all = gone(&old.cloths, |cloth| &cloth.id, there);
    all.extend(gone(&old.strands, |strands| &strands.id, there));
    all.sort_unstable();
    all
}

/// Ids of a list that are not there any more.
fn gone<T>(old: &[T], id: impl Fn(&T) -> &String, there: impl Fn(&str) -> bool) -> Vec<&str> {
    old.iter().map(|item| id(item).as_str()).filter(|id| !there(id)).collect()
}

fn find_strands<'a>(scene: &'a Scene, id: &str) -> Option<&'a Strands> {
    scene.strands.iter().find(|strands| strands.id == id)
}

fn find<'a>(scene: &'a Scene, id: &str) -> Option<&'a Cloth> {
    scene.cloths.iter().find(|cloth| cloth.id == id)
}

/// Every field as text that is equal only for equal bits; not those of lists whose items have no id.
pub(crate) fn values(scene: &Scene) -> BTreeMap<String, (String, Class)> {
    let mut values = BTreeMap::new();
    visit(&mut Scene { expect: Vec::new(), runs: Vec::new(), ..scene.clone() }, Address::Id, &mut |field| {
        values.insert(field.path, (field.slot.written(), field.row.class));
    });
    values
}
