//! Balloons on the device: their particles in parts of fixed size, so that sums have one order (`shaders/sim/constraints/gas_*.wgsl`).

use weft_core::state::State;
use weft_core::state::col;

/// Particles of a part: the threads of a workgroup.
pub(crate) const PART: u32 = 256;

#[derive(Default)]
pub(crate) struct Gas {
    /// Of each part: first particle, how many, the first of the balloon, and the balloon.
    pub spans: Vec<[u32; 4]>,
    /// Of each balloon: first part, and how many; whether tethers or attachments pull at it; 0.
    pub parts: Vec<[u32; 4]>,
}

impl Gas {
    pub(crate) fn of(state: &State) -> Self {
        let mut gas = Self::default();
        let pulled = [state.get(col::tether::idx), state.get(col::attachment::idx)];
        for (balloon, &[first, count]) in (0..).zip(state.get(col::balloon::particles)) {
            let start = gas.spans.len() as u32;
            let parts = (0..count).step_by(PART as usize);
            gas.spans.extend(parts.map(|at| [first + at, PART.min(count - at), first, balloon]));
            let own = first..first + count;
            let pulled = pulled.iter().any(|idx| idx.iter().any(|i| own.contains(i)));
            gas.parts.push([start, gas.spans.len() as u32 - start, u32::from(pulled), 0]);
        }
        gas
    }
}
