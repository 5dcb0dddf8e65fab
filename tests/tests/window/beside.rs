//! Another solver beside the present one, the picture as a file, and undo, from the keys.

use tests::{picture::Picture, process::poll};

use super::desk::{is_cloth, open, shown};

#[test]
fn another_solver_comes_beside_and_the_picture_is_saved() {
    let Some((copy, mut desktop)) = open("another_solver_comes_beside_and_the_picture_is_saved", &[]) else {
        return;
    };
    shown(&desktop);
    // Without panels, so that each of two pictures has half of so small a window.
    desktop.key("u");
    desktop.key("n");
    desktop.program.wait_for(&["[history] ", " beside xpbd"]);
    poll("cloth in both pictures", || {
        let picture = desktop.picture();
        let middle = picture.width / 2;
        let cloth = |columns: std::ops::Range<usize>| {
            let part = picture.part(columns, 0..picture.height);
            part.share(is_cloth) > 0.01
        };
        (cloth(0..middle - 2) && cloth(middle + 2..picture.width)).then_some(())
    });
    desktop.key("p");
    desktop.program.wait_for(&["[picture] ", " pixels in "]);
    let saved = std::fs::read_dir(copy.root.join("recordings")).expect("a folder for it");
    let saved: Vec<_> = saved.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let png = saved.iter().find(|path| path.extension().is_some_and(|end| end == "png"));
    let picture = Picture::png(png.unwrap_or_else(|| panic!("a picture in {saved:?}")));
    assert!(picture.colors() > 100 && picture.share(is_cloth) > 0.01);
    // What was not turned cannot be taken back, and says so.
    desktop.key("ctrl+z");
    desktop.program.wait_for(&["[undo] there is no edit to take back"]);
    desktop.key("Tab");
    desktop.program.wait_for(&["[solver] "]);
    desktop.key("ctrl+z");
    desktop.program.wait_for(&["[undo] done; 0 more"]);
    assert!(desktop.program.alive());
}
