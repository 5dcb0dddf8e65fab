//! Writes down what both sides of the door must agree on (this crate's source, the compiler, its target features) and
//! the hash of it.
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

include!("fingerprint.rs");

fn main() {
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=fingerprint.rs");
    let mut sources = Vec::new();
    collect(Path::new("src"), &mut sources);
    sources.sort();

    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().expect("rustc -vV");
    let version = String::from_utf8_lossy(&version.stdout).trim().replace('\n', ", ");
    let target = env::var("TARGET").unwrap_or_default();
    // The compiler names `x87` only where what is not stable may be used (`RUSTC_BOOTSTRAP=1`), and compiles the same.
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let features = features.split(',').filter(|name| *name != "x87").collect::<Vec<_>>().join(",");
    let mut contract = format!("compiler: {version}\ntarget: {target}, {features}\n");
    for path in sources {
        let text = fs::read_to_string(&path).expect("readable source");
        // A line that the compiler would not take: it parts the files and cannot be part of one.
        let name = path.strip_prefix("src").expect("a file below it");
        contract.push_str(&format!("file: {}\n{text}\n", name.display()));
    }
    println!("cargo:rustc-env=SIM_API_FINGERPRINT={}", fingerprint(&contract));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("contract.txt");
    fs::write(out, contract).expect("OUT_DIR is writable");
}

/// All sources in a folder and below it.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the crate's src folder") {
        let path = entry.expect("readable folder").path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|end| end == "rs") {
            sources.push(path);
        }
    }
}
