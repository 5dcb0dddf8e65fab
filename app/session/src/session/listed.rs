//! The runs that a scene lists (`runs`), beside its own: shown where somebody asked for them, and as the list is now.

use super::{Notice, Session};
use weft_scene::{RunPath, SolverChoice};

impl Session {
    /// Runs what the scene lists beside its own solver from now on, and what another scene or another list says later.
    pub fn show_listed(&mut self) {
        self.timeline.shows_listed = true;
        self.follow_list();
    }

    /// The list is another one. Solvers beside become those of the list; what both have goes on with its own state.
    pub(super) fn follow_list(&mut self) {
        if !self.timeline.shows_listed {
            return;
        }
        let (runs, file) = (&self.setup.scene.runs, &self.setup.file.solver);
        let on_device: Vec<&str> =
            runs.iter().filter(|run| run.path == RunPath::Gpu).map(|run| run.name.as_str()).collect();
        let told = (!on_device.is_empty()).then(|| {
            let names = on_device.join(", ");
            format!("{names}: listed for the GPU path, steps on the CPU path here; `weft run` takes both")
        });
        let wanted: Vec<SolverChoice> = runs.iter().map(|run| run.solver(file)).collect();
        told.into_iter().for_each(|text| self.report.notice(Notice::good("runs", text)));
        let twins = self.timeline.beside.twins();
        let places: Vec<usize> = (0..twins.len()).filter(|&place| twins[place].choice().is_some()).collect();
        for (&place, choice) in places.iter().zip(&wanted) {
            let twin = &self.timeline.beside.twins()[place];
            if twin.choice() != Some(choice) && twin.run.generation.solver(&choice.name).is_some() {
                self.set_beside(place, choice.clone());
            }
        }
        places.iter().skip(wanted.len()).rev().for_each(|&place| self.remove_beside(place));
        for choice in wanted.into_iter().skip(places.len()) {
            let name = choice.name.clone();
            if let Err(why) = self.add_beside(choice) {
                self.report.notice(Notice::bad("runs", format!("{name}, which the scene lists: {why}")));
            }
        }
    }
}
