//! `weft fmt`: the scenes are in their layout, and any other layout of them means the same.

use std::fs;

use tests::{left_out, places, process};
use weft_scene::Vocabulary;

#[test]
fn scenes_are_in_their_layout_and_mean_the_same_in_any() {
    let list = |folder: &str| fs::read_dir(places::root().join(folder)).expect("a folder").flatten();
    let scenes = list("scenes").chain(list("scenes/validate")).map(|entry| entry.path());
    let mut count = 0;
    for path in scenes.filter(|path| path.extension().is_some_and(|end| end == "ron")) {
        let text = fs::read_to_string(&path).expect("a scene");
        let laid = |text: &str| {
            weft_scene::tree::layout(text).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", path.display()))
        };
        assert_eq!(laid(&text), text, "{}: weft fmt scenes scenes/validate", path.display());
        // Without any layout, and back: the same scene, with its comments.
        let lines = text.lines().map(|line| {
            if line.contains("//") { format!("{}\n", line.trim()) } else { line.trim().to_string() }
        });
        let (bare, known) = (lines.collect::<String>(), Vocabulary::default());
        let folder = path.parent();
        let read = |text: &str| {
            weft_scene::parse_text("a", text, folder, &known).unwrap_or_else(|e| panic!("{e}")).scene
        };
        let again = laid(&bare);
        assert_eq!(read(&again), read(&text), "{}", path.display());
        assert_eq!(again.matches("// ").count(), text.matches("// ").count(), "{}", path.display());
        count += 1;
    }
    assert!(count > 60, "{count} scenes");
}

#[test]
fn fmt_says_and_writes() {
    if !places::weft().exists() && left_out("fmt_says_and_writes", "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("fmt");
    let text = "(version:1,\ncloths:[ ] , // none\n)";
    fs::write(folder.join("a.ron"), text).expect("a file");
    fs::write(folder.join("b.ron"), "(version: 1)\n").expect("a file");
    let weft = |arguments: &[&str]| {
        let output = process::weft(&folder, arguments);
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let (code, said) = weft(&["fmt", "--check", "a.ron", "b.ron"]);
    assert_eq!((code, said.as_str()), (Some(1), "a.ron: is in another layout\n"));
    assert_eq!(fs::read_to_string(folder.join("a.ron")).expect("a file"), text);
    let (code, said) = weft(&["fmt", "."]);
    assert!(code == Some(0) && said.contains("a.ron: was laid out") && !said.contains("b.ron"), "{said}");
    let laid = fs::read_to_string(folder.join("a.ron")).expect("a file");
    assert_eq!(laid, "(version: 1,\n    cloths: [], // none\n)\n");
    assert_eq!(weft(&["fmt", "--check", "."]), (Some(0), String::new()));
    fs::write(folder.join("c.ron"), "(version: 1,\n    cloths: [)").expect("a file");
    let (code, said) = weft(&["fmt", "c.ron", "none.ron"]);
    assert!(
        code == Some(2) && said.contains("c.ron:2:13: ") && said.contains("none.ron: No such file"),
        "{code:?} {said}"
    );
}
