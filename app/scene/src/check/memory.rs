//! What the tables of a scene take, before a byte of them is taken: a system without memory ends the program without a word.

use weft_core::memory::LITTLE;

use super::Checker;
use crate::{Cloth, Scene, Strands, cost};

fn pairs(cloth: &Cloth) -> u64 {
    cost::of_pairs(cloth.shape.particles(), cloth.self_collision.as_ref().map(|own| own.pairs))
}

fn pairs_of(strands: &Strands) -> u64 {
    cost::of_pairs(strands.all_particles(), strands.self_collision.as_ref().map(|own| own.pairs))
}

/// What all tables of a scene take [bytes].
fn needed(scene: &Scene) -> u64 {
    let cloths = scene.cloths.iter().map(|cloth| (cloth.shape.particles(), pairs(cloth)));
    let strands = scene.strands.iter().map(|strands| (strands.all_particles(), pairs_of(strands)));
    let of = |(particles, pairs): (u64, u64)| cost::of_particles(particles).saturating_add(pairs);
    cloths.chain(strands).map(of).fold(0, u64::saturating_add)
}

/// Place of the largest number.
fn largest(numbers: impl Iterator<Item = u64>) -> usize {
    numbers.enumerate().max_by_key(|(_, number)| *number).map_or(0, |(place, _)| place)
}

/// `free`: what the system still has [bytes]; asked where the scene takes more than a little.
pub(super) fn check(checker: &mut Checker<'_>, scene: &Scene, free: impl FnOnce() -> Option<usize>) {
    let needed = needed(scene);
    let Some(free) = (needed > LITTLE as u64).then(free).flatten() else { return };
    let of_strands = scene.strands.iter().map(Strands::all_particles);
    let cloths: u64 = scene.cloths.iter().map(|cloth| cloth.shape.particles()).sum();
    let strands = of_strands.clone().fold(0, u64::saturating_add);
    let particles = cloths.saturating_add(strands);
    // What nobody may write is said elsewhere.
    if needed <= free as u64 || particles > super::MAX_PARTICLES {
        return;
    }
    let gigabytes = |bytes: u64| bytes as f64 / 1e9;
    let message = format!(
        "the tables of this scene take up to {:.1} GB, and {:.1} GB of memory are free",
        gigabytes(needed),
        gigabytes(free as u64)
    );
    let lists = [
        ("cloths", scene.cloths.iter().map(pairs).collect::<Vec<u64>>()),
        ("strands", scene.strands.iter().map(pairs_of).collect()),
    ];
    for (list, bytes) in lists {
        if 2 * bytes.iter().sum::<u64>() > needed {
            let path = format!("{list}[{}].self_collision.pairs", largest(bytes.into_iter()));
            return checker.error(&path, message, "most of it are lists of pairs: give them less room");
        }
    }
    if strands > cloths {
        let path = format!("strands[{}].roots", largest(of_strands));
        return checker.error(&path, message, "fewer strands or particles, or end other programs");
    }
    let path = format!("cloths[{}].shape", largest(scene.cloths.iter().map(|cloth| cloth.shape.particles())));
    checker.error(&path, message, "fewer particles, or end other programs");
}

#[cfg(test)]
mod tests {
    use crate::{Vocabulary, parse_text};

    #[test]
    fn a_scene_that_takes_more_than_there_is_says_where() {
        let refused = |cloth: &str| {
            let text = format!("(version: 1, cloths: [(id: \"a\", {cloth})])");
            let scene = parse_text("a.ron", &text, None, &Vocabulary::default()).expect("a good scene").scene;
            let located = crate::locate::Located::new(&text);
            let mut checker =
                super::super::Checker { text: &located, findings: super::super::Findings::default() };
            super::check(&mut checker, &scene, || Some(1 << 30));
            checker.findings.errors.first().map(|error| (error.path.clone(), error.message.clone()))
        };
        assert_eq!(refused("shape: Grid(columns: 100, rows: 100, width: 1, height: 1)"), None);
        let (path, message) =
            refused("shape: Grid(columns: 1000, rows: 1000, width: 1, height: 1)").expect("3.2 GB");
        assert_eq!(path, "cloths[0].shape");
        assert!(message.contains("3.2 GB, and 1.1 GB of memory are free"), "{message}");
        let pairs =
            "shape: Grid(columns: 100, rows: 100, width: 1, height: 1), self_collision: (pairs: 1000)";
        assert_eq!(refused(pairs).expect("3 GB").0, "cloths[0].self_collision.pairs");
    }
}
