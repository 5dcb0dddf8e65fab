//! Runs beside each other: which part of the window shows which, and what the pointer points at there.

use miniquad::window;

use super::App;
use weft_draw::{Camera, Target, Viewport};

use crate::ui::{LABEL, Pane, free, panes};

/// Pictures that are narrower by their height show as much to the sides as one of this shape.
const NARROWEST: f32 = 0.9;

impl Pane {
    /// Its part of a window so high.
    fn part(&self, height: f32) -> Viewport {
        let [left, top, right, bottom] = self.area;
        Viewport {
            x: left as i32,
            y: (height - bottom) as i32,
            width: (right - left) as i32,
            height: (bottom - top) as i32,
        }
    }
}

impl App {
    /// The parts of the window and what each shows [pixels]; panels are no part of them.
    fn panes(&self) -> Vec<Pane> {
        let scale = self.ui.context.pixels_per_point();
        let (width, height) = window::screen_size();
        let whole = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height) / scale);
        let picture = self.panel.picture().unwrap_or(whole);
        let area = free(&self.session, picture).map(|edge| edge * scale);
        let several = panes(&self.session, area, (LABEL * scale).round());
        if self.view.ghosts || several.is_empty() {
            // A single picture goes on under the time line.
            let area = [picture.left(), picture.top(), picture.right(), picture.bottom()];
            let [left, top, right, bottom] = area.map(|edge| (edge * scale).round());
            return vec![Pane {
                area: [left, top, right.max(left + 1.0), bottom.max(top + 1.0)],
                label: 0.0,
                beside: None,
            }];
        }
        several
    }

    /// Left, top, right and bottom edge of the first part [pixels].
    pub(super) fn first_area(&self) -> [f32; 4] {
        self.panes()[0].area
    }

    /// The camera for a picture of this shape.
    pub(super) fn camera_of(&self, aspect: f32) -> Camera {
        self.camera.fitted(aspect, NARROWEST)
    }

    /// The camera as a picture of this size shows it, about the origin of the positions.
    pub(super) fn seen(&self, width: f32, height: f32) -> Camera {
        self.camera_of(width / height.max(1.0)).about(self.session.origin())
    }

    /// A place in the window as a place in the part it lies in, and the size of that [pixels].
    pub(super) fn in_view(&self, x: f32, y: f32) -> (f32, f32, f32, f32) {
        let panes = self.panes();
        let holds = |pane: &&Pane| {
            let [left, top, right, bottom] = pane.area;
            (left..right).contains(&x) && (top - pane.label..bottom).contains(&y)
        };
        // Over a panel: as if the first picture went on there.
        let [left, top, right, bottom] = panes.iter().find(holds).unwrap_or(&panes[0]).area;
        (x - left, y - top, right - left, bottom - top)
    }

    /// The cloth, or each run's in its part, with one camera.
    pub(super) fn draw_pictures(&mut self) {
        let (width, height) = window::screen_size();
        let (panes, whole) = (self.panes(), Target::window(width, height));
        if let Some(own) = panes.iter().find(|pane| pane.beside.is_none()) {
            let part = own.part(height);
            self.paint_strands(self.camera.fitted(part.aspect(), NARROWEST), part);
        }
        let mut turn = self.gl.turn();
        let (renderer, gl) = (&mut self.renderer, &mut *turn);
        let (view, session, plain) = (&self.view, &self.session, self.camera);
        for (i, pane) in panes.into_iter().enumerate() {
            let part = pane.part(height);
            let camera = plain.fitted(part.aspect(), NARROWEST);
            let part = whole.part(part, i == 0);
            match pane.beside {
                None => view.picture(session, camera, |picture| renderer.draw(gl, picture, part)),
                Some(place) => view.picture_beside(session, place, camera, |picture| {
                    renderer.draw(gl, picture, part);
                }),
            }
        }
    }
}
