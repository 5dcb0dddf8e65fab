//! The shape of the tree: crates in a row, no circle between modules, files that one reads in one go.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tests::places;

/// The crates of the program: each uses only those before it.
const ROW: [&str; 14] = [
    "sim_api",
    "sim_kernels",
    "sim",
    "weft_core",
    "weft_timings",
    "weft_scene",
    "weft_draw",
    "weft_engine",
    "weft_gpu",
    "weft_session",
    "weft_window",
    "weft_web",
    "weft_proof",
    "weft",
];

/// Lines of a file, at most, and of the one in the middle.
const LONGEST: usize = 400;
const MEDIAN: usize = 150;
/// Lines of the host's own crate, and of all crates under `app`: what it has today, which may shrink.
const HOST: usize = 3_510;
const APP: usize = 91_732;

/// A package of the workspace: its name, folder and what it depends on inside of it.
struct Package {
    name: String,
    folder: PathBuf,
    uses: Vec<String>,
}

fn packages() -> Vec<Package> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(places::root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_string();
    let all = metadata["packages"].as_array().expect("a list");
    let package = |package: &serde_json::Value| Package {
        name: text(&package["name"]),
        folder: Path::new(&text(&package["manifest_path"])).parent().expect("a folder").to_path_buf(),
        // What only its tests use makes no circle between libraries.
        uses: package["dependencies"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|dependency| !dependency["path"].is_null() && dependency["kind"].is_null())
            .map(|dependency| text(&dependency["name"]))
            .collect(),
    };
    all.iter().map(package).collect()
}

#[test]
fn each_crate_uses_only_those_above_it() {
    let packages = packages();
    for package in &packages {
        let Some(own) = ROW.iter().position(|name| *name == package.name) else {
            assert!(package.name.ends_with("tests"), "{} has no place in the row of crates", package.name);
            continue;
        };
        for used in &package.uses {
            let place = ROW.iter().position(|name| name == used);
            assert!(place.is_some_and(|place| place < own), "{} uses {used}", package.name);
        }
    }
    for name in ROW {
        assert!(packages.iter().any(|package| package.name == name), "there is no crate {name}");
    }
}

/// The sources of a crate, without those of crates inside of its folder.
fn sources(package: &Package, packages: &[Package]) -> (PathBuf, Vec<PathBuf>) {
    let with_src = package.folder.join("src");
    let root = if with_src.is_dir() { with_src } else { package.folder.clone() };
    let inner = |path: &Path| {
        packages.iter().any(|other| {
            other.folder != package.folder
                && other.folder.starts_with(&package.folder)
                && path.starts_with(&other.folder)
        })
    };
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.retain(|file| !inner(file));
    (root, files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("tests") {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    files.sort();
}

/// The text without comments and without the tests at its end.
fn code(text: &str) -> String {
    let plain: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    plain.split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_string()
}

/// Modules of the same crate that a text names: the first words after `crate::`, also those of a list.
fn named(code: &str) -> BTreeSet<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with('$') || code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(word(rest));
            continue;
        };
        let (mut depth, mut first) = (0, true);
        for (i, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => first = true,
                c if first && depth == 0 && !c.is_whitespace() => {
                    names.insert(word(&list[i..]));
                    first = false;
                }
                _ => {}
            }
        }
    }
    names
}

#[test]
fn no_module_is_part_of_a_circle() {
    let packages = packages();
    let mut circles = Vec::new();
    for package in packages.iter().filter(|package| ROW.contains(&package.name.as_str())) {
        let (root, files) = sources(package, &packages);
        let module = |file: &Path| {
            let inside = file.strip_prefix(&root).expect("below the root");
            let first = inside.iter().next().expect("a name").to_string_lossy().into_owned();
            first.strip_suffix(".rs").map_or(first.clone(), str::to_string)
        };
        let modules: BTreeSet<String> = files.iter().map(|file| module(file)).collect();
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in &files {
            let own = module(file);
            if ["lib", "main"].contains(&own.as_str()) {
                continue;
            }
            let text = fs::read_to_string(file).expect("a source");
            let others =
                named(&code(&text)).into_iter().filter(|name| modules.contains(name) && *name != own);
            uses.entry(own.clone()).or_default().extend(others);
        }
        for start in uses.keys() {
            // All that is reached from `start`; itself among it is a circle.
            let (mut reached, mut front) = (BTreeSet::new(), vec![start]);
            while let Some(module) = front.pop() {
                for next in uses.get(module).into_iter().flatten() {
                    if reached.insert(next) {
                        front.push(next);
                    }
                }
            }
            if reached.contains(start) {
                circles.push(format!("{}::{start}", package.name));
            }
        }
    }
    assert!(circles.is_empty(), "in a circle: {}", circles.join(", "));
}

/// `f64::max` and `min` pass over NaN: what is worked out from the rest keeps any limit.
#[test]
fn nothing_measured_passes_over_nan() {
    let mut files = Vec::new();
    for folder in ["app/proof/src", "tests/src", "tests/tests"] {
        collect(&places::root().join(folder), &mut files);
    }
    let deaf = ["f32::max", "f32::min", "f64::max", "f64::min"].map(|name| format!("{name})"));
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        let lines = text.lines().enumerate().filter(|(_, line)| deaf.iter().any(|name| line.contains(name)));
        found.extend(lines.map(|(at, _)| format!("{}:{}", file.display(), at + 1)));
    }
    assert!(
        found.is_empty(),
        "`statistics::largest` and `least` are NaN where a value is, f64::max and min are not:\n{}",
        found.join("\n")
    );
}

#[test]
fn files_are_read_in_one_go() {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "*.rs", "*.wgsl"])
        .current_dir(places::root())
        .output();
    let list = output.ok().filter(|output| output.status.success() && !output.stdout.is_empty());
    let list = list.expect("a checkout of git");
    let lines = |file: &str| fs::read_to_string(places::root().join(file)).map(|text| text.lines().count());
    let files: Vec<(usize, String)> = String::from_utf8_lossy(&list.stdout)
        .lines()
        .filter_map(|file| Some((lines(file).ok()?, file.to_string())))
        .collect();
    let long: Vec<_> = files.iter().filter(|(lines, _)| *lines > LONGEST).collect();
    assert!(long.is_empty(), "longer than {LONGEST} lines: {long:?}");
    let mut counts: Vec<usize> = files.iter().map(|(lines, _)| *lines).collect();
    counts.sort_unstable();
    let median = counts[counts.len() / 2];
    assert!(median <= MEDIAN, "half of the files have more than {median} lines");
    let sum = |folder: &str| -> usize {
        files.iter().filter(|(_, file)| file.starts_with(folder)).map(|(lines, _)| lines).sum()
    };
    assert!(sum("app/src/") <= HOST, "app/src has {} lines", sum("app/src/"));
    assert!(sum("app/") <= APP, "app has {} lines", sum("app/"));
}

/// The time of day may be set back meanwhile: what waits or moves by it would stand still.
#[test]
fn the_window_measures_time_by_a_clock_that_nobody_sets() {
    let mut files = Vec::new();
    collect(&places::root().join("app/window/src"), &mut files);
    assert!(files.len() > 10);
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        assert!(!text.contains("date::now"), "{}", file.display());
    }
}
