//! `weft web`: the browser page as a folder of static files, and a server of it for this machine.

mod pack;
mod serve;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use weft_core::{child::Group, files, project::Project, say};
use weft_window::scenes;

pub(crate) struct WebOptions {
    pub out: PathBuf,
    /// Serve it at this port.
    pub port: Option<u16>,
}

const TARGET: &str = "wasm32-unknown-unknown";
/// Four lanes; functions of the page are imports; naga's recursion needs more than a megabyte. What a page alone leaves unused
/// is no news.
const FLAGS: &str = "-Ctarget-feature=+simd128 -Clink-arg=--allow-undefined -Clink-arg=-zstack-size=8388608 -Aunused -Aunreachable_pub";
/// For threads: memory that the page makes and may share with workers, which set up stacks and thread-local values of their
/// own. The standard library has to be compiled for it too. Columns of panics would be 11 KB more to load.
const THREADS: &str = " -Ctarget-feature=+atomics,+bulk-memory,+mutable-globals -Clink-arg=--shared-memory -Clink-arg=--import-memory \
     -Clink-arg=--initial-memory=33554432 -Clink-arg=--max-memory=2147483648 -Clink-arg=--export=__stack_pointer \
     -Clink-arg=--export=__wasm_init_tls -Clink-arg=--export=__tls_size -Clink-arg=--export=__tls_align -Zlocation-detail=file,line";
/// Of that memory, at first and at most [pages of 64 KiB].
const PAGES: [u32; 2] = [512, (weft_core::memory::PAGE_MOST >> 16) as u32];
/// Where Debian's rustc for this target keeps the standard library's sources.
const DEBIAN_STD: &str = "/usr/lib/rustlib/src/rust/library";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

/// Builds the page, and serves it if asked to.
pub(crate) fn run(options: &WebOptions) -> Result<(), String> {
    let project =
        Project::find().ok_or("the page is built from the sources: start this in Weft's source tree")?;
    // What cannot work is told before minutes of compiling.
    files::make_folder(&options.out).map_err(|error| format!("{}: {error}", options.out.display()))?;
    takes_page(&options.out)?;
    let listener = options.port.map(serve::listen).transpose()?;
    let program = build(&project)?;
    let files = lay_out(&project, &program, &options.out)?;
    let sum = |first: bool| {
        let counted = files.iter().filter(|file| !first || pack::is_first(&file.path));
        counted.map(|file| if first { file.packed } else { file.bytes }).sum::<usize>() as f64 / 1e6
    };
    let (count, all, first) = (files.len(), sum(false), sum(true));
    say::say(format_args!(
        "{}: {count} files, {all:.1} MB, each also as .gz; before its first picture a browser loads {first:.2} MB of those",
        options.out.display()
    ));
    let files: Vec<PathBuf> = files.into_iter().map(|file| file.path).collect();
    listener.map_or(Ok(()), |listener| serve::serve(&options.out, &files, &listener))
}

/// Whether a page may be written into a folder: what somebody else keeps there is not written over.
fn takes_page(folder: &Path) -> Result<(), String> {
    let page = fs::read(folder.join("index.html"));
    let other = page.is_ok_and(|page| !String::from_utf8_lossy(&page).contains("weft.js"));
    if other || folder.join("Cargo.toml").exists() {
        let what = if other { "the index.html of something else lies there" } else { "sources lie there" };
        return Err(format!("{}: {what}: choose another folder", folder.display()));
    }
    Ok(())
}

/// What the standard library of the page comes from.
#[derive(Clone, Copy)]
enum Library {
    /// Its sources, as rustup brings them: compiled for threads.
    Threads,
    /// Compiled already, for one thread.
    Target,
    /// Debian's sources and compiler, for one thread.
    Debian,
}

