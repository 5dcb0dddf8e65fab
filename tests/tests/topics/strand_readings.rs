//! Readings of strands: which one is worst, how full their grid is, and that what lies in a seat is no part of sums.

use tests::{
    fixture::{self, reading},
    places, process,
};
use weft_core::state::col;
use weft_session::{Options, Session, readings};

/// Curls of 40 strands: a strip of 32, and one of 8.
fn curls(set: &[(&str, &str)]) -> Session {
    let set = [&[("strands.hair.roots.count", "40")], set].concat();
    let session = Session::open(Options {
        scene: places::scene("curls.ron"),
        threads: 1,
        set: set.iter().map(|(field, value)| (field.to_string(), value.to_string())).collect(),
        ..Options::default()
    });
    session.unwrap_or_else(|e| panic!("{e}"))
}

fn close(name: &str, have: f64, want: f64, tolerance: f64) {
    assert!((have - want).abs() <= tolerance * want.abs(), "{name}: {have}, not {want}");
}

/// Row of a particle of a strand.
fn row(session: &Session, strand: usize, particle: u32) -> usize {
    let [first, stride, _] = session.run().state.get(col::strand::span)[strand];
    (first + stride * particle) as usize
}

#[test]
fn the_worst_strand_is_named_with_its_segment() {
    let mut session = curls(&[]);
    session.measure();
    let place = |session: &Session, name: &str| readings::place(name, &session.readings());
    assert!(reading(&session, "strand_stretch") < 1e-3, "at rest as it starts");
    assert_eq!(place(&session, "max_speed"), None, "nothing moves");
    let [before, tip] = [46, 47].map(|particle| row(&session, 35, particle));
    session.edit_run(|run| {
        let x = run.state.get_mut(col::particle::position);
        let from = x[before];
        x[tip][..3].iter_mut().zip(from).for_each(|(tip, from)| *tip += *tip - from);
        run.state.get_mut(col::particle::velocity)[before] = [0.0, 0.0, 61.0, 0.0];
    });
    session.measure();
    close("strand_stretch", reading(&session, "strand_stretch"), 1.0, 1e-3);
    close("worst_strand", reading(&session, "worst_strand"), 35.0, 0.0);
    assert_eq!(place(&session, "strand_stretch").as_deref(), Some("strand 35 of hair, segment 46"));
    assert_eq!(place(&session, "max_speed").as_deref(), Some("strand 35 of hair, particle 46"));
    assert_eq!(place(&session, "kinetic_energy"), None, "a sum is nowhere");
    close("strand_grid_clamped", reading(&session, "strand_grid_clamped"), 1.0, 0.0);
}

/// What a cord weighs below each segment that segment bears, under solvers that sweep as well.
#[test]
fn segments_tell_what_they_bear() {
    for solver in ["verlet", "xpbd", "strand_newton", "pbd_gauss_seidel"] {
        let mut fixture = fixture::Fixture::new(&format!(
            "(version: 1, air_damping: 1, wind: (coefficient: 0), solver: (name: \"{solver}\"),
              strands: [(id: \"cord\", roots: Points(at: [(0, 0.3, 0)], direction: (0, -1, 0)), root: Pinned, length: 0.3,
                         particles: 11, material: (radius: (2e-3, 2e-3), density: 1000, young: 1e7, shear: 4e6))])"
        ));
        fixture.frames(240);
        let weight = std::f64::consts::PI * 4e-6 * 0.03 * 1000.0 * 9.81;
        let state = &fixture.run.state;
        let ([first, stride, _], ends) = (state.get(col::strand::span)[0], state.get(col::distance::idx));
        for (force, [upper, _]) in state.get(col::distance::force).iter().zip(ends) {
            let segment = (upper - first) / stride;
            let borne = weight * (9.5 - f64::from(segment));
            close(&format!("{solver}, segment {segment}"), f64::from(*force), borne, 0.06);
        }
    }
}

#[test]
fn the_grid_of_strands_is_as_full_as_cells_have_particles() {
    let mut session = curls(&[("strands.hair.between.cell", "0.01")]);
    let [_, count] = session.run().state.get(col::strand_grid::cells)[0];
    let all = f64::from(count).powi(3);
    let mut fill = |place: &dyn Fn(usize) -> [f32; 3]| {
        session.edit_run(|run| {
            for (row, x) in run.state.get_mut(col::particle::position).iter_mut().enumerate() {
                let [a, b, c] = place(row);
                *x = [a, b, c, x[3]];
            }
        });
        session.measure();
        reading(&session, "strand_grid_fill") * all
    };
    // Strands have 32 or 8 particles side by side: both halves of each are free somewhere.
    close("one cell", fill(&|_| [0.004, -0.004, 0.015]), 1.0, 1e-9);
    close("three cells", fill(&|row| [0.005 + 0.01 * (row % 3) as f32, -0.005, 0.015]), 3.0, 1e-9);
    let round = 0.01 * count as f32;
    close("it begins anew", fill(&|row| [0.005 + round * (row % 2) as f32, -0.005, 0.015]), 1.0, 1e-9);
}

