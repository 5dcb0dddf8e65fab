//! Saved shaders of the picture, and textures.

use std::{io::ErrorKind, path::Path};

use weft_core::clock::Instant;
use weft_core::{pulse, wgsl};

use super::{App, resume};
use weft_core::pulse::Phase;
use weft_draw::ShaderError;
use weft_session::{
    Notice, Rejected, Session,
    live::{Event, Look, gone, is_fresh},
};

/// The last good shader draws on, which is said; what was saved just now is looked at again first.
fn refuse(session: &mut Session, path: &Path, refused: Rejected) -> Option<Notice> {
    if is_fresh(path) {
        session.look_again(Event::Shader(path.to_path_buf()));
        return None;
    }
    let line = refused.error.to_string();
    let rejected = &mut session.problems_mut().shaders;
    rejected.retain(|other| other.file != refused.file);
    rejected.push(refused);
    Some(Notice::bad("shader", format!("{line} (the last good one draws on)")))
}

/// A shader whose file has nothing in it, or is not there; editors leave it so for a moment.
fn lose(session: &mut Session, path: &Path, file: String) -> Option<Notice> {
    let known = weft_draw::ShaderSources::built_in().names().any(|known| known == file);
    let told = session.problems().shaders.iter().any(|other| other.file == file && other.text.is_empty());
    match session.look(path) {
        Look::Unsettled => {
            session.look_again(Event::Shader(path.to_path_buf()));
            None
        }
        Look::Gone(what) if known && !told => {
            let error = ShaderError::new(&file, gone(what));
            refuse(session, path, Rejected { file, text: String::new(), error })
        }
        Look::Gone(_) | Look::Settled => None,
    }
}

impl App {
    /// Tries a saved shader alone, then together with those that were rejected before.
    pub(super) fn reload_shader(&mut self, path: &Path) -> Option<Notice> {
        let start = Instant::now();
        let file = path.file_name()?.to_str()?.to_string();
        if !path.parent()?.ends_with("draw") {
            return None;
        }
        let text = match wgsl::read(path) {
            Ok(text) if !text.trim().is_empty() => text,
            // What is no text has none that could be tried again with others.
            Err(why) if why.kind() == ErrorKind::InvalidData => {
                let error = ShaderError::new(&file, why.to_string());
                let rejected = Rejected { file, text: String::new(), error };
                return refuse(&mut self.session, path, rejected);
            }
            Ok(_) | Err(_) => return lose(&mut self.session, path, file),
        };
        let rejected = &mut self.session.problems_mut().shaders;
        let had = rejected.len();
        rejected.retain(|other| other.file != file);
        // One save may be told twice: while it is written, and when it is.
        if rejected.len() == had && self.saved_shaders.get(&file) == Some(&text) {
            return None;
        }
        let together: Vec<(&str, &str)> = std::iter::once((file.as_str(), text.as_str()))
            .chain(rejected.iter().map(|other| (other.file.as_str(), other.text.as_str())))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        let mut turn = self.gl.turn();
        let (renderer, gl) = (&mut self.renderer, &mut *turn);
        pulse::shader(&file);
        (self.drawn_since, self.shader_swapped) = (0, true);
        let _inside = pulse::enter(Phase::Build, Some(resume::SWAP_LIMIT));
        let all = renderer.reload_shaders(gl, &together);
        let alone = all.as_ref().err().map(|_| renderer.reload_shader(gl, &file, &text));
        let ms = start.elapsed().as_secs_f64() * 1e3;
        if all.is_ok() || alone == Some(Ok(())) {
            self.saved_shaders.insert(file.clone(), text.clone());
        }
        match (all, alone) {
            (Ok(()), _) => {
                let files: Vec<&str> = together.iter().map(|(file, _)| *file).collect();
                let files = files.join(" and ");
                rejected.retain(|other| other.text.is_empty());
                Some(Notice::good("shader", format!("{files} draws, {ms:.1} ms")))
            }
            (Err(_), Some(Ok(()))) => Some(Notice::good("shader", format!("{file} draws, {ms:.1} ms"))),
            (Err(error), _) => refuse(&mut self.session, path, Rejected { file, text, error }),
        }
    }

    pub(super) fn load_textures(&mut self) {
        let folder = self.session.setup().folder();
        let (renderer, mut gl) = (&mut self.renderer, self.gl.turn());
        let told = self.view.load_textures(self.session.scene(), folder, renderer, &mut *gl);
        drop(gl);
        for texture in told {
            self.notify(match texture {
                Ok(file) => Notice::good("texture", format!("{file} is drawn")),
                Err(problem) => Notice::bad("texture", problem),
            });
        }
        self.session.problems_mut().textures = self.view.texture_problems().map(str::to_string).collect();
    }
}
