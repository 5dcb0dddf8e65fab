//! The path in the panel: CPU or GPU, what runs there, how long each part of a step takes, and parity.

use egui::{Grid, RichText, Ui};

use super::{panel::Action, section, solver, theme};
use weft_gpu::{GpuRun, Link, parity};
use weft_session::Session;

pub(super) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    // What runs is lit; what was asked for and cannot be had is said below.
    let (wanted, runs) = (session.device().wanted().is_some(), session.gpu().is_some());
    ui.horizontal(|ui| {
        for (name, gpu) in [("CPU", false), ("GPU", true)] {
            let hint = "key g; the columns move once, bit for bit";
            let refusal = session.device().refusal().filter(|_| gpu && wanted);
            let label = |ui: &mut Ui| ui.selectable_label(runs == gpu, name).on_hover_text(hint);
            if solver::offered(ui, refusal, label) && wanted != gpu {
                actions.push(Action::Path(gpu));
            }
        }
        ui.label("path");
    });
    if let Some(why) = session.device().refusal() {
        ui.colored_label(theme::of(ui).amber, RichText::new(format!("the CPU goes on: {why}")).small());
    }
    match session.gpu() {
        Some(gpu) => device(ui, session, gpu),
        None => {
            times(ui, session.run().stages.iter().map(|(name, time)| (name, Some(time.as_secs_f32() * 1e3))))
        }
    }
}

fn device(ui: &mut Ui, session: &Session, gpu: &GpuRun) {
    let small = |text: String| RichText::new(text).small();
    ui.label(small(format!(
        "{}; passes {}, {} dispatches",
        gpu.gpu.info.name,
        gpu.passes_text(),
        gpu.dispatches()
    )));
    let (ms, bytes) = gpu.readback();
    let frame = gpu.frame_ms.map_or("n/a".to_string(), |ms| format!("{ms:.2} ms"));
    let came = bytes as f64 / 1e6;
    let link = &gpu.gpu.link;
    let hint = match link {
        Link::Readback { why } => format!("columns come back through staging memory; not in context: {why}"),
        Link::InContextGl { .. } => "passes write what is drawn where it is drawn from; columns come back for readings alone. OpenGL \
                              neither keeps a pass from writing behind the end of a column nor tells of a lost device"
            .into(),
    };
    let name = link.name();
    ui.label(small(format!("device {frame} a frame; link {name}, {ms:.2} ms to read back {came:.2} MB")))
        .on_hover_text(hint);
    if let Link::Readback { why } = link {
        ui.label(small(format!("not in context: {why}")));
    }
    let (mib, (n, bound)) = (gpu.bytes() as f64 / f64::from(1 << 20), gpu.largest_grid());
    let a_particle = gpu.bytes_a_particle();
    ui.label(small(format!("{mib:.1} MiB there, {a_particle} B a particle; at most {n} x {n} particles")))
        .on_hover_text(format!("the largest grid, by {bound}"));
    for note in gpu.notes(session.run()) {
        ui.colored_label(theme::of(ui).amber, small(note));
    }
    match session.device().parity() {
        Some(Ok(found)) => {
            let color = if found.is_good() { theme::of(ui).good } else { theme::of(ui).bad };
            ui.colored_label(color, small(found.text())).on_hover_text(format!(
                "a small copy of the scene on both paths after an edit; up to {:.0e} counts as equal. Where cloth sticks and \
                 slips, the last bit of a contact decides more than that",
                parity::TOLERANCE
            ));
        }
        Some(Err(why)) => {
            _ = ui.colored_label(theme::of(ui).amber, small(format!("parity is not checked: {why}")))
        }
        None => {}
    }
    if gpu.gpu.times_dispatches() {
        times(ui, gpu.pass_ms.iter().map(|(name, ms)| (name.as_str(), Some(*ms))));
    } else {
        times(ui, gpu.pass_names().into_iter().map(|name| (name, None)));
    }
}

/// Parts of a step and their times [ms]; `None`: not known here.
fn times<'a>(ui: &mut Ui, parts: impl Iterator<Item = (&'a str, Option<f32>)>) {
    let title = RichText::new("times inside a step").small();
    section::show(ui, "step times", false, title, |ui| {
        Grid::new("step times").num_columns(2).spacing([12.0, 0.0]).min_row_height(0.0).show(ui, |ui| {
            for (name, ms) in parts {
                let ms = ms.map_or("n/a".to_string(), |ms| format!("{ms:8.3} ms"));
                ui.label(RichText::new(name).small());
                ui.label(RichText::new(ms).small().monospace());
                ui.end_row();
            }
        });
    });
}
