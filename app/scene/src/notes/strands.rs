//! Rest shapes that a strand is too coarse or too weak for, tips that nothing holds, and files in another unit.

use std::iter;

use glam::Vec3;

use crate::{
    ColliderShape, Motion, Root, Roots, Scene, Seat, Strands,
    strands::{
        Shape,
        build::{Strand, build, frame, placed},
        grid, rest,
    },
};

/// Fewer segments in a turn of a curl draw another curve.
const A_TURN: f32 = 8.0;
/// How long scripts are followed [s], and how often.
const SCRIPT: f64 = 20.0;
const LOOKS: u32 = 400;
/// Strands that are named.
const NAMED: usize = 8;
/// Stretch that is not worth a word.
const TAUT: f32 = 1e-3;
const LEADER: &str = "follow_the_leader";
/// Size of a file that nobody asks about [m].
const USUAL: std::ops::RangeInclusive<f32> = 1e-3..=1000.0;

/// `segments`: length of the shortest one of each list of strands [m].
pub(super) fn notes(scene: &Scene, segments: &[f32]) -> Vec<String> {
    let mut notes = Vec::new();
    for (strands, segment) in scene.strands.iter().zip(segments) {
        if let Shape::Curl { radius, pitch, .. } = strands.shape {
            let way = (std::f32::consts::TAU * radius).hypot(pitch);
            let segments = way * (strands.particles - 1) as f32 / strands.length;
            if segments < A_TURN {
                notes.push(format!(
                    "strands.{}: {segments:.1} segments in a turn of the curl; {A_TURN} draw it well: more particles, a longer pitch",
                    strands.id
                ));
            }
        }
        if strands.tip == Root::Free && strands.tip_seat != Seat::World {
            notes.push(format!(
                "strands.{}: tips are free, so that `tip_seat` holds nothing; `tip: Clamped` or `tip: Pinned` beside it",
                strands.id
            ));
        }
        if strands.tip != Root::Free && strands.material.tip_mass > 0.0 {
            notes.push(format!(
                "strands.{}: tips are held, so that `tip_mass` moves nothing; it counts among masses and energies",
                strands.id
            ));
        }
        notes.extend(weightless(scene, strands));
        notes.extend(size(strands));
        notes.extend(thick(strands, *segment));
        notes.extend(crowded(scene, strands, *segment));
        notes.extend(apart(scene, strands));
        notes.extend(loops(strands));
        notes.extend(wide(scene, strands));
        if strands.material.sag_free > 0.0 {
            notes.extend(weak(scene, strands));
        }
    }
    notes
}

/// Weights at tips, for the solver that takes a particle to be as heavy as the next one (`kernels/strands/leader.rs`).
fn weightless(scene: &Scene, strands: &Strands) -> Option<String> {
    let runs = scene.runs.iter().map(|run| run.name.as_str());
    let led = iter::once(scene.solver.name.as_str()).chain(runs).any(|solver| solver == LEADER);
    (led && strands.material.tip_mass > 0.0).then(|| {
        format!(
            "strands.{}: under {LEADER} a tip weighs no more than its particle: `tip_mass` does nothing there; strand_newton hangs on it",
            strands.id
        )
    })
}

/// A file whose `scale` is probably that of another unit. A mesh of such a size is refused; of strands `length` cuts off what is too
/// much, so that nothing else tells of it.
fn size(strands: &Strands) -> Option<String> {
    let Roots::File { file, scale, locks: Some(Ok(locks)), .. } = &strands.roots else { return None };
    let points = (0..locks.count()).flat_map(|index| locks.strand(index)).map(|x| Vec3::from(*x));
    let (low, high) = points.fold((Vec3::MAX, Vec3::MIN), |(low, high), x| (low.min(x), high.max(x)));
    let extent = scale * (high - low).max_element();
    (extent > 0.0 && !USUAL.contains(&extent)).then(|| {
        format!(
            "strands.{}: {file} is {extent} m large with `scale` {scale}, which is metres for one unit of the file \
             (0.01 for centimetres): is it meant so?",
            strands.id
        )
    })
}

/// Segments that are shorter than thick: what is bent between them is no rod any more.
fn thick(strands: &Strands, shortest: f32) -> Option<String> {
    let thickest = 2.0 * strands.thickest();
    (shortest < thickest).then(|| {
        format!(
            "strands.{}: segments are {shortest:.2e} m long and up to {thickest:.2e} m thick, and a rod bends over more than its \
             thickness; fewer particles, longer strands or a smaller radius",
            strands.id
        )
    })
}

/// Segments shorter than what the seat keeps particles off: the first ones are pushed out of it while their root stays.
fn crowded(scene: &Scene, strands: &Strands, shortest: f32) -> Option<String> {
    let seat = &scene.colliders[strands.seat(scene)?];
    if strands.root == Root::Free || shortest >= seat.thickness {
        return None;
    }
    let all = build(strands, scene);
    if all.first().is_some_and(|strand| strand.above > 0.0) {
        return None;
    }
    let on_skin = match (&strands.roots, &seat.shape) {
        (Roots::Cap { .. } | Roots::Surface { .. }, _) => true,
        (_, ColliderShape::Sphere { radius }) => {
            all.iter().any(|strand| (strand.root.length() - radius).abs() < seat.thickness)
        }
        _ => false,
    };
    on_skin.then(|| {
        format!(
            "strands.{}: segments of {shortest:.2e} m, and {} keeps particles {:.2e} m off, where the roots are: the first segments are \
             stretched by that; a smaller `thickness` of the collider, or fewer particles",
            strands.id, seat.id, seat.thickness
        )
    })
}

