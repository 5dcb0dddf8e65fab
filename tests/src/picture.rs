//! Pixels of a PNG, or of the X screen that `Xvfb -fbdir` keeps in a file.

use std::path::Path;

/// RGB, top row first.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub fn png(path: &Path) -> Self {
        let image = image::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).to_rgb8();
        let (width, height) = (image.width() as usize, image.height() as usize);
        Self { width, height, pixels: image.pixels().map(|pixel| pixel.0).collect() }
    }

    /// An X window dump: a header of big-endian words, then 4 bytes a pixel.
    pub fn xwd(path: &Path) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        let word = |i: usize| -> Option<usize> {
            Some(u32::from_be_bytes(bytes.get(i * 4..i * 4 + 4)?.try_into().ok()?) as usize)
        };
        let (header, width, height, order) = (word(0)?, word(4)?, word(5)?, word(7)?);
        let (bits, stride, colors) = (word(11)?, word(12)?, word(19)?);
        if bits != 32 {
            return None;
        }
        let start = header + colors * 12;
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            let row = bytes.get(start + y * stride..start + y * stride + width * 4)?;
            let (row, _) = row.as_chunks::<4>();
            pixels.extend(row.iter().map(|&[a, b, c, d]| if order == 0 { [c, b, a] } else { [b, c, d] }));
        }
        Some(Self { width, height, pixels })
    }

    /// The part with these columns and rows.
    pub fn part(&self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> Self {
        let row = |y: usize| &self.pixels[y * self.width..][columns.clone()];
        let pixels = rows.clone().flat_map(row).copied().collect();
        Self { width: columns.len(), height: rows.len(), pixels }
    }

    /// Share of the pixels for which `test` holds.
    pub fn share(&self, test: impl Fn([u8; 3]) -> bool) -> f64 {
        self.pixels.iter().filter(|pixel| test(**pixel)).count() as f64 / self.pixels.len() as f64
    }

    pub fn colors(&self) -> usize {
        self.pixels.iter().collect::<std::collections::HashSet<_>>().len()
    }

    /// Share of pixels that differ by more than `tolerance` in a channel.
    pub fn difference(&self, other: &Self, tolerance: u8) -> f64 {
        let differs = |(a, b): (&[u8; 3], &[u8; 3])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > tolerance);
        let count = self.pixels.iter().zip(&other.pixels).filter(|pair| differs(*pair)).count();
        count as f64 / self.pixels.len().max(1) as f64
    }
}

pub fn brightness([r, g, b]: [u8; 3]) -> u32 {
    u32::from(r) + u32::from(g) + u32::from(b)
}
