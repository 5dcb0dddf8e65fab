//! The limit to the stretch of strands that `strand_newton` ends with: lengths in every frame, momentum, and what it leaves alone.

use std::fs;

use tests::{
    fixture::{Fixture, reading},
    long, places,
};
use weft_core::{state::col, statistics::largest};
use weft_session::{Options, Session};

const SOLVER: &str = "solver: (name: \"strand_newton\", params: {\"substeps\": 4, \"strand_iterations\": 2})";

fn session(text: &str) -> Session {
    let folder = std::env::temp_dir().join(format!("weft_strand_limit_{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{:x}.ron", text.len()));
    fs::write(&file, text).expect("a scene");
    Session::open(Options { scene: file, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}

/// The most that a segment is longer or shorter than at rest in any of some frames, by its rest length.
fn worst(session: &mut Session, frames: usize) -> f64 {
    largest((0..frames).map(|_| {
        session.step().unwrap_or_else(|e| panic!("{e}"));
        session.measure();
        reading(session, "strand_stretch")
    }))
}

fn worst_on_head(motion: &str, radius: f32, hair: &str, frames: usize) -> f64 {
    let mut session = session(&format!(
        "(version: 1, {SOLVER},
          strands: [(id: \"hair\", seat: Collider(\"head\"), length: 0.3, roots: Cap(axis: (0, 1, 0), angle: 60, count: 17), {hair})],
          colliders: [(id: \"head\", shape: Sphere(radius: {radius}), at: (0, 1.5, 0), motion: {motion})])"
    ));
    worst(&mut session, frames)
}

/// A root shaken with 50 m/s² under 0.1 g at each tip, and a head that goes just less far in a frame than it would take hair along.
#[test]
fn no_segment_is_a_percent_longer_under_a_weight_or_on_a_head_that_jumps() {
    let shaken = "Oscillate(offset: (0.08, 0, 0), period: 0.25)";
    let jump = |x: f32| {
        format!(
            "Keyframes(keys: [(0.5, (0, 0, 0), (0, 0, 0)), (0.5166, ({x}, 0, 0), (0, 0, 0)), (9, ({x}, 0, 0), (0, 0, 0))])"
        )
    };
    let (plain, tip) = ("particles: 34", "particles: 34, material: (tip_mass: 1e-4)");
    let mut cases =
        vec![(shaken.to_owned(), 0.002, tip), (shaken.to_owned(), 0.1, tip), (jump(0.45), 0.1, plain)];
    let mut frames = 60;
    if long() {
        let fine = "particles: 128";
        cases.extend([
            (jump(0.3), 0.1, plain),
            (jump(0.49), 0.1, plain),
            (jump(0.45), 0.1, tip),
            (shaken.to_owned(), 0.1, fine),
        ]);
        frames = 200;
    }
    for (motion, radius, hair) in cases {
        let worst = worst_on_head(&motion, radius, hair, frames);
        assert!(worst < 0.0075, "{motion}, head of {radius} m, {hair}: {worst}");
    }
}

/// `head_turn.ron`, as it is and with a single hair for each lock: some are caught between head and shoulders.
#[test]
fn hair_between_a_head_and_shoulders_keeps_its_lengths() {
    if !long() {
        return;
    }
    let text = fs::read_to_string(places::scene("head_turn.ron")).expect("the scene");
    let own = |old: &str, new: &str, text: &str| {
        assert!(text.contains(old), "no {old}");
        text.replacen(old, new, 1)
    };
    let thin = own("(young: 3.9e7, radius: (4e-4, 3e-4))", "(young: 3.9e9, radius: (4e-5, 3e-5))", &text);
    for text in [text, thin] {
        let worst = worst(&mut session(&text), 420);
        assert!(worst < 0.0075, "{worst}");
    }
}

/// A shawl that falls over a rail jerks its fringe.
#[test]
fn a_fringe_keeps_its_lengths_on_cloth_that_falls() {
    if !long() {
        return;
    }
    let scene = places::scene("fringe_on_cloth.ron");
    let mut session =
        Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    let worst = worst(&mut session, 60);
    assert!(worst < 0.0075, "{worst}");
}

/// Ropes with a weight at their tips, that these fly away with.
fn ropes(count: usize, root: &str) -> Fixture {
    let at: Vec<_> = (0..count).map(|i| format!("(0.1, {i}, 0)")).collect();
    let mut fixture = Fixture::new(&format!(
        "(version: 1, gravity: (0, 0, 0), air_damping: 0, wind: (coefficient: 0), {SOLVER},
          strands: [(id: \"a\", root: {root}, length: 0.3, particles: 20, material: (tip_mass: 1e-4),
                     roots: Points(at: [{}], direction: (1, 0, 0)))])",
        at.join(", ")
    ));
    let spans = fixture.run.state.get(col::strand::span).to_vec();
    for (i, [first, stride, count]) in spans.into_iter().enumerate() {
        let tip = (first + stride * (count - 1)) as usize;
        fixture.v_mut()[tip] = [9.0, 4.0, i as f32 * 0.5, 0.0];
    }
    fixture
}

fn longest(fixture: &Fixture) -> f64 {
    let (state, x) = (&fixture.run.state, fixture.places());
    let rows = state.get(col::distance::idx).iter().zip(state.get(col::distance::rest));
    largest(
        rows.map(|([a, b], rest)| (x[*a as usize].distance(x[*b as usize]) / f64::from(*rest) - 1.0).abs()),
    )
}

#[test]
fn what_is_free_keeps_its_momentum() {
    let mut free = ropes(11, "Free");
    let before = free.momentum();
    for frame in 0..20 {
        free.frames(1);
        let lost = (free.momentum() - before).length() / before.length();
        let longest = longest(&free);
        assert!(lost < 1e-4 && longest < 0.0075, "frame {frame}: {lost} of it is lost, {longest} too long");
    }
}

#[test]
fn a_strand_has_the_same_bits_alone_as_among_others_and_on_any_number_of_threads() {
    let first = |count: usize, threads: usize| {
        let mut fixture = ropes(count, "Clamped").threads(threads);
        fixture.frames(20);
        let [first, stride, count] = fixture.run.state.get(col::strand::span)[0];
        let bits = |i: u32| fixture.x()[(first + stride * i) as usize].map(f32::to_bits);
        (0..count).map(bits).collect::<Vec<_>>()
    };
    let alone = first(1, 1);
    assert!(alone == first(11, 1) && alone == first(70, 2) && alone == first(70, 7));
}

/// Held at both ends farther apart than it is long, a strand cannot be brought to its length, and does not fly apart.
#[test]
fn a_strand_that_is_held_too_far_apart_stays_there() {
    let mut fixture = ropes(9, "Pinned");
    let spans = fixture.run.state.get(col::strand::span).to_vec();
    for [first, stride, count] in spans {
        let tip = (first + stride * (count - 1)) as usize;
        let [x, y, z, _] = fixture.x()[tip];
        fixture.x_mut()[tip] = [x + 0.03, y, z, 0.0];
        fixture.v_mut()[tip] = [0.0; 4];
    }
    fixture.frames(60);
    let longest = longest(&fixture);
    assert!((0.09..0.5).contains(&longest), "{longest}");
}
