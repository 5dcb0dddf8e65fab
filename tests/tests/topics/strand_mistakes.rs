//! What is wrong with strands in a scene, said where it stands, with what to do.

use tests::places;
use weft_scene::{Diagnostic, Vocabulary, parse_text};

/// Of a scene that opens.
fn notes_of(text: &str) -> String {
    let loaded = parse_text("hair.ron", text, None, &Vocabulary::default());
    loaded.unwrap_or_else(|e| panic!("{e}")).notes.join("\n")
}

#[test]
fn mistakes_are_told_at_their_place() {
    let told = |strands: &str, wanted: &str, help: &str| {
        let text = format!(
            "(version: 1,\n  strands: [(id: \"hair\", length: 0.2,\n    {strands})],\n  \
             colliders: [(id: \"head\", shape: Sphere(radius: 0.1)), (id: \"floor\", shape: Plane),
                 (id: \"ball\", shape: Sphere(radius: 0.1), at: (9, 0, 0), mass: 0.2)])"
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
    told(
        &format!("seat: Cloth(\"haed\"), {roots}"),
        "there is no cloth \"haed\"",
        "did you mean the collider \"head\"? `seat: Collider(\"head\")`",
    );
    told(
        &format!("seat: Cloth(\"head\"), {roots}"),
        "there is no cloth \"head\"",
        "it is a collider: `seat: Collider(\"head\")`",
    );
    // And nothing that follows from it.
    for kind in ["Collider", "Cloth"] {
        let text =
            format!("(version: 1, strands: [(id: \"hair\", length: 0.2, seat: {kind}(\"haed\"), {roots})])");
        let errors = parse_text("bad.ron", &text, None, &Vocabulary::default()).expect_err("no such seat");
        assert_eq!(errors.list.len(), 1, "{errors}");
    }
    told(
        "roots: Row(from: (0, 1, 0), to: (1, 1, 0), count: 1000000)",
        "too many particles",
        "a smaller `count`",
    );
    told(&format!("seat: Collider(\"floor\"), {roots}"), "the seat is not one", "Sphere");
    told(roots, "the seat is not one", "seat: Collider");
    // What a body with a mass does not feel; `mounts.rs` has the rest.
    let points = "roots: Points(at: [(9, 0.1, 0)])";
    told(
        &format!("{points}, tip: Clamped, tip_seat: Collider(\"ball\")"),
        "\"ball\" has a mass",
        "leave `mass` out at \"ball\"",
    );
    let free = format!(
        "(version: 1, strands: [(id: \"hair\", length: 0.2, seat: Collider(\"ball\"), root: Free, {points})],
          colliders: [(id: \"ball\", shape: Sphere(radius: 0.1), at: (9, 0, 0), mass: 0.2)])"
    );
    notes_of(&free);
    told("roots: Points(at: [])", "there is no root", "at: [(0, 2, 0)]");
    told("roots: Points(at: [(0, 0, 0)], direction: (0, 0, 0))", "no direction", "any length above zero");
    let head = "seat: Collider(\"head\")";
    told(
        &format!("{head}, roots: Cap(axis: (0, 1, 0), angle: 90, count: 0)"),
        "`count` is 0",
        "number of strands",
    );
    told(&format!("{head}, {roots}, particles: 2"), "`particles` is 2", "");
    told(
        &format!("{head}, {roots}, length_spread: 0.5, material: (radius: (0.1, 0.1))"),
        "they are no rods",
        "a smaller radius",
    );
    told(
        &format!("{head}, {roots}, material: (radius: (1e-5, 1e-3))"),
        "strands are 100 times as thick at their tips as at their roots",
        "at most 30 times",
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
    told(
        "roots: Points(at: [(0, 1, 0)]), root: Free, closed: true, particles: 32, twist: 6000",
        "turns each joint by 188 degrees",
        "`twist` up to 2880, or 67 `particles`",
    );
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

/// A radius that cannot be meant is told at the radius, not at the list; one that is as thick as segments are long is allowed.
#[test]
fn a_radius_is_told_where_it_stands() {
    let parse = |radius: &str| {
        let text = format!(
            "(version: 1,\n strands: [(id: \"hair\", length: 0.1,\n  roots: Points(at: [(0, 1, 0)]),\n  material: (\n   young: 1e7,\n   radius: ({radius}, 1e-4)))])"
        );
        parse_text("rods.ron", &text, None, &Vocabulary::default())
    };
    for (radius, says) in [("0.06", "they are no rods"), ("5", "`radius.x` is 5 m"), ("0", "`radius.x` is 0")]
    {
        let errors = parse(radius).expect_err(radius).list;
        let [error] = &errors[..] else { panic!("{radius}: {errors:?}") };
        assert!(error.message.contains(says) && error.line == 6, "{radius}: {error:?}");
    }
    let thick = parse("0.004").expect("it runs").notes.join("\n");
    assert!(thick.contains("segments are 3.33e-3 m long and up to 8.00e-3 m thick"), "{thick}");
    assert!(!parse("0.001").expect("it runs").notes.join("\n").contains("thick"));
}

/// Follow the leader takes each particle to be as heavy as the next one; whoever hangs a weight on a tip is told.
#[test]
fn a_weight_that_does_nothing_is_noted() {
    let notes = |solver: &str, weight: &str| {
        let text = format!(
            "(version: 1, {solver}, strands: [(id: \"rope\", length: 0.3, roots: Points(at: [(0, 1, 0)]), material: ({weight}))])"
        );
        notes_of(&text)
    };
    let led = "solver: (name: \"follow_the_leader\")";
    let told = notes(led, "tip_mass: 0.01");
    assert!(told.contains("strands.rope") && told.contains("`tip_mass` does nothing there"), "{told}");
    let beside = notes("solver: (name: \"xpbd\"), runs: [(name: \"follow_the_leader\")]", "tip_mass: 0.01");
    assert_eq!(beside, told);
    assert!(!notes("solver: (name: \"strand_newton\")", "tip_mass: 0.01").contains("tip_mass"));
    assert!(!notes(led, "damping: 0").contains("tip_mass"));
    let held =
        notes("solver: (name: \"strand_newton\")", "tip_mass: 0.01), tip: Pinned, look: (width: 0.001");
    assert!(held.contains("tips are held, so that `tip_mass` moves nothing"), "{held}");
}

/// Roots in a collider are counted and said, but for the one that they grow from.
#[test]
fn roots_in_a_collider_are_noted() {
    let notes = |strands: &str| {
        let text = format!(
            "(version: 1, colliders: [(id: \"ball\", shape: Sphere(radius: 0.3), at: (5, 1, 0)),
                                      (id: \"head\", shape: Sphere(radius: 0.1), at: (0, 1, 0))],
              strands: [(id: \"hair\", length: 0.2, {strands})])"
        );
        notes_of(&text)
    };
    let row = "roots: Row(from: (4, 1, 0), to: (6, 1, 0), count: 11)";
    let told = notes(row);
    let wanted = "strands.hair: 3 of 11 roots are inside colliders.ball at the start, the deepest 0.300 m deep at (5.000, 1.000, 0.000)";
    assert!(told.contains(wanted) && told.contains("move the roots or the collider"), "{told}");
    assert!(notes(&format!("root: Free, {row}")).contains("pushed out at once"));
    // In the frame of the seat, which they may lie in.
    let seat = "seat: Collider(\"head\")";
    let out = "direction: (0, 1, 0)";
    assert_eq!(notes(&format!("{seat}, roots: Points(at: [(0, 0.095, 0)], {out})")), "");
    let away = notes(&format!("{seat}, roots: Points(at: [(0, 0.1, 0), (5, 0.1, 0)], {out})"));
    assert!(
        away.contains("1 of 2 roots are inside colliders.ball") && away.contains("0.200 m deep"),
        "{away}"
    );
    // And their seat as well, where what is free starts in it.
    let sunk = notes(&format!("{seat}, roots: Points(at: [(0, 0.05, 0), (0.2, 0, 0), (0, 0.09, 0)])"));
    let wanted = "strands.hair: 2 of 3 start inside colliders.head, which they grow from: their first free particle is up to 0.057 m deep";
    assert!(sunk.contains(wanted) && sunk.contains("another direction"), "{sunk}");
}

/// What a collider keeps particles off is more than the first segment of what is pinned to it; and ends that a script takes too far apart.
#[test]
fn what_stretches_strands_is_noted() {
    let notes = |text: &str| notes_of(&format!("(version: 1, {text})"));
    let short = |thickness: &str, root: &str| {
        notes(&format!(
            "colliders: [(id: \"head\", shape: Sphere(radius: 0.1), {thickness})], strands: [(id: \"hair\", seat: Collider(\"head\"), \
             roots: Cap(axis: (0, 1, 0), angle: 60, count: 4), length: 0.05, particles: 32, root: {root}, material: (preset: \"hair\"))]"
        ))
    };
    let told = short("", "Pinned");
    assert!(
        told.contains("strands.hair: segments of 1.61e-3 m, and head keeps particles 4.00e-3 m off"),
        "{told}"
    );
    assert_eq!(short("thickness: 0.001", "Pinned"), "");
    // A clamped one begins there (`strand_surface.rs`).
    assert_eq!(short("", "Clamped"), "");
    let held = |offset: f32, tip: &str| {
        notes(&format!(
            "colliders: [(id: \"b\", shape: Sphere(radius: 0.05), at: (0.2, 1, 0), motion: Oscillate(offset: (0, {offset:?}, 0), period: 3))], \
             strands: [(id: \"rope\", roots: Points(at: [(0, 1, 0), (0.05, 1, 0)], direction: (1, 0, 0)), length: 0.3, root: Pinned, {tip})]"
        ))
    };
    let tip = "tip: Pinned, tip_seat: Collider(\"b\")";
    // The second starts with its tip beside the ball: how far the motion takes both is the same.
    let told = held(0.4, tip);
    assert!(
        told.contains(
            "what holds the ends of strand 1 takes them 0.50 m apart at 1.5 s, and it is 0.30 m long"
        ),
        "{told}"
    );
    let deep = notes(
        "colliders: [(id: \"b\", shape: Sphere(radius: 0.05), at: (0.3, 1, 0))], strands: [(id: \"rope\", length: 0.3, root: Pinned, \
         tip: Pinned, tip_seat: Collider(\"b\"), roots: Points(at: [(0, 1, 0), (0, 2, 0)], direction: (1, 0, 0)))]",
    );
    let wanted = "strands.rope: 1 of 2 start inside colliders.b, which holds their tips: their last free particle is up to 0.040 m deep";
    assert!(deep.contains(wanted), "{deep}");
    assert_eq!(held(0.4, "tip: Free"), "");
    assert_eq!(held(0.0, tip), "");
}
