//! `weft convergence`: every solver from one state, and the files it writes.

use tests::{fixture::all_solvers, places};
use weft_proof::convergence::{self, ConvergenceOptions, Setup, TOLERANCE, curves};
use weft_session::{Options, Session};

fn options() -> ConvergenceOptions {
    let set = [
        ("cloths.sheet.shape.columns", "13"),
        ("cloths.sheet.shape.rows", "11"),
        ("cloths.sheet.material.compliance.structural", "1e-3"),
        ("cloths.sheet.material.compliance.shear", "1e-3"),
    ];
    let session = Options {
        scene: places::scene("hanging.ron"),
        threads: 1,
        set: set.map(|(path, value)| (path.to_string(), value.to_string())).to_vec(),
        ..Options::default()
    };
    let iterations = vec![1, 10, 100];
    ConvergenceOptions {
        session,
        frames: 10,
        iterations,
        out: None,
        solvers: Vec::new(),
        stiffest: 1e4,
        repeats: 1,
    }
}

#[test]
fn solvers_of_the_equation_come_closer_with_iterations() {
    let options = options();
    let mut session = Session::open(options.session).expect("a session");
    for _ in 0..options.frames {
        session.step().expect("a step");
    }
    let setup = Setup::of(&session, options.stiffest).expect("a setup");
    let all = setup.chosen(&[]).expect("all solvers");
    let references = setup.references(&all).expect("references");
    let solution = &references.rows.as_ref().expect("one of rows").solution;
    assert!(solution.residual <= TOLERANCE, "{:?}", solution.history);
    assert!(references.rods.is_none());
    let of_cloth = all_solvers().into_iter().filter(|solver| *solver != "follow_the_leader");
    assert_eq!(all, of_cloth.collect::<Vec<_>>());
    let curves = curves(&setup, &references, &all, &options.iterations, 1).expect("curves");
    assert!(curves.iter().all(|curve| curve.solver != "explicit"));
    for curve in &curves {
        println!("{curve:?}");
        assert!(!curve.points.is_empty(), "{}: {:?}", curve.solver, curve.note);
        for point in &curve.points {
            assert!(point.residual.is_finite() && point.ms > 0.0 && point.rms <= point.farthest, "{curve:?}");
        }
        let (first, last) = (curve.points[0], curve.points[curve.points.len() - 1]);
        if curve.implicit && curve.points.len() > 1 {
            // One linear step ends where the linearisation leaves it; it is nearer to the solution all the same.
            let closer = if curve.solver == "baraff_witkin" {
                last.rms < 0.7 * first.rms
            } else {
                last.residual < 0.5 * first.residual.max(2e-5)
            };
            assert!(closer, "{curve:?}");
        }
    }
    let newton = curves.iter().find(|curve| curve.solver == "implicit_newton");
    if let Some(newton) = newton {
        let last = newton.points[newton.points.len() - 1];
        assert!(last.residual < 1e-3 && last.farthest < 1e-4, "single precision is left: {last:?}");
    }
}

#[test]
fn files_are_written_and_mistakes_are_said() {
    let out = places::temporary("convergence");
    let solvers = vec!["xpbd".to_string(), "pbd_jacobi".to_string()];
    let good = ConvergenceOptions { out: Some(out.clone()), solvers, ..options() };
    convergence::run(&good).expect("it runs");
    let csv = std::fs::read_to_string(out.join("convergence.csv")).expect("a table");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 3, "{csv}");
    assert!(lines[1].starts_with("xpbd,iterations,1,") && lines[1].ends_with("implicit Euler"), "{csv}");
    let svg = std::fs::read_to_string(out.join("convergence.svg")).expect("a drawing");
    assert!(svg.contains("pbd_jacobi") && svg.contains("time of the step"));
    let png = tests::picture::Picture::png(&out.join("convergence.png"));
    assert_eq!((png.width, png.height), (1280, 620));

    let refused = |change: &dyn Fn(&mut ConvergenceOptions)| {
        let mut options = options();
        change(&mut options);
        convergence::run(&options).expect_err("refused").to_string()
    };
    assert!(refused(&|o| o.solvers = vec!["xbpd".into()]).contains("did you mean `xpbd`"));
    assert!(refused(&|o| o.stiffest = 0.0).contains("--stiffest"));
    assert!(refused(&|o| o.iterations = vec![0]).contains("--iterations"));
}

#[test]
fn strands_that_bend_have_a_reference_of_their_own() {
    for (scene, rods) in [("rings.ron", true), ("fringe_on_cloth.ron", true), ("hanging.ron", false)] {
        let options = Options { scene: places::scene(scene), threads: 1, ..Options::default() };
        let session = Session::open(options).expect("a session");
        let setup = Setup::of(&session, 1e4).expect("a setup");
        assert!(setup.left_out("explicit").is_some_and(|why| why.contains("explicitly")));
        for solver in ["xpbd", "vbd", "strand_newton", "implicit_newton"] {
            assert_eq!(setup.left_out(solver), None, "{scene} {solver}");
            let as_rods = setup.as_rods(setup.solver(solver).expect("a solver"));
            assert_eq!(as_rods, rods && solver != "implicit_newton", "{scene} {solver}");
        }
        if scene == "rings.ron" {
            let names = ["implicit_newton"].map(String::from);
            let references = setup.references(&names).expect("references");
            assert!(references.rods.is_none(), "nobody asks for it");
            let curves = curves(&setup, &references, &names, &[1, 10], 1).expect("curves");
            let [curve] = &curves[..] else { panic!("{curves:?}") };
            assert!(
                curve.points[1].residual < 0.01 && curve.points[1].rms < curve.points[0].rms,
                "{curve:?}"
            );
        }
    }
}

#[test]
fn what_the_reference_does_not_know_is_said() {
    let setup = |scene: &str, frames: u64| {
        let options = Options { scene: places::scene(scene), threads: 1, ..Options::default() };
        let mut session = Session::open(options).expect("a session");
        for _ in 0..frames {
            session.step().expect("a step");
        }
        Setup::of(&session, 1e4).expect("a setup")
    };
    let names = ["xpbd", "implicit_newton"].map(String::from);
    let balloon = setup("validate/balloon_120.ron", 10);
    assert!(balloon.changes.iter().any(|change| change.contains("gas")), "{:?}", balloon.changes);
    let references = balloon.references(&names).expect("a reference");
    let curves = curves(&balloon, &references, &names, &[5, 50], 1).expect("curves");
    let newton = curves.iter().find(|curve| curve.solver == "implicit_newton").expect("it is there");
    assert!(newton.points[1].farthest < 1e-5, "{newton:?}");
    let bent = setup("validate/bent_rod.ron", 0);
    let refused = bent.references(&names).err().expect("a rod at rest without gravity");
    assert!(refused.contains("--frames"), "{refused}");
}
