//! A blow-up is taken back to the frame in which it began, and the particles that left first are named.

use glam::Vec3;
use tests::places;
use weft_core::energy::Energy;
use weft_core::state::col;
use weft_core::statistics::largest;
use weft_engine::run::StepError;
use weft_session::{Options, Session};

/// A soft sheet under explicit Euler, which gains energy at any step: the shorter the substeps, the slower.
fn explicit(substeps: u32) -> Session {
    let set = |path: &str, value: &str| (path.to_string(), value.to_string());
    let overrides = vec![
        set("cloths[0].shape.columns", "21"),
        set("cloths[0].shape.rows", "21"),
        set("cloths[0].material.compliance.structural", "0.2"),
        set("cloths[0].material.compliance.shear", "0.2"),
        set("solver.stability_cap", "0"),
        set("solver.integrator", "explicit_euler"),
        set("solver.substeps", &substeps.to_string()),
    ];
    let scene = places::scene("hanging.ron");
    let solver = Some("explicit".to_string());
    let options = Options { scene, solver, threads: 1, set: overrides, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    session
}

fn energy(session: &Session) -> f64 {
    Energy::of(&session.run().state).total(session.scene().gravity)
}

/// Steps until one fails. The energy at every frame, and how often an alarm was said.
fn until_it_fails(session: &mut Session) -> (Vec<f64>, usize, StepError) {
    let (mut energies, mut alarms) = (vec![energy(session)], 0);
    loop {
        match session.step() {
            Ok(notices) => alarms += notices.iter().filter(|notice| notice.kind == "energy").count(),
            Err(error) => return (energies, alarms, error),
        }
        energies.push(energy(session));
        assert!(energies.len() < 2000, "it does not blow up");
    }
}

#[test]
fn a_slow_blow_up_is_taken_back_to_its_first_frame() {
    for (substeps, frames) in [(560, 15..60), (1000, 25..120)] {
        let mut session = explicit(substeps);
        let (energies, alarms, error) = until_it_fails(&mut session);
        assert!(matches!(error, StepError::NotFinite { .. }) && session.has_blown_up(), "{error}");
        assert_eq!(alarms, 1, "{substeps}: said once, before the NaN");
        let end = energies.len() - 1;
        session.show_where_it_began().unwrap();
        let began = session.timeline().blow_up().cloned().expect("found");
        let grew = end as u64 - began.frame;
        println!("{substeps} substeps: NaN after frame {end}, began {grew} frames before");
        assert!(frames.contains(&(end as u64)) && grew >= 10, "{end} {grew}");
        assert_eq!((session.run().frame, session.is_paused(), began.end), (began.frame, true, end as u64));
        // Until there, no step gained what is worth speaking of; from there on it never came back.
        let sane = began.frame as usize;
        let usual = largest(energies[..=sane].windows(2).map(|pair| (pair[1] - pair[0]).abs()));
        assert!(
            energies[sane + 1] - energies[sane] > 3.0 * usual,
            "{usual} then {:?}",
            &energies[sane..sane + 2]
        );
        assert!(energies[sane + 1..].iter().all(|energy| *energy > energies[sane]));
        assert!(energies[end] > 1e3 * energies[sane].abs(), "{substeps}: it did blow up");
        // The named ones are those that moved oddly: their velocity changes most in the next step.
        let velocity = |session: &Session, particle: usize| {
            let v = session.run().state.get(col::particle::velocity)[particle];
            Vec3::new(v[0], v[1], v[2])
        };
        let before: Vec<Vec3> = (0..21 * 21).map(|particle| velocity(&session, particle)).collect();
        let named = session.marked().to_vec();
        assert!(
            !named.is_empty()
                && named.len() <= 12
                && began.text.contains(&format!("of {} (sheet: row ", named[0]))
        );
        assert!(began.text.contains("NaN or infinite"), "{}", began.text);
        session.go_to(began.frame + 1).unwrap();
        let mut changes: Vec<(f32, usize)> = (0..21 * 21)
            .map(|particle| ((velocity(&session, particle) - before[particle]).length(), particle))
            .collect();
        changes.sort_by(|a, b| b.0.total_cmp(&a.0));
        assert_eq!(changes[0].1, named[0]);
        assert!(session.marked() == named, "they stay marked on the way");
        // A fix and on it goes from there.
        session.go_to(began.frame).unwrap();
        session.choose_solver("xpbd");
        session.step().unwrap_or_else(|e| panic!("{e}"));
        assert!(session.marked().is_empty() && !session.has_blown_up());
    }
}

#[test]
fn a_nan_out_of_calm_is_taken_to_the_frame_before_it() {
    let mut session = explicit(64);
    session.choose_solver("xpbd");
    for _ in 0..40 {
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
    session.edit_run(|run| {
        run.state.get_mut(col::particle::velocity)[333][1] = f32::NAN;
    });
    let error = session.step().unwrap_err();
    let StepError::NotFinite { particle, column, .. } = error else { panic!("{error}") };
    // The present is not sane itself: the last one that was is named.
    session.show_where_it_began().unwrap();
    let began = session.timeline().blow_up().expect("found");
    assert_eq!(began.frame, 39, "{}", began.text);
    assert_eq!(session.run().frame, 39);
    assert!(began.particles.contains(&333), "{} {particle} {column}: {}", began.particles.len(), began.text);
    session.step().unwrap_or_else(|e| panic!("sane: {e}"));
}

#[test]
fn a_hand_and_a_calm_cloth_raise_no_alarm() {
    let set = [("cloths[0].shape.columns", "30"), ("cloths[0].shape.rows", "30")];
    let set = set.map(|(path, value)| (path.to_string(), value.to_string())).to_vec();
    let scene = places::scene("drape_on_sphere.ron");
    let mut session = Session::open(Options { scene, threads: 1, set, ..Options::default() })
        .unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    for frame in 0..150 {
        if frame == 60 {
            let at = session.positions()[500];
            session.grab(0, Vec3::new(at[0], at[1], at[2]), 0.1);
            session.move_grab(session.hand().grab().unwrap().target + Vec3::new(0.3, 0.8, 0.0));
        }
        if frame == 90 {
            session.release();
            session.drag_collider(0, Vec3::new(0.2, 0.3, 0.0));
        }
        let notices = session.step().unwrap_or_else(|e| panic!("{e}"));
        assert!(notices.iter().all(|notice| notice.kind != "energy"), "frame {frame}");
    }
    assert!(!session.has_blown_up());
    let error = session.show_where_it_began().unwrap_err();
    assert!(error.contains("does not run away"), "{error}");
}
