//! What a pass of the GPU path says of its twin on the CPU: that there is such a function.
//!
//! A file says it in one form, a line of its first comment that reads
//!
//! ```text
//! // CPU twin: `gas::Gas::project`, `gas::leak`.
//! ```
//! A twin is a function in a module, or one of a type there. Modules are known by the end of their path, so that they may
//! move with the folder that they are in.

use std::{fs, path::Path};

use tests::places;

const MARK: &str = "// CPU twin: ";

/// All files below a folder that end so.
fn files(folder: &Path, end: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                files(&path, end, found);
            }
        } else if path.extension().is_some_and(|own| own == end) {
            found.push((path.to_string_lossy().replace('\\', "/"), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Whether a text has a word after another one.
fn has(text: &str, before: &str, name: &str) -> bool {
    let follows = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.match_indices(&format!("{before}{name}")).any(|(at, found)| follows(&text[at + found.len()..]))
}

/// Why there is no such twin.
fn missing(twin: &str, code: &[(String, String)]) -> Option<String> {
    let mut modules: Vec<&str> = twin.split("::").collect();
    let name = modules.pop()?;
    let ty = modules.pop_if(|last| last.starts_with(char::is_uppercase));
    let end = format!("/{}", modules.join("/"));
    let mut known = code.iter().filter(|(path, _)| {
        let path = path.trim_end_matches(".rs");
        path.trim_end_matches("/mod").ends_with(&end)
    });
    if known.clone().next().is_none() {
        return Some(format!("there is no file {}.rs", &end[1..]));
    }
    let is = |text: &str| has(text, "fn ", name) && ty.is_none_or(|ty| has(text, " ", ty));
    (!known.any(|(_, text)| is(text))).then(|| format!("no file {}.rs has it", &end[1..]))
}

#[test]
fn twins_exist() {
    let root = places::root();
    let (mut shaders, mut code) = (Vec::new(), Vec::new());
    files(&root.join("shaders/sim"), "wgsl", &mut shaders);
    ["app", "sim-dylib"].iter().for_each(|folder| files(&root.join(folder), "rs", &mut code));
    let (mut wrong, mut twins) = (Vec::new(), 0);
    for (file, text) in &shaders {
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| line.contains("CPU twin")) {
            let mut say = |why: &str| wrong.push(format!("{file}:{number}: {why}"));
            let Some(list) = line.strip_prefix(MARK).and_then(|list| list.strip_suffix('.')) else {
                say("write `// CPU twin: `, functions by their paths in backticks, and a full stop");
                continue;
            };
            for twin in list.split(", ") {
                twins += 1;
                match twin.strip_prefix('`').and_then(|twin| twin.strip_suffix('`')) {
                    Some(twin) => {
                        missing(twin, &code).iter().for_each(|why| say(&format!("`{twin}`: {why}")));
                    }
                    None => say(&format!("write {twin} in backticks")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(twins > 100, "{twins} twins");
}

#[test]
fn a_twin_that_is_gone_is_told() {
    let code = [("/x/src/gas.rs".to_string(), "impl Gas {\n    pub fn project(&self) {}\n}".to_string())];
    assert_eq!(missing("gas::Gas::project", &code), None);
    assert!(missing("gas::Gas::projec", &code).unwrap().contains("no file gas.rs has it"));
    assert!(missing("gas::Gass::project", &code).is_some() && missing("vbd::gas::project", &code).is_some());
}
