//! The hand as scissors: threads of cloth and segments of strands that a line in the picture crosses break, in all layers behind
//! it.

use glam::{Vec2, Vec3};
use weft_core::state::col;

use super::Session;
use crate::{history::Moment, tape::Input};
use weft_scene::{Scene, Tear};

impl Session {
    /// Cuts the threads that are crossed by the way from `from` to `to` [pixels]; `pixel` says where a point in the
    /// world [m] is seen, if it is. Returns how many there were.
    ///
    /// What does not tear gets `tear: (strain: 0)` first, as if it had been set in the panel; frames before that are kept as they
    /// are.
    pub fn cut(
        &mut self,
        from: Vec2,
        to: Vec2,
        pixel: impl Fn(Vec3) -> Option<Vec2>,
    ) -> Result<usize, String> {
        self.end_loop();
        self.read_all();
        let (before, tears) = (self.before_cut(), self.tears());
        self.let_be_cut()?;
        let seen: Vec<Option<Vec2>> =
            self.positions().iter().map(|&[x, y, z, _]| pixel(Vec3::new(x, y, z))).collect();
        let state = &self.engine.run().state;
        let (ends, broken) = (state.get(col::thread::ends), state.get(col::thread::broken));
        let crossed = |ends: &[u32; 2]| match ends.map(|end| seen[end as usize]) {
            [Some(a), Some(b)] => cross([from, to], [a, b]),
            _ => false,
        };
        // The ends of what is cut already may be far apart by now, on both sides of the way.
        let rows = (0..).zip(ends.iter().zip(broken));
        let rows = rows.filter(|(_, (ends, broken))| **broken == 0 && crossed(ends));
        let threads: Vec<u32> = rows.map(|(row, _)| row).collect();
        if threads.is_empty() {
            return Ok(0);
        }
        self.forget_undone();
        Ok(self.cut_noted(before, tears, &threads))
    }

    /// Gives cloth and strands that do not tear the tables of what can be cut.
    pub(super) fn let_be_cut(&mut self) -> Result<(), String> {
        if self.setup.scene.tears().all(|(_, tear)| tear.is_some()) {
            return Ok(());
        }
        let uncut = self.set_uncut_aside();
        let wanted: Vec<Option<Tear>> =
            self.tears().into_iter().map(|tear| Some(tear.unwrap_or_default())).collect();
        self.set_tears(&wanted)?;
        self.timeline.uncut = uncut;
        Ok(())
    }

    /// Cuts threads, and keeps how that is taken back: `before` and `tears` are from before it.
    pub(super) fn cut_noted(
        &mut self,
        before: Option<Moment>,
        tears: Vec<Option<Tear>>,
        threads: &[u32],
    ) -> usize {
        self.note_cut(before, tears, threads);
        self.note(|| Input::Cut { threads: threads.to_vec() });
        self.cut_threads(threads)
    }
}

/// What was cut, though its file says nothing of tearing, stays so when the file is saved.
pub(super) fn keep(wanted: &mut Scene, now: &Scene) {
    for (id, tear) in wanted.tears_mut().filter(|(_, tear)| tear.is_none()) {
        let before = now.tears().find(|(before, _)| *before == id);
        *tear = before.and_then(|(_, tear)| tear).filter(|tear| tear.strain == 0.0);
    }
}

/// Whether two segments cross.
fn cross([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> bool {
    let side = |from: Vec2, to: Vec2, at: Vec2| (to - from).perp_dot(at - from);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_says_nothing_of_tearing_leaves_the_cut_as_it_is() {
        let read = |tear: &str| {
            let text = format!(
                r#"(version: 1, cloths: [(id: "a", shape: Disc(radius: 1.0, rings: 2), material: ({tear}))],
                    strands: [(id: "b", roots: Points(at: [(0, 0, 0)]), length: 1.0, material: ({tear}))])"#
            );
            weft_scene::parse_text("test", &text, None, &weft_scene::Vocabulary::default())
                .expect("a good scene")
                .scene
        };
        let (cut, mut file) = (read("tear: ()"), read(""));
        keep(&mut file, &cut);
        assert_eq!(file, cut);
        let (mut tears, mut firm) = (read("tear: (strain: 0.5)"), read(""));
        keep(&mut tears, &cut);
        assert_eq!(tears, read("tear: (strain: 0.5)"), "the file decides");
        keep(&mut firm, &tears);
        assert_eq!(firm, read(""), "what tore by its file tears no more");
    }

    #[test]
    fn segments_cross_only_where_both_pass() {
        let line = |a: [f32; 2], b: [f32; 2]| [Vec2::from(a), Vec2::from(b)];
        let across = line([0.0, 0.0], [4.0, 0.0]);
        assert!(cross(across, line([1.0, -1.0], [2.0, 1.0])));
        assert!(!cross(across, line([5.0, -1.0], [5.0, 1.0])), "beside its end");
        assert!(!cross(across, line([1.0, 1.0], [2.0, 3.0])), "above it");
        assert!(!cross(across, across), "a way of no side");
    }
}
