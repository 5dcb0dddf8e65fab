//! Runs beside the session's own as pictures: one each, or all of them in one.

use weft_draw::{Camera, ClothLook, ClothView, Lines, Picture, Shading, Solid, StrandsView};
use weft_scene::assemble::Object;
use weft_session::Session;

use super::{Range, Scale, View, between, overlay, picture_of};

/// In the id of a cloth of a run beside: its place, from this bit on.
const BESIDE: u32 = 60;
/// Colours of the runs in one picture, linear; the first is the session's own.
pub const TINTS: [[f32; 3]; 4] =
    [[0.80, 0.80, 0.80], [0.90, 0.32, 0.08], [0.05, 0.42, 0.75], [0.10, 0.55, 0.16]];

/// A run beside the session's own, as drawn.
#[derive(Default)]
pub(super) struct Beside {
    /// [m]
    positions: Vec<[f32; 4]>,
    scale: Scale,
    solids: Vec<(usize, Solid)>,
    shapes: Vec<Solid>,
    lines: Lines,
}

impl View {
    /// Takes over the states beside, after that of the session's own.
    pub(super) fn update_beside(&mut self, session: &Session, share: f32) {
        let twins = session.timeline().beside().twins();
        self.beside.resize_with(twins.len(), Beside::default);
        for (drawn, twin) in self.beside.iter_mut().zip(twins) {
            between(&twin.previous, twin.positions(), share, &mut drawn.positions);
            drawn.scale.quantity = self.scale.quantity;
            drawn.scale.palette = self.scale.palette;
            drawn.scale.log = self.scale.log;
            drawn.scale.range = Range::Fixed(self.scale.top());
            drawn.scale.update(session, &twin.run.state);
            session.solids(&twin.run.state, share, None, &mut drawn.solids);
            drawn.shapes.clear();
            drawn.shapes.extend(drawn.solids.iter().map(|(_, solid)| solid.clone()));
            if !self.overlays.is_empty() {
                let run = (&twin.run.state, drawn.positions.as_slice(), drawn.solids.as_slice());
                overlay::draw(self.overlays, session, run, &mut drawn.lines);
            }
        }
    }

    /// As [`View::picture`], of the run at this place beside.
    pub fn picture_beside<R>(
        &self,
        session: &Session,
        place: usize,
        camera: Camera,
        draw: impl FnOnce(&Picture) -> R,
    ) -> R {
        let cloths: Vec<ClothView> = self.cloths_beside(session, place).collect();
        let strands: Vec<StrandsView> = self.strands_beside(session, place).collect();
        let beside = self.beside.get(place);
        let solids = beside.map_or(&[][..], |beside| &beside.shapes);
        let lines = beside.filter(|_| !self.overlays.is_empty()).map(|beside| &beside.lines);
        picture_of(session, camera, (&cloths, &strands, solids, lines), draw)
    }

    fn cloths_beside<'a>(
        &'a self,
        session: &'a Session,
        place: usize,
    ) -> impl Iterator<Item = ClothView<'a>> {
        let beside = self.beside.get(place);
        let both = self.cloths(session).zip(session.objects());
        both.filter_map(move |(cloth, object)| {
            let beside = beside?;
            Some(ClothView {
                id: cloth.id | (place as u64 + 1) << BESIDE,
                painted: None,
                positions: beside.positions.get(object.particles.clone()).unwrap_or_default(),
                shading: beside.shading(cloth.shading, object),
                ..cloth
            })
        })
    }

    fn strands_beside<'a>(
        &'a self,
        session: &'a Session,
        place: usize,
    ) -> impl Iterator<Item = StrandsView<'a>> {
        let beside = self.beside.get(place);
        let both = self.strands(session).zip(&session.objects()[session.scene().cloths.len()..]);
        both.filter_map(move |(strands, object)| {
            let beside = beside?;
            Some(StrandsView {
                id: strands.id | (place as u64 + 1) << BESIDE,
                painted: None,
                positions: beside.positions.get(object.particles.clone()).unwrap_or_default(),
                shading: beside.shading(strands.shading, object),
                ..strands
            })
        })
    }

    /// Adds all runs to those of the session's own, each in its colour where the look shows.
    pub(super) fn add_ghosts<'a>(
        &'a self,
        session: &'a Session,
        cloths: &mut Vec<ClothView<'a>>,
        strands: &mut Vec<StrandsView<'a>>,
    ) {
        for place in 0..self.beside.len() {
            cloths.extend(self.cloths_beside(session, place));
            strands.extend(self.strands_beside(session, place));
        }
        let (own, lists) = (session.scene().cloths.len().max(1), session.scene().strands.len().max(1));
        let tinted = self.scale.quantity.is_look();
        cloths
            .iter_mut()
            .enumerate()
            .filter(|_| tinted)
            .for_each(|(i, cloth)| tint(&mut cloth.look, i / own));
        strands.iter_mut().enumerate().filter(|_| tinted).for_each(|(i, strands)| {
            let tint = TINTS[(i / lists).min(TINTS.len() - 1)];
            (strands.look.root, strands.look.tip) = (tint, tint);
        });
    }
}

impl Beside {
    /// As that of the session's own run.
    fn shading<'a>(&'a self, own: Option<Shading<'a>>, object: &Object) -> Option<Shading<'a>> {
        own.map(|shading| Shading {
            values: self.scale.values().get(object.particles.clone()).unwrap_or_default(),
            ..shading
        })
    }
}

/// Cloth in the colour of its run.
fn tint(look: &mut ClothLook, run: usize) {
    let tint = TINTS[run.min(TINTS.len() - 1)];
    (look.texture, look.front, look.back) = (None, tint, tint.map(|part| 0.7 * part));
}