/// Cargo makes the program for the page; what it prints is shown.
fn build(project: &Project) -> Result<PathBuf, String> {
    let sources = rustc(&["--print", "sysroot"])
        .is_some_and(|root| root.join("lib/rustlib/src/rust/library/std").is_dir());
    if sources && build_with(project, Library::Threads)? {
        return Ok(program(project));
    }
    let has_target =
        rustc(&["--print", "target-libdir", "--target", TARGET]).is_some_and(|folder| folder.is_dir());
    let library = match has_target {
        true if sources => {
            say::warn("the page was not built with threads (see above): once more, for one thread");
            Library::Target
        }
        true => {
            say::warn("the page will use one thread: for more, rustup component add rust-src");
            Library::Target
        }
        false => debian()?,
    };
    let built = build_with(project, library)?.then(|| program(project));
    built.ok_or_else(|| "the page's program was not built (see above)".into())
}

/// Debian's compiler, where it is there and new enough.
fn debian() -> Result<Library, String> {
    let missing = |why: &str| {
        Err(format!("the compiler has no target {TARGET}: rustup target add {TARGET}, or on Debian {why}"))
    };
    if !Path::new(DEBIAN_STD).is_dir() {
        return missing("install the packages rustc-web and rust-web-src");
    }
    let needed = env!("CARGO_PKG_RUST_VERSION");
    match version(DEBIAN_RUSTC).as_deref() {
        Some(found) if number(found) < number(needed) => {
            missing(&format!("a newer release: its {DEBIAN_RUSTC} is {found}, and this needs {needed}"))
        }
        Some(_) => Ok(Library::Debian),
        None => missing(&format!("{DEBIAN_RUSTC}, which does not start")),
    }
}

/// Of a compiler, such as 1.95.0.
fn version(rustc: &str) -> Option<String> {
    let output = Command::new(rustc).arg("--version").output().ok()?;
    String::from_utf8_lossy(&output.stdout).split(' ').nth(1).map(String::from)
}

/// To compare versions by.
fn number(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}

fn folder(project: &Project) -> PathBuf {
    project.root.join("target/web")
}

fn program(project: &Project) -> PathBuf {
    folder(project).join(TARGET).join("web/weft_web.wasm")
}

/// Whether it was built.
fn build_with(project: &Project, library: Library) -> Result<bool, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.current_dir(&project.root).args(["build", "--locked", "--package", "weft_web"]);
    command.args(["--profile", "web", "--target", TARGET, "--target-dir"]).arg(folder(project));
    let mut flags = FLAGS.to_string();
    if !matches!(library, Library::Target) {
        command.args(["-Z", "build-std=std,panic_abort"]).env("RUSTC_BOOTSTRAP", "1");
    }
    match library {
        Library::Threads => {
            flags.push_str(THREADS);
            command.args(["-Z", "build-std-features=optimize_for_size"]);
        }
        Library::Target => {}
        Library::Debian => {
            command.env("RUSTC", DEBIAN_RUSTC).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker());
        }
    }
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
    let ended = Group::start(&mut command).and_then(Group::wait).map(|status| status.success());
    ended.map_err(|error| format!("cannot start {}: {error}", cargo.display()))
}

/// Where a program says that its memory is shared, which the loader undoes where the page must do without.
fn shared_flag(program: &[u8]) -> Option<usize> {
    /// Module, name, kind, and limits that are shared.
    const IMPORT: &[u8] = b"\x03env\x06memory\x02\x03";
    program.windows(IMPORT.len()).position(|bytes| bytes == IMPORT).map(|at| at + IMPORT.len() - 1)
}

