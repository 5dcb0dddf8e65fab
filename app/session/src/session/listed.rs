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
        let wanted: Vec<(SolverChoice, RunPath)> =
            runs.iter().map(|run| (run.solver(file), run.path)).collect();
        let twins = self.timeline.beside.twins();
        let places: Vec<usize> = (0..twins.len()).filter(|&place| twins[place].choice().is_some()).collect();
        for (&place, (choice, path)) in places.iter().zip(&wanted) {
            let twin = &self.timeline.beside.twins()[place];
            let (same, known) = (twin.choice() == Some(choice), twin.run.generation.solver(&choice.name));
            if twin.path() != *path {
                self.set_beside_path(place, *path);
            }
            if !same && known.is_some() {
                self.set_beside(place, choice.clone());
            }
        }
        places.iter().skip(wanted.len()).rev().for_each(|&place| self.remove_beside(place));
        for (choice, path) in wanted.into_iter().skip(places.len()) {
            let name = choice.name.clone();
            match self.add_beside(choice) {
                Ok(()) => self.set_beside_path(self.timeline.beside.twins().len() - 1, path),
                Err(why) => {
                    self.report.notice(Notice::bad("runs", format!("{name}, which the scene lists: {why}")));
                }
            }
        }
    }
}
