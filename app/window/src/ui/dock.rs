//! The window as tiles: panels that can be dragged, split, put into tabs, closed and opened again, and the picture in what they
//! leave.
//!
//! ```text
//! row ─┬─ column ─┬─ tabs: run, scene, states        a closed tile keeps its place in the tree, and its size
//!      │          └─ tabs: times, readings, step
//!      ├─ column ─┬─ picture
//!      │          └─ tabs: plots, scenes
//!      └─ particle
//! ```
//!
//! Panels keep their points when the window changes its size; the picture takes the rest. `egui_tiles` does the dragging;
//! rejected: `egui_dock`, where the picture would have to be a tab as panels are.

mod layout;

use std::collections::HashMap;

use egui::{Color32, Rect, Ui, Vec2, Visuals, WidgetText};
use egui_tiles::{
    Behavior, Container, EditAction, LinearDir, SimplificationOptions, TileId, Tiles, Tree, UiResponse,
};
use serde_json::Value;

use super::{theme, tile::Tile};

/// Of a row or a column at most this share is panels' where the picture is in it.
const MOST: f32 = 0.7;
/// Windows narrower than this begin without panels [points].
const NARROW: f32 = 640.0;
/// Of a panel that was never shown [points].
pub(super) const SIZE: f32 = 280.0;
/// Around what a panel shows [points].
const MARGIN: i8 = 8;
const TABS: f32 = 22.0;
/// Between two tiles [points].
const GAP: f32 = 2.0;
/// Every panel has a tab, by which it is dragged.
const SIMPLE: SimplificationOptions = SimplificationOptions {
    prune_empty_tabs: true,
    prune_empty_containers: true,
    prune_single_child_tabs: true,
    prune_single_child_containers: true,
    all_panes_must_have_tabs: true,
    join_nested_linear_containers: true,
    flatten_tabs_in_tabs: true,
};

pub(super) struct Dock {
    tree: Tree<Tile>,
    /// How large each tile is to be [points]: as it was kept, or as the user made it.
    sizes: HashMap<TileId, Vec2>,
    /// How large each became in the room that there is: what differs from it later was moved by the user [points].
    given: HashMap<TileId, Vec2>,
    /// The room that shares are of [points]; another one, and shares are taken anew.
    fitted: Vec2,
    /// Whether there are panels at all, as the user wants it; `None`: where the window has room for them.
    pub(super) wanted: Option<bool>,
    open: bool,
    /// Where the picture is [points]; `None` while another tab lies over it.
    picture: Option<Rect>,
}

impl Default for Dock {
    fn default() -> Self {
        let (tree, sizes) = layout::default();
        Self {
            tree,
            sizes,
            given: HashMap::new(),
            fitted: Vec2::ZERO,
            wanted: None,
            open: true,
            picture: None,
        }
    }
}

impl Dock {
    /// As it was kept; it stays as it is at first where that is no layout.
    pub(super) fn take(&mut self, kept: &Value) -> Result<(), String> {
        (self.tree, self.sizes) = layout::read(kept)?;
        self.fitted = Vec2::ZERO;
        Ok(())
    }

    pub(super) fn layout(&self) -> Value {
        let size = |tile| {
            Vec2::new(self.length(tile, LinearDir::Horizontal), self.length(tile, LinearDir::Vertical))
        };
        let sizes = self.tree.tiles.tile_ids().map(|tile| (tile, size(tile))).collect();
        layout::write(&self.tree, &sizes)
    }

    pub(super) fn reset(&mut self) {
        *self = Self { wanted: Some(true), ..Self::default() };
    }

    /// All panels away, or back.
    pub(super) fn toggle_all(&mut self) {
        self.wanted = Some(!self.open);
    }

    /// Whether panels are there.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Whether it was not shown yet.
    pub(super) fn is_new(&self) -> bool {
        self.picture.is_none() && self.fitted == Vec2::ZERO
    }

    pub(super) fn picture(&self) -> Option<Rect> {
        self.picture
    }

    /// Whether it is in the layout, be it behind another tab.
    pub(super) fn has(&self, tile: Tile) -> bool {
        self.tree.tiles.find_pane(&tile).is_some_and(|found| self.tree.tiles.is_visible(found))
    }

    /// Shows it where it was, in front; or closes it.
    pub(super) fn set(&mut self, tile: Tile, open: bool) {
        let Some(found) = self.tree.tiles.find_pane(&tile) else { return };
        if self.tree.tiles.is_visible(found) != open {
            self.tree.tiles.set_visible(found, open);
            self.fitted = Vec2::ZERO;
        }
        if open {
            self.wanted = Some(true);
            self.tree.make_active(|id, _| id == found);
        }
    }

    /// Whether it can be seen: in front of its tabs, in a window with panels.
    pub(super) fn shows(&self, tile: Tile) -> bool {
        let found = self.tree.tiles.find_pane(&tile);
        self.open && found.is_some_and(|found| self.tree.active_tiles().contains(&found))
    }

