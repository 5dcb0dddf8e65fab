//! The shape of the first cloth, or of the first strands where there is none: how it hangs, bends and drapes. Lengths are
//! divided by the cloth's own, so that a closed form can stand beside them.
//!
//! Down is along gravity. Without gravity, or where a cloth is not held as the reading asks, there is none.

mod net;
mod shadow;
mod span;
mod strip;

use glam::DVec2;
use weft_core::state::col;

pub(super) use self::strip::Strip;
use self::{net::Net, span::Span};
use super::{Input, Reading};

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "catenary_sag",
        unit: "1",
        doc: "from the two pinned ends, which must be at one level, down to the lowest particle, by the span between them",
        of: |input| {
            let net = Net::new(input)?;
            let span = Span::of(&net)?;
            let lowest = net.particles.clone().map(|particle| net.at(particle).dot(net.up));
            Some((span.height - lowest.fold(f64::INFINITY, f64::min)) / span.span)
        },
    },
    Reading {
        name: "end_tension",
        unit: "1",
        doc: "force that holds one of the two pinned ends, by the weight of a span's length of cloth",
        of: end_tension,
    },
    Reading {
        name: "chord_angle",
        unit: "degrees",
        doc: "fall of the line from the clamped edge to the mean of the free edge below the horizontal",
        of: |input| {
            let net = Net::new(input)?;
            let (drop, aside) = strip(&net)?.chord(net.up);
            Some(drop.atan2(aside).to_degrees())
        },
    },
    Reading {
        name: "tip_drop",
        unit: "1",
        doc: "from the clamped edge down to the mean of the free edge, by the length between them",
        of: |input| {
            let net = Net::new(input)?;
            let strip = strip(&net)?;
            Some(strip.chord(net.up).0 / strip.length)
        },
    },
    Reading {
        name: "tip_reach",
        unit: "1",
        doc: "from the clamped edge level to the mean of the free edge, by the length between them; what it is less than 1 is the \
              shortening of a cantilever",
        of: |input| {
            let net = Net::new(input)?;
            let strip = strip(&net)?;
            Some(strip.chord(net.up).1 / strip.length)
        },
    },
    Reading {
        name: "free_edge_height",
        unit: "m",
        doc: "mean height of the particles farthest from the pins along the cloth",
        of: |input| {
            let net = Net::new(input)?;
            Some(strip(&net)?.tip.dot(net.up))
        },
    },
    Reading {
        name: "drape_coefficient",
        unit: "1",
        doc: "(shadow on the ground - area held) / (area of the cloth - area held) (Cusick)",
        of: drape_coefficient,
    },
];

/// The strip, which three readings ask for.
fn strip(net: &Net) -> Option<Strip> {
    *net.input.measured.strip.get_or_init(|| Strip::of(net))
}

fn end_tension(input: &Input) -> Option<f64> {
    let net = Net::new(input)?;
    let span = Span::of(&net)?;
    let weight = |particles: &mut dyn Iterator<Item = usize>| -> f64 {
        particles.map(|particle| net.mass(particle)).sum::<f64>() * net.gravity
    };
    let mean = |end: &Vec<usize>| {
        // The pin also carries its own particles.
        let own = net.up * weight(&mut end.iter().copied());
        (net.pull(end) - own).length()
    };
    let force = 0.5 * span.ends.iter().map(mean).sum::<f64>();
    Some(force / (weight(&mut net.particles.clone()) * span.span / span.length))
}

fn drape_coefficient(input: &Input) -> Option<f64> {
    let net = Net::new(input)?;
    let state = input.state;
    let triangles = || {
        let all = state.get(col::triangle::idx).iter().zip(state.get(col::triangle::area));
        all.filter(|(corners, _)| net.particles.contains(&(corners[0] as usize)))
    };
    let (right, ahead) = net.up.any_orthonormal_pair();
    let flat = |corner: u32| {
        let at = net.at(corner as usize);
        DVec2::new(at.dot(right), at.dot(ahead))
    };
    let (mut cloth, mut held) = (0.0, 0.0);
    for (corners, area) in triangles() {
        cloth += f64::from(*area);
        if corners.iter().all(|&corner| net.is_pinned(corner as usize)) {
            held += f64::from(*area);
        }
    }
    // Held by an area and not by points or an edge.
    let shadow = || triangles().map(|(corners, _)| corners.map(flat)).collect::<Vec<_>>();
    (held > 0.01 * cloth && held < cloth).then(|| (shadow::area(&shadow()) - held) / (cloth - held))
}
