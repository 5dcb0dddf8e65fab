//! Sections of the panel. Which were opened or closed is known by their names, and kept between runs.

use std::collections::BTreeMap;

use egui::{CollapsingHeader, Context, Id, Ui, WidgetText};

/// Those that are not as they are at first.
type Sections = BTreeMap<String, bool>;

fn id() -> Id {
    Id::unique("sections of the panel")
}

/// Shows a section; `open` says whether it is at first.
pub(super) fn show(
    ui: &mut Ui,
    name: &str,
    open: bool,
    title: impl Into<WidgetText>,
    body: impl FnOnce(&mut Ui),
) {
    let kept = ui.data_mut(|data| data.get_temp_mut_or_default::<Sections>(id()).get(name).copied());
    let header = CollapsingHeader::new(title).id_salt(name).default_open(kept.unwrap_or(open));
    let is_open = header.show(ui, body).openness > 0.5;
    if is_open != kept.unwrap_or(open) {
        ui.data_mut(|data| {
            data.get_temp_mut_or_default::<Sections>(id()).insert(name.to_string(), is_open);
        });
    }
}

/// Those that the user opened or closed.
pub(crate) fn opened(context: &Context) -> Sections {
    context.data_mut(|data| data.get_temp_mut_or_default::<Sections>(id()).clone())
}

/// Before the first picture.
pub(crate) fn set_opened(context: &Context, sections: Sections) {
    context.data_mut(|data| data.insert_temp(id(), sections));
}
