//! The mesh of a run as OBJ: another reader finds the same surface, and a sequence has each frame. As PLY, glTF and USD: one
//! file of a frame, and one of many.

use std::{fs, path::Path};

use tests::{left_out, places, process};
use weft_core::statistics::largest;
use weft_session::{
    Options, Session,
    export::{self, Export, Format, Surface},
};

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
        let text = export::obj(&session.surface());
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
    let (good, said) = weft(&["run", "again.ron", "--frames", "2..4", "--mesh", "sheet.glb", "--json"]);
    assert!(good, "{said}");
    assert_eq!(
        gltf_frames(&fs::read(folder.join("sheet.glb")).expect("written"))[0].len(),
        3,
        "frames 2, 3 and 4"
    );
    for (file, says) in
        [("sheet.fbx", "must end in one of .obj, .ply, .glb, .usda"), ("none/sheet.obj", "no such folder")]
    {
        let (good, said) = weft(&[&run[..], &["--mesh", file]].concat());
        assert!(!good && said.contains(says), "{file}: {said}");
    }
}

/// Three frames of a scene with two cloths that are textured, and of one with cloth and hair.
fn frames(scene: &str) -> Vec<Surface> {
    let mut session = session(scene);
    (0..3)
        .map(|_| {
            session.step().unwrap();
            session.surface()
        })
        .collect()
}

fn written(format: Format, frames: &[Surface]) -> Vec<u8> {
    let mut export = Export::new(format, 1.0 / 60.0);
    frames.iter().for_each(|surface| export.add(surface.clone()).unwrap());
    export.bytes()
}

/// Of each mesh in each frame its positions in world space, as the crate `gltf` reads them.
fn gltf_frames(bytes: &[u8]) -> Vec<Vec<Vec<[f64; 3]>>> {
    let file = gltf::Gltf::from_slice(bytes).unwrap_or_else(|e| panic!("{e}"));
    let blob = file.blob.as_deref().expect("a binary part");
    file.nodes()
        .map(|node| {
            let (at, ..) = node.transform().decomposed();
            let mesh = node.mesh().expect("every node is one");
            let primitive = mesh.primitives().next().expect("it has one");
            let reader = primitive.reader(|_| Some(blob));
            let start: Vec<[f32; 3]> = reader.read_positions().expect("positions").collect();
            let world = |moved: &dyn Fn(usize) -> [f32; 3]| -> Vec<[f64; 3]> {
                let of = |i: usize| {
                    std::array::from_fn(|k| f64::from(start[i][k] + moved(i)[k]) + f64::from(at[k]))
                };
                (0..start.len()).map(of).collect()
            };
            let mut frames = vec![world(&|_| [0.0; 3])];
            for (moved, ..) in reader.read_morph_targets() {
                let moved: Vec<[f32; 3]> = moved.expect("of positions").collect();
                frames.push(world(&|i| moved[i]));
            }
            frames
        })
        .collect()
}

