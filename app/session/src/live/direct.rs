//! A rebuild without cargo: the compiler is started by the line that cargo started it by.
//!
//! cargo takes 0.1 s to find out that one file of one crate has changed. Where nothing else did since it built, its own
//! command makes the same library. Everything else is cargo's: any other file of the hot code, a manifest, a file that
//! came or went, and whatever fails without an error of the compiler's.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Command, Stdio},
    sync::Mutex,
};

use serde_json::Value;

use super::{
    cargo::{BuildMessage, Built, Failure, failure, hold, read_message, wait},
    sources::{self, Stamp},
};
use weft_core::{child::Group, project::Project};

/// The files on which the library depends, but for those of the crate `sim` itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Others(BTreeMap<PathBuf, Stamp>);

impl Others {
    /// As they are now.
    pub(super) fn of(project: &Project) -> Self {
        let mut files = sources::stamps(project);
        let own = project.code().join("src");
        files.retain(|path, _| !path.starts_with(&own));
        Self(files)
    }
}

/// The compiler's command for one crate, and what else it depended on.
pub(super) struct Direct {
    program: String,
    arguments: Vec<String>,
    others: Others,
}

impl Direct {
    /// From what cargo said of its build with `--verbose`; `others` as they were before it. `None` if it did not compile
    /// the crate.
    pub(super) fn after(log: &str, others: Others) -> Option<Self> {
        let (program, arguments) = log.lines().find_map(command)?;
        Some(Self { program, arguments, others })
    }

    /// The same command after a build in which cargo did not need it.
    pub(super) fn again(self, others: Others) -> Self {
        Self { others, ..self }
    }

    /// Whether nothing but the crate's own sources has changed, and the libraries that it needs are there: `cargo clean` takes
    /// them.
    pub(super) fn stands(&self, project: &Project) -> bool {
        let named = self.arguments.windows(2).filter(|pair| pair[0] == "--extern");
        let mut libraries = named.filter_map(|pair| pair[1].split_once('='));
        libraries.all(|(_, library)| project.root.join(library).exists())
            && Others::of(project) == self.others
    }

    /// Builds, or returns `None`: cargo is to say why not. `running` as for [`super::cargo::cargo`].
    pub(super) fn build(&self, project: &Project, running: &Mutex<Option<Group>>) -> Option<Built> {
        let mut compiler = Command::new(&self.program);
        compiler
            .args(&self.arguments)
            .current_dir(&project.root)
            .envs([("CARGO_CRATE_NAME", "sim"), ("CARGO_PKG_NAME", "sim")])
            .env("CARGO_PKG_VERSION", env!("CARGO_PKG_VERSION"))
            .env("CARGO_MANIFEST_DIR", project.code())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = Group::start(&mut compiler).ok()?;
        let (_, said) = child.said();
        hold(running, child);
        let (mut files, mut messages) = (Vec::new(), Vec::new());
        let lines = said.into_iter().flat_map(|said| BufReader::new(said).lines()).map_while(Result::ok);
        for line in lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok()) {
            match line["$message_type"].as_str() {
                Some("diagnostic") => messages.extend(read_message(&line)),
                Some("artifact") => files.extend(line["artifact"].as_str().map(PathBuf::from)),
                _ => {}
            }
        }
        let status = wait(running)?;
        if status.code().is_none() {
            let files = Err(Failure::Cargo("the compiler was ended by a signal".into()));
            return Some(Built { files, messages, log: String::new() });
        }
        if BuildMessage::first_error(&messages).is_some() {
            // cargo goes by the time of the file: it takes one that is older than the library for what it was made of.
            return Some(Built { files: Err(failure(&messages, "")), messages, log: String::new() });
        }
        let made = status.success() && !files.is_empty();
        made.then(|| Built { files: Ok(files), messages, log: String::new() })
    }
}

/// The program and its arguments from a line of cargo's, if that compiles the crate.
fn command(line: &str) -> Option<(String, Vec<String>)> {
    let line = line.trim().strip_prefix("Running `")?.strip_suffix('`')?;
    let mut words = shlex::split(line)?.into_iter();
    let program = words.next()?;
    // cargo takes the colours out of what it passes on; here they are not asked for.
    let plain = |word: String| word.replace("diagnostic-rendered-ansi,", "");
    let arguments: Vec<String> = words.map(plain).collect();
    let ours = arguments.windows(2).any(|pair| pair == ["--crate-name", "sim"]);
    ours.then_some((program, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_the_crate_is_found_and_unquoted() {
        let log = "       Fresh glam v0.33.0\n     Running `rustc --crate-name sim_kernels x.rs`\n     Running `'/a b/rustc' \
                   --crate-name sim --json=diagnostic-rendered-ansi,artifacts --check-cfg 'cfg(feature, values())'`\n";
        let (program, arguments) = log.lines().find_map(command).unwrap();
        assert_eq!(program, "/a b/rustc");
        assert_eq!(
            arguments,
            ["--crate-name", "sim", "--json=artifacts", "--check-cfg", "cfg(feature, values())"]
        );
    }

    #[test]
    fn only_files_of_the_crate_itself_may_change() {
        let root = std::env::temp_dir().join(format!("weft-direct-{}", std::process::id()));
        let project = Project { root: root.clone() };
        let write = |file: &str, text: &str| {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("Cargo.toml", "");
        write("sim-dylib/src/lib.rs", "");
        write("sim-dylib/src/solvers/xpbd.rs", "");
        write("sim-dylib/kernels/lanes.rs", "");
        let before = Others::of(&project);
        let arguments = ["--extern", "sim_api=target/libsim_api.rlib"].map(String::from).to_vec();
        let direct = Direct { program: "rustc".into(), arguments, others: before.clone() };
        assert!(!direct.stands(&project), "the library that it needs is gone");
        write("target/libsim_api.rlib", "");
        assert!(direct.stands(&project));
        write("sim-dylib/src/lib.rs", "longer");
        write("sim-dylib/src/solvers/xpbd.rs", "longer");
        assert_eq!(Others::of(&project), before);
        for file in
            ["Cargo.toml", "sim-dylib/kernels/lanes.rs", "sim-dylib/kernels/new.rs", ".cargo/config.toml"]
        {
            let before = Others::of(&project);
            write(file, "longer");
            assert_ne!(Others::of(&project), before, "{file}");
        }
        std::fs::remove_dir_all(root).unwrap();
    }
}
