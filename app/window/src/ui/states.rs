//! States by name: save the one that runs, go on from another, delete it.

use std::time::Duration;

use egui::{TextEdit, Ui};

use weft_core::clock::Instant;
use weft_session::{
    Session,
    states::{self, SavedState},
};

use super::panel::Action;

/// From one look at the folder to the next.
const LOOK_EVERY: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(super) struct States {
    /// What the user writes.
    name: String,
    list: Vec<SavedState>,
    looked: Option<Instant>,
    /// The one that is deleted with one more click.
    doomed: Option<String>,
}

impl States {
    pub(super) fn show(&mut self, ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
        if self.looked.is_none_or(|looked| looked.elapsed() > LOOK_EVERY) {
            self.looked = Some(Instant::now());
            self.list = states::list(session.project());
        }
        ui.horizontal(|ui| self.save(ui, actions));
        for state in &self.list {
            ui.horizontal(|ui| row(ui, state, &mut self.doomed, actions));
        }
        if actions.iter().any(|action| matches!(action, Action::SaveState(_) | Action::DeleteState(_))) {
            self.looked = None;
        }
    }

    fn save(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let field = ui.add(TextEdit::singleline(&mut self.name).hint_text("name").desired_width(150.0));
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let name = self.name.trim();
        let known = self.list.iter().any(|state| state.name == name);
        let label = if known { "save over it" } else { "save state" };
        let button = ui.add_enabled(!name.is_empty(), egui::Button::new(label));
        let hint = if cfg!(target_arch = "wasm32") {
            "the state with its scene, solver and values, as a download too; dropped on a page it goes on there, and `weft --state FILE` opens it"
        } else {
            "the state with its scene, solver and values, in recordings/states; `weft --state NAME` opens it"
        };
        if button.on_hover_text(hint).clicked() || (entered && !name.is_empty()) {
            actions.push(Action::SaveState(name.to_string()));
        }
    }
}

fn row(ui: &mut Ui, state: &SavedState, doomed: &mut Option<String>, actions: &mut Vec<Action>) {
    let age = state.age.as_secs();
    let age = match age {
        0..60 => format!("{age} s ago"),
        60..3600 => format!("{} min ago", age / 60),
        3600..86_400 => format!("{} h ago", age / 3600),
        _ => format!("{} days ago", age / 86_400),
    };
    if ui.button(&state.name).on_hover_text(format!("go on from it; saved {age}")).clicked() {
        actions.push(Action::LoadState(state.name.clone()));
    }
    let sure = doomed.as_ref() == Some(&state.name);
    if ui.small_button(if sure { "delete it" } else { "x" }).on_hover_text("delete").clicked() {
        if sure {
            actions.push(Action::DeleteState(state.name.clone()));
        }
        *doomed = (!sure).then(|| state.name.clone());
    }
}
