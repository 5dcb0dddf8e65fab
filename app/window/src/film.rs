//! Films: pictures one after the other, put into a GIF beside what else is done.
//!
//! GIF counts time in hundredths of a second and most viewers slow down what is faster than 50 pictures a second: of the frames
//! of a simulation every second or third becomes a picture, so that the film takes as long as what it shows.

#[cfg_attr(target_arch = "wasm32", path = "film/page.rs")]
#[cfg_attr(not(target_arch = "wasm32"), path = "film/thread.rs")]
mod lane;

use std::path::{Path, PathBuf};

use image::{Delay, Frame, RgbaImage, codecs::gif};

use lane::Lane;
use weft_core::files;

/// Shortest time that a picture stays [s].
const SHORTEST: f64 = 0.03;
/// Of the encoder, 1..=30: higher is faster, with colours a little further off.
const SPEED: i32 = 12;

/// A film that is being made.
pub struct Film {
    file: PathBuf,
    /// What it is in the end: where `file` is a link, what that leads to.
    target: PathBuf,
    size: (u32, u32),
    /// Frames of the simulation for a picture.
    pub stride: u64,
    lane: Lane,
    count: u64,
    _pending: files::Pending,
}

/// What pictures are put into.
struct Encoder {
    gif: gif::GifEncoder<files::Writer>,
    size: (u32, u32),
    /// From one picture to the next [s].
    seconds: f64,
    count: u32,
}

impl Encoder {
    fn start(part: &Path, size: (u32, u32), seconds: f64) -> Result<Self, String> {
        let out = files::create(part).map_err(|why| why.to_string())?;
        let mut gif = gif::GifEncoder::new_with_speed(out, SPEED);
        gif.set_repeat(gif::Repeat::Infinite).map_err(|why| why.to_string())?;
        Ok(Self { gif, size, seconds, count: 0 })
    }

    fn add(&mut self, pixels: Vec<u8>) -> Result<(), String> {
        let (width, height) = self.size;
        let image = RgbaImage::from_raw(width, height, pixels).ok_or("a picture of another size")?;
        // Hundredths of a second whose sum is right.
        let until = |i: u32| (100.0 * self.seconds * f64::from(i)).round() as u32;
        let delay = Delay::from_numer_denom_ms(10 * (until(self.count + 1) - until(self.count)), 1);
        self.count += 1;
        self.gif.encode_frame(Frame::from_parts(image, 0, 0, delay)).map_err(|why| why.to_string())
    }
}

impl Film {
    /// Begins a film of frames that are `step` [s] apart.
    pub fn start(file: &Path, size: (u32, u32), step: f32) -> Result<Self, String> {
        let stride = (SHORTEST / f64::from(step)).ceil().max(1.0) as u64;
        let failed = |why| format!("{}: {why}", file.display());
        let target = files::target(file).map_err(|why| failed(why.to_string()))?;
        // Before there is a file: a signal in between would leave it.
        let pending = files::Pending::new(&part(&target));
        let encoder = Encoder::start(&part(&target), size, stride as f64 * f64::from(step));
        let lane = encoder.and_then(Lane::start).map_err(failed)?;
        Ok(Self { file: file.to_path_buf(), target, size, stride, lane, count: 0, _pending: pending })
    }

    /// Width and height [pixels].
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Pictures so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Adds RGBA rows from the top; waits while too many wait already.
    pub fn add(&mut self, pixels: Vec<u8>) -> Result<(), String> {
        self.count += 1;
        if self.lane.add(pixels) { Ok(()) } else { self.end() }
    }

    /// The same without waiting: a picture for which there is no room comes back.
    pub fn offer(&mut self, pixels: Vec<u8>) -> Result<Option<Vec<u8>>, String> {
        let Ok(full) = self.lane.offer(pixels) else { return self.end().map(|()| None) };
        self.count += u64::from(full.is_none());
        Ok(full)
    }

    /// Waits until all is in the file. Returns where it is.
    pub fn finish(mut self) -> Result<PathBuf, String> {
        self.end()?;
        let fail = |why| format!("{}: {why}", self.file.display());
        files::rename(&part(&self.target), &self.target).map_err(fail)?;
        Ok(self.file.clone())
    }

    fn end(&mut self) -> Result<(), String> {
        self.lane.end().map_err(|why| format!("{}: {why}", self.file.display()))
    }
}

impl Drop for Film {
    /// One that was not finished leaves nothing.
    fn drop(&mut self) {
        let _ = self.end();
        let _ = files::remove(&part(&self.target));
    }
}

/// The file while it is written.
fn part(file: &Path) -> PathBuf {
    file.with_extension("gif.part")
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use image::AnimationDecoder;

    use super::*;

    #[test]
    fn a_film_takes_as_long_as_what_it_shows_and_one_that_is_left_leaves_nothing() {
        let folder = std::env::temp_dir().join(format!("weft-film-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("a.gif");
        let mut film = Film::start(&file, (8, 4), 1.0 / 60.0).expect("a film");
        assert_eq!(film.stride, 2);
        for shade in 0..9_u8 {
            film.add([shade * 20, 0, 0, 255].repeat(32)).expect("room");
        }
        assert!(!file.exists(), "it is not there before it is whole");
        let done = film.finish().expect("a file");
        let reader = std::io::BufReader::new(File::open(done).expect("it is there"));
        let frames =
            gif::GifDecoder::new(reader).expect("a GIF").into_frames().collect_frames().expect("pictures");
        let time: f64 = frames.iter().map(|frame| f64::from(frame.delay().numer_denom_ms().0)).sum();
        assert_eq!(frames.len(), 9);
        assert!((time - 300.0).abs() < 10.1, "{time} ms");
        let shade = frames[8].buffer().get_pixel(0, 0).0[0];
        assert!(shade.abs_diff(160) < 8, "{shade}");
        drop(Film::start(&folder.join("b.gif"), (8, 4), 0.02).expect("a film"));
        let left: Vec<_> =
            fs::read_dir(&folder).expect("a folder").flatten().map(|e| e.file_name()).collect();
        assert_eq!(left, ["a.gif"]);
        fs::remove_dir_all(&folder).expect("a folder");
    }
}
