//! The list of keys.

use egui::{Context, Rect, RichText};

const KEYS: [(&str, &str); 34] = [
    ("left drag", "grab cloth, hair or a collider"),
    ("ctrl and left drag", "turn a collider about its own place, such as a head"),
    ("x and left drag", "cut cloth and hair along the way"),
    ("shift and left click", "pin a particle of cloth where it is, or let it go"),
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
    ("n", "another solver beside the present one, on the same state; the panel has its path"),
    ("ctrl z, ctrl shift z", "undo and redo what was turned in the panel"),
    ("i", "the particle under the pointer: its columns and constraints"),
    ("r", "reset the scene"),
    ("g", "the GPU path, or back to the CPU, on the same state"),
    ("1 to 9", "scenes of this folder"),
    ("m", "all scenes of this folder as pictures"),
    ("drag a tab", "a panel to another place: beside, below or on top of others"),
    ("u", "all panels away, or back; `panels` in the corner of the picture opens and closes each"),
    ("tab", "next solver, on the same state"),
    ("v", "view: texture, acceleration, stress; any column by the panel"),
    ("o", "overlays on and off; which: wireframe, particles, pins, normals, contacts... by the panel"),
    ("p", "the picture without the panel, as a PNG in recordings"),
    ("f", "a film of the loop, or of the next frames, as a GIF in recordings; again: ends it"),
    ("t", "record frame timings to a file in recordings; `weft report FILE` shows them"),
    ("F5", "build the whole program, for a changed sim_api, and go on with the state"),
    ("h", "this list"),
    ("save sim-dylib/src/*.rs", "new solver code runs"),
    ("save shaders/draw/*.wgsl", "new shader draws"),
    ("save the scene's .ron", "new values, state kept"),
];

/// Width that the list has over the picture, else it lies over panels as well [points].
const ROOM: f32 = 560.0;

/// Over the picture.
pub(super) fn show(context: &Context, picture: Rect, open: &mut bool) {
    let screen = context.content_rect();
    let room = if picture.width() > ROOM { screen.with_min_x(picture.left()) } else { screen };
    let window = egui::Window::new("keys").open(open).resizable(false);
    let window = window.default_pos(room.left_top() + egui::vec2(24.0, 24.0));
    let (width, height) = (room.width() - 60.0, room.height() - 70.0);
    window.vscroll(true).max_width(width).max_height(height).show(context, |ui| {
        egui::Grid::new("keys").striped(true).spacing([20.0, 2.0]).min_row_height(0.0).show(ui, |ui| {
            for (key, what) in KEYS {
                ui.label(RichText::new(key).monospace().small());
                ui.label(RichText::new(what).small());
                ui.end_row();
            }
        });
    });
}
