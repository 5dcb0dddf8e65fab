//! Bytes as the content of an autosave, or as places in a good one, under a checksum that fits: read, and one step from it.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use weft_fuzz::{patched, step_from};
use weft_scene::{Scene, parse_text};
use weft_session::{Options, Session, rescue::Autosave};
use xxhash_rust::xxh3::xxh3_64;

const SCENE: &str = r#"(version: 1, cloths: [(id: "a", shape: Grid(columns: 5, rows: 4, width: 0.4, height: 0.3),
    pins: [Edge(Top)])])"#;
/// Magic, version, length and checksum.
const HEAD: usize = 28;

static GOOD: LazyLock<(Scene, Vec<u8>)> = LazyLock::new(|| {
    let file = std::env::temp_dir().join(format!("weft-fuzz-{}.ron", std::process::id()));
    std::fs::write(&file, SCENE).expect("a folder for files of a moment");
    let session = Session::open(Options { scene: file.clone(), threads: 1, ..Options::default() });
    let _ = std::fs::remove_file(file);
    let autosave = session.expect("a good scene").autosave(None, 0, Vec::new());
    let scene = parse_text("fuzz", SCENE, None, &weft_fuzz::known()).expect("a good scene").scene;
    (scene, autosave.to_bytes())
});

fuzz_target!(init: weft_fuzz::one_thread(), |bytes: &[u8]| {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    let (scene, good) = &*GOOD;
    let content = if kind & 1 == 1 { patched(&good[HEAD..], bytes) } else { bytes.to_vec() };
    let mut file = good[..12].to_vec();
    file.extend((content.len() as u64).to_le_bytes());
    file.extend(xxh3_64(&content).to_le_bytes());
    file.extend(content);
    if let Ok(autosave) = Autosave::from_bytes(&file) {
        let _ = (autosave.scene_file(), autosave.to_bytes());
        step_from(&autosave.run, scene);
    }
});
