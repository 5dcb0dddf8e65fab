//! The order in which strides run: along the cloth rather than colour by colour, so that particles are still in the cache when
//! the next colour comes for them, and threads meet twice a sweep instead of once a colour.
//!
//! Only strides that share a particle need their order. Each runs some particles after the last of those before it: a wavefront.
//! ```text
//!  last colour    \  region 0    \border/  region 1   \
//!      …           \              \0 1 /               \      regions run at once, each up to what its neighbours touch,
//!  first colour     \      →       \  /        →        \     then the borders between them
//!  particles         \              \/                   \
//!                  particle 0 …                    … the last one
//! ```
//! What shares particles runs in the order of the colours, so the bits are those of colour by colour. The number of regions
//! is the cloth's, not that of the threads.

use sim_api::model::StridePattern;

use super::rows;

/// Particles of a stride without rows, and the grain of a region.
pub(super) const PARTICLES: usize = 128;
/// How many particles a colour is behind the one before it besides: what that one stored is in the cache by then, and need not be
/// waited for. On the Xeon of `tests/results` 1.05 to 1.2 times as fast as 0; with 256 they leave its cache.
const DELAY: u32 = 64;
/// Most regions. As with all numbers of them a power of two: so many threads have the same work.
const MOST: usize = 64;

/// Puts strides, which stand behind those of their particles colour by colour, into the order in which they run. Returns the end
/// of each job: those of regions, and of one border less. `colors` are those of the strides.
pub(super) fn sort(
    strides: &mut rows::Stride,
    colors: &[u32],
    idx: &[[u32; 2]],
    particles: usize,
) -> Vec<u32> {
    let (turns, lag) = turns(strides, idx, particles);
    let mut regions = 1 << (particles / (2 * lag).max(PARTICLES)).clamp(1, MOST).ilog2();
    let jobs = loop {
        if let Some(jobs) = jobs(strides, idx, particles, regions) {
            break jobs;
        }
        regions /= 2;
    };
    let mut of_job = vec![Vec::new(); 1 + jobs.iter().max().map_or(0, |&job| job as usize)];
    for (stride, ((&job, &turn), color)) in (0_u32..).zip(jobs.iter().zip(&turns).zip(colors)) {
        of_job[job as usize].push((turn + DELAY * color, stride));
    }
    let (mut order, mut ends) = (Vec::with_capacity(jobs.len()), Vec::new());
    for mut strides in of_job {
        // Equal turns: in the order of the colours.
        strides.sort_unstable();
        order.extend(strides.into_iter().map(|(_, stride)| stride as usize));
        ends.push(order.len() as u32);
    }
    let sorted = |column: &[[u32; 2]]| order.iter().map(|&stride| column[stride]).collect();
    (strides.rows, strides.ends) = (sorted(&strides.rows), sorted(&strides.ends));
    let sorted = |column: &[u32]| order.iter().map(|&stride| column[stride]).collect();
    (strides.pattern, strides.alike) = (sorted(&strides.pattern), sorted(&strides.alike));
    ends
}

/// Calls `f` for each particle that a stride moves.
fn each_particle(strides: &rows::Stride, stride: usize, idx: &[[u32; 2]], mut f: impl FnMut(usize)) {
    let [first, count] = strides.rows[stride].map(|n| n as usize);
    if strides.pattern[stride] == StridePattern::Particles as u32 {
        (first..first + count).for_each(f);
    } else {
        idx[first..first + count].as_flattened().iter().for_each(|&particle| f(particle as usize));
    }
}

/// The particle up to which all must have run before a stride does, and how far the last colour is behind the first at most.
fn turns(strides: &rows::Stride, idx: &[[u32; 2]], particles: usize) -> (Vec<u32>, usize) {
    let mut last: Vec<u32> = (0..particles as u32).collect();
    let turns = (0..strides.rows.len()).map(|stride| {
        let mut turn = 0;
        each_particle(strides, stride, idx, |particle| turn = turn.max(last[particle]));
        each_particle(strides, stride, idx, |particle| last[particle] = turn);
        turn
    });
    let turns = turns.collect();
    let lag = last.iter().enumerate().map(|(particle, &last)| last as usize - particle).max();
    (turns, lag.unwrap_or(0))
}

/// The job of each stride; `None` where what two borders touch meets.
fn jobs(strides: &rows::Stride, idx: &[[u32; 2]], particles: usize, regions: usize) -> Option<Vec<u32>> {
    let length = particles.div_ceil(regions).next_multiple_of(PARTICLES);
    let regions = particles.div_ceil(length) as u32;
    // Where a particle was touched last: 2 k in region k, 2 k + 1 at the border behind it.
    let mut places: Vec<u32> = (0..particles).map(|particle| 2 * (particle / length) as u32).collect();
    let job = |stride| {
        let (mut least, mut most) = (u32::MAX, 0);
        each_particle(strides, stride, idx, |particle| {
            (least, most) = (least.min(places[particle]), most.max(places[particle]));
        });
        let place = match most.checked_sub(least)? {
            0 => least,
            1 => least | 1,
            2 if least.is_multiple_of(2) => least + 1,
            _ => return None,
        };
        each_particle(strides, stride, idx, |particle| places[particle] = place);
        Some(if place.is_multiple_of(2) { place / 2 } else { regions + place / 2 })
    };
    (0..strides.rows.len()).map(job).collect()
}
