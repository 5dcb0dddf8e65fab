//! The code that runs: which generation, what is being built, and what the compiler says.

use egui::{RichText, Ui};

use super::{
    panel::{Action, PanelInput},
    problems, theme,
};
use weft_session::{Session, live::Status};

pub(super) fn row(ui: &mut Ui, session: &Session, input: &PanelInput, actions: &mut Vec<Action>) {
    let live = session.live();
    if let Some((time, crates)) = input.rebuild {
        let text = format!("building the whole program… {:.0} s, {crates} crates done", time.as_secs_f32());
        ui.colored_label(theme::of(ui).amber, RichText::new(text).small());
    } else if live.contract_changed()
        && ui
            .button("rebuild and restart")
            .on_hover_text("key F5: sim_api changed; the state is kept")
            .clicked()
    {
        actions.push(Action::Rebuild);
    }
    let running = session.run().generation.number;
    let code = if running == 0 { "built in".to_string() } else { format!("generation {running}") };
    match &live.status {
        Status::Off(why) => ui.label(RichText::new(format!("code: {code}; {why}")).small()),
        Status::FirstBuild { crates } => {
            let text = format!("code: {code}; building the live library… {crates} crates done");
            ui.label(RichText::new(text).small())
        }
        Status::Building { since, crates } => {
            let seconds = since.elapsed().as_secs_f32();
            let text = format!("code: {code}; building… {seconds:.1} s, {crates} crates done");
            ui.colored_label(theme::of(ui).amber, RichText::new(text).small())
        }
        Status::Ready => {
            let mut text = format!("code: {code}");
            if let Some(build) = live.last_build {
                text += &format!("; last build {} ms", build.as_millis());
            }
            if let Some(swap) = session.recovery().last_swap() {
                text += &format!(", probe {} ms", swap.probe.as_millis());
                text += &format!(", published to running {} ms", swap.to_running.as_millis());
            }
            let (generations, mapped) = (live.loaded(), live.mapped() as f64 / 1e6);
            text += &format!("; {generations} libraries mapped, {mapped:.1} MB");
            ui.label(RichText::new(text).small())
        }
    };
    if !live.warnings.is_empty() {
        let title =
            RichText::new(format!("{} warning(s)", live.warnings.len())).small().color(theme::of(ui).amber);
        egui::CollapsingHeader::new(title).id_salt("warnings").show(ui, |ui| {
            for warning in &live.warnings {
                problems::places(ui, &warning.place);
                ui.label(RichText::new(warning.rendered.trim_end()).monospace().size(10.0));
            }
        });
    }
}
