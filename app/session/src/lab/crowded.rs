//! Self collision that could not do all: a list without room, cloth that passes through cloth.

use super::Lab;

/// The worst that the user was told of.
#[derive(Default)]
pub(super) struct Told {
    overflow: f32,
    passed_through: f32,
    too_fast: f32,
    crossings: bool,
}

impl Lab {
    /// After a step: lines for the user, each again only when it got twice as bad.
    pub(super) fn watch_self_collision(&mut self) -> Vec<String> {
        let given = |name: &str| self.run.readings.get(name).copied().filter(|value| *value > 0.0);
        let (told, mut lines) = (&mut self.told, Vec::new());
        if let Some(overflow) = given("self_overflow").filter(|now| *now > 2.0 * told.overflow) {
            told.overflow = overflow;
            lines.push(format!(
                "frame {}: the list of close pairs had no room for {overflow}: cloth may pass through cloth; raise \
                 `self_collision.pairs` of the cloths (the GPU path has 32 a particle), or lower `thickness`",
                self.run.frame
            ));
        }
        if let Some(passed) = given("self_passed_through").filter(|now| *now > 2.0 * told.passed_through) {
            told.passed_through = passed;
            lines.push(format!(
                "frame {}: {passed} pairs passed through each other; more substeps help",
                self.run.frame
            ));
        }
        if let Some(too_fast) = given("self_too_fast").filter(|now| *now > 2.0 * told.too_fast) {
            told.too_fast = too_fast;
            lines.push(format!(
                "frame {}: {too_fast} particles went further in a substep than cloth is looked for (four edges of it \
                 at most): cloth may pass through cloth; more substeps help",
                self.run.frame
            ));
        }
        if let (Some(crossings), false) = (given("self_crossings"), told.crossings) {
            let mut own = self.scene.cloths.iter().filter_map(|cloth| cloth.self_collision.as_ref());
            let then = if own.all(|own| own.heal) {
                "they are being taken apart"
            } else {
                "with `heal: false` they stay so"
            };
            lines.push(format!(
                "frame {}: {crossings} edges of cloth pass through triangles; {then}",
                self.run.frame
            ));
        }
        told.crossings = given("self_crossings").is_some();
        lines
    }
}
