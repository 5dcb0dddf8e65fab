//! The letters of a page: parts of the program's own two fonts, a tenth of their bytes, which are waited for (`app/window/fonts`).
//!
//! Latin, Greek and Cyrillic, arrows, lines and the signs of formulas; what else is written in a scene shows as a box in the panel.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

const TEXT: &[u8] = include_bytes!("../../fonts/ubuntu-light-derivative-weft.ttf");
const CODE: &[u8] = include_bytes!("../../fonts/hack-derivative-weft.ttf");

pub(super) fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in [("text", TEXT), ("code", CODE)] {
        fonts.font_data.insert(name.into(), Arc::new(FontData::from_static(bytes)));
    }
    let families = [(FontFamily::Proportional, ["text", "code"]), (FontFamily::Monospace, ["code", "text"])];
    fonts.families.extend(families.map(|(family, names)| (family, names.map(String::from).to_vec())));
    fonts
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use egui::{FontId, epaint::text::Fonts};

    use super::*;

    /// All letters of what is written in files of this kind in a folder.
    fn letters(folder: &Path, end: &str, all: &mut BTreeSet<char>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                letters(&path, end, all);
            } else if path.extension().is_some_and(|extension| extension == end) {
                let text = fs::read_to_string(&path).expect("text");
                all.extend(text.chars().filter(|letter| !letter.is_control()));
            }
        }
    }

    #[test]
    fn a_page_shows_every_letter_that_the_window_shows() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut written: BTreeSet<char> = ('А'..='я').chain('Ā'..='ſ').collect();
        for (folder, end) in [("app", "rs"), ("sim-dylib", "rs"), ("scenes", "ron"), ("shaders", "wgsl")] {
            letters(&root.join(folder), end, &mut written);
        }
        assert!(written.len() > 200, "{}", written.len());
        let mut page = Fonts::new(egui::epaint::text::TextOptions::default(), definitions());
        let mut window = Fonts::new(egui::epaint::text::TextOptions::default(), FontDefinitions::default());
        for font in [FontId::proportional(12.0), FontId::monospace(12.0)] {
            let lacks: String = written
                .iter()
                .filter(|letter| {
                    let [of_window, of_page] = [&mut window, &mut page]
                        .map(|fonts| fonts.with_pixels_per_point(1.0).has_glyph(&font, **letter));
                    of_window && !of_page
                })
                .collect();
            assert_eq!(lacks, "", "{font:?}");
        }
        let mut has = |letter| page.with_pixels_per_point(1.0).has_glyph(&FontId::proportional(12.0), letter);
        assert!(has('ш') && !has('字'), "a letter that is not there is told from one that is");
    }
}
