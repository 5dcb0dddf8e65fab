//! The list of keys.

use egui::Context;

const KEYS: [(&str, &str); 23] = [
    ("left drag", "grab cloth, hair or a collider"),
    ("x and left drag", "cut the cloth"),
    ("right drag", "turn the camera"),
    ("middle drag, W A S D Q E", "move the camera"),
    ("wheel", "closer, farther"),
    ("arrows, j, k", "move the colliders with `keys: true`: level, up, down"),
    ("c, home", "the camera back to where the scene has it"),
    ("space", "pause"),
    (". ,", "one step, one step back"),
    ("time line", "to any kept frame; what came after it goes when the cloth runs on"),
    ("l", "loop over the last frames, or from the past frame that is shown"),
    ("b", "before / after: the code that ran before beside the present one"),
    ("r", "reset the scene"),
    ("g", "the GPU path, or back to the CPU, on the same state"),
    ("1 to 9", "scenes of this folder"),
    ("tab", "next solver, on the same state"),
    ("v", "view: texture, acceleration, stress"),
    ("t", "record frame timings; `weft report FILE` shows them"),
    ("F5", "build the whole program and go on as that, with the state: for a changed sim_api"),
    ("h", "this list"),
    ("save sim-dylib/src/*.rs", "new solver code runs"),
    ("save shaders/draw/*.wgsl", "new shader draws"),
    ("save the scene's .ron", "new values, state kept"),
];

pub(super) fn show(context: &Context, open: &mut bool) {
    egui::Window::new("keys").open(open).resizable(false).show(context, |ui| {
        egui::Grid::new("keys").striped(true).spacing([24.0, 4.0]).show(ui, |ui| {
            for (key, what) in KEYS {
                ui.monospace(key);
                ui.label(what);
                ui.end_row();
            }
        });
    });
}
