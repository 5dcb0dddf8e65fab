//! Particles of balloons and of other pieces of cloth on the device, in parts of fixed size, so that sums have one order
//! (`shaders/sim/constraints/gas_*.wgsl`, `shaders/sim/step/momentum_*.wgsl`).

/// Particles of a part: the threads of a workgroup.
pub(crate) const PART: u32 = 256;

#[derive(Default)]
pub(crate) struct Parts {
    /// Of each part: first particle, how many, the first of its row, and the row.
    pub spans: Vec<[u32; 4]>,
    /// Of each row: first part, and how many.
    pub rows: Vec<[u32; 2]>,
}

impl Parts {
    /// Of rows with their first and number of particles.
    pub(crate) fn of(particles: &[[u32; 2]]) -> Self {
        let mut all = Self::default();
        for (row, &[first, count]) in (0..).zip(particles) {
            let start = all.spans.len() as u32;
            let parts = (0..count).step_by(PART as usize);
            all.spans.extend(parts.map(|at| [first + at, PART.min(count - at), first, row]));
            all.rows.push([start, all.spans.len() as u32 - start]);
        }
        all
    }
}