    /// Fills the window: `show` draws a panel.
    pub(super) fn show(&mut self, ui: &mut Ui, show: &mut dyn FnMut(&mut Ui, Tile)) {
        let room = ui.available_rect_before_wrap();
        // On a phone they would cover the picture.
        self.open = self.wanted.unwrap_or(room.width() >= NARROW);
        if !self.open {
            self.picture = Some(room);
            return;
        }
        let fits = self.fitted != room.size();
        if fits {
            self.fitted = room.size();
            self.tree.simplify(&SIMPLE);
            let root = self.tree.root();
            root.into_iter().for_each(|root| self.fit(root, room.size()));
        }
        let alone = self.tree.tiles.find_pane(&Tile::Picture);
        let mut shown = Shown { show, alone, picture: None, closed: None, dropped: false };
        self.tree.ui(&mut shown, ui);
        let Shown { picture, closed, dropped, .. } = shown;
        self.picture = picture;
        let tiles = &self.tree.tiles;
        let now = tiles.tile_ids().filter_map(|tile| Some((tile, tiles.rect(tile)?.size())));
        if fits {
            self.given = now.collect();
        } else {
            let other = |given: &Vec2, now: Vec2| (*given - now).abs().max_elem() > 0.5;
            let is_moved =
                |(tile, now): &(TileId, Vec2)| self.given.get(tile).is_none_or(|given| other(given, *now));
            let moved: Vec<(TileId, Vec2)> = now.filter(is_moved).collect();
            self.given.extend(moved.iter().copied());
            self.sizes.extend(moved);
        }
        if dropped {
            // Who drops one wants the others as they are seen.
            self.sizes.extend(self.given.iter());
            // What is kept between runs has no empty tabs. Panels keep their lengths, and the one that was dropped has the
            // length that it had.
            self.tree.simplify(&SIMPLE);
            self.fitted = Vec2::ZERO;
        }
        closed.into_iter().for_each(|tile| self.set(tile, false));
    }

    /// Along a row or a column; of a container that was never shown, that of what is in it.
    fn length(&self, tile: TileId, dir: LinearDir) -> f32 {
        if let Some(size) = self.sizes.get(&tile) {
            return along(dir, *size);
        }
        match self.tree.tiles.get(tile) {
            Some(egui_tiles::Tile::Container(container)) => {
                container.children().map(|child| self.length(*child, dir)).fold(0.0, f32::max)
            }
            _ => SIZE,
        }
    }

    /// Gives panels their lengths and the picture the rest. Shares are one on average, as that of a tile that is dropped there.
    fn fit(&mut self, tile: TileId, room: Vec2) {
        let Some(egui_tiles::Tile::Container(container)) = self.tree.tiles.get(tile) else { return };
        let Container::Linear(linear) = container else {
            let children: Vec<TileId> = container.children().copied().collect();
            children.into_iter().for_each(|child| self.fit(child, room));
            return;
        };
        let (dir, tiles) = (linear.dir, &self.tree.tiles);
        let shown = linear.children.iter().copied().filter(|child| tiles.is_visible_in_layout(*child));
        let shown: Vec<TileId> = shown.collect();
        let gaps = GAP * shown.len().saturating_sub(1) as f32;
        let whole = (along(dir, room) - gaps).max(1.0);
        let mut lengths: Vec<f32> = shown.iter().map(|child| self.length(*child, dir)).collect();
        if let Some(at) = shown.iter().position(|child| self.holds_picture(*child)) {
            lengths[at] = 0.0;
            let panels: f32 = lengths.iter().sum();
            let scale = (MOST * whole / panels.max(1.0)).min(1.0);
            lengths.iter_mut().for_each(|length| *length *= scale);
            lengths[at] = whole - scale * panels;
        }
        let all: f32 = lengths.iter().sum::<f32>().max(1.0);
        let count = shown.len() as f32;
        if let Some(egui_tiles::Tile::Container(Container::Linear(linear))) = self.tree.tiles.get_mut(tile) {
            for (child, length) in shown.iter().zip(&lengths) {
                linear.shares.set_share(*child, length / all * count);
            }
        }
        for (child, length) in shown.into_iter().zip(lengths) {
            let length = length / all * whole;
            let room = match dir {
                LinearDir::Horizontal => Vec2::new(length, room.y),
                LinearDir::Vertical => Vec2::new(room.x, length),
            };
            self.fit(child, room);
        }
    }

    fn holds_picture(&self, tile: TileId) -> bool {
        match self.tree.tiles.get(tile) {
            Some(egui_tiles::Tile::Pane(tile)) => *tile == Tile::Picture,
            Some(egui_tiles::Tile::Container(container)) => {
                container.children().any(|child| self.holds_picture(*child))
            }
            None => false,
        }
    }
}

fn along(dir: LinearDir, size: Vec2) -> f32 {
    match dir {
        LinearDir::Horizontal => size.x,
        LinearDir::Vertical => size.y,
    }
}

/// One frame of it.
struct Shown<'a> {
    show: &'a mut dyn FnMut(&mut Ui, Tile),
    /// The picture, which has no tabs while nothing shares its place.
    alone: Option<TileId>,
    picture: Option<Rect>,
    closed: Option<Tile>,
    dropped: bool,
}

