//! The nearest known name to one that is not known.

use std::path::Path;

use crate::{files, project::folder_of};

/// The candidate with the smallest edit distance (insertions, deletions, substitutions and swaps of neighbours, ignoring
/// case), if it is near enough to be a slip of the hand.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(2);
    // Longer texts are cut: the distance takes time by the product of the lengths.
    let letters = |text: &str| text.chars().take(64).collect::<String>().to_lowercase();
    let name = letters(name);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&name, &letters(candidate)), candidate))
        .filter(|(cost, candidate)| *cost <= limit && *cost < candidate.chars().count())
        .min_by_key(|(cost, _)| *cost)
        .map(|(_, candidate)| candidate)
}

/// What is said of a name that is none of the known ones.
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let near = nearest(name, known.iter().copied());
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    format!("there is no {what} `{name}`{near} (there are {})", known.join(", "))
}

/// That there is no plain file at a path which somebody calls `name`.
pub fn no_file(name: &str, file: &Path) -> String {
    if file.is_dir() {
        format!("{name:?} is a folder")
    } else if file.exists() {
        format!("{name:?} is no plain file")
    } else {
        format!("there is no file {name:?}")
    }
}

/// What to do about a file that is not there.
pub fn missing(file: &Path) -> String {
    if file.exists() {
        return "give a file".into();
    }
    if file.is_symlink() {
        return format!("{} is a link that leads nowhere", file.display());
    }
    sibling(file)
        .map_or_else(|| format!("looked for {}", file.display()), |near| format!("did you mean {near:?}?"))
}

/// A file beside a missing one with nearly the same name.
fn sibling(file: &Path) -> Option<String> {
    let wanted = file.file_name()?.to_str()?;
    let files = files::list(folder_of(file));
    nearest(wanted, files.iter().filter_map(|file| file.file_name()?.to_str())).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_and_refuses_strangers() {
        let names = ["density", "compliance", "friction"];
        assert_eq!(nearest("densty", names), Some("density"));
        assert_eq!(nearest("Frcition", names), Some("friction"));
        assert_eq!(nearest("banana", names), None);
        assert_eq!(nearest("", names), None);
    }
}
