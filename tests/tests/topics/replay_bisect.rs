//! `weft bisect`: the search, and the command on a tree of its own whose program says what each commit is to be.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

use tests::{left_out, places, process};
use weft_timings::bisect::{Found, Verdict, search};

#[test]
fn the_search_finds_the_first_one_that_diverges() {
    for count in 1..40 {
        for first in 0..count {
            let mut asked = 0;
            let (found, said) = search(count, |place| {
                asked += 1;
                if place < first { Verdict::Same } else { Verdict::Diverged(place.to_string()) }
            });
            assert_eq!(found, Found { same: first.checked_sub(1), diverged: first }, "{count}");
            assert!(asked <= 6, "{asked} of {count}");
            assert!(
                said.is_none_or(|said| said == first.to_string()),
                "the words are those of the one that was found"
            );
        }
    }
}

#[test]
fn what_cannot_be_asked_is_gone_around() {
    let skips = [3, 4, 5, 9];
    for (first, expected) in
        [(2, (Some(1), 2)), (4, (Some(2), 6)), (6, (Some(2), 6)), (8, (Some(7), 8)), (10, (Some(8), 10))]
    {
        let mut asked = Vec::new();
        let (found, _) = search(12, |place| {
            assert!(!asked.contains(&place), "{place} is asked twice");
            asked.push(place);
            match place {
                place if skips.contains(&place) => Verdict::Skipped("does not build".into()),
                place if place < first => Verdict::Same,
                _ => Verdict::Diverged(String::new()),
            }
        });
        assert_eq!((found.same, found.diverged), expected, "the first is {first}");
    }
}

fn git(tree: &Path, arguments: &[&str]) {
    let name = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    let output =
        Command::new("git").args(name).args(arguments).current_dir(tree).stdin(Stdio::null()).output();
    let output = output.expect("git");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A commit whose program ends in this way.
fn commit(tree: &Path, title: &str, main: &str) {
    fs::write(tree.join("src/main.rs"), format!("fn main() {{ {main} }}\n// {title}\n")).expect("a file");
    git(tree, &["add", "-A"]);
    git(tree, &["commit", "-q", "-m", title]);
}

#[test]
fn the_command_names_the_commit() {
    if !places::weft().exists() && left_out("the_command_names_the_commit", "the program (cargo build)") {
        return;
    }
    let tree = places::temporary("replay_bisect");
    for folder in ["src", "sim-dylib"] {
        fs::create_dir_all(tree.join(folder)).expect("a folder");
    }
    let scene = places::scene("hanging.ron");
    let small = ["--set", "cloths[0].shape.columns=5", "--frames", "12", "--record", "a.weft"];
    let run = |arguments: &[&str]| -> (Output, String) {
        let output = process::weft(&tree, arguments);
        let said =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output, said)
    };
    let (output, said) = run(&[&["run", scene.to_str().expect("a plain path")], &small[..]].concat());
    assert!(output.status.success(), "{said}");
    // What a source tree is known by.
    fs::write(tree.join("sim-dylib/Cargo.toml"), "").expect("a file");
    let (output, said) = run(&["bisect", "a.weft", "--", "one..two"]);
    assert!(output.status.code() == Some(2) && said.contains("one: there is no such revision"), "{said}");
    git(&tree, &["init", "-q"]);
    let package = "[package]\nname = \"weft\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[profile.checked]\ninherits = \"release\"\n";
    fs::write(tree.join("Cargo.toml"), package).expect("a file");
    fs::write(tree.join("Cargo.lock"), "version = 4\n\n[[package]]\nname = \"weft\"\nversion = \"0.1.0\"\n")
        .expect("a file");
    fs::write(tree.join(".gitignore"), "target\n*.weft\n").expect("a file");
    let same = r#"assert_eq!(std::env::args().nth(1).as_deref(), Some("replay"));"#;
    let diverged = r#"println!("DIVERGED at frame 9"); std::process::exit(1);"#;
    commit(&tree, "first", same);
    git(&tree, &["tag", "good"]);
    commit(&tree, "second", same);
    commit(&tree, "does not build", "let no: u8 = 1.5;");
    commit(&tree, "the one", diverged);
    commit(&tree, "cannot read it", "std::process::exit(2);");
    commit(&tree, "last", diverged);
    let (output, said) = run(&["bisect", "a.weft", "--", "good..HEAD"]);
    assert!(output.status.success(), "{said}");
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(
        answer.contains("is one of these") && answer.contains("does not build") && answer.contains("the one"),
        "{said}"
    );
    assert!(
        !answer.contains("second") && !answer.contains("last\n") && answer.contains("DIVERGED at frame 9"),
        "{said}"
    );
    git(&tree, &["tag", "one", "HEAD~2"]);
    for (range, code, says) in [
        ("one~2..one", 0, "is one of these"),
        ("good..HEAD~4", 2, "the same bits with the second one"),
        ("one..HEAD", 2, "diverges with the first one already"),
        ("HEAD..good", 2, "has to be a later one"),
        ("good", 2, "write it as GOOD..BAD"),
        ("good..nowhere", 2, "nowhere: there is no such revision"),
        ("good..HEAD~1", 2, "the second one cannot be asked"),
    ] {
        let (output, said) = run(&["bisect", "a.weft", "--", range]);
        assert!(output.status.code() == Some(code) && said.contains(says), "{range}: {said}");
    }
}
