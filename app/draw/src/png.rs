//! Pictures as PNG files.

use std::{io::Cursor, path::Path};

use image::{ExtendedColorType, ImageFormat, write_buffer_with_format};
use weft_core::files;

/// Writes rows of pixels from the top, RGBA or RGB as their number says: the whole file, or nothing. Where a file of that name is
/// and the new one cannot be written, it stays.
///
/// # Errors
/// A folder that is not there, a full disk.
///
/// # Panics
/// If `pixels` are neither three nor four bytes for each of `size`.
pub fn save(path: &Path, pixels: &[u8], (width, height): (u32, u32)) -> Result<(), String> {
    let count = width as usize * height as usize;
    assert!([3 * count, 4 * count].contains(&pixels.len()), "{} bytes for {count} pixels", pixels.len());
    let color = if pixels.len() == 3 * count { ExtendedColorType::Rgb8 } else { ExtendedColorType::Rgba8 };
    let mut bytes = Cursor::new(Vec::new());
    write_buffer_with_format(&mut bytes, pixels, width, height, color, ImageFormat::Png)
        .map_err(|why| format!("cannot write {}: {why}", path.display()))?;
    files::write(path, bytes.get_ref()).map_err(|why| format!("cannot write {}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_picture_is_written_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("weft-png-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("a.png");
        let pixels: Vec<u8> = (0..3 * 5 * 4).collect();
        save(&path, &pixels, (5, 4)).expect("written");
        let read = |path: &Path| image::open(path).expect("a picture").into_rgb8().into_raw();
        assert_eq!(read(&path), pixels);
        // No room to write beside it: what was there stays.
        fs::create_dir(files::aside(&path)).expect("a folder");
        assert!(save(&path, &[0; 4 * 5 * 4], (5, 4)).is_err_and(|why| why.starts_with("cannot write")));
        assert_eq!(read(&path), pixels);
        fs::remove_dir_all(&folder).expect("removed");
    }
}
