//! One run of cargo: what it made, what the compiler said, how far it is.

use std::{
    ffi::OsStr,
    io::{self, BufRead, BufReader},
    path::PathBuf,
    process::{Command, ExitStatus, Stdio},
    sync::{Mutex, PoisonError},
    thread,
};

use serde_json::Value;

use weft_core::{
    child::{Group, ends_with_us},
    project::Project,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
}

/// One message of the compiler.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildMessage {
    pub level: Level,
    /// `file:line:column`, from the project's root; empty for a message without a place.
    pub place: String,
    pub message: String,
    /// As the compiler prints it, with source lines.
    pub rendered: String,
}

impl BuildMessage {
    /// An error without a place.
    pub fn plain(message: String) -> Self {
        Self { level: Level::Error, place: String::new(), rendered: message.clone(), message }
    }

    /// What is said of a build that failed; warnings may stand before it.
    pub fn first_error(messages: &[Self]) -> Option<&Self> {
        messages.iter().find(|message| message.level == Level::Error)
    }
}

/// What a build came to.
pub(super) struct Built {
    /// Files of the wanted target, if the build succeeded.
    pub files: Result<Vec<PathBuf>, Failure>,
    pub messages: Vec<BuildMessage>,
    /// What cargo wrote about its work.
    pub log: String,
}

/// Why a build made nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failure {
    /// The compiler says why, in the messages.
    Compile,
    /// cargo did not run or failed without a message.
    Cargo(String),
}

/// cargo in the project, without arguments yet.
pub(super) fn command(project: &Project) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(&project.root).stdin(Stdio::null());
    // A jobserver of the cargo that started us is gone by now.
    command.env_remove("CARGO_MAKEFLAGS").env_remove("MAKEFLAGS");
    command
}

/// Why cargo did not start, and what to do.
fn no_start(project: &Project, cargo: &OsStr, why: &io::Error) -> String {
    let cargo = cargo.display();
    if !project.root.is_dir() {
        return format!("cannot start {cargo}: the folder {} is gone", project.root.display());
    }
    if why.kind() == io::ErrorKind::NotFound {
        return format!(
            "cannot start {cargo}: there is no such program here: install Rust, or put the folder of cargo in PATH or its file in \
             CARGO, and start this program again"
        );
    }
    #[cfg(unix)]
    if matches!(why.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) {
        return format!(
            "cannot start {cargo}: {why}; code that opens files and never closes them uses them up: mend it, and start this program again"
        );
    }
    format!("cannot start {cargo}: {why}")
}

/// Runs cargo with `arguments` in the project and waits. `running` holds the process meanwhile, to be ended from
/// elsewhere; `progress` is called with the number of crates that are done.
pub(super) fn cargo(
    project: &Project,
    arguments: &[&str],
    target: &str,
    running: &Mutex<Option<Group>>,
    mut progress: impl FnMut(usize),
) -> Built {
    let mut cargo = command(project);
    cargo.args(arguments).args(["--verbose", "--message-format", "json"]);
    let started = Group::start(ends_with_us(&mut cargo).stdout(Stdio::piped()).stderr(Stdio::piped()));
    let mut child = match started {
        Ok(child) => child,
        Err(e) => {
            let files = Err(Failure::Cargo(no_start(project, cargo.get_program(), &e)));
            return Built { files, messages: Vec::new(), log: String::new() };
        }
    };
    let (stdout, stderr) = child.said();
    hold(running, child);
    let log = thread::spawn(move || stderr.map(std::io::read_to_string).and_then(Result::ok));
    let (mut files, mut messages, mut crates) = (Vec::new(), Vec::new(), 0);
    let lines = stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines()).map_while(Result::ok);
    for line in lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok()) {
        match line["reason"].as_str() {
            Some("compiler-message") => messages.extend(read_message(&line["message"])),
            Some("compiler-artifact") => {
                crates += 1;
                progress(crates);
                if line["target"]["name"] == target {
                    let made = line["filenames"].as_array().into_iter().flatten();
                    files.extend(made.filter_map(Value::as_str).map(PathBuf::from));
                }
            }
            _ => {}
        }
    }
    let log = log.join().ok().flatten().unwrap_or_default();
    let success = wait(running).is_some_and(|status| status.success());
    let files = if success && !files.is_empty() { Ok(files) } else { Err(failure(&messages, &log)) };
    Built { files, messages, log }
}

