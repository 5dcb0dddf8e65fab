//! From the panel to the file: what runs otherwise than it is written, back again, or into the scene's text.

use std::path::PathBuf;

use super::Session;
use weft_core::files;
use weft_scene::Changed;

impl Session {
    /// Fields that run otherwise than the file has them: turned in the panel, or given by `--set`.
    pub fn changed(&self) -> Vec<Changed> {
        weft_scene::changed(self.setup.file(), self.setup.scene())
    }

    /// Puts the file's value back into a field, by its path with ids. A parameter of the solver takes the file's whole choice
    /// along.
    pub fn revert(&mut self, path: &str) -> Result<(), String> {
        let mut scene = self.setup.scene().clone();
        if path.starts_with("solver.") {
            scene.solver = self.setup.file().solver.clone();
        } else {
            let changed = self.changed().into_iter().find(|changed| changed.path == path);
            let from = changed.and_then(|changed| changed.from);
            let from = from.ok_or_else(|| format!("the file says nothing of `{path}`"))?;
            weft_scene::set(&mut scene, path, &from).map_err(|why| why.to_string())?;
        }
        self.undo.note(path, self.setup.scene());
        self.apply(scene)?;
        self.go_on();
        Ok(())
    }

    /// Writes what runs into the scene's file; comments, layout and a mark before the text stay. Returns how many fields
    /// changed there.
    pub fn write_scene(&mut self) -> Result<usize, String> {
        let path = self.setup.path().to_path_buf();
        let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let on_disk = files::read(&path).map_err(|why| failed(&why))?;
        // A mark before it is part of the text, here as where it was opened.
        if on_disk != self.setup.text().as_bytes() {
            return Err(failed(
                &"the file is another one than runs: wait until it is read, or mend what is wrong with it",
            ));
        }
        let count = self.changed().len();
        let text = weft_scene::rewrite(&path, self.setup.text(), self.setup.file(), self.setup.scene());
        let text = text.map_err(|why| failed(&why))?;
        files::write(&path, text).map_err(|why| failed(&why))?;
        Ok(count)
    }

    /// A file that is not there yet, `recordings/STEM-1.END` or with the next number, of the source tree, or of the working
    /// folder where there is no tree. The folder is made.
    pub fn free_recording(&self, stem: &str, end: &str) -> Result<PathBuf, String> {
        let root = self.project.as_ref().map_or_else(PathBuf::new, |project| project.root.clone());
        let folder = root.join("recordings");
        if !cfg!(target_arch = "wasm32") {
            files::make_folder(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let names = (1..=u32::MAX).map(|number| folder.join(format!("{stem}-{number}.{end}")));
        let free = names.into_iter().find(|name| files::size(name).is_none());
        free.ok_or_else(|| format!("{}: too many files of {stem}", folder.display()))
    }

    /// The command line that runs the file with the values that run now.
    pub fn command_line(&self) -> String {
        let quoted = |text: &str| {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/=".contains(letter);
            if text.chars().all(plain) {
                text.to_string()
            } else {
                format!("'{}'", text.replace('\'', r"'\''"))
            }
        };
        let scene = self.setup.scene();
        let mut words = vec!["weft".to_string(), quoted(&self.setup.path().display().to_string())];
        if scene.solver.name != self.setup.file().solver.name {
            words.extend(["--solver".to_string(), scene.solver.name.clone()]);
        }
        for Changed { path, to, .. } in self.changed() {
            // What another solver would run with needs no word; those of the one that is chosen do.
            if path == "solver.name" || path.starts_with("solver.others.") {
                continue;
            }
            let Some(value) = to else { continue };
            words.extend([
                "--set".to_string(),
                quoted(&format!("{}={value}", path.replace("solver.params.", "solver."))),
            ]);
        }
        words.join(" ")
    }
}
