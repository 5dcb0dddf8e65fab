//! Strands on bodies with a mass: what such a body can feel of them.

use super::{Checker, MAX_PARTICLES};
use crate::{
    Collider, Root, Scene, Strands,
    assemble::inertia,
    strands::{
        Roots,
        build::{Strand, build},
    },
};

/// What clamped strands may be to turn, by the least moment of inertia of their body, which feels their couple a substep late.
const MOST_TURNED: f32 = 0.5;

pub(super) fn check(checker: &mut Checker<'_>, path: &str, strands: &Strands, scene: &Scene) {
    let heavy = |holder: Option<usize>| holder.map(|i| &scene.colliders[i]).filter(|body| body.mass > 0.0);
    if strands.tip == Root::Clamped
        && let Some(body) = heavy(strands.tip_seat(scene))
    {
        let message = format!("{:?} has a mass, and feels what a tip pulls, not how it is clamped", body.id);
        checker.error(&format!("{path}.tip"), message, &format!("`tip: Pinned`; or {}", without(body)));
    }
    if strands.root != Root::Clamped {
        return;
    }
    // More strands than there may be are told as that, and none are made.
    let few = strands.all_particles() <= MAX_PARTICLES;
    let Some(body) = heavy(strands.seat(scene)).filter(|_| few) else { return };
    let root = format!("{path}.root");
    if strands.tip != Root::Free {
        let message = format!(
            "{:?} has a mass, and feels how strands are clamped only if their tips are free",
            body.id
        );
        return checker.error(&root, message, &format!("`root: Pinned`; or {}", without(body)));
    }
    let (own, all) = (inertia(body).into_iter().fold(f32::INFINITY, f32::min), to_turn(strands, scene));
    // Of what is wrong in itself nothing is known.
    if own.is_finite() && all > MOST_TURNED * own {
        let message = format!(
            "these strands take {all:.1e} kg m2 to turn about their clamps, more than half of what {:?} does ({own:.1e})",
            body.id
        );
        let help =
            "`root: Pinned`; or strands that are lighter or shorter, or a body that is heavier or larger";
        checker.error(&root, message, help);
    }
}

fn without(body: &Collider) -> String {
    format!("leave `mass` out at {:?}, which `motion`, the keys or the hand move then", body.id)
}

/// Sum of the moments of inertia of all strands about their roots [kg m2].
fn to_turn(strands: &Strands, scene: &Scene) -> f32 {
    let [root, tip] = [0.0, 1.0].map(|along| strands.section(along).mass);
    // A rod about its end, whose mass per length goes evenly from that at its root to that at its tip.
    let per_length = (root + 3.0 * tip) / 12.0;
    let of = |length: f32| (per_length * length + strands.material.tip_mass) * length * length;
    match &strands.roots {
        Roots::File { .. } => {
            let length = |strand: &Strand| {
                (1..strands.particles.saturating_sub(1)).map(|i| strand.length(i)).sum::<f32>()
            };
            build(strands, scene).iter().map(|strand| of(length(strand))).sum()
        }
        roots => roots.count() as f32 * of(strands.length * (1.0 + strands.length_spread / 3.0)),
    }
}
