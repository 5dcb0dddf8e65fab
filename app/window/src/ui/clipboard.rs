//! What is pasted. The program that owns the clipboard answers when it likes, perhaps never: it is asked aside, and no frame
//! waits for it.

use std::{sync::mpsc, thread, time::Duration};

use weft_core::clock::Instant;

/// What comes later might land in another field.
const WAITS: Duration = Duration::from_secs(1);

/// What was found: `None` if there is no text.
type Found = Result<Option<String>, String>;

#[derive(Default)]
pub(super) struct Clipboard {
    asked: Option<(Instant, mpsc::Receiver<Found>)>,
}

impl Clipboard {
    /// Asks for the text, unless it has been asked for.
    pub(super) fn ask(&mut self) {
        self.ask_with(text);
    }

    fn ask_with(&mut self, text: impl FnOnce() -> Found + Send + 'static) {
        if self.asked.is_some() {
            return;
        }
        let (answer, answers) = mpsc::channel();
        let asks = move || _ = answer.send(text());
        if cfg!(target_arch = "wasm32") {
            asks();
        } else {
            drop(thread::spawn(asks));
        }
        self.asked = Some((Instant::now(), answers));
    }

    /// The text, once it is there; an error says why there will be none.
    pub(super) fn answer(&mut self) -> Found {
        let Some((since, answers)) = &self.asked else { return Ok(None) };
        let found = match answers.try_recv() {
            Ok(found) => found,
            Err(_) if since.elapsed() < WAITS => return Ok(None),
            Err(_) => Err("the program that owns the clipboard does not answer: copy once more".into()),
        };
        self.asked = None;
        found
    }
}

#[cfg(target_arch = "wasm32")]
fn text() -> Found {
    Ok(miniquad::window::clipboard_get())
}

#[cfg(not(target_arch = "wasm32"))]
fn text() -> Found {
    match arboard::Clipboard::new().and_then(|mut clipboard| clipboard.get_text()) {
        Ok(text) => Ok(Some(text)),
        Err(arboard::Error::ContentNotAvailable) => Ok(None),
        Err(why) => Err(format!("cannot read the clipboard: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_owns_it_and_does_not_answer_holds_nobody() {
        let (mut clipboard, (hold, held)) = (Clipboard::default(), mpsc::channel::<()>());
        let start = Instant::now();
        clipboard.ask_with(move || Err(held.recv().unwrap_err().to_string()));
        while clipboard.answer().is_ok() {
            assert!(start.elapsed() < 4 * WAITS);
            thread::sleep(WAITS / 50);
        }
        drop(hold);
        // And the next one does.
        clipboard.ask_with(|| Ok(Some("xpbd".into())));
        let text = std::iter::repeat_with(|| clipboard.answer()).find(|found| found != &Ok(None));
        assert_eq!(text, Some(Ok(Some("xpbd".into()))));
        assert_eq!(clipboard.answer(), Ok(None));
    }
}
