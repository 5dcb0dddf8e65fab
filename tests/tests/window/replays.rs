//! A recording in the window: it plays to its end, its time line goes anywhere in it, and a hand takes over.

use std::{fs, thread, time::Duration};

use tests::{
    desktop::Desktop,
    left_out, places,
    process::{self, poll},
};

use super::desk::{cloth, shown};

/// A cloth that falls, in a colour that nothing else has.
const FALLS: &str = r#"(version: 1, wind: (coefficient: 0.0), air_damping: 0.0,
    cloths: [(id: "a", at: (0.0, 1.6, 0.0), shape: Grid(columns: 21, rows: 21, width: 0.9, height: 0.9),
        look: (front: (1.0, 0.0, 1.0), back: (1.0, 0.0, 1.0)))],
    camera: (target: (0.0, 0.9, 0.0), distance: 4.0, yaw: 0.0, pitch: 5.0))"#;

#[test]
fn a_recording_plays_and_its_time_line_goes_anywhere() {
    if left_out("a_recording_plays_and_its_time_line_goes_anywhere", "a virtual display") {
        return;
    }
    let folder = places::temporary("window_replay");
    fs::write(folder.join("falls.ron"), FALLS).expect("a scene");
    let output = process::weft(&folder, &["run", "falls.ron", "--frames", "30", "--record", "falls.weft"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut desktop = Desktop::open(&folder, &["falls.weft", "--size", "640x400"]);
    desktop.program.wait_for(&["[replay] the recording is over: 30 frames, 3 equal hashes"]);
    // The panel rolls up: in so small a window it covers half of the picture.
    desktop.pointer(29, 29);
    desktop.button("click", "1");
    let below = shown(&desktop).1;
    // Back to its start, and to its middle by the time line.
    desktop.key("r");
    let height = |low: f64, high: f64| move |at: (f64, f64)| (at.1 > low && at.1 < high).then_some(at.1);
    let above = poll("the cloth at its start", || height(0.0, below - 60.0)(cloth(&desktop.picture())?));
    desktop.pointer(320, 355);
    thread::sleep(Duration::from_millis(500));
    desktop.button("mousedown", "1");
    thread::sleep(Duration::from_millis(500));
    desktop.button("mouseup", "1");
    let middle = height(above + 8.0, below - 20.0);
    poll("the cloth on its way", || middle(cloth(&desktop.picture())?));
    // From there on to the end again. The keys are the picture's once it was clicked at.
    desktop.pointer(600, 60);
    desktop.button("click", "3");
    desktop.key("space");
    poll("the cloth at its end", || height(below - 15.0, below + 15.0)(cloth(&desktop.picture())?));
    // What is turned by hand is no part of it.
    desktop.key("Tab");
    desktop.program.wait_for(&["[solver] "]);
    desktop.key("space");
    desktop.program.wait_for(&["[replay] the recording ends here"]);
    assert!(desktop.program.alive());
}