/// A strand of 3 m that hangs from a clamp has the mass of 3 m, and its middle is 1.5 m below, with any number of particles; half
/// of that with both ends in stubs.
#[test]
fn what_of_a_strand_is_inside_its_seat_is_no_part_of_sums() {
    let folder = places::temporary("strand_readings");
    let file = folder.join("scene.ron");
    for (held, particles) in
        [("", 11), ("", 4), ("tip: Clamped,", 11), ("root: Pinned,", 11), ("root: Free,", 7)]
    {
        let text = format!(
            "(version: 1, gravity: (0, -10, 0), solver: (name: \"xpbd\"), strands: [(id: \"rope\", length: 3, particles: {particles}, {held}
                roots: Row(from: (0, 4, 0), to: (1, 4, 0), count: 2),
                material: (radius: (0.01, 0.01), density: 500))])"
        );
        std::fs::write(&file, text).expect("a scene");
        let mut session = Session::open(Options { scene: file.clone(), threads: 1, ..Options::default() })
            .unwrap_or_else(|e| panic!("{e}"));
        session.measure();
        let mass = 2.0 * 500.0 * std::f64::consts::PI * 0.01 * 0.01 * 3.0;
        let named = |name: &str| format!("{held} {particles}: {name}");
        close(&named("mass"), session.report().measured().motion.mass, mass, 1e-5);
        close(&named("center_height"), reading(&session, "center_height"), 2.5, 1e-5);
        close(&named("potential_energy"), reading(&session, "potential_energy"), mass * 10.0 * 2.5, 1e-5);
    }
    // The command says the same, with where the largest are.
    let test = "what_of_a_strand_is_inside_its_seat_is_no_part_of_sums";
    if !places::weft().exists() && tests::left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let path = file.to_str().expect("a plain path");
    let say = |more: &[&str]| {
        let output = process::weft(&places::root(), &[&["run", path, "--frames", "3"], more].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let table = say(&[]);
    let line =
        table.lines().find(|line| line.starts_with("strand_stretch")).unwrap_or_else(|| panic!("{table}"));
    assert!(line.contains(" (strand ") && line.contains(" of rope, segment "), "{line}");
    let json: serde_json::Value = serde_json::from_str(&say(&["--json"])).expect("JSON");
    let place = json["places"]["strand_stretch"].as_str().expect("a place");
    assert!(line.contains(place), "{line}: {place}");
}

/// Two ropes of 3 m from a clamp, one of which is cut in its middle: what of it hangs there is 1.5 m.
#[test]
fn what_is_cut_off_is_no_part_of_a_strand_as_a_whole() {
    let folder = places::temporary("strand_wholes");
    let scene = folder.join("scene.ron");
    let text = "(version: 1, solver: (name: \"xpbd\"), strands: [(id: \"rope\", length: 3, particles: 12,
                  roots: Row(from: (0, 4, 0), to: (1, 4, 0), count: 2), material: (radius: (0.01, 0.01)))])";
    std::fs::write(&scene, text).expect("a scene");
    let mut session =
        Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    session.measure();
    close("strand_end_to_end", reading(&session, "strand_end_to_end"), 3.0, 1e-6);
    // Behind the stub and five segments.
    let cut = row(&session, 1, 6);
    session.edit_run(|run| run.state.get_mut(col::segment::stretch)[cut] = 0.0);
    session.measure();
    close("strand_end_to_end", reading(&session, "strand_end_to_end"), 2.25, 1e-6);
    assert!(reading(&session, "strand_coil_radius") < 1e-6);
    assert!(reading(&session, "strand_out_of_plane") < 1e-6);
    let [a, b] = [2, 4].map(|particle| row(&session, 0, particle));
    session.edit_run(|run| {
        let x = run.state.get_mut(col::particle::position);
        (x[a][0], x[b][2]) = (x[a][0] + 0.2, x[b][2] + 0.1);
    });
    session.measure();
    let place = readings::place("strand_out_of_plane", &session.readings());
    assert_eq!(place.as_deref(), Some("strand 0 of rope"));
    assert!(reading(&session, "strand_out_of_plane") > 0.05);
}

