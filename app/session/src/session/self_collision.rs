//! Self collision that could not do all: a list without room, cloth that passes through cloth.

use weft_engine::run::Run;
use weft_scene::Scene;

/// The worst that was reported.
#[derive(Default)]
pub(super) struct Reported {
    overflow: f32,
    passed_through: f32,
    too_fast: f32,
    crossings: bool,
}

impl Reported {
    /// After a step: lines for the user, each again only when it got twice as bad.
    pub(super) fn after_step(&mut self, run: &Run, scene: &Scene) -> Vec<String> {
        let given = |name: &str| run.readings.get(name).copied().filter(|value| *value > 0.0);
        let (frame, mut lines) = (run.frame, Vec::new());
        if let Some(overflow) = given("self_overflow").filter(|now| *now > 2.0 * self.overflow) {
            self.overflow = overflow;
            lines.push(format!(
                "frame {frame}: the list of close pairs had no room for {overflow}: cloth may pass through cloth; raise \
                 `self_collision.pairs` of the cloths (the GPU path has 32 a particle), or lower `thickness`"
            ));
        }
        if let Some(passed) = given("self_passed_through").filter(|now| *now > 2.0 * self.passed_through) {
            self.passed_through = passed;
            lines
                .push(format!("frame {frame}: {passed} pairs passed through each other; more substeps help"));
        }
        if let Some(too_fast) = given("self_too_fast").filter(|now| *now > 2.0 * self.too_fast) {
            self.too_fast = too_fast;
            lines.push(format!(
                "frame {frame}: {too_fast} particles went further in a substep than cloth is looked for (four edges of \
                 it, a quarter of one where the list of pairs has no room for more): cloth may pass through cloth; more substeps \
                 help, and more `self_collision.pairs`"
            ));
        }
        let crossings = given("self_crossings");
        if let (Some(crossings), false) = (crossings, self.crossings) {
            let mut own = scene.cloths.iter().filter_map(|cloth| cloth.self_collision.as_ref());
            let then = if own.all(|own| own.heal) {
                "they are being taken apart"
            } else {
                "with `heal: false` they stay so"
            };
            lines.push(format!("frame {frame}: {crossings} edges of cloth pass through triangles; {then}"));
        }
        self.crossings = crossings.is_some();
        lines
    }
}
