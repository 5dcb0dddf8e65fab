//! What a scene takes, with what counts where nothing is written: `weft schema`.

use crate::fields::kinds;
use crate::{Address, FieldKind as Kind, parse, visit};

/// A kind of field, and what counts where a scene does not write it.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    pub kind: Kind,
    /// As a scene writes it; `None` where it must be written, or where it stands for a part that need not be there.
    pub default: Option<String>,
}

/// Every kind of field once, in the order of the file.
pub fn described() -> Vec<Described> {
    // What must be written differs between two scenes that write nothing else.
    let [one, other] = ["2", "3"].map(|number| written(&LEAST.replace('#', number)));
    let field = |kind: Kind| {
        let of = |values: &[(String, String)]| {
            values.iter().find(|(path, _)| *path == kind.path).map(|(_, value)| value.clone())
        };
        let default = of(&one).filter(|value| of(&other).as_ref() == Some(value));
        Described { kind, default }
    };
    kinds().into_iter().map(field).collect()
}

/// Scenes that write only what has no default, each number as `#`.
const LEAST: &str = r##"(
    version: 1,
    cloths: [
        (id: "ID", shape: Grid(columns: #, rows: #, width: #, height: #), tethers: (), coarse: (), self_collision: (),
            balloon: (), material: (tear: ()), weights: [(on: [], mass: #)],
            handles: [(pins: [], axis: (#, #, #), seconds: #)]),
        (id: "ID", shape: Mesh(file: "#")),
        (id: "ID", shape: Disc(radius: #, rings: #)),
    ],
    colliders: [
        (id: "ID", shape: Sphere(radius: #), motion: Oscillate(offset: (#, #, #), period: #)),
        (id: "ID", shape: Capsule(radius: #, half_height: #), motion: Spin(axis: (#, #, #), period: #)),
        (id: "ID", shape: Box(half: (#, #, #))),
        (id: "ID", shape: Mesh(file: "#"), motion: Path(keys: [(0, (0, 0, 0))])),
    ],
    strands: [
        (id: "ID", roots: Row(from: (#, #, #), to: (#, #, #), count: #), length: #, shape: Curl(radius: #, pitch: #),
            material: (tear: ()), between: (), self_collision: ()),
        (id: "ID", roots: Cap(axis: (#, #, #), angle: #, count: #), length: #, shape: Arc(angle: #)),
        (id: "ID", roots: File(file: "#"), length: #),
        (id: "ID", roots: Surface(count: #), length: #),
    ],
    runs: [(name: "#")],
    expect: [(reading: "#")],
)"##;

/// The fields of a scene, as it would write them.
fn written(text: &str) -> Vec<(String, String)> {
    let mut values = Vec::new();
    if let Some(mut scene) = parse::parse(text).scene {
        visit(&mut scene, Address::Id, &mut |field| {
            if !values.iter().any(|(path, _)| *path == field.path) {
                values.push((field.path, field.slot.written()));
            }
        });
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_a_scene_that_writes_nothing() {
        let all = described();
        let default = |path: &str| {
            let found = all.iter().find(|field| field.kind.path == path);
            found.unwrap_or_else(|| panic!("{path}")).default.clone()
        };
        assert_eq!(default("gravity").as_deref(), Some("(0.0, -9.81, 0.0)"));
        assert_eq!(
            default("cloths.ID.balloon.pressure"),
            Some(format!("{:?}", crate::Balloon::default().pressure))
        );
        for path in [
            "cloths.ID.shape.columns",
            "cloths.ID.shape.file",
            "colliders.ID.shape.radius",
            "strands.ID.length",
        ] {
            assert_eq!(default(path), None, "{path}");
        }
        let known = all.iter().filter(|field| field.default.is_some()).count();
        assert!(known > 100, "{known} of {}", all.len());
    }
}
