//! A walk through a window as somebody takes it: a scene that lists a run, a step by thread, a cut and its past.

use std::{fs, process::Command};

use tests::{
    desktop::Desktop,
    edit_copy::EditCopy,
    left_out,
    picture::Picture,
    places,
    process::{PATIENCE, poll},
};

use super::desk::is_cloth;

const SCENE: &str = "scenes/walk/walk.ron";
/// A cloth that hangs still, in a colour that nothing else has.
const TEXT: &str = r#"(version: 1, air_damping: 2.0, wind: (coefficient: 0.0), runs: [RUNS],
    cloths: [(id: "a", at: (0.0, 1.0, 0.0), shape: Grid(columns: 31, rows: 31, width: 0.9, height: 0.9),
        pins: [Edge(Top)], look: (front: (1.0, 0.0, 1.0), back: (1.0, 0.0, 1.0)))],
    camera: (target: (0.0, 0.6, 0.0), distance: 3.0, yaw: 0.0, pitch: 5.0))"#;
/// Of the panel [pixels].
const PANEL: usize = 320;

/// A bar of a flame graph.
pub(super) fn is_bar([r, g, b]: [u8; 3]) -> bool {
    r > 200 && (120..=245).contains(&g) && (60..=190).contains(&b) && b + 20 < g
}

fn pixels(picture: &Picture) -> usize {
    picture.pixels.iter().filter(|pixel| is_cloth(**pixel)).count()
}

#[test]
fn a_list_of_runs_a_step_by_thread_and_a_cut_with_its_past() {
    if left_out("a_list_of_runs_a_step_by_thread_and_a_cut_with_its_past", "a virtual display") {
        return;
    }
    let copy = EditCopy::fresh();
    fs::create_dir_all(copy.root.join("scenes/walk")).expect("a folder");
    copy.write(SCENE, &TEXT.replace("RUNS", r#"(name: "vbd")"#));
    let folder = places::temporary("walk");
    let layout =
        r#"{ "layout": { "tiles": { "row": [[300, { "tabs": ["step", "run"] }], [480, "picture"]] } } }"#;
    fs::write(folder.join("window.json"), layout).expect("a file");
    let mut command = Command::new(places::weft());
    command.args([SCENE, "--size", "780x560", "--threads", "2"]).current_dir(&copy.root);
    command.env("WEFT_CONFIG", &folder);
    let mut desktop = Desktop::start(command);

    // The list is what it opens with: two pictures beside the panel.
    let in_halves = |picture: &Picture| {
        let middle = usize::midpoint(PANEL, picture.width);
        let cloth =
            |columns: std::ops::Range<usize>| picture.part(columns, 0..picture.height).share(is_cloth) > 0.02;
        cloth(PANEL..middle - 2) && cloth(middle + 2..picture.width)
    };
    poll("cloth in both pictures", || in_halves(&desktop.picture()).then_some(()));
    poll("bars of both threads in the panel", || {
        (desktop.picture().part(20..PANEL, 0..560).share(is_bar) > 0.01).then_some(())
    });
    // A save that ends the list ends the run; one that is wrong is told where.
    copy.write(SCENE, &TEXT.replace("RUNS", r#"(name: "vbdd")"#));
    desktop.program.wait_for(&["[scene] ", "walk.ron:1:72: there is no solver \"vbdd\""]);
    copy.write(SCENE, &TEXT.replace("RUNS", ""));
    desktop.program.wait_for(&["[scene] 1 change(s): runs"]);
    let whole = poll("one picture", || {
        let picture = desktop.picture();
        (!in_halves(&picture) || pixels(&picture) > 0).then_some(())?;
        let middle = usize::midpoint(PANEL, picture.width);
        picture.part(middle - 1..middle + 1, 0..picture.height).share(is_cloth).gt(&0.1).then_some(picture)
    });

    // A cut, which is taken back; then one more, and step by step to before it.
    let cut = |desktop: &Desktop| {
        let cloth = (0..whole.pixels.len()).filter(|i| is_cloth(whole.pixels[*i]));
        let (columns, rows): (Vec<usize>, Vec<usize>) =
            cloth.map(|i| (i % whole.width, i / whole.width)).unzip();
        let (left, right) = (*columns.iter().min().expect("cloth"), *columns.iter().max().expect("cloth"));
        let height = rows.iter().sum::<usize>() / rows.len();
        desktop.button("keydown", "x");
        desktop.pointer(left - 4, height);
        desktop.button("mousedown", "1");
        (0..=8).for_each(|step| desktop.pointer(left - 4 + (right - left + 8) * step / 8, height));
        desktop.button("mouseup", "1");
        desktop.button("keyup", "x");
    };
    let part = |desktop: &Desktop, tenths: usize| pixels(&desktop.picture()) * 10 < pixels(&whole) * tenths;
    desktop.key("c");
    cut(&desktop);
    poll("the lower half to fall", || part(&desktop, 7).then_some(()));
    desktop.key("ctrl+z");
    desktop.program.wait_for(&["[undo] done; 0 more"]);
    poll("the whole cloth", || (!part(&desktop, 9)).then_some(()));
    cut(&desktop);
    poll("the lower half to fall again", || part(&desktop, 7).then_some(()));
    desktop.key("space");
    poll("the whole cloth, frame by frame", || {
        desktop.key("comma");
        (!part(&desktop, 9)).then_some(())
    });
    assert!(desktop.program.alive());
    desktop.close();
    assert!(desktop.program.end(PATIENCE).success());
    let said = desktop.program.seen();
    assert!(!said.iter().any(|line| line.contains("is not kept")), "{said:?}");
}
