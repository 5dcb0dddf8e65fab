//! Files of the page as they travel: compressed, beside the plain ones, where hosts of static files and `serve` look for them.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};

/// What grows by it, or hardly shrinks: pictures.
const PACKED: [&str; 4] = ["png", "jpg", "jpeg", "gif"];

/// gzip of a file; `None`: it stays as it is.
pub(super) fn packed(file: &Path, content: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let end = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
    if PACKED.contains(&end) {
        return Ok(None);
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(Some(encoder.finish()?))
}

/// Its name beside the plain one.
pub(super) fn beside(file: &Path) -> PathBuf {
    let mut name: OsString = file.into();
    name.push(".gz");
    name.into()
}

/// Whether a browser waits for it before its first picture; the rest comes while a scene runs. Textures and meshes of the first
/// scene depend on the scene, and are not counted.
pub(super) fn is_first(file: &Path) -> bool {
    file.components().count() == 1 || file.extension().is_some_and(|end| end == "ron")
}
