//! Pictures by their first bytes: what cannot be a texture is refused before it is decoded.

use std::path::Path;

/// Longest side [pixels]: every device that the program runs on has room for it, and 0.3 GB are enough for one texture.
const LARGEST: u32 = 8192;
/// [bytes]
const MAX_BYTES: u64 = 256 << 20;

/// Width and height of a picture that can be a texture [pixels].
pub fn size(path: &Path) -> Result<[u32; 2], String> {
    let bytes = path.metadata().map_err(|e| format!("cannot read it: {e}"))?.len();
    if bytes > MAX_BYTES {
        return Err(format!("{bytes} bytes are too many for a picture; at most {MAX_BYTES}"));
    }
    let reader = image::ImageReader::open(path).and_then(image::ImageReader::with_guessed_format);
    let reader = reader.map_err(|e| format!("cannot read it: {e}"))?;
    let (width, height) =
        reader.into_dimensions().map_err(|e| format!("not a PNG or JPEG that can be read: {e}"))?;
    if width > LARGEST || height > LARGEST {
        return Err(format!("{width} x {height} pixels are too many; at most {LARGEST} a side"));
    }
    Ok([width, height])
}