#[test]
fn another_reader_of_gltf_finds_each_frame_with_texture_and_times() {
    for (name, meshes, lines) in [("curtain_pair.ron", 2, 0), ("cape.ron", 1, 1)] {
        let frames = frames(name);
        let bytes = written(Format::Glb, &frames);
        let found = gltf_frames(&bytes);
        assert_eq!(found.len(), meshes + lines, "{name}");
        for (i, object) in found.iter().enumerate() {
            assert_eq!(object.len(), frames.len(), "{name}");
            for (positions, surface) in object.iter().zip(&frames) {
                let right = &surface.objects[i].positions;
                assert_eq!(positions.len(), right.len(), "{name}");
                let off = |(a, b): (&[f64; 3], &[f64; 3])| largest((0..3).map(|k| (a[k] - b[k]).abs()));
                let worst = largest(positions.iter().zip(right).map(off));
                assert!(worst < 1e-6, "{name}, object {i}: {worst} m");
            }
        }
        let file = gltf::Gltf::from_slice(&bytes).unwrap();
        let blob = file.blob.as_deref().unwrap();
        let animation = file.animations().next().expect("frames move");
        assert_eq!(animation.channels().count(), meshes + lines);
        for channel in animation.channels() {
            let times: Vec<f32> = channel.reader(|_| Some(blob)).read_inputs().unwrap().collect();
            assert_eq!(times, [0.0, 1.0 / 60.0, 2.0 / 60.0]);
            let Some(gltf::animation::util::ReadOutputs::MorphTargetWeights(weights)) =
                channel.reader(|_| Some(blob)).read_outputs()
            else {
                panic!("weights of targets")
            };
            assert_eq!(weights.into_f32().collect::<Vec<_>>(), [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
        }
        for (mesh, object) in file.meshes().zip(&frames[2].objects) {
            let primitive = mesh.primitives().next().unwrap();
            let rows: Vec<u32> =
                primitive.reader(|_| Some(blob)).read_indices().unwrap().into_u32().collect();
            let is_mesh = object.lines.is_empty();
            let mode = if is_mesh { gltf::mesh::Mode::Triangles } else { gltf::mesh::Mode::Lines };
            assert_eq!((mesh.name(), primitive.mode()), (Some(object.id.as_str()), mode));
            assert!(!rows.is_empty() && rows.iter().all(|&row| (row as usize) < object.positions.len()));
            let paint = primitive.material().pbr_metallic_roughness();
            assert_eq!(paint.base_color_factor()[..3], object.paint.color);
            assert_eq!(paint.base_color_texture().is_some(), object.paint.texture.is_some(), "{name}");
        }
    }
}

#[test]
fn a_ply_file_has_the_vertices_faces_and_edges_that_its_head_says() {
    for name in ["curtain_pair.ron", "cape.ron"] {
        let surface = frames(name).pop().unwrap();
        let bytes = written(Format::Ply, std::slice::from_ref(&surface));
        let end = bytes.windows(11).position(|part| part == b"end_header\n").expect("a head") + 11;
        let head = std::str::from_utf8(&bytes[..end]).expect("text");
        let count = |element: &str| -> usize {
            let line = head.lines().find_map(|line| line.strip_prefix(&format!("element {element} ")));
            line.map_or(0, |count| count.parse().expect("a number"))
        };
        let (vertices, faces, edges) = (count("vertex"), count("face"), count("edge"));
        let positions: Vec<[f64; 3]> =
            surface.objects.iter().flat_map(|object| object.positions.iter().copied()).collect();
        assert_eq!(vertices, positions.len(), "{name}");
        let body = &bytes[end..];
        assert_eq!(body.len(), vertices * (3 * 8 + 5 * 4) + faces * 13 + edges * 8, "{name}");
        for (row, right) in body.chunks_exact(44).zip(&positions) {
            let at = |k: usize| f64::from_le_bytes(row[8 * k..8 * k + 8].try_into().unwrap());
            assert_eq!([at(0), at(1), at(2)], *right);
        }
        let triangles: usize = surface.objects.iter().map(|object| object.triangles.len()).sum();
        assert_eq!((faces, edges > 0), (triangles, name == "cape.ron"));
        for face in body[vertices * 44..].chunks_exact(13).take(faces) {
            let corner = |k: usize| u32::from_le_bytes(face[1 + 4 * k..5 + 4 * k].try_into().unwrap());
            assert!(face[0] == 3 && (0..3).all(|k| (corner(k) as usize) < vertices), "{name}");
        }
    }
}

/// A ring ends where it began, in every kind of file; a strand beside it does not.
#[test]
fn a_ring_is_closed_in_every_file() {
    let folder = places::temporary("export-rings");
    let scene = folder.join("ring.ron");
    let text = r#"(version: 1, gravity: (0, 0, 0), strands: [
        (id: "ring", length: 0.5, particles: 16, root: Free, closed: true, roots: Points(at: [(0, 1, 0)])),
        (id: "rope", length: 0.3, particles: 8, root: Pinned, roots: Points(at: [(1, 1, 0)]))])"#;
    fs::write(&scene, text).expect("a scene");
    let session =
        Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    let surface = session.surface();
    let around: Vec<usize> = (1..=16).chain([1]).collect();
    assert_eq!(read(&export::obj(&surface)).lines, [around, (17..=24).collect()]);
    let pairs = |bytes: &[u8]| -> Vec<[u32; 2]> {
        let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four"));
        bytes.chunks_exact(8).map(|pair| [number(&pair[..4]), number(&pair[4..])]).collect()
    };
    let ring: Vec<[u32; 2]> = (0..16).map(|i| [i, (i + 1) % 16]).collect();
    let frames = [surface];
    let ply = written(Format::Ply, &frames);
    let edges = pairs(&ply[ply.len() - 23 * 8..]);
    assert_eq!(edges[..16], ring);
    assert_eq!(edges[16..], (16..23).map(|i| [i, i + 1]).collect::<Vec<_>>());
    let glb = written(Format::Glb, &frames);
    let bytes: Vec<u8> = ring.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
    assert!(glb.windows(bytes.len()).any(|part| part == bytes), "the lines of a ring");
    let usd = String::from_utf8(written(Format::Usda, &frames)).expect("text");
    assert!(usd.contains("curveVertexCounts = [17]") && usd.contains("curveVertexCounts = [8]"), "{usd}");
    let points = usd
        .split("point3f[] points = [(")
        .nth(1)
        .and_then(|points| points.split(")]").next())
        .expect("points");
    let points: Vec<&str> = points.split("), (").collect();
    assert_eq!((points.len(), points[0]), (17, points[16]));
}

