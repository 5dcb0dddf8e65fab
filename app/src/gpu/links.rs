//! Tables that only the device has, worked out from the state's: who is next to whom, in the order of the particles.
//!
//! The hot code's `vertex` and `incident` are sorted by colours of particles, for sweeps that move one colour at a time. A
//! pass that moves all particles at once wants neighbours in memory to be neighbours in the cloth:
//!
//! ```text
//! link   p0 p1 … p31   first distance row of each       strips of 32 particles in scene order;
//!        p0 p1 … p31   second …                          padded to the longest list of the strip
//!        …
//! fan    triangles of p0, then of p1, …
//! ```
//! A particle's rows come in the order of the sorted distance table, so that sums have the order of the CPU's. Padding ties
//! a particle to itself with rest length 0: it pulls at nothing.

use bytemuck::cast_slice;
use sim_api::Element;

use crate::state::State;

/// Particles of a strip; the WGSL files have the same number.
pub const STRIP: usize = 32;
/// Set in `link.row` where another particle is the row's first end, and in padding.
pub const SECOND: u32 = 1 << 31;

/// A column filled by the host for the device alone.
pub struct Derived {
    pub table: &'static str,
    pub column: &'static str,
    pub element: Element,
    pub bytes: Vec<u8>,
}

impl Derived {
    fn new<T: bytemuck::Pod>(path: (&'static str, &'static str), element: Element, rows: &[T]) -> Self {
        Self { table: path.0, column: path.1, element, bytes: cast_slice(rows).to_vec() }
    }
}

/// All derived columns of a state.
pub fn derive(state: &State) -> Result<Vec<Derived>, String> {
    let mut made = links(state)?;
    made.extend(fans(state));
    // Filled each frame; room for one row, so that a frame without holds has something to bind.
    made.push(Derived::new(("hold", "particle"), Element::U32, &[0_u32]));
    made.push(Derived::new(("hold", "begin"), Element::F32x4, &[[0.0_f32; 4]]));
    made.push(Derived::new(("hold", "end"), Element::F32x4, &[[0.0_f32; 4]]));
    Ok(made)
}

fn links(state: &State) -> Result<Vec<Derived>, String> {
    let particles = state.table("particle").map_or(0, |table| table.rows);
    let idx = state.column::<[u32; 2]>("distance", "idx");
    let column = |name| state.column::<f32>("distance", name);
    let (rests, compliances, dampings) = (column("rest"), column("compliance"), column("damping"));
    if idx.len() >= SECOND as usize {
        return Err(format!(
            "{} distance rows are more than the {} that the device's links can name",
            idx.len(),
            SECOND
        ));
    }
    let ends = || (0_u32..).zip(idx).filter(|(_, [a, b])| a != b);
    let mut degree = vec![0_u32; particles];
    for (_, [a, b]) in ends() {
        degree[*a as usize] += 1;
        degree[*b as usize] += 1;
    }
    let (mut spans, mut total) = (Vec::with_capacity(particles), 0);
    for strip in degree.chunks(STRIP) {
        let depth = strip.iter().copied().max().unwrap_or(0);
        spans.extend((0..strip.len() as u32).map(|lane| [total + lane, depth]));
        total += depth * STRIP as u32;
    }
    let total = total as usize;
    let (mut other, mut row) = (vec![0_u32; total], vec![SECOND; total]);
    let (mut rest, mut compliance, mut damping) = (vec![0.0_f32; total], vec![0.0; total], vec![0.0; total]);
    for (particle, [first, depth]) in (0_u32..).zip(&spans) {
        (0..*depth as usize).for_each(|k| other[*first as usize + k * STRIP] = particle);
    }
    let mut next: Vec<u32> = spans.iter().map(|span| span[0]).collect();
    for (number, [a, b]) in ends() {
        for (own, far, second) in [(*a, *b, 0), (*b, *a, SECOND)] {
            let link = next[own as usize] as usize;
            next[own as usize] += STRIP as u32;
            (other[link], row[link]) = (far, number | second);
            let number = number as usize;
            let value = |values: &[f32]| values.get(number).copied().unwrap_or(0.0);
            (rest[link], compliance[link], damping[link]) =
                (value(rests), value(compliances), value(dampings));
        }
    }
    Ok(vec![
        Derived::new(("particle", "links"), Element::U32x2, &spans),
        Derived::new(("particle", "degree"), Element::U32, &degree),
        Derived::new(("link", "other"), Element::U32, &other),
        Derived::new(("link", "row"), Element::U32, &row),
        Derived::new(("link", "rest"), Element::F32, &rest),
        Derived::new(("link", "compliance"), Element::F32, &compliance),
        Derived::new(("link", "damping"), Element::F32, &damping),
    ])
}

/// The triangles around each particle, in their order.
fn fans(state: &State) -> [Derived; 2] {
    let particles = state.table("particle").map_or(0, |table| table.rows);
    let idx = state.column::<[u32; 3]>("triangle", "idx");
    let mut count = vec![0_u32; particles];
    idx.iter().flatten().for_each(|particle| count[*particle as usize] += 1);
    let mut spans = Vec::with_capacity(particles);
    let mut total = 0;
    for count in count {
        spans.push([total, count]);
        total += count;
    }
    let mut next: Vec<u32> = spans.iter().map(|span| span[0]).collect();
    let mut triangles = vec![0_u32; total as usize];
    for (triangle, corners) in (0_u32..).zip(idx) {
        for &particle in corners {
            triangles[next[particle as usize] as usize] = triangle;
            next[particle as usize] += 1;
        }
    }
    [
        Derived::new(("particle", "fan"), Element::U32x2, &spans),
        Derived::new(("fan", "triangle"), Element::U32, &triangles),
    ]
}
