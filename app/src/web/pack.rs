//! Files of the page as they travel: compressed, beside the plain ones, where hosts of static files and `serve` look for them.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use libdeflater::{CompressionLvl, Compressor};

/// What grows by it, or hardly shrinks: pictures.
const PACKED: [&str; 4] = ["png", "jpg", "jpeg", "gif"];

/// gzip of a file, as small as its format allows; `None`: it stays as it is.
pub(super) fn packed(file: &Path, content: &[u8]) -> Option<Vec<u8>> {
    let end = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
    if PACKED.contains(&end) {
        return None;
    }
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut bytes = vec![0; compressor.gzip_compress_bound(content.len())];
    // There is room for whatever it is.
    let length = compressor.gzip_compress(content, &mut bytes).ok()?;
    bytes.truncate(length);
    Some(bytes)
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