impl Behavior<Tile> for Shown<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, tile: &mut Tile) -> UiResponse {
        if *tile == Tile::Picture {
            self.picture = Some(ui.max_rect());
            return UiResponse::None;
        }
        ui.painter().rect_filled(ui.max_rect(), 0.0, ui.visuals().panel_fill);
        egui::ScrollArea::vertical().id_salt(tile.name()).auto_shrink([false, false]).show(ui, |ui| {
            egui::Frame::new().inner_margin(MARGIN).show(ui, |ui| (self.show)(ui, *tile));
        });
        UiResponse::None
    }

    fn tab_title_for_tile(&mut self, tiles: &Tiles<Tile>, tile: TileId) -> WidgetText {
        layout::names(tiles, tile).join(", ").into()
    }

    fn tab_title_for_pane(&mut self, tile: &Tile) -> WidgetText {
        tile.name().into()
    }

    fn on_tab_button(
        &mut self,
        tiles: &mut Tiles<Tile>,
        tile: TileId,
        button: egui::Response,
    ) -> egui::Response {
        match tiles.get_pane(&tile) {
            Some(tile) => button.on_hover_text(format!("{}; drag it to where it is wanted", tile.doc())),
            None => button,
        }
    }

    fn is_tab_closable(&self, tiles: &Tiles<Tile>, tile: TileId) -> bool {
        tiles.get_pane(&tile).is_some_and(|tile| *tile != Tile::Picture)
    }

    /// Not taken out of the tree: it comes back where it was.
    fn on_tab_close(&mut self, tiles: &mut Tiles<Tile>, tile: TileId) -> bool {
        self.closed = tiles.get_pane(&tile).copied();
        false
    }

    fn is_tab_bar_visible(&self, _: TileId, tabs: &egui_tiles::Tabs) -> bool {
        tabs.children.as_slice() != self.alone.as_slice()
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        TABS
    }

    fn tab_bar_color(&self, visuals: &Visuals) -> Color32 {
        theme::of_visuals(visuals).backdrop
    }

    fn min_size(&self) -> f32 {
        64.0
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        GAP
    }

    fn cycle_tabs_with_keyboard(&self) -> bool {
        false
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SIMPLE
    }

    fn on_edit(&mut self, edit: EditAction) {
        self.dropped |= edit == EditAction::TileDropped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few frames of a window of this size [points]: the size of a panel, and the layout.
    fn show(context: &egui::Context, dock: &mut Dock, size: [f32; 2]) -> (Option<Vec2>, Value) {
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, size.into()));
        for _ in 0..3 {
            let input = egui::RawInput { screen_rect, ..Default::default() };
            let panel = || egui::CentralPanel::default().frame(egui::Frame::NONE);
            let _ = context.run_ui(input, |ui| _ = panel().show(ui, |ui| dock.show(ui, &mut |_, _| {})));
        }
        let id = dock.tree.tiles.find_pane(&Tile::Run).expect("it is there");
        (dock.tree.tiles.rect(id).map(|rect| rect.size()), dock.layout())
    }

    #[test]
    fn panels_that_a_narrow_window_made_small_are_as_before_in_a_wide_one() {
        let (context, mut dock) = (egui::Context::default(), Dock::default());
        dock.set(Tile::Particle, true);
        dock.set(Tile::Plots, true);
        let before = show(&context, &mut dock, [1200.0, 800.0]);
        for size in [[640.0, 480.0], [700.0, 300.0], [900.0, 260.0], [300.0, 800.0]] {
            show(&context, &mut dock, size);
            assert_eq!(show(&context, &mut dock, [1200.0, 800.0]), before, "after {size:?}");
        }
        // One that the user makes wider stays so.
        let root = dock.tree.root().expect("it has one");
        let Some(egui_tiles::Tile::Container(Container::Linear(linear))) = dock.tree.tiles.get_mut(root)
        else {
            panic!("a row");
        };
        let first = linear.children[0];
        let share = linear.shares[first];
        linear.shares.set_share(first, 1.3 * share);
        let wider = show(&context, &mut dock, [1200.0, 800.0]);
        assert!(wider.0.expect("shown").x > before.0.expect("shown").x + 20.0, "{wider:?}");
        show(&context, &mut dock, [2000.0, 800.0]);
        let again = show(&context, &mut dock, [1200.0, 800.0]);
        assert!((again.0.expect("shown") - wider.0.expect("shown")).length() < 3.0, "{again:?}");
    }

    #[test]
    fn a_window_that_was_of_no_size_has_its_panels_again() {
        let (context, mut dock) = (egui::Context::default(), Dock::default());
        dock.wanted = Some(true);
        let mut show = |size: [f32; 2]| show(&context, &mut dock, size);
        let before = show([900.0, 600.0]);
        assert!(before.0.is_some_and(|size| size.x > 200.0 && size.y > 200.0), "{before:?}");
        for size in [[1.0, 1.0], [900.0, 1.0], [1.0, 600.0]] {
            show(size);
            assert_eq!(show([900.0, 600.0]), before, "after {size:?}");
        }
    }
}
