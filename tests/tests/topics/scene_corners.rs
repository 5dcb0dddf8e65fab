//! Scenes at the ends of the ranges of their numbers run: what is refused is refused by the check, and no step panics, writes beside
//! its columns or makes NaN without saying where.

use tests::{
    fixture::{Fixture, all_solvers, small},
    random::Random,
};
use weft_scene::{Address, Roots, Scene, Vocabulary};

/// More particles take longer and find no more.
const MOST: u64 = 400;

/// Small scenes that together have nearly every field.
fn scenes() -> Vec<Scene> {
    let files = [
        "flag.ron",
        "drape_on_sphere.ron",
        "balloon_in_net.ron",
        "tearing.ron",
        "fringe_on_cloth.ron",
        "head_turn.ron",
        "pompom.ron",
    ];
    let all = files.map(|file| {
        let mut scene = small(file, 9, 8);
        for strands in &mut scene.strands {
            strands.particles = strands.particles.min(8);
            match &mut strands.roots {
                Roots::Cap { count, .. } | Roots::Edge { count, .. } | Roots::Row { count, .. } => *count = 6,
                _ => {}
            }
        }
        scene.expect.clear();
        scene
    });
    all.into()
}

fn particles(scene: &Scene) -> u64 {
    let cloth = scene.cloths.iter().map(|cloth| cloth.shape.particles());
    cloth.chain(scene.strands.iter().map(weft_scene::Strands::all_particles)).sum()
}

/// The scene with some of its numbers at the lower or the upper end of their range, as its check takes it; `None`: it refuses that.
fn corner(scene: &Scene, random: &mut Random) -> Option<(Scene, Vec<String>)> {
    let mut fields = Vec::new();
    weft_scene::visit(&mut scene.clone(), Address::Id, &mut |field| {
        fields.push((field.path.clone(), field.row, field.slot.components().len(), field.slot.written()));
    });
    let (mut scene, mut set) = (scene.clone(), Vec::new());
    for _ in 0..=random.below(4) {
        let (path, row, count, written) = &fields[random.below(fields.len() as u32) as usize];
        let mut end = || {
            let end = [row.min, row.max][random.below(2) as usize];
            if written.parse::<u32>().is_ok() { format!("{end}") } else { format!("{end:?}") }
        };
        let value = match count {
            0 => continue,
            1 => end(),
            _ => format!("({})", (0..*count).map(|_| end()).collect::<Vec<_>>().join(", ")),
        };
        weft_scene::set(&mut scene, path, &value).ok()?;
        set.push(format!("{path}={value}"));
    }
    let text = weft_scene::write(&scene);
    let folder = tests::places::root().join("scenes");
    let loaded = weft_scene::parse_text("corner.ron", &text, Some(&folder), &Vocabulary::default()).ok()?;
    (particles(&loaded.scene) <= MOST).then_some((loaded.scene, set))
}

/// Solvers that may end a run here: `explicit` has a longest step, and acceleration makes NaN of cloth that starts at 17 km/s.
const MAY_END: [&str; 2] = ["explicit", "implicit_chebyshev"];

/// `WEFT_CORNERS=100000` for a longer run.
#[test]
fn scenes_at_the_ends_of_their_ranges_run() {
    let rounds = std::env::var("WEFT_CORNERS").ok().and_then(|text| text.parse().ok());
    let rounds: usize = rounds.unwrap_or(if tests::long() { 20_000 } else { 200 });
    let (scenes, solvers) = (scenes(), all_solvers());
    let (mut random, mut ran, mut ended) = (Random(7), 0, Vec::new());
    for round in 0..rounds {
        let Some((mut scene, set)) = corner(&scenes[round % scenes.len()], &mut random) else { continue };
        let solver = solvers[random.below(solvers.len() as u32) as usize];
        scene.solver.name = solver.into();
        scene.solver.params.retain(|name, _| name == "substeps");
        let what = format!("{} with {solver}: {}", scene.title, set.join(" "));
        if let Err(why) = Fixture::of(scene).try_frames(10) {
            let why = why.to_string();
            assert!(why.contains("NaN or infinite"), "{what}: {why}");
            assert!(MAY_END.contains(&solver), "{what}: {why}");
            ended.push(what);
        }
        ran += 1;
    }
    println!("{ran} of {rounds} were taken, {} ended\n{}", ended.len(), ended.join("\n"));
    assert!(ran > rounds / 3, "{ran} of {rounds} were taken");
    assert!(ended.len() < ran / 20, "{} of {ran} ended", ended.len());
}
