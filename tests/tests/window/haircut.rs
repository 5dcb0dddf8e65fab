//! Hair is cut in the window by hand, and the cut taken back; a head is turned.

use std::fs;

use tests::{
    desktop::Desktop,
    edit_copy::EditCopy,
    left_out,
    picture::Picture,
    process::{poll, poll_doing},
};

use super::desk::is_cloth;

const SCENE: &str = "scenes/haircut/row.ron";
/// A curtain of hair that hangs still beside the panel, in a colour that nothing else has.
const TEXT: &str = r#"(version: 1, air_damping: 2.0, wind: (coefficient: 0.0), solver: (name: "strand_newton", params: {"substeps": 2}),
    strands: [(id: "hair", roots: Row(from: (-0.4, 1.2, 0.0), to: (0.4, 1.2, 0.0), count: 32, direction: (0, -1, 0)),
        length: 0.8, particles: 16, look: (root: (1, 0, 1), tip: (1, 0, 1), children: 12, spread: 0.01, width: 0.004))],
    camera: (target: (-0.6, 0.8, 0.0), distance: 4.0, yaw: 0.0, pitch: 5.0))"#;

/// A tuft on a ball that faces the camera, in no gravity.
const TURNED: &str = r#"(version: 1, gravity: (0, 0, 0), wind: (coefficient: 0.0), solver: (name: "strand_newton"),
    strands: [(id: "tuft", seat: Collider("ball"), roots: Cap(axis: (0, 0, 1), angle: 25, count: 64), length: 0.1, particles: 8,
        look: (root: (1, 0, 1), tip: (1, 0, 1), children: 12, spread: 0.02, width: 0.004))],
    colliders: [(id: "ball", shape: Sphere(radius: 0.4), at: (0, 1, 0), color: (0.4, 0.4, 0.4))],
    camera: (target: (-0.6, 1.0, 0.0), distance: 4.0, yaw: 0.0, pitch: 0.0))"#;

/// Pixels of hair in a row of a picture.
fn in_row(picture: &Picture, row: usize) -> usize {
    picture.pixels[row * picture.width..][..picture.width].iter().filter(|pixel| is_cloth(**pixel)).count()
}

#[test]
fn scissors_cut_hair_and_the_cut_is_taken_back() {
    if left_out("scissors_cut_hair_and_the_cut_is_taken_back", "a virtual display") {
        return;
    }
    let copy = EditCopy::fresh();
    fs::create_dir_all(copy.root.join("scenes/haircut")).expect("a folder");
    copy.write(SCENE, TEXT);
    let mut desktop = Desktop::open(&copy.root, &[SCENE, "--size", "640x400"]);
    let hair = |picture: &Picture| picture.share(is_cloth) > 0.02;
    let whole = poll("hair in the window", || Some(desktop.picture()).filter(hair));
    let rows = (0..whole.height).filter(|row| in_row(&whole, *row) > 20);
    let (top, bottom) = (rows.clone().min().expect("hair"), rows.max().expect("hair"));
    let columns = (0..whole.pixels.len()).filter(|i| is_cloth(whole.pixels[*i])).map(|i| i % whole.width);
    let (left, right) = (columns.clone().min().expect("hair"), columns.max().expect("hair"));
    assert!(bottom > top + 60 && right > left + 60, "{left}..{right}, {top}..{bottom}");
    // The window gets the keyboard with a key that does nothing here. Then across the hair at half its height.
    desktop.key("c");
    let height = usize::midpoint(top, bottom);
    desktop.button("keydown", "x");
    desktop.pointer(left - 6, height);
    desktop.button("mousedown", "1");
    (1..=8).for_each(|step| desktop.pointer(left - 6 + (right - left + 12) * step / 8, height));
    desktop.button("mouseup", "1");
    desktop.button("keyup", "x");
    // Of segments that the way crosses nothing is left, and what is below falls out of the picture.
    let of = |part: std::ops::Range<usize>, picture: &Picture| -> usize {
        part.map(|row| in_row(picture, row)).sum()
    };
    let (upper, lower) = (top..height - 20, height + 20..bottom);
    let [above, below] = [upper.clone(), lower.clone()].map(|part| of(part, &whole));
    let cut = poll("the lower half to fall", || {
        Some(desktop.picture()).filter(|picture| of(lower.clone(), picture) * 20 < below)
    });
    assert!(of(upper.clone(), &cut) * 10 > above * 8, "what is above hangs on");
    desktop.key("ctrl+z");
    desktop.program.wait_for(&["[undo] done; 0 more"]);
    poll("long hair again", || (of(lower.clone(), &desktop.picture()) * 10 > below * 8).then_some(()));
    assert!(of(upper, &desktop.picture()) * 10 > above * 8 && desktop.program.alive());
}

/// `ctrl` and a drag to the right turn what is in front to the right.
#[test]
fn ctrl_and_a_drag_turn_a_head() {
    if left_out("ctrl_and_a_drag_turn_a_head", "a virtual display") {
        return;
    }
    let copy = EditCopy::fresh();
    fs::create_dir_all(copy.root.join("scenes/haircut")).expect("a folder");
    copy.write(SCENE, TURNED);
    let mut desktop = Desktop::open(&copy.root, &[SCENE, "--size", "640x400"]);
    let middle = |picture: &Picture| {
        let columns =
            (0..picture.pixels.len()).filter(|i| is_cloth(picture.pixels[*i])).map(|i| i % picture.width);
        let columns: Vec<usize> = columns.collect();
        (columns.len() > 100).then(|| columns.iter().sum::<usize>() as f64 / columns.len() as f64)
    };
    let before = poll("hair in the window", || middle(&desktop.picture()));
    let (x, y) = (before as usize, desktop.picture().height / 2);
    let turn = || {
        desktop.key("c");
        desktop.button("keydown", "ctrl");
        desktop.pointer(x, y);
        desktop.button("mousedown", "1");
        (1..=6).for_each(|step| desktop.pointer(x + 10 * step, y));
        desktop.button("mouseup", "1");
        desktop.button("keyup", "ctrl");
    };
    let after = poll_doing("the tuft on the right of the ball", turn, || {
        middle(&desktop.picture()).filter(|now| now - before > 8.0)
    });
    assert!(after > before && desktop.program.alive());
}