/// What the compiler answers to a question.
fn rustc(arguments: &[&str]) -> Option<PathBuf> {
    let output = Command::new("rustc").args(arguments).output().ok()?;
    output.status.success().then(|| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// The compiler's own, or the one that Debian's packages bring.
fn linker() -> PathBuf {
    let own =
        rustc(&["--print", "target-libdir"]).and_then(|folder| Some(folder.parent()?.join("bin/rust-lld")));
    own.filter(|own| own.is_file()).unwrap_or_else(|| "wasm-ld".into())
}

/// miniquad's half of the page, of the version that the program is built with.
fn gl_script(project: &Project) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(&project.root)
        .args(["metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET])
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest = packages
        .filter(|package| package["name"] == "miniquad")
        .find_map(|package| package["manifest_path"].as_str());
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    folder.map(|folder| folder.join("js/gl.js")).ok_or_else(|| "the tree does not use miniquad".into())
}

/// Textures, meshes and hair that a scene names, from the root of the tree.
fn needs(scene: &mut weft_scene::Scene) -> BTreeSet<String> {
    scene.files_mut().map(|file| format!("scenes/{file}")).collect()
}

/// A file of the page.
struct Written {
    /// From its folder.
    path: PathBuf,
    /// As it is, and as it travels.
    bytes: usize,
    packed: usize,
}

/// Copies all of the page into its folder.
fn lay_out(project: &Project, program: &Path, out: &Path) -> Result<Vec<Written>, String> {
    let fail = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut files: Vec<Written> = Vec::new();
    let mut write = |file: &str, content: Vec<u8>| {
        let to = out.join(file);
        let folder = to.parent().unwrap_or(out);
        files::make_folder(folder).map_err(|error| fail(folder, error))?;
        let (packed, bytes) = (pack::packed(&to, &content), content.len());
        // Whoever loads the page meanwhile, and a full disk, find the old file whole.
        files::write(&to, content).map_err(|error| fail(&to, error))?;
        if let Some(packed) = &packed {
            let beside = pack::beside(&to);
            files::write(&beside, packed).map_err(|error| fail(&beside, error))?;
        }
        files.push(Written { path: file.into(), bytes, packed: packed.map_or(bytes, |packed| packed.len()) });
        Ok::<_, String>(())
    };
    let read = |path: &Path| fs::read(path).map_err(|error| fail(path, error));
    let content = read(program)?;
    let bytes = content.len();
    let memory = shared_flag(&content)
        .map(|flag| json!({ "shared_at": flag, "initial": PAGES[0], "maximum": PAGES[1] }));
    write("weft.wasm", content)?;
    write("gl.js", read(&gl_script(project)?)?)?;
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for path in files::list(&project.root.join("app/web/page")) {
        write(&name(&path), read(&path)?)?;
    }
    let (mut list, mut rest, mut shaders) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for path in scenes::beside(&project.scenes().join("x")) {
        let file = format!("scenes/{}", name(&path));
        write(&file, read(&path)?)?;
        let mut scene =
            weft_scene::peek(&path).ok_or_else(|| format!("{}: weft check says more", path.display()))?;
        let picture = scenes::picture(&path).map(|own| (format!("scenes/pictures/{}", name(&own)), own));
        if let Some((to, own)) = &picture {
            write(to, read(own)?)?;
        }
        let picture = picture.map(|(to, _)| to);
        let mut needs = needs(&mut scene);
        let part =
            |part: PathBuf| part.strip_prefix(&project.root).ok().map(|part| part.display().to_string());
        needs.extend(weft_scene::included(&path).into_iter().filter_map(part));
        rest.extend(needs.iter().cloned());
        list.push(json!({ "path": file, "title": scene.title, "doc": scene.doc, "picture": picture, "needs": needs }));
    }
    // Others can be chosen in the panel.
    let textures = files::list(&project.scenes().join("textures"));
    rest.extend(textures.iter().map(|texture| format!("scenes/textures/{}", name(texture))));
    for file in &rest {
        write(file, read(&project.root.join(file))?)?;
    }
    for path in files::list(&project.shaders().join("draw")) {
        let file = format!("shaders/draw/{}", name(&path));
        write(&file, read(&path)?)?;
        shaders.insert(file);
    }
    let index =
        json!({ "program": bytes, "memory": memory, "scenes": list, "files": rest, "shaders": shaders });
    write("files.json", index.to_string().into_bytes())?;
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(number("1.85.0") < number("1.95") && number("1.100.0") > number("1.95"));
        assert!(number("1.95.0") >= number("1.95") && number("1.96.0-nightly") > number("1.95"));
    }
}