#[test]
fn a_usd_file_has_a_time_sample_for_each_frame() {
    let frames = frames("cape.ron");
    let text = String::from_utf8(written(Format::Usda, &frames)).expect("text");
    assert!(text.starts_with("#usda 1.0\n"));
    assert!(text.contains("startTimeCode = 1") && text.contains("endTimeCode = 3"));
    assert!(text.contains("timeCodesPerSecond = 60\n"));
    assert_eq!((text.matches("def Mesh").count(), text.matches("def BasisCurves").count()), (1, 1));
    assert_eq!(text.matches("points.timeSamples").count(), 2);
    for frame in 1..=3 {
        assert_eq!(text.matches(&format!("\n            {frame}: [(")).count(), 2, "frame {frame}");
    }
    let [x, y, z] = frames[1].objects[0].positions[0];
    assert!(text.contains(&format!("2: [({x:.7}, {y:.7}, {z:.7})")));
    let open = |open: char, close: char| text.matches(open).count() == text.matches(close).count();
    assert!(open('(', ')') && open('[', ']') && open('{', '}'));
    let one = String::from_utf8(written(Format::Usda, &frames[..1])).unwrap();
    assert!(one.contains("point3f[] points = [(") && !one.contains("timeSamples"));
}

#[test]
fn a_texture_keeps_its_side_when_a_mesh_is_written_and_read_again() {
    let folder = places::temporary("export-uvs");
    let before = session("curtain_pair.ron");
    let surface = before.surface();
    let first = Surface { objects: vec![surface.objects[0].clone()], ..surface };
    fs::write(folder.join("sheet.obj"), written(Format::Obj, std::slice::from_ref(&first))).unwrap();
    fs::write(
        folder.join("again.ron"),
        r#"(version: 1, cloths: [(id: "again", shape: Mesh(file: "sheet.obj"))])"#,
    )
    .unwrap();
    let scene = folder.join("again.ron");
    let after =
        Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    let again = &after.surface().objects[0];
    assert_eq!(again.uvs.len(), first.objects[0].uvs.len());
    for (a, b) in again.uvs.iter().zip(&first.objects[0].uvs) {
        assert!((a[0] - b[0]).abs() < 1e-5 && (a[1] - b[1]).abs() < 1e-5, "{a:?} for {b:?}");
    }
}

#[test]
fn frames_that_do_not_fit_and_other_endings_are_refused() {
    let (mut curtain, cape) = (frames("curtain_pair.ron"), frames("cape.ron"));
    let mut export = Export::new(Format::Glb, 1.0 / 60.0);
    export.add(curtain.remove(0)).unwrap();
    assert!(export.add(cape[0].clone()).unwrap_err().contains("do not fit into one file"));
    // More than 32 bits can count, and more than any memory.
    let fits = |format, frames| Export::fits(format, &cape[0], frames);
    assert!(fits(Format::Glb, 200).is_ok() && fits(Format::Obj, u64::MAX).is_ok());
    assert!(fits(Format::Glb, 40_000).is_err_and(|why| why.contains(".glb holds 4.3")));
    assert!(
        !cfg!(target_os = "linux")
            || fits(Format::Usda, u64::MAX).is_err_and(|why| why.contains("GB are free"))
    );
    assert_eq!(Format::of(Path::new("a.PLY")), Ok(Format::Ply));
    assert!(Format::of(Path::new("a")).unwrap_err().contains("must end in one of"));
}
