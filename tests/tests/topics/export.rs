//! The mesh of a run as OBJ: another reader finds the same surface, and a sequence has each frame.

use std::fs;

use tests::{left_out, places, process};
use weft_session::{Options, Session};

fn session(scene: &str) -> Session {
    let scene = places::scene(scene);
    Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}

/// What a plain reader finds.
#[derive(Default)]
struct Obj {
    vertices: Vec<[f64; 3]>,
    /// How many texture coordinates.
    coordinates: usize,
    faces: Vec<Vec<usize>>,
    lines: Vec<Vec<usize>>,
}

fn read(text: &str) -> Obj {
    let mut obj = Obj::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let numbers = |words: std::str::SplitWhitespace| -> Vec<f64> {
            words.map(|word| word.parse().unwrap_or_else(|_| panic!("{line}"))).collect()
        };
        let corners = |words: std::str::SplitWhitespace| -> Vec<usize> {
            let corner = |word: &str| word.split('/').next().and_then(|word| word.parse().ok());
            words.map(|word| corner(word).unwrap_or_else(|| panic!("{line}"))).collect()
        };
        match kind {
            "v" => obj.vertices.push(numbers(words).try_into().expect("three")),
            "vt" => obj.coordinates += usize::from(numbers(words).len() == 2),
            "f" => obj.faces.push(corners(words)),
            "l" => obj.lines.push(corners(words)),
            "o" | "#" | "" => {}
            other => panic!("{other}"),
        }
    }
    obj
}

#[test]
fn cloths_are_meshes_and_strands_are_lines() {
    for (name, cloths, strands) in [("curtain_pair.ron", 2, 0), ("cape.ron", 1, 1)] {
        let mut session = session(name);
        (0..3).for_each(|_| _ = session.step().unwrap());
        let text = session.obj();
        let Obj { vertices, coordinates, faces, lines } = read(&text);
        let positions = session.positions();
        assert_eq!((vertices.len(), coordinates), (positions.len(), positions.len()), "{name}");
        let origin = session.scene().origin;
        for (vertex, x) in vertices.iter().zip(positions) {
            assert!((0..3).all(|i| (vertex[i] - f64::from(x[i] + origin[i])).abs() < 1e-5), "{name}");
        }
        let triangles: usize = (0..cloths).map(|i| session.setup().triangles(i).len()).sum();
        assert_eq!(faces.len(), triangles, "{name}");
        assert!(faces.iter().chain(&lines).flatten().all(|at| (1..=vertices.len()).contains(at)), "{name}");
        assert_eq!(lines.is_empty(), strands == 0, "{name}");
        // Corners of a triangle are neighbours, and so are points of a line.
        let far = |a: usize, b: usize| {
            (0..3).map(|i| (vertices[a - 1][i] - vertices[b - 1][i]).powi(2)).sum::<f64>().sqrt()
        };
        assert!(faces.iter().all(|face| face.len() == 3 && far(face[0], face[1]) < 0.2), "{name}");
        assert!(lines.iter().all(|line| line.windows(2).all(|pair| far(pair[0], pair[1]) < 0.1)), "{name}");
    }
}

#[test]
fn what_is_written_is_a_mesh_for_a_scene_and_a_sequence_has_each_frame() {
    if !places::weft().exists()
        && left_out("what_is_written_is_a_mesh_for_a_scene", "the program (cargo build)")
    {
        return;
    }
    let folder = places::temporary("export");
    let weft = |arguments: &[&str]| {
        let output = process::weft(&folder, arguments);
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.success(), text.into_owned())
    };
    let scene = places::scene("hanging.ron");
    let run = ["run", scene.to_str().expect("a plain path"), "--frames", "3"];
    let (good, said) = weft(&[&run[..], &["--mesh", "sheet.obj"]].concat());
    assert!(good && said.contains("wrote sheet.obj"), "{said}");
    let again = r#"(version: 1, cloths: [(id: "again", shape: Mesh(file: "sheet.obj"))])"#;
    fs::write(folder.join("again.ron"), again).expect("target/ is writable");
    let (good, said) = weft(&["run", "again.ron", "--frames", "2", "--json"]);
    assert!(good && said.contains("\"particles\":4096"), "{said}");
    let (good, said) = weft(&[&run[..], &["--mesh", "s-###.obj"]].concat());
    assert!(good, "{said}");
    let texts: Vec<String> =
        (1..=3).map(|i| fs::read_to_string(folder.join(format!("s-00{i}.obj"))).expect("a frame")).collect();
    assert!(texts[0] != texts[1] && texts[1] != texts[2]);
    assert_eq!(texts[2], fs::read_to_string(folder.join("sheet.obj")).expect("the last one"));
    for (file, says) in [("sheet.ply", "must end in .obj"), ("none/sheet.obj", "no such folder")] {
        let (good, said) = weft(&[&run[..], &["--mesh", file]].concat());
        assert!(!good && said.contains(says), "{file}: {said}");
    }
}
