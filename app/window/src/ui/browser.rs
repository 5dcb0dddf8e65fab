//! The scenes of the folder as pictures: a click opens one.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use egui::{ColorImage, Context, RichText, Sense, TextEdit, TextureHandle, TextureOptions, Ui, vec2};

use super::{dock::Dock, panel::Action, tile::Tile};
use weft_session::Session;

use crate::{
    scenes,
    thumbnails::{SIZE, Thumbnails},
};

/// Of a card's picture [points], and the room of its lines below.
const CARD: egui::Vec2 = vec2(168.0, 105.0);
const LINES: f32 = 34.0;

#[derive(Default)]
pub(super) struct Browser {
    filter: String,
    cards: Vec<Card>,
    /// The folder that they are of.
    folder: Option<PathBuf>,
    thumbnails: Thumbnails,
    pictures: BTreeMap<PathBuf, TextureHandle>,
}

struct Card {
    path: PathBuf,
    name: String,
    /// Title and doc; `None`: not read yet.
    words: Option<(String, String)>,
}

impl Card {
    fn fits(&self, filter: &str) -> bool {
        let (title, doc) = self.words.as_ref().map_or(("", ""), |(title, doc)| (title, doc));
        let text = format!("{} {title} {doc}", self.name).to_lowercase();
        filter.split_whitespace().all(|word| text.contains(word))
    }
}

impl Browser {
    /// Whether it waits for pictures, so that frames have to go on.
    pub(super) fn is_busy(&self) -> bool {
        self.folder.is_some()
            && (self.thumbnails.is_busy() || self.cards.iter().any(|card| card.words.is_none()))
    }

    /// What is being made for nobody ends.
    pub(super) fn rest(&mut self, dock: &Dock) {
        if !dock.shows(Tile::Scenes) {
            self.folder = None;
        }
    }

    pub(super) fn show(&mut self, ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
        self.list(session.setup().path());
        self.work(ui.ctx());
        ui.horizontal(|ui| {
            ui.label("filter");
            ui.add(TextEdit::singleline(&mut self.filter).desired_width(180.0));
            ui.label(RichText::new(format!("{} scenes", self.cards.len())).small().weak());
        });
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(10.0, 10.0);
            let filter = self.filter.trim().to_lowercase();
            for card in self.cards.iter().filter(|card| card.fits(&filter)) {
                if self.card(ui, card, session) {
                    actions.push(Action::Scene(card.path.clone()));
                }
            }
        });
    }

    /// The scenes of the folder, when it is opened.
    fn list(&mut self, scene: &Path) {
        let folder = scene.parent().map(Path::to_path_buf);
        if self.folder.is_some() && self.folder == folder {
            return;
        }
        self.folder = folder;
        let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let cards = scenes::beside(scene).into_iter();
        self.cards = cards.map(|path| Card { name: name(&path), path, words: None }).collect();
        self.thumbnails.look_again();
        self.pictures.clear();
    }

    /// A little for each frame: the words of one scene, the picture of one.
    fn work(&mut self, context: &Context) {
        if let Some(card) = self.cards.iter_mut().find(|card| card.words.is_none()) {
            let words = weft_scene::peek(&card.path).map(|scene| (scene.title, scene.doc));
            card.words = Some(words.unwrap_or_else(|| (card.name.clone(), "it cannot be read".into())));
            let stand_in = scenes::picture(&card.path);
            if let Some(texture) = stand_in.and_then(|path| load(context, &path)) {
                self.pictures.insert(card.path.clone(), texture);
            }
            return;
        }
        let paths: Vec<PathBuf> = self.cards.iter().map(|card| card.path.clone()).collect();
        let before: Vec<bool> = paths.iter().map(|path| self.thumbnails.of(path).is_some()).collect();
        if !self.thumbnails.tick(&paths) {
            return;
        }
        for (path, before) in paths.iter().zip(before) {
            let Some(Ok(thumbnail)) = self.thumbnails.of(path).filter(|_| !before) else { continue };
            if let Some(texture) = load(context, &thumbnail.picture) {
                self.pictures.insert(path.clone(), texture);
            }
        }
    }

    /// Returns whether it was clicked.
    fn card(&self, ui: &mut Ui, card: &Card, session: &Session) -> bool {
        let (room, response) = ui.allocate_exact_size(CARD + vec2(0.0, LINES), Sense::click());
        if !ui.is_rect_visible(room) {
            return response.clicked();
        }
        let picture = egui::Rect::from_min_size(room.min, CARD);
        let runs = card.path.file_name() == session.setup().path().file_name();
        let frame = if runs || response.hovered() {
            ui.visuals().selection.bg_fill
        } else {
            ui.visuals().extreme_bg_color
        };
        ui.painter().rect_filled(picture.expand(2.0), 3.0, frame);
        let (title, doc) = card.words.as_ref().map_or((card.name.as_str(), ""), |(title, doc)| (title, doc));
        match (self.pictures.get(&card.path), self.thumbnails.of(&card.path)) {
            (Some(texture), _) => {
                let whole = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
                ui.painter().image(texture.id(), picture, whole, egui::Color32::WHITE);
            }
            (None, state) => {
                let text = match state {
                    Some(Err(why)) => why.as_str(),
                    _ => "comes",
                };
                let font = egui::TextStyle::Small.resolve(ui.style());
                let weak = ui.visuals().weak_text_color();
                ui.painter().text(picture.center(), egui::Align2::CENTER_CENTER, text, font, weak);
            }
        }
        let facts = match self.thumbnails.of(&card.path) {
            Some(Ok(known)) => format!("{} particles, {:.1} ms a step", known.particles, known.ms),
            Some(Err(why)) => why.clone(),
            None => card.name.clone(),
        };
        let text = ui.visuals().text_color();
        for (line, color, down) in [(title, text, 2.0), (&facts, ui.visuals().weak_text_color(), 17.0)] {
            let font = egui::TextStyle::Small.resolve(ui.style());
            let place =
                egui::Rect::from_min_size(picture.left_bottom() + vec2(0.0, down), vec2(CARD.x, 15.0));
            let painter = ui.painter().with_clip_rect(place.intersect(ui.clip_rect()));
            painter.text(place.min, egui::Align2::LEFT_TOP, line, font, color);
        }
        let hint = format!("{}: {title}\n{doc}", card.name);
        response.on_hover_text(hint.trim_end()).clicked()
    }
}

/// A picture of a file, no larger than a thumbnail.
fn load(context: &Context, path: &Path) -> Option<TextureHandle> {
    let picture = image::open(path).ok()?;
    let picture = picture.thumbnail(2 * SIZE.0, 2 * SIZE.1).to_rgba8();
    let size = [picture.width() as usize, picture.height() as usize];
    let pixels = ColorImage::from_rgba_unmultiplied(size, &picture);
    Some(context.load_texture(path.display().to_string(), pixels, TextureOptions::LINEAR))
}