/// What the machine may refuse the compiler, and what to do. Errors that tell of it have no place in the code.
const REFUSALS: [(&str, &str); 7] = [
    ("No space left on device", "make room on that disk"),
    ("Disk quota exceeded", "make room on that disk"),
    ("Read-only file system", "let it be written"),
    ("Permission denied", "give this user the right to it"),
    ("Too many open files", "close some, or raise the limit"),
    ("Cannot allocate memory", "close other programs"),
    ("linker `cc` not found", "install a C compiler, such as the package gcc"),
];

/// Why a build made nothing.
pub(super) fn failure(messages: &[BuildMessage], log: &str) -> Failure {
    let mut errors = messages.iter().filter(|message| message.level == Level::Error).peekable();
    if errors.peek().is_none() {
        let essence = essence(log);
        return Failure::Cargo(match refusal(log) {
            Some((line, advice)) if essence.contains(line) => {
                format!("cargo failed: {essence}; {advice} and try again")
            }
            Some((line, advice)) => format!("cargo failed: {line}; {advice} and try again"),
            None => format!("cargo failed: {essence}"),
        });
    }
    let refused = |error: &BuildMessage| {
        let (line, advice) = refusal(&error.rendered)?;
        // A linker's reason stands below what the compiler says of it.
        let said = if line.contains(&error.message) { String::new() } else { format!("{}: ", error.message) };
        let line =
            ["= note: ", "error: "].iter().fold(line, |line, begin| line.strip_prefix(begin).unwrap_or(line));
        Some(format!("no fault of the code: {said}{line}; {advice} and try again"))
    };
    let placeless = errors.clone().all(|error| error.place.is_empty());
    errors.find_map(refused).filter(|_| placeless).map_or(Failure::Compile, Failure::Cargo)
}

/// The first line that tells of a refusal, and what to do.
fn refusal(text: &str) -> Option<(&str, &'static str)> {
    text.lines().find_map(|line| {
        let (_, advice) = REFUSALS.iter().find(|(words, _)| line.contains(words))?;
        Some((line.trim(), *advice))
    })
}

/// Lines that a reader is shown of what failed, and letters of each: a command of the compiler has thousands.
const SHOWN: usize = 8;
const LETTERS: usize = 300;

/// Of what cargo or rustup wrote when nothing was compiled: its first error, the last of its causes (with the one before where it is
/// the system's, which names no file), and what it says to do; no backtrace, no work that was done.
fn essence(log: &str) -> String {
    let starts = |line: &&str, with: &[&str]| with.iter().any(|with| line.trim_start().starts_with(with));
    let all: Vec<&str> = log
        .lines()
        .filter(|line| !starts(line, &["Fresh ", "Dirty ", "Compiling ", "Running ", "Finished "]))
        .take_while(|line| !starts(line, &["Stack backtrace:", "stack backtrace:", "Location:"]))
        .filter(|line| !line.trim().is_empty())
        .collect();
    let first = all.iter().position(|line| line.starts_with("error")).unwrap_or(0);
    let (said, advice): (Vec<&str>, Vec<&str>) = all[first.min(all.len())..]
        .iter()
        .partition(|line| !starts(line, &["help:", "hint:", "info:", "note:", "To ", "to "]));
    let starts_cause = |line: &&&str| line.starts_with("Caused by");
    let causes: Vec<&[&str]> = said.split(|line| starts_cause(&line)).skip(1).collect();
    let last = causes.last().copied().unwrap_or(said.get(1..).unwrap_or_default());
    let of_system = last.iter().all(|line| line.contains("(os error "));
    let before = causes.iter().rev().nth(1).filter(|_| of_system).copied().unwrap_or_default();
    let text = said.iter().take(1).chain(before).chain(last).take(SHOWN).chain(advice.iter().take(2));
    let short = |line: &&str| match line.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    };
    text.map(short).collect::<Vec<_>>().join("\n")
}

