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
    // A cell that is no time is told with its line, and not left out of the verdict.
    record("a.csv");
    let table = fs::read_to_string(folder.join("a.csv")).expect("a table");
    let step = table.lines().next().and_then(|head| head.split(',').position(|name| name == "step [ms]"));
    for wrong in ["NaN", "-5", "1e400", "soon"] {
        let mut lines: Vec<String> = table.lines().map(str::to_string).collect();
        let mut cells: Vec<&str> = lines[4].split(',').collect();
        cells[step.expect("a stage")] = wrong;
        lines[4] = cells.join(",");
        write("wrong.csv", &(lines.join("\n") + "\n"));
        let (code, said) = weft(&["report", "wrong.csv"]);
        let wanted =
            format!("wrong.csv: line 5: `step [ms]` is \"{wrong}\": a time is a number of milliseconds");
        assert!(code == Some(1) && said.contains(&wanted), "{said}");
    }
    // What was cut before its session is no table of timings; how long the head is depends on the machine.
    let whole = fs::read(folder.join("a.weft")).expect("a recording");
    for bytes in (900..2500).step_by(400) {
        fs::write(folder.join("cut.weft"), &whole[..bytes]).expect("a file");
        let (code, said) = weft(&["replay", "cut.weft"]);
        assert!(
            code == Some(2) && said.contains("cut ") && said.contains("nothing to replay"),
            "{bytes}: {said}"
        );
    }
    let (code, said) = weft(&["replay", "a.csv"]);
    assert!(code == Some(2) && said.contains("it holds timings and no session"), "{said}");
    for (other, file) in [("mesh.weft", "m.obj"), ("part.weft", "part.ron")] {
        let (code, said) = compare(other);
        let wanted =
            format!("different scenes (a.ron, a.ron), of which the text is one: {file} was another file");
        assert!(code == Some(2) && said.contains(&wanted) && said.contains("--force"), "{said}");
        let (code, said) = weft(&["compare", "--force", "a.weft", "--", other]);
        assert!(code == Some(4) && said.contains(&wanted), "{said}");
    }
}
