//! The nearest known name to one that is not known.

use std::path::Path;

/// The candidate with the smallest edit distance, if it is near enough to be a slip of the hand.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(2);
    candidates
        .into_iter()
        .map(|candidate| (edits(name, candidate), candidate))
        .filter(|(cost, candidate)| *cost <= limit && *cost < candidate.chars().count())
        .min_by_key(|(cost, _)| *cost)
        .map(|(_, candidate)| candidate)
}

/// A file beside a missing one with nearly the same name.
pub fn sibling(file: &Path) -> Option<String> {
    let wanted = file.file_name()?.to_str()?;
    let names: Vec<String> = std::fs::read_dir(file.parent()?)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    nearest(wanted, names.iter().map(String::as_str)).map(str::to_owned)
}

/// Edit distance in insertions, deletions, substitutions and swaps of neighbours, ignoring case.
/// Texts longer than 64 characters are cut.
fn edits(a: &str, b: &str) -> usize {
    let letters = |text: &str| text.chars().take(64).flat_map(char::to_lowercase).collect::<Vec<_>>();
    let (a, b) = (letters(a), letters(b));
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1; b.len() + 1];
        for j in 0..b.len() {
            let same = usize::from(a[i] != b[j]);
            row[j + 1] = (last[j] + same).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
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
