//! Pictures by their first bytes: what cannot be a texture is refused before it is decoded.

use std::path::Path;

use weft_core::files;

/// Longest side [pixels]: every device that the program runs on has room for it, and 0.3 GB are enough for one texture.
const LARGEST: u32 = 8192;
/// [bytes]
const MAX_BYTES: u64 = 256 << 20;

/// Width and height of a picture that can be a texture [pixels].
pub fn size(path: &Path) -> Result<[u32; 2], String> {
    let cannot = |e| format!("cannot read it: {e}");
    let file = files::open(path).map_err(cannot)?;
    let bytes = files::size(path).ok_or("it is no plain file")?;
    if bytes > MAX_BYTES {
        return Err(format!("{bytes} bytes are too many for a picture; at most {MAX_BYTES}"));
    }
    let reader = image::ImageReader::new(file).with_guessed_format().map_err(cannot)?;
    let (width, height) =
        reader.into_dimensions().map_err(|e| format!("not a PNG or JPEG that can be read: {e}"))?;
    if width > LARGEST || height > LARGEST {
        return Err(format!("{width} x {height} pixels are too many; at most {LARGEST} a side"));
    }
    Ok([width, height])
}