/// Ends that the script of what holds them takes farther from each other than the strand is long.
fn apart(scene: &Scene, strands: &Strands) -> Option<String> {
    let holders = [strands.seat(scene), strands.tip_seat(scene)];
    let on_cloth = strands.cloth(scene).is_some();
    let moves = |holder: &usize| scene.colliders[*holder].motion != Motion::Still;
    let still = !holders.iter().flatten().any(moves);
    if strands.tip == Root::Free
        || strands.root == Root::Free
        || on_cloth
        || still
        || holders[0] == holders[1]
    {
        return None;
    }
    let (held, last) = (strands.held(), strands.particles - 1);
    let begin = holders.map(|holder| frame(scene, holder, 0.0));
    // Its root and its tip, each in the frame of what holds it, and its length.
    let ends = |strand: &Strand| {
        let tip = placed(begin[0], strand.place(held, last));
        let length: f32 = (0..last).map(|i| strand.length(i)).sum();
        (strand.place(held, 0), begin[1].1.inverse() * (tip - begin[1].0), length)
    };
    let ends: Vec<(Vec3, Vec3, f32)> = build(strands, scene).iter().map(ends).collect();
    let mut worst = (1.0 + TAUT, 0.0, None);
    for time in (0..=LOOKS).map(|look| f64::from(look) * SCRIPT / f64::from(LOOKS)) {
        let now = holders.map(|holder| frame(scene, holder, time));
        for (number, (root, tip, length)) in (1..).zip(&ends) {
            let over = placed(now[0], *root).distance(placed(now[1], *tip)) / length;
            if over > worst.0 {
                worst = (over, time, Some((number, length)));
            }
        }
    }
    let (over, time, found) = worst;
    let (number, length): (u32, _) = found?;
    Some(format!(
        "strands.{}: what holds the ends of strand {number} takes them {:.2} m apart at {time:.1} s, and it is {length:.2} m long: it is stretched \
         then; a longer strand, `tip: Free`, or less motion",
        strands.id,
        over * length
    ))
}

/// Strands of a file that end where they began, and are taken for open ones.
fn loops(strands: &Strands) -> Option<String> {
    let Roots::File { file, locks: Some(Ok(locks)), .. } = &strands.roots else { return None };
    let closed = || (0..locks.count()).filter(|index| locks.is_closed(*index));
    let first = closed().next().filter(|_| !strands.closed)? + 1;
    Some(format!(
        "strands.{}: {} of {} strands of {file} end where they began, the first is strand {first}: they hang open by their root; \
         `closed: true` beside `root: Free` makes rings of them",
        strands.id,
        closed().count(),
        locks.count()
    ))
}

/// Strands that reach beyond the cells of their grid.
fn wide(scene: &Scene, strands: &Strands) -> Option<String> {
    let between = strands.between.as_ref()?;
    let all = build(strands, scene);
    let held = strands.held();
    let ends =
        all.iter().flat_map(|strand| [0, strands.particles - 1].map(|particle| strand.place(held, particle)));
    let ends: Vec<[f32; 4]> = ends.map(|place| [place.x, place.y, place.z, 1.0]).collect();
    let extent = grid::extent(&ends);
    let reach = between.cell * grid::count(extent, between.cell) as f32;
    (reach < extent).then(|| {
        format!(
            "strands.{}: the grid begins anew every {reach:.2} m, and they reach {extent:.2} m: some feel others that are so far \
             away; a larger `between.cell` ends that",
            strands.id
        )
    })
}

/// Strands whose joints cannot bear the weight beyond them.
fn weak(scene: &Scene, strands: &Strands) -> Option<String> {
    let (_, turn) = frame(scene, strands.seat(scene), 0.0);
    let (seat, gravity) = (turn.as_dquat().normalize(), Vec3::from(scene.gravity).as_dvec3());
    let all = build(strands, scene);
    let loads = all.iter().map(|strand| rest::of(strands, strand, seat, gravity).load);
    let weak: Vec<(usize, f64)> = (1..).zip(loads).filter(|(_, load)| *load > 1.0).collect();
    let worst = weak.iter().map(|(_, load)| *load).fold(0.0, f64::max);
    let named: Vec<String> = weak.iter().take(NAMED).map(|(number, _)| number.to_string()).collect();
    let more = if weak.len() > NAMED { ", …" } else { "" };
    (!weak.is_empty()).then(|| {
        format!(
            "strands.{}: {} of {} (strand {}{more}) cannot be at rest as they start, with no rest shape: their joints would have to be \
             {worst:.1} times as stiff (`young`, `shear`, or the square of the radius); they sag",
            strands.id,
            weak.len(),
            all.len(),
            named.join(", "),
        )
    })
}