/// A rod of length 0.3 m and G J = 6.28e-4 N m2 between a clamp and a seat that turns by 90 degrees: G J angle² / 2 L. Solvers that
/// do not twist strands feel none of it.
#[test]
fn the_twist_of_a_rod_is_energy() {
    let text = r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 3.0, wind: (coefficient: 0.0), solver: (name: "strand_newton"),
        strands: [(id: "a", roots: Points(at: [(0.05, 0.0, 0.0)], direction: (1.0, 0.0, 0.0)), seat: Collider("c"), tip: Clamped,
            length: 0.3, particles: 31, material: (radius: (1e-3, 1e-3), density: 1000.0, young: 1e9, shear: 4e8))],
        colliders: [(id: "c", shape: Sphere(radius: 0.01), at: (0.0, 1.0, 0.0),
            motion: Keyframes(keys: [(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), (1.0, (0.0, 0.0, 0.0), (90.0, 0.0, 0.0))]))])"#;
    let folder = places::temporary("twist-energy");
    std::fs::write(folder.join("twist.ron"), text).unwrap();
    let mut session =
        Session::open(Options { scene: folder.join("twist.ron"), threads: 1, ..Options::default() }).unwrap();
    (0..150).for_each(|_| _ = session.step().unwrap());
    session.measure();
    let stiffness = 4e8 * 0.5 * std::f64::consts::PI * 1e-12;
    let energy = stiffness * std::f64::consts::FRAC_PI_2.powi(2) / (2.0 * 0.3);
    close("elastic_energy", reading(&session, "elastic_energy"), energy, 2e-3);
    session.choose_solver("explicit");
    session.measure();
    assert!(reading(&session, "elastic_energy") < 1e-3 * energy);
}

/// An arc of 90 degrees and 0.2 m, and straight strands whose rest shape bears their weight: what bends them from there is energy,
/// 1/2 E I / l per squared angle of a joint; sag-free ones hold w² L⁵ / (40 E I), w their weight by length.
#[test]
fn bending_from_a_curved_rest_shape_is_energy() {
    let folder = places::temporary("bend-energy");
    let open = |shape: &str, sag_free: f32| {
        let text = format!(
            r#"(version: 1, air_damping: 3.0, wind: (coefficient: 0.0),
            solver: (name: "strand_newton", params: {{"substeps": 8, "strand_iterations": 8}}),
            strands: [(id: "a", roots: Points(at: [(0.0, 0.0, 0.0)], direction: (1.0, 0.0, 0.0)), {shape} length: 0.2, particles: 32,
                material: (radius: (1e-3, 1e-3), density: 1000.0, young: 1e8, shear: 4e7, sag_free: {sag_free:?}))])"#
        );
        let scene = folder.join("bend.ron");
        std::fs::write(&scene, text).unwrap();
        let mut session = Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap();
        (0..300).for_each(|_| _ = session.step().unwrap());
        session.measure();
        session
    };
    let bend = 1e8 * std::f64::consts::FRAC_PI_4 * 1e-12;
    let weight = 1000.0 * std::f64::consts::PI * 1e-6 * 9.81;
    // The joints' angles by the edges, a clamp's from its stub; rest angles by where they began.
    for shape in ["shape: Arc(angle: 90.0),", "shape: Arc(angle: -90.0),", ""] {
        let mut session = open(shape, 0.0);
        let angles = |session: &Session| -> Vec<f64> {
            let x: Vec<_> = session.positions().iter().map(|x| fixture::vector(*x)).collect();
            let edges: Vec<_> = x.windows(2).map(|ends| (ends[1] - ends[0]).normalize()).collect();
            edges.windows(2).map(|pair| pair[0].cross(pair[1]).z.atan2(pair[0].dot(pair[1]))).collect()
        };
        let (bent, told) = (angles(&session), reading(&session, "elastic_energy"));
        session.reset().unwrap();
        let rest = angles(&session);
        let per_joint = |i: usize| if i == 0 { 2.0 } else { 1.0 };
        let of = |i: usize| 0.5 * bend * per_joint(i) * 30.0 / 0.2 * (bent[i] - rest[i]).powi(2);
        let energy: f64 = (0..bent.len()).map(of).sum();
        close(shape, told, energy, 0.02);
    }
    let session = open("", 1.0);
    let energy = weight * weight * 0.2_f64.powi(5) / (40.0 * bend);
    close("sag_free", reading(&session, "elastic_energy"), energy, 0.02);
}
