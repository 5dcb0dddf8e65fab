//! The GPU path in the real window, on the software adapter: a picture, the switch, live passes.

use std::fs;

use tests::{desktop::Desktop, edit_copy::EditCopy, left_out, picture::Picture, process::poll};

const FORCES: &str = "shaders/sim/lib/forces.wgsl";
const PASSES: &str = "shaders/sim/passes.ron";

/// A cloth that hangs beside the panel, in a colour that nothing else has.
const STILL: &str = r#"(version: 1, air_damping: 2.0, wind: (coefficient: 0.0),
    cloths: [(id: "a", at: (0.0, 1.0, 0.0), shape: Grid(columns: 15, rows: 15, width: 0.9, height: 0.9),
        pins: [Edge(Top)], look: (front: (1.0, 0.0, 1.0), back: (1.0, 0.0, 1.0)))],
    camera: (target: (-0.6, 0.8, 0.0), distance: 4.0, yaw: 0.0, pitch: 5.0))"#;

/// A sheet that falls from level, with a run on the device beside it.
const FALLS: &str = r#"(version: 1, air_damping: 1.0, wind: (coefficient: 0.0),
    solver: (name: "xpbd", params: {"substeps": 8}), runs: [(name: "xpbd", path: Gpu), (name: "baraff_witkin", path: Gpu)],
    cloths: [(id: "a", at: (0.0, 1.5, 0.4), rotation: (-90.0, 0.0, 0.0),
        shape: Grid(columns: 15, rows: 15, width: 0.9, height: 0.9), pins: [Corner(TopLeft), Corner(TopRight)],
        look: (front: (1.0, 0.0, 1.0), back: (1.0, 0.0, 1.0)))],
    // So low that labels do not cover it.
    camera: (target: (0.0, 1.25, 0.2), distance: 3.5, yaw: 20.0, pitch: 25.0))"#;

fn open(test: &str, link: &str) -> Option<(EditCopy, Desktop)> {
    if left_out(test, "a virtual display") {
        return None;
    }
    let copy = EditCopy::fresh();
    fs::create_dir_all(copy.root.join("scenes/still")).unwrap();
    copy.write("scenes/still/still.ron", STILL);
    let arguments = [
        "scenes/still/still.ron",
        "--size",
        "800x600",
        "--path",
        "gpu",
        "--adapter",
        "llvmpipe",
        "--link",
        link,
    ];
    let desktop = Desktop::open(&copy.root, &arguments);
    Some((copy, desktop))
}

/// Rows of the cloth's pixels from the top, once there are enough of them.
fn rows(picture: &Picture) -> Option<Vec<usize>> {
    let is_cloth = |[r, g, b]: [u8; 3]| r.min(b) > g.saturating_add(40);
    let rows: Vec<usize> = (picture.pixels.iter().enumerate())
        .filter(|(_, pixel)| is_cloth(**pixel))
        .map(|(i, _)| i / picture.width)
        .collect();
    (rows.len() as f64 > 0.02 * picture.pixels.len() as f64).then_some(rows)
}

/// Mean height of the cloth's pixels.
fn cloth(picture: &Picture) -> Option<f64> {
    rows(picture).map(|rows| rows.iter().sum::<usize>() as f64 / rows.len() as f64)
}

/// Its lower edge: what is to be mended may cover the upper one.
fn lower_edge(picture: &Picture) -> Option<f64> {
    rows(picture).map(|rows| rows[rows.len() * 19 / 20] as f64)
}

#[test]
fn the_window_runs_the_gpu_path_and_its_passes_are_live() {
    passes_are_live("the_window_runs_the_gpu_path_and_its_passes_are_live", "readback");
}

#[test]
fn passes_are_live_on_the_context_of_the_window_as_well() {
    passes_are_live("passes_are_live_on_the_context_of_the_window_as_well", "in-context");
}