/// Puts a process where it can be ended from elsewhere.
pub(super) fn hold(running: &Mutex<Option<Group>>, child: Group) {
    *running.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
}

/// How the process came to its end.
pub(super) fn wait(running: &Mutex<Option<Group>>) -> Option<ExitStatus> {
    let child = running.lock().unwrap_or_else(PoisonError::into_inner).take();
    child.and_then(|child| child.wait().ok())
}

/// A message with a place, or an error without one; notes and summaries are left out.
pub(super) fn read_message(message: &Value) -> Option<BuildMessage> {
    let level = match message["level"].as_str()? {
        "error" => Level::Error,
        "warning" => Level::Warning,
        _ => return None,
    };
    let spans = message["spans"].as_array()?;
    let primary = spans.iter().find(|span| span["is_primary"] == true);
    let text = message["message"].as_str()?.to_string();
    if primary.is_none() && (level == Level::Warning || text.starts_with("aborting due to")) {
        return None;
    }
    let place = primary.map_or_else(String::new, |span| {
        let file = span["file_name"].as_str().unwrap_or("?");
        format!("{file}:{}:{}", span["line_start"], span["column_start"])
    });
    let rendered = message["rendered"].as_str().unwrap_or(&text).to_string();
    let listed = primary.and_then(|span| listed_module(&text, &span["expansion"]["span"]));
    let (place, text) = listed.unwrap_or((place, text));
    Some(BuildMessage { level, place, message: text, rendered })
}

