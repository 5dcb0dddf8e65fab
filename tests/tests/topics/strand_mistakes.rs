//! What is wrong with strands in a scene, said where it stands, with what to do.

use tests::places;
use weft_scene::{Diagnostic, Vocabulary, parse_text};

#[test]
fn mistakes_are_told_at_their_place() {
    let told = |strands: &str, wanted: &str, help: &str| {
        let text = format!(
            "(version: 1,\n  strands: [(id: \"hair\", length: 0.2,\n    {strands})],\n  \
             colliders: [(id: \"head\", shape: Sphere(radius: 0.1)), (id: \"floor\", shape: Plane)])"
        );
        let errors = parse_text("bad.ron", &text, None, &Vocabulary::default()).expect_err(wanted);
        let found = |error: &Diagnostic| {
            error.message.contains(wanted)
                && error.help.as_deref().unwrap_or("").contains(help)
                && [2, 3].contains(&error.line)
        };
        assert!(errors.list.iter().any(found), "{strands}: {errors}");
    };
    let roots = "roots: Cap(axis: (0, 1, 0), angle: 90, count: 10)";
    told(
        &format!("seat: Collider(\"haed\"), {roots}"),
        "there is no collider \"haed\"",
        "did you mean \"head\"?",
    );
    told(&format!("seat: Collider(\"floor\"), {roots}"), "the seat is not one", "Sphere");
    told(roots, "the seat is not one", "seat: Collider");
    told("roots: Points(at: [])", "there is no root", "at: [(0, 2, 0)]");
    told("roots: Points(at: [(0, 0, 0)], direction: (0, 0, 0))", "no direction", "any length above zero");
    let head = "seat: Collider(\"head\")";
    told(
        &format!("{head}, roots: Cap(axis: (0, 1, 0), angle: 90, count: 0)"),
        "`count` is 0",
        "number of strands",
    );
    told(&format!("{head}, {roots}, particles: 3"), "`particles` is 3", "");
    told(
        &format!("{head}, {roots}, material: (radius: (0.01, 0.01))"),
        "they are no rods",
        "fewer particles",
    );
    told(&format!("{head}, {roots}, material: (young: 0)"), "`young` is 0", "");
    told(&format!("{head}, {roots}, material: (tip_mass: -0.1)"), "`tip_mass` is -0.1 kg", "hangs");
    told(
        &format!("{head}, {roots}, particles: 6, shape: Arc(angle: 720)"),
        "the arc turns by 144 degrees at each particle",
        "more particles",
    );
    told(
        &format!("{head}, {roots}, shape: Curly(radius: 1)"),
        "unknown name `Curly`",
        "did you mean `Curl`?",
    );
    told(&format!("{head}, {roots}, material: (densty: 1)"), "unknown field `densty`", "density");
    told(
        &format!("{head}, {roots}, particles: 1000, look: (childen: 3)"),
        "unknown field `childen`",
        "children",
    );
    let ring = "closed: true, roots: Points(at: [(0, 1, 0)])";
    told(ring, "a ring has no end that could be clamped", "root: Free");
    let ring = &format!("{ring}, root: Free");
    told(&format!("{ring}, particles: 2"), "`particles` is 2", "");
    told(&format!("{ring}, shape: Curl(radius: 0.01, pitch: 0.1)"), "a ring is no curl", "Arc(angle: 360)");
    told(&format!("{head}, closed: true, root: Free, {roots}"), "places that are given", "Points");
    told(&format!("{ring}, material: (radius: (1e-4, 2e-4))"), "as thick at its end", "the same radius");
    told(&format!("{ring}, material: (tip_mass: 0.1)"), "a ring has no tip", "leave");
    told(&format!("{ring}, material: (sag_free: 1)"), "no root from which", "leave");
    told("roots: Points(at: [(0, 1, 0)]), twist: 90", "only what is closed keeps its twist", "closed: true");
    let points = "roots: Points(at: [(0, 1, 0)])";
    told(&format!("{points}, root: Free, tip: Clamped"), "held at its root", "root: Clamped");
    told(
        &format!("{points}, tip: Clamped, tip_seat: Collider(\"haed\")"),
        "no collider \"haed\"",
        "\"head\"?",
    );
    told(
        &format!("{points}, tip: Pinned, tip_seat: Cloth(\"a\")"),
        "a cloth holds roots, no tips",
        "tip_seat: Collider",
    );
    told(
        &format!("{points}, tip: Pinned, material: (sag_free: 1)"),
        "held at both ends",
        "leave `sag_free` out",
    );
    told(&format!("{ring}, tip: Pinned"), "a ring has no tip", "leave `tip` out");
    let many = "roots: Row(from: (0, 0, 0), to: (1, 0, 0), count: 1000000)";
    told(many, "too many particles: 32000000", "1000000 strands times 32 particles");
    let empty =
        parse_text("bad.ron", "(version: 1)", None, &Vocabulary::default()).expect_err("nothing to move");
    assert!(empty.to_string().contains("at least one cloth, or strands"), "{empty}");
    // What cannot be read is not missing as well.
    let nan = "(version: 1, strands: [(id: \"a\", length: nan, roots: Points(at: [(0, 1, 0)]))])";
    let nan = parse_text("bad.ron", nan, None, &Vocabulary::default()).expect_err("no length");
    assert!(!nan.to_string().contains("at least one cloth"), "{nan}");
    assert!(places::scene("head_turn.ron").exists());
}