fn passes_are_live(test: &str, link: &str) {
    let Some((copy, mut desktop)) = open(test, link) else { return };
    let goes_on = format!("goes on with the passes xpbd_coloured, link {link}");
    desktop.program.wait_for(&["[gpu] llvmpipe", &goes_on]);
    let hangs = poll("cloth in the window", || lower_edge(&desktop.picture()));
    desktop.key("g");
    desktop.program.wait_for(&["[gpu] the CPU goes on"]);
    desktop.key("g");
    desktop.program.wait_for(&["[gpu] llvmpipe", "goes on with the passes xpbd_coloured"]);
    // A solver that has no passes, and back.
    desktop.key("Tab");
    desktop
        .program
        .wait_for(&["[gpu] the solver pbd_gauss_seidel is not offered on the GPU path", "the CPU goes on"]);
    copy.edit("scenes/still/still.ron", "version: 1,", "version: 1, solver: (name: \"baraff_witkin\"),");
    desktop.program.wait_for(&["[scene]", "solver"]);
    copy.edit("scenes/still/still.ron", "\"baraff_witkin\"", "\"xpbd\"");
    desktop.program.wait_for(&["[gpu] llvmpipe", "goes on with the passes xpbd_coloured"]);

    let before = copy.edit(FORCES, "gravity * h", "gravity * hh");
    let line = before.split("gravity * h").next().unwrap().matches('\n').count() + 1;
    desktop.program.wait_for(&[
        &format!("[pass] shaders/sim/lib/forces.wgsl:{line}:"),
        "`hh` (the last good passes go on)",
    ]);
    poll("the cloth to hang still", || {
        lower_edge(&desktop.picture()).filter(|now| (now - hangs).abs() < 9.0)
    });
    copy.write(FORCES, "");
    copy.write(FORCES, &before.replacen("gravity * h", "vec3f(0.0, -7.0, -7.0) * h", 1));
    desktop.program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl computes: 1 pass(es)"]);
    desktop.program.wait_for(&[
        "[parity] GPU and CPU are",
        "rest lengths apart after 20 substeps",
        "the twins differ",
    ]);
    poll("the cloth to swing up", || lower_edge(&desktop.picture()).filter(|now| *now < hangs - 8.0));
    copy.write(FORCES, &before);
    desktop.program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl computes: 1 pass(es)"]);
    let line = desktop.program.wait_for(&["[parity] GPU and CPU are"]);
    assert!(!line.contains("differ"), "{line}");

    // A pass more: a file, and a line of the list.
    copy.write("shaders/sim/step/still.wgsl", PASS);
    desktop.program.wait_for(&["[pass] shaders/sim/step/still.wgsl is not used by the passes xpbd_coloured"]);
    let list = copy.read(PASSES);
    let (head, tail) = list.split_once("name: \"xpbd_coloured\"").unwrap();
    let tail = tail.replacen(
        "Pass(file: \"xpbd/force\"",
        "Pass(file: \"step/still\", over: \"particle\"), Pass(file: \"xpbd/force\"",
        1,
    );
    copy.write(PASSES, &format!("{head}name: \"xpbd_coloured\"{tail}"));
    desktop.program.wait_for(&["[pass] shaders/sim/passes.ron computes:"]);
    copy.edit("shaders/sim/step/still.wgsl", "* 0.9", "* sqrt(-frame.dt)");
    desktop.program.wait_for(&["[pass] shaders/sim/step/still.wgsl computes: 1 pass(es)"]);
    desktop
        .program
        .wait_for(&["[step] solver xpbd (passes xpbd_coloured) made particle.velocity of particle 0 NaN"]);
    copy.edit("shaders/sim/step/still.wgsl", "* sqrt(-frame.dt)", "* 0.9");
    desktop.program.wait_for(&["[pass] shaders/sim/step/still.wgsl computes: 1 pass(es)"]);
    copy.write(PASSES, "(lists: [])");
    desktop.program.wait_for(&["[pass] shaders/sim/passes.ron:1:", "(the last good passes go on)"]);
    copy.write(PASSES, &list);
    desktop.program.wait_for(&["[pass] shaders/sim/passes.ron computes:"]);
    poll("the cloth to hang again", || cloth(&desktop.picture()));
    assert!(desktop.program.alive());
}

const PASS: &str = "// Takes speed away.
@rows(64)
fn main(i: u32) {
    particle_velocity[i] = particle_velocity[i] * 0.9;
}
";

#[test]
fn runs_of_both_paths_move_side_by_side() {
    both_move("runs_of_both_paths_move_side_by_side", "readback");
}

#[test]
fn runs_of_both_paths_move_on_the_context_of_the_window_as_well() {
    both_move("runs_of_both_paths_move_on_the_context_of_the_window_as_well", "in-context");
}