/// Place and text for a module without a file, where its name stands in the list of a macro: the compiler shows the macro's `mod`.
fn listed_module(text: &str, list: &Value) -> Option<(String, String)> {
    let name = text.strip_prefix("file not found for module `")?.strip_suffix('`')?;
    let file = list["file_name"].as_str()?;
    let (line, indent) =
        (list["line_start"].as_u64()?..).zip(list["text"].as_array()?).find_map(|(line, row)| {
            let row = row["text"].as_str()?;
            let found = row.split(',').any(|word| word.trim() == name);
            found.then(|| (line, row.find(name).unwrap_or_default()))
        })?;
    let folder = file.trim_end_matches(".rs");
    let text = format!("{text}: there is no {folder}/{name}.rs; make it, or take the name out of the list");
    Some((format!("{file}:{line}:{}", indent + 1), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_machine_refuses_the_compiler_is_no_mistake_of_the_code() {
        let error = |place: &str, message: &str, below: &str| BuildMessage {
            level: Level::Error,
            place: place.into(),
            message: message.into(),
            rendered: format!("error: {message}\n{below}"),
        };
        let full = error("", "failed to write `/t/q.bin`: No space left on device (os error 28)", "");
        let linker = error("", "linking with `cc` failed", "  = note: ld: No space left on device\n");
        let none = error("", "linker `cc` not found", "");
        for (refused, wanted) in [
            (
                &full,
                "failed to write `/t/q.bin`: No space left on device (os error 28); make room on that disk and try again",
            ),
            (
                &linker,
                "linking with `cc` failed: ld: No space left on device; make room on that disk and try again",
            ),
            (&none, "linker `cc` not found; install a C compiler, such as the package gcc and try again"),
        ] {
            let why = Failure::Cargo(format!("no fault of the code: {wanted}"));
            assert_eq!(failure(std::slice::from_ref(refused), ""), why);
        }
        let undefined = error("", "linking with `cc` failed", "  = note: undefined reference to `gone`\n");
        let included = error("a.rs:1:1", "couldn't read `/x`: Permission denied (os error 13)", "");
        for mistake in [vec![undefined], vec![included.clone()], vec![full, included]] {
            assert_eq!(failure(&mistake, ""), Failure::Compile);
        }
        assert_eq!(failure(&[], "plain words"), Failure::Cargo("cargo failed: plain words".into()));
        let warned = [BuildMessage { level: Level::Warning, ..none.clone() }, none.clone()];
        assert_eq!(BuildMessage::first_error(&warned), Some(&none));
        // Where cargo itself has no room for what the compiler says, or for its own files.
        let output = format!(
            "error: could not compile `sim` (lib)\n\nCaused by:\n  No space left on device (os error 28)\n\nCaused by:\n  failed to \
             parse process output: `rustc {}`",
            "-A x ".repeat(1000)
        );
        let why = "cargo failed: No space left on device (os error 28); make room on that disk and try again";
        assert_eq!(failure(&[], &output), Failure::Cargo(why.into()));
        assert!(essence(&output).len() < 500);
        let lock =
            "error: failed to open: /t/.cargo-lock\n\nCaused by:\n  Read-only file system (os error 30)\n";
        let why = "cargo failed: error: failed to open: /t/.cargo-lock\n  Read-only file system (os error 30); let it be written and \
                   try again";
        assert_eq!(failure(&[], lock), Failure::Cargo(why.into()));
    }

    #[test]
    fn who_has_no_cargo_is_told_what_to_do() {
        let missing = io::Error::from(io::ErrorKind::NotFound);
        let said = |root: &str| no_start(&Project { root: root.into() }, "cargo".as_ref(), &missing);
        assert!(
            said(env!("CARGO_MANIFEST_DIR")).contains("install Rust, or put the folder of cargo in PATH")
        );
        assert!(said("/no/tree").ends_with("the folder /no/tree is gone"));
    }

    #[test]
    fn a_name_in_a_list_of_modules_without_a_file_is_shown_where_it_stands() {
        let row = |text: &str| serde_json::json!({ "text": text });
        let list = serde_json::json!({ "file_name": "sim-dylib/src/solvers.rs", "line_start": 19,
            "text": [row("solvers! {"), row("    xpbd,"), row("    gone,"), row("}")] });
        let span = serde_json::json!({ "is_primary": true, "file_name": "sim-dylib/src/solvers.rs", "line_start": 9,
            "column_start": 11, "expansion": { "span": list } });
        let text = "file not found for module `gone`";
        let said =
            read_message(&serde_json::json!({ "level": "error", "message": text, "spans": [span] })).unwrap();
        assert_eq!(said.place, "sim-dylib/src/solvers.rs:21:5");
        assert!(said.message.ends_with(
            "there is no sim-dylib/src/solvers/gone.rs; make it, or take the name out of the list"
        ));
    }

    #[test]
    fn of_what_cargo_says_the_error_its_last_cause_and_the_way_out_are_left() {
        let member = "   Fresh weft v0.1.0\nwarning: unused key\nerror: failed to load manifest for workspace member `/t/sim`\n\
                      referenced by workspace at `/t/Cargo.toml`\n\nCaused by:\n  failed to parse manifest at `/t/sim/Cargo.toml`\n\n\
                      Caused by:\n  TOML parse error at line 3, column 5\n    |\n  3 | foo\n    |     ^\n  key with no value\n";
        let wanted = "error: failed to load manifest for workspace member `/t/sim`\n  TOML parse error at line 3, column 5\n    |\n  \
                      3 | foo\n    |     ^\n  key with no value";
        assert_eq!(essence(member), wanted);
        let rustup = "error: toolchain '1.99' is not installed\nhelp: run `rustup toolchain install 1.99`\n\nStack backtrace:\n   \
                      0: <unknown>\n   1: <unknown>\n   2: __libc_start_main\n";
        assert_eq!(
            essence(rustup),
            "error: toolchain '1.99' is not installed\nhelp: run `rustup toolchain install 1.99`"
        );
        let locked = "error: failed to acquire package cache lock\n\nCaused by:\n  failed to open: /p/.package-cache\n\nCaused by:\n  \
                      failed to create directory `/p`\n\nCaused by:\n  No such file or directory (os error 2)\n";
        assert_eq!(
            essence(locked),
            "error: failed to acquire package cache lock\n  failed to create directory `/p`\n  No such file or directory (os error 2)"
        );
        assert_eq!(essence("plain words"), "plain words");
        assert_eq!(essence(""), "");
    }
}
