//! What the tables of a scene take, before a byte of them is taken: a system without memory ends the program without a word.

use super::Checker;
use crate::{Cloth, Scene, Strands};

/// Of a particle with its rows in all tables, and of the copies that a swap of code makes [bytes]. Measured at 2048 x 2048.
const PARTICLE: u64 = 3_200;
/// Of a row of `pair`, twice at a swap of code [bytes].
const PAIR: u64 = 2 * 152;

fn pairs(cloth: &Cloth) -> u64 {
    let room = cloth.self_collision.as_ref().map_or(0, |own| u64::from(own.pairs));
    cloth.shape.particles().saturating_mul(room).saturating_mul(PAIR)
}

fn pairs_of(strands: &Strands) -> u64 {
    let room = strands.self_collision.as_ref().map_or(0, |own| u64::from(own.pairs));
    strands.all_particles().saturating_mul(room).saturating_mul(PAIR)
}

/// What all tables of a scene take [bytes].
fn needed(scene: &Scene) -> u64 {
    let of = |cloth: &Cloth| cloth.shape.particles().saturating_mul(PARTICLE).saturating_add(pairs(cloth));
    let of_strands = |strands: &Strands| {
        strands.all_particles().saturating_mul(PARTICLE).saturating_add(pairs_of(strands))
    };
    let strands = scene.strands.iter().map(of_strands);
    scene.cloths.iter().map(of).chain(strands).fold(0, u64::saturating_add)
}

/// `free`: what the system still has [bytes].
pub(super) fn check(checker: &mut Checker<'_>, scene: &Scene, free: Option<usize>) {
    let (needed, Some(free)) = (needed(scene), free) else { return };
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
    let most = |of: &dyn Fn(&Cloth) -> u64| {
        let cloths = scene.cloths.iter().map(of).enumerate();
        cloths.max_by_key(|(_, bytes)| *bytes).map_or(0, |(index, _)| index)
    };
    let lists: u64 = scene.cloths.iter().map(pairs).sum();
    if 2 * lists > needed {
        let path = format!("cloths[{}].self_collision.pairs", most(&pairs));
        return checker.error(&path, message, "most of it are lists of pairs: give them less room");
    }
    let lists: u64 = scene.strands.iter().map(pairs_of).sum();
    if 2 * lists > needed {
        let largest = scene.strands.iter().map(pairs_of).enumerate().max_by_key(|(_, bytes)| *bytes);
        let path = format!("strands[{}].self_collision.pairs", largest.map_or(0, |(index, _)| index));
        return checker.error(&path, message, "most of it are lists of pairs: give them less room");
    }
    if strands > cloths {
        let largest = of_strands.enumerate().max_by_key(|(_, particles)| *particles);
        let path = format!("strands[{}].roots", largest.map_or(0, |(index, _)| index));
        return checker.error(&path, message, "fewer strands or particles, or end other programs");
    }
    let path = format!("cloths[{}].shape", most(&|cloth| cloth.shape.particles()));
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
            super::check(&mut checker, &scene, Some(1 << 30));
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
