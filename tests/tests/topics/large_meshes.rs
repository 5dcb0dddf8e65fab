//! A collider of half a million triangles: it is read beside the scene that runs, which says how far it is.

use std::{fmt::Write as _, fs, path::PathBuf, time::Duration};

use tests::{places, process::poll};
use weft_session::{Options, Polled, Session};

const SIDE: usize = 490;

/// A torus of 2 x `SIDE`² triangles; `middle` stands in its text before the faces.
fn torus(middle: &str) -> String {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / SIDE as f64;
    let mut text = String::new();
    for (i, j) in (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j))) {
        let r = 0.3 + 0.1 * angle(j).cos();
        let (x, y, z) = (r * angle(i).cos(), 0.1 * angle(j).sin(), r * angle(i).sin());
        let _ = writeln!(text, "v {x:.9} {y:.9} {z:.9}");
    }
    text.push_str(middle);
    let at = |i: usize, j: usize| (i % SIDE) * SIDE + j % SIDE + 1;
    for (i, j) in (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        let _ = writeln!(text, "f {a} {c} {b}\nf {a} {d} {c}");
    }
    text
}

/// A scene with that file as a collider, `small` without one.
fn scene(name: &str, text: Option<&str>) -> PathBuf {
    let folder = places::temporary(&format!("large-meshes-{name}"));
    let mesh = text.map(|text| {
        fs::write(folder.join(format!("{name}.obj")), text).unwrap();
        format!(r#"(id: "c", shape: Mesh(file: "{name}.obj"))"#)
    });
    let file = folder.join(format!("{name}.ron"));
    let text = format!(
        r#"(version: 1, cloths: [(id: "a", at: (0.0, 0.4, 0.0), rotation: (-90.0, 0.0, 0.0),
            shape: Grid(columns: 11, rows: 11, width: 0.5, height: 0.5))],
            colliders: [{}])"#,
        mesh.unwrap_or_default()
    );
    fs::write(&file, text).unwrap();
    file
}

/// Frames of the scene that runs, until a poll says something.
fn until(session: &mut Session, done: impl Fn(&Polled) -> bool) -> (Polled, Vec<f32>, u64) {
    let (mut shares, before) = (Vec::new(), session.run().frame);
    let polled = poll("the mesh", || {
        session.step().unwrap();
        std::thread::sleep(Duration::from_millis(5));
        let now = session.reading();
        shares.extend(now.map(|now| now.share));
        let polled = session.poll();
        done(&polled).then_some((polled, session.run().frame))
    });
    (polled.0, shares, polled.1 - before)
}

#[test]
fn a_large_mesh_is_read_while_the_last_scene_runs() {
    let (small, large) = (scene("small", None), scene("large", Some(&torus(""))));
    let open = |scene| Session::open(Options { scene, threads: 1, ..Options::default() });
    let mut session = open(small.clone()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(session.ask_scene(&large), Ok(false));
    assert_eq!(session.setup().path(), small);
    poll("what it will take", || {
        session.reading().filter(|now| now.memory.contains("480200 triangles: a collider of 0.0"))
    });
    let (polled, shares, _) = until(&mut session, |polled| polled.opened.is_some());
    assert_eq!((polled.opened, session.setup().path()), (Some(large.clone()), large.as_path()));
    assert!(shares.is_sorted() && shares.iter().any(|share| (0.2..0.9).contains(share)), "{shares:?}");
    assert!(session.reading().is_none());
    session.step().unwrap();

    // As long as it runs it is known.
    assert_eq!(session.ask_scene(&large), Ok(true));

    // A line that is none is told with its number, and what runs goes on.
    let broken = scene("broken", Some(&torus("f 1 x 3\n")));
    assert_eq!(session.ask_scene(&broken), Ok(false));
    let (polled, _, frames) = until(&mut session, |polled| !polled.notices.is_empty());
    let line = SIDE * SIDE + 1;
    let told = &polled.notices[0].text;
    assert!(told.contains(&format!("broken.obj: line {line} is not a face: `f 1 x 3`")), "{told}");
    let asked = session.problems().asked.clone().unwrap_or_default();
    assert!(
        asked.lines().next().is_some_and(|line| told.contains(line)) && asked.contains("help: "),
        "{asked}"
    );
    assert!(frames > 0 && session.setup().path() == large);

    // What is not wanted any more is left.
    assert_eq!(session.ask_scene(&small), Ok(true));
    assert!(session.problems().asked.is_none());
    assert_eq!(session.ask_scene(&large), Ok(false));
    assert_eq!(session.ask_scene(&small), Ok(true));
    assert!(session.reading().is_none() && session.poll().opened.is_none());
}
