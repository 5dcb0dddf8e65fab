//! A scene is its text and what it reads: recordings of one text with another mesh, texture or part are not of one scene.

use std::fs;

use tests::{left_out, places, process};

#[test]
fn scenes_of_one_text_that_read_other_files_are_told_apart() {
    let test = "scenes_of_one_text_that_read_other_files_are_told_apart";
    if !places::weft().is_file() && left_out(test, "the program") {
        return;
    }
    let folder = places::temporary("timings_reads");
    let weft = |arguments: &[&str]| {
        let output = process::weft(&folder, arguments);
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text.into_owned())
    };
    let part = "(id: \"a\", shape: Grid(columns: 8, rows: 8, width: 1.0, height: 1.0))";
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\nf 2 4 3\n";
    let scene = "(version: 1, cloths: [(include: \"part.ron\"), (id: \"b\", at: (0.0, 1.0, 0.0), shape: Mesh(file: \"m.obj\"))])";
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    let record = |file: &str| {
        let (code, said) = weft(&["run", "a.ron", "--frames", "24", "--threads", "1", "--record", file]);
        assert_eq!(code, Some(0), "{said}");
    };
    for (name, text) in [("part.ron", part), ("m.obj", mesh), ("a.ron", scene)] {
        write(name, text);
    }
    record("a.weft");
    record("same.weft");
    write("m.obj", &mesh.replace("v 1 0 1", "v 1 0 1.5"));
    record("mesh.weft");
    write("m.obj", mesh);
    write("part.ron", &part.replace("width: 1.0", "width: 1.5"));
    record("part.weft");

    let compare = |other: &str| weft(&["compare", "a.weft", "--", other]);
    let (code, said) = compare("same.weft");
    assert_eq!(code, Some(4), "{said}");
    for (other, file) in [("mesh.weft", "m.obj"), ("part.weft", "part.ron")] {
        let (code, said) = compare(other);
        let wanted =
            format!("different scenes (a.ron, a.ron), of which the text is one: {file} was another file");
        assert!(code == Some(2) && said.contains(&wanted) && said.contains("--force"), "{said}");
        let (code, said) = weft(&["compare", "--force", "a.weft", "--", other]);
        assert!(code == Some(4) && said.contains(&wanted), "{said}");
    }
}
