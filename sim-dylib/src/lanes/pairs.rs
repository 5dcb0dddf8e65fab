//! Sweeps over a table of particle pairs: fetch, call the kernel, store. The kernel sees lanes only.
//!
//! Two rules keep this free of races: rows of one colour share no particle (the host checked), and colours run one
//! after another. Rows without a colour run last, one by one.

use std::ops::Range;

use glam::{Mat4, Vec4};
use sim_api::{Colors, Par, SharedMut};

use super::{RowLanes, V3};

/// One end of each row: position (or velocity) and effective inverse mass.
pub struct Pair {
    pub x: V3<Vec4>,
    pub w: Vec4,
}

/// Gauss-Seidel over `particles` (xyz value, w inverse mass): adds what the kernel returns for either end.
///
/// The kernel gets the rows and the values of both ends, and returns the change of both.
pub fn project(
    par: &Par,
    colors: Colors,
    idx: &[[u32; 2]],
    particles: &mut [[f32; 4]],
    kernel: impl Fn(&RowLanes, &Pair, &Pair) -> (V3<Vec4>, V3<Vec4>) + Sync,
) {
    let particles = SharedMut::new(particles);
    sweep(par, colors, idx, |rows, ends| {
        // SAFETY: `sweep` keeps concurrent rows on different particles.
        let (a, b) = unsafe { (fetch(&particles, ends, 0), fetch(&particles, ends, 1)) };
        let (da, db) = kernel(rows, &a, &b);
        // SAFETY: as above.
        unsafe {
            store(&particles, ends, 0, rows.count, a.x + da, a.w);
            store(&particles, ends, 1, rows.count, b.x + db, b.w);
        }
    });
}

/// Adds to `sum` what the kernel makes of the two ends in `position` and `other` (say, velocities), both read only.
/// The kernel returns what is added to the first end; the second gets the opposite (Newton's third law).
pub fn accumulate(
    par: &Par,
    colors: Colors,
    idx: &[[u32; 2]],
    (position, other): (&[[f32; 4]], &[[f32; 4]]),
    sum: &mut [[f32; 4]],
    kernel: impl Fn(&RowLanes, [&Pair; 2], [&Pair; 2]) -> V3<Vec4> + Sync,
) {
    let sum = SharedMut::new(sum);
    sweep(par, colors, idx, |rows, ends| {
        let [xa, xb] = [0, 1].map(|end| lanes(std::array::from_fn(|l| position[ends[l][end] as usize])));
        let [va, vb] = [0, 1].map(|end| lanes(std::array::from_fn(|l| other[ends[l][end] as usize])));
        let force = kernel(rows, [&xa, &xb], [&va, &vb]);
        // SAFETY: `sweep` keeps concurrent rows on different particles.
        unsafe {
            let (a, b) = (fetch(&sum, ends, 0), fetch(&sum, ends, 1));
            store(&sum, ends, 0, rows.count, a.x + force, a.w);
            store(&sum, ends, 1, rows.count, b.x - force, b.w);
        }
    });
}

/// Calls `group(rows, their ends)` for all rows in an order equal to: colour by colour, then the tail row by row.
fn sweep(par: &Par, colors: Colors, idx: &[[u32; 2]], group: impl Fn(&RowLanes, &[[u32; 2]; 4]) + Sync) {
    // One loop with one call: the kernel is inlined once, and full groups run through its short path.
    let run = |range: Range<usize>| {
        let mut start = range.start;
        while start < range.end {
            let rows = RowLanes { start, count: (range.end - start).min(4) };
            let ends = match idx[start..range.end].first_chunk::<4>() {
                Some(ends) => *ends,
                None => std::array::from_fn(|lane| idx[rows.row(lane)]),
            };
            group(&rows, &ends);
            start += rows.count;
        }
    };
    for range in colors.ranges() {
        par.blocks(range, run);
    }
    for row in colors.serial_tail() {
        run(row..row + 1);
    }
}

#[inline]
fn lanes(rows: [[f32; 4]; 4]) -> Pair {
    let [x, y, z, w] = transpose(rows.map(Vec4::from_array));
    Pair { x: V3 { x, y, z }, w }
}

#[inline]
fn transpose([a, b, c, d]: [Vec4; 4]) -> [Vec4; 4] {
    let columns = Mat4::from_cols(a, b, c, d).transpose();
    [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis]
}

/// # Safety
/// No concurrent job writes the particles of `ends`.
#[inline]
unsafe fn fetch(particles: &SharedMut<[f32; 4]>, ends: &[[u32; 2]; 4], end: usize) -> Pair {
    // SAFETY: vouched for by the caller.
    lanes(std::array::from_fn(|lane| unsafe { particles.get(ends[lane][end] as usize) }))
}

/// # Safety
/// No concurrent job uses the particles of `ends`.
#[inline]
unsafe fn store(
    particles: &SharedMut<[f32; 4]>,
    ends: &[[u32; 2]; 4],
    end: usize,
    count: usize,
    x: V3<Vec4>,
    w: Vec4,
) {
    let rows = transpose([x.x, x.y, x.z, w]);
    for (lane, row) in rows.iter().enumerate() {
        if lane < count {
            // SAFETY: vouched for by the caller.
            unsafe { particles.set(ends[lane][end] as usize, row.to_array()) };
        }
    }
}