fn both_move(test: &str, link: &str) {
    if left_out(test, "a virtual display") {
        return;
    }
    let copy = EditCopy::fresh();
    fs::create_dir_all(copy.root.join("scenes/still")).unwrap();
    copy.write("scenes/still/falls.ron", FALLS);
    let arguments = ["scenes/still/falls.ron", "--size", "780x400", "--adapter", "llvmpipe", "--link", link];
    let mut desktop = Desktop::open(&copy.root, &arguments);
    let goes_on = format!("with the passes xpbd_coloured, link {link}");
    desktop.program.wait_for(&["[gpu] xpbd beside goes on on llvmpipe", &goes_on]);
    desktop
        .program
        .wait_for(&["[gpu] baraff_witkin beside stands still: the solver baraff_witkin is not offered"]);
    // They fell while it was waited for.
    desktop.key("space");
    desktop.key("r");
    // Without panels: a third of the window for each. Last of the keys: until all are obeyed, panels cover the first third.
    desktop.key("u");
    let thirds = |picture: &Picture| -> Option<[f64; 3]> {
        let third = picture.width / 3;
        let heights =
            [0, 1, 2].map(|i| cloth(&picture.part(i * third + 2..(i + 1) * third - 2, 0..picture.height)));
        Some([heights[0]?, heights[1]?, heights[2]?])
    };
    let begin = poll("all to be as they began, in three pictures", || {
        thirds(&desktop.picture()).filter(|now| now.iter().all(|height| (height - now[2]).abs() < 1.0))
    });
    desktop.key("space");
    poll("both to fall alike, and the third to stand still", || {
        let now = thirds(&desktop.picture())?;
        let moved =
            now[0] - begin[0] > 8.0 && (now[0] - now[1]).abs() < 3.0 && (now[2] - begin[2]).abs() < 1.0;
        moved.then_some(now)
    });
    // Its passes are live.
    let before = copy.edit(FORCES, "gravity * h", "gravity * hh");
    desktop.program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl:", "`hh` (the last good passes go on)"]);
    // From the start again: while a slow machine compiles, cloth falls out of the picture.
    desktop.key("space");
    desktop.key("r");
    copy.write(FORCES, &before.replacen("gravity * h", "-gravity * h", 1));
    desktop.program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl computes xpbd beside: 1 pass(es)"]);
    desktop.key("space");
    let mut looks = 0;
    poll("the run on the device to rise alone", || {
        let now = thirds(&desktop.picture());
        if looks % 100 == 0 {
            println!("heights {now:?}, at first {begin:?}");
        }
        looks += 1;
        now.filter(|now| now[1] < now[0] - 8.0 && now[0] > begin[0] + 8.0)
    });
    assert!(desktop.program.alive());
}

#[cfg(unix)]
#[test]
fn a_pass_that_hangs_gives_way_to_the_built_in_one() {
    gives_way("a_pass_that_hangs_gives_way_to_the_built_in_one", "readback");
}

#[cfg(unix)]
#[test]
fn a_pass_that_hangs_on_the_context_of_the_window_gives_way_as_well() {
    gives_way("a_pass_that_hangs_on_the_context_of_the_window_gives_way_as_well", "in-context");
}

#[cfg(unix)]
fn gives_way(test: &str, link: &str) {
    let Some((copy, mut desktop)) = open(test, link) else { return };
    desktop.program.wait_for(&["[gpu] llvmpipe"]);
    poll("cloth in the window", || cloth(&desktop.picture()));
    let saved = copy.root.join(format!("target/hot/autosave/{}.weft", desktop.program.id()));
    poll("an autosave", || saved.exists().then_some(()));
    let (text, process) = (copy.read(FORCES), desktop.program.id());
    // A software driver ends a loop after 65,535 turns: each of them has to take its time.
    let slow = "stuck = fract(sin(stuck * 9.7) * pow(stuck + 1.1, 1.3) + h);".repeat(150);
    let hang = format!(
        "var stuck = 0.5; for (var k = 0; k < 60000; k++) {{ {slow} }} return Push((gravity + stuck * 1e-9) * h"
    );
    copy.write(FORCES, &text.replacen("return Push(gravity * h", &hang, 1));
    desktop.program.wait_for(&[
        "[rescue] restarted after no frame of the GPU path in time with the new pass shaders/sim/lib/forces.wgsl",
        "the built-in one computes",
    ]);
    desktop.program.wait_for(&["[gpu] llvmpipe", "goes on with the passes xpbd_coloured"]);
    desktop.find_again();
    poll("cloth in the window", || cloth(&desktop.picture()));
    assert!(desktop.program.alive() && desktop.program.id() == process);
    copy.write(FORCES, &text.replacen("gravity * h", "gravity * (1.0 * h)", 1));
    desktop.program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl computes"]);
}
