//! Pictures that are textures: what cannot be one is refused by its first bytes, what is cut off or broken when it is decoded.

use std::{
    collections::BTreeMap,
    io::{BufRead, Cursor, Seek},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use weft_core::{
    files::{self, Stamp},
    memory,
};

/// Longest side [pixels]: every device that the program runs on has room for it, and 0.3 GB are enough for one texture.
const LARGEST: u32 = 8192;
/// [bytes]
const MAX_BYTES: u64 = 256 << 20;
/// Of a pixel while it is decoded, at most: four numbers of 16 bits [bytes].
const PIXEL: usize = 8;
/// What else a PNG may take while it is decoded, such as its colour profile [bytes].
const BESIDE: u64 = 16 << 20;

/// Those that could be decoded, as they were then: a save of the scene does not decode them again.
static WHOLE: Mutex<BTreeMap<PathBuf, Stamp>> = Mutex::new(BTreeMap::new());

/// Width and height of a picture that can be a texture [pixels].
fn size(path: &Path) -> Result<[u32; 2], String> {
    let cannot = |e| format!("cannot read it: {e}");
    let file = files::open(path).map_err(cannot)?;
    let bytes = files::size(path).ok_or("it is no plain file")?;
    if bytes > MAX_BYTES {
        return Err(format!("{bytes} bytes are too many for a picture; at most {MAX_BYTES}"));
    }
    let (width, height) = decoder(file)?.dimensions();
    if width > LARGEST || height > LARGEST {
        return Err(format!("{width} x {height} pixels are too many; at most {LARGEST} a side"));
    }
    Ok([width, height])
}

/// What decodes a picture, told by its first bytes.
fn decoder<'a>(file: impl BufRead + Seek + 'a) -> Result<impl ImageDecoder + 'a, String> {
    let mut reader =
        ImageReader::new(file).with_guessed_format().map_err(|e| format!("cannot read it: {e}"))?;
    if let Some(other) = reader.format().filter(|kind| !matches!(kind, ImageFormat::Png | ImageFormat::Jpeg))
    {
        return Err(format!("it is a {}, not a PNG or JPEG", other.extensions_str()[0].to_uppercase()));
    }
    // A few bytes of a colour profile may stand for gigabytes; one that takes more than this is left out.
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(BESIDE);
    reader.limits(limits);
    reader.into_decoder().map_err(|why| no_picture(&why))
}

fn no_picture(why: &ImageError) -> String {
    format!("not a PNG or JPEG that can be read: {why}")
}

/// A whole picture that can be a texture.
///
/// # Errors
/// Without the file's name: why it is none, or that the memory does not suffice.
pub fn read(path: &Path) -> Result<DynamicImage, String> {
    let cannot = |e| format!("cannot read it: {e}");
    let [width, height] = size(path)?;
    let needed = width as usize * height as usize * PIXEL;
    if let Some(free) = memory::short_of(needed) {
        let megabytes = |bytes: usize| bytes / 1_000_000;
        return Err(format!(
            "{width} x {height} pixels take {} MB, and {} MB of memory are free",
            megabytes(needed),
            megabytes(free)
        ));
    }
    let bytes = files::read(path).map_err(cannot)?;
    if is_cut(&bytes) {
        return Err("it is cut off: it has no end".into());
    }
    DynamicImage::from_decoder(decoder(Cursor::new(bytes))?).map_err(|why| no_picture(&why))
}

/// Whether a JPEG lacks its end: what decodes one fills in what is not there. Behind the last begin of a scan an end must come.
fn is_cut(bytes: &[u8]) -> bool {
    let last = |marker: u8| bytes.windows(2).rposition(|pair| pair == [0xff, marker]);
    bytes.starts_with(&[0xff, 0xd8, 0xff]) && last(0xd9) < last(0xda)
}

/// Whether a file is a whole picture that can be a texture.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let now = files::stamp(path);
    let whole = || WHOLE.lock().unwrap_or_else(PoisonError::into_inner);
    if now.is_some() && whole().get(path).copied() == now {
        return Ok(());
    }
    read(path)?;
    if let Some(now) = now {
        whole().insert(path.to_path_buf(), now);
    }
    Ok(())
}
