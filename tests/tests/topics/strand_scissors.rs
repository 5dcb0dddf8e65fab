//! Scissors on hair and ropes in a session: undo and redo, history, a save of the scene, seats that jump, what is exported.

use glam::{Vec2, Vec3};
use tests::places;
use weft_core::state::{StateHash, col};
use weft_core::statistics::{largest, least};
use weft_session::{Options, Session, export};

use crate::{filmed::Filmed, replay::same_on_all_threads};

fn open(file: &str, set: &[(&str, &str)]) -> Session {
    let set = set.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
    let options = Options { scene: places::scene(file), threads: 1, set, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    session
}

fn ponytail() -> Session {
    open("ponytail.ron", &[("strands[0].roots.count", "12"), ("strands[0].particles", "16")])
}

fn hash(session: &Session) -> StateHash {
    StateHash::of(&session.run().state)
}

fn steps(session: &mut Session, count: usize) -> Vec<StateHash> {
    let mut step = || {
        session.step().unwrap_or_else(|e| panic!("{e}"));
        hash(session)
    };
    (0..count).map(|_| step()).collect()
}

fn broken(session: &Session) -> usize {
    session.run().state.broken_threads()
}

/// Cuts at a height, by the share of what there is. Returns how many segments there were.
fn cut(session: &mut Session, share: f32) -> usize {
    let heights = || session.positions().iter().map(|x| x[1]);
    let (low, high) = (least(heights()) as f32, largest(heights()) as f32);
    let height = low + share * (high - low);
    let seen = |at: Vec3| Some(Vec2::new(at.z, at.y));
    session.cut(Vec2::new(-9.0, height), Vec2::new(9.0, height), seen).expect("a cut")
}

#[test]
fn a_haircut_is_taken_back_and_done_again_and_leaves_the_frames_before_it() {
    let mut session = ponytail();
    let mut hashes = vec![hash(&session)];
    hashes.extend(steps(&mut session, 15));
    let cut_ones = cut(&mut session, 0.5);
    assert!(cut_ones >= 8 && broken(&session) == cut_ones, "{cut_ones}");
    assert_eq!(hash(&session), hashes[15], "a cut moves nothing");
    assert_eq!(session.setup().cuts(0).iter().filter(|cut| **cut).count(), cut_ones);
    let after = steps(&mut session, 8);
    // To any frame of before, and of after.
    for frame in [14, 3, 0] {
        session.go_to(frame).expect("kept");
        assert_eq!((hash(&session), broken(&session)), (hashes[frame as usize], 0), "frame {frame}");
        assert!(session.setup().cuts(0).is_empty());
    }
    session.go_to(20).expect("kept");
    assert_eq!((hash(&session), broken(&session)), (after[4], cut_ones));
    session.go_to(23).expect("kept");
    assert_eq!(session.undo(), Ok(0));
    assert_eq!((hash(&session), session.run().frame, broken(&session)), (hashes[15], 15, 0));
    assert!(session.scene().strands[0].material.tear.is_none());
    assert_eq!(session.redo(), Ok(0));
    assert_eq!(broken(&session), cut_ones);
    assert_eq!(steps(&mut session, 8), after, "it goes on as it did");
    // A loop over the cut ends as it began.
    session.start_loop(4).expect("frames are kept");
    steps(&mut session, 9);
    session.end_loop();
    assert_eq!(broken(&session), cut_ones);
    // Without a history it is the same.
    let mut session = ponytail();
    session.set_history_budget(0);
    steps(&mut session, 15);
    cut(&mut session, 0.5);
    steps(&mut session, 4);
    session.undo().expect("a cut");
    assert_eq!(hash(&session), hashes[15]);
}

#[test]
fn a_cut_that_is_taken_back_leaves_colliders_where_they_were_dragged_since() {
    let mut session = ponytail();
    let place = |session: &Session| session.run().state.get(col::collider::position)[0];
    steps(&mut session, 5);
    cut(&mut session, 0.5);
    session.drag_collider(0, Vec3::new(0.0, 0.0, 0.3));
    steps(&mut session, 6);
    let dragged = place(&session);
    session.undo().expect("a cut");
    assert_eq!((session.run().frame, broken(&session)), (5, 0));
    let length = |session: &Session| {
        let (x, rows) = (session.positions(), session.run().state.get(col::distance::idx));
        let way = |row: u32| Vec3::from_slice(&x[row as usize]);
        largest(rows.iter().map(|&[a, b]| (way(a) - way(b)).length()))
    };
    let whole = length(&session);
    steps(&mut session, 6);
    assert_eq!(place(&session), dragged);
    assert!(length(&session) < 1.2 * whole, "it takes the hair along: {} m of {whole}", length(&session));
    // Where nothing moves it is there at once, with the hair.
    session.set_paused(true);
    cut(&mut session, 0.5);
    session.drag_collider(0, Vec3::new(0.0, 0.4, 0.0));
    let (dragged, hair) = (place(&session), session.positions().to_vec());
    session.undo().expect("a cut");
    let far = |(a, b): (&[f32; 4], &[f32; 4])| (0..3).any(|axis| (a[axis] - b[axis]).abs() > 1e-5);
    assert_eq!((place(&session), broken(&session)), (dragged, 0));
    let roots = session.run().state.get(col::strand::span).iter().map(|[first, ..]| *first as usize);
    assert!(
        !roots.into_iter().any(|row| far((&session.positions()[row], &hair[row]))),
        "roots are left behind"
    );
}

#[test]
fn a_cut_through_a_gap_is_none() {
    let mut session = ponytail();
    steps(&mut session, 3);
    let first = cut(&mut session, 0.5);
    // Two edits, not one.
    std::thread::sleep(std::time::Duration::from_millis(900));
    let second = cut(&mut session, 0.8);
    session.undo().expect("the second cut");
    assert_eq!((broken(&session), cut(&mut session, 0.5)), (first, 0));
    session.redo().expect("the cut in the air has taken no place");
    assert_eq!(broken(&session), first + second);
}

#[test]
fn hair_that_is_cut_replays_to_the_bit() {
    let file = places::temporary("replay_haircut").join("session.weft");
    let small = [("strands[0].roots.count", "12"), ("strands[0].particles", "16")];
    let mut filmed = Filmed::open(&file, "ponytail.ron", &small);
    filmed.steps(12);
    assert!(cut(&mut filmed.session, 0.5) >= 8);
    filmed.steps(6);
    assert!(cut(&mut filmed.session, 0.6) > 0);
    filmed.steps(3);
    filmed.session.undo().expect("a cut");
    filmed.steps(4);
    same_on_all_threads(&file, filmed.end());
}

#[test]
fn stiffness_that_changes_under_cut_hair_leaves_it_cut() {
    let mut session = ponytail();
    steps(&mut session, 4);
    let cut_ones = cut(&mut session, 0.6);
    steps(&mut session, 2);
    let negative = |session: &Session| {
        session.run().state.get(col::segment::stretch).iter().filter(|stretch| **stretch < 0.0).count()
    };
    assert_eq!(negative(&session), cut_ones);
    session.edit("strands.hair.material.young", &weft_scene::Edit::Numbers(vec![1e9])).expect("a field");
    assert_eq!((negative(&session), broken(&session)), (cut_ones, cut_ones));
    session.choose_solver("xpbd");
    steps(&mut session, 3);
    assert_eq!((negative(&session), broken(&session)), (cut_ones, cut_ones));
}

#[test]
fn a_seat_that_jumps_takes_along_what_still_grows_from_it() {
    let mut session = open(
        "ponytail.ron",
        &[
            ("strands[0].roots.count", "12"),
            ("strands[0].particles", "16"),
            ("colliders[0].motion.repeat", "false"),
        ],
    );
    steps(&mut session, 60);
    let count = cut(&mut session, 0.5);
    assert!(count >= 8);
    steps(&mut session, 6);
    let before = session.positions().to_vec();
    let cuts = session.setup().cuts(0).to_vec();
    session.set_paused(true);
    session.drag_collider(0, Vec3::new(0.0, 0.0, 2.0));
    session.set_paused(false);
    let state = &session.run().state;
    let (mut gone, mut left) = (0, 0);
    for &[first, stride, count] in state.get(col::strand::span) {
        let rows: Vec<usize> = (0..count).map(|i| (first + stride * i) as usize).collect();
        let end = rows.iter().position(|row| cuts[*row]).unwrap_or(rows.len());
        for (i, row) in rows.into_iter().enumerate() {
            let moved = state.get(col::particle::position)[row][2] - before[row][2];
            if i <= end {
                assert!((moved - 2.0).abs() < 1e-4, "particle {i} went {moved}");
                gone += 1;
            } else {
                assert!(moved.abs() < 1e-6, "particle {i} of what fell off went {moved}");
                left += 1;
            }
        }
    }
    assert!(gone > 0 && left > 0);
    steps(&mut session, 4);
    assert!(session.positions().iter().flatten().all(|x| x.is_finite()));
}

#[test]
fn what_is_exported_does_not_reach_over_a_cut() {
    let mut session = open("rings.ron", &[]);
    steps(&mut session, 2);
    let whole = session.surface();
    let segments = |surface: &export::Surface| -> Vec<usize> {
        let of = |object: &export::Object| object.lines.iter().map(|line| line.len() - 1).sum();
        surface.objects.iter().map(of).collect()
    };
    let count = cut(&mut session, 0.7);
    assert!(count >= 4, "{count}");
    let torn = session.surface();
    let (before, after) = (segments(&whole), segments(&torn));
    // A piece that is one particle alone is no line, and has no segment.
    assert_eq!(before.iter().sum::<usize>() - after.iter().sum::<usize>(), count);
    let broken = session.run().state.get(col::thread::broken);
    let ends = session.run().state.get(col::thread::ends).iter().zip(broken);
    let broken: Vec<[u32; 2]> = ends.filter(|(_, broken)| **broken != 0).map(|(ends, _)| *ends).collect();
    for (object, set) in torn.objects.iter().zip(session.objects()) {
        let first = set.particles.start as u32;
        for pair in object.lines.iter().flat_map(|line| line.windows(2)) {
            let pair = [first + pair[0].min(pair[1]), first + pair[0].max(pair[1])];
            assert!(!broken.contains(&pair), "{} reaches over {pair:?}", object.id);
        }
    }
}

/// Led from an end that nothing holds, what is cut off falls on the shoulders and lies there: energies [J].
#[test]
fn hair_that_is_cut_off_comes_to_rest_under_follow_the_leader() {
    let set = [("solver.name", "follow_the_leader"), ("strands[0].roots.count", "60")];
    let mut session = open("haircut.ron", &set);
    let kinetic = |session: &mut Session, count| {
        steps(session, count);
        session.measure();
        session.report().measured().motion.kinetic
    };
    let before = kinetic(&mut session, 100);
    assert!(cut(&mut session, 0.5) > 40);
    let after = kinetic(&mut session, 100);
    assert!(after < 5.0 * before, "{before}, then {after}");
}
