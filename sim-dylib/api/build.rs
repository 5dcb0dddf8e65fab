//! Hashes what both sides of the door must agree on: this crate's source, the compiler and its target features.
use std::{env, fs, path::PathBuf, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=src");
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };

    let mut sources: Vec<PathBuf> = fs::read_dir("src")
        .expect("the crate's src folder")
        .map(|entry| entry.expect("readable folder").path())
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect();
    sources.sort();
    for path in sources {
        add(path.as_os_str().as_encoded_bytes());
        add(&fs::read(&path).expect("readable source"));
    }

    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().expect("rustc -vV");
    add(&version.stdout);
    add(env::var("TARGET").unwrap_or_default().as_bytes());
    add(env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default().as_bytes());
    println!("cargo:rustc-env=SIM_API_FINGERPRINT={hash}");
}
