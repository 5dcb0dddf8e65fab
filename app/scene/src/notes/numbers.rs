//! Numbers that are allowed and that a solver in single precision makes something else of than they say.

use glam::Vec3;

use crate::{
    Bending, Cloth, Scene, Shape, Strands, Value, Vocabulary,
    mesh::Grid,
    strands::build::{build, frame, placed},
};

/// A row of fewer roundings than this is off by more than a tenth of a per cent.
const ROUNDINGS: f32 = 1000.0;
/// Rounding of a position, as a share of the way that gravity makes in a substep, that is worth telling.
const HIDDEN: f32 = 0.5;
/// Where no scene has strands [m from its origin].
const FARTHEST: f32 = 1e4;
/// Height of a triangle over its longest edge below which it is a sliver.
const SLIVER: f32 = 0.02;

/// One sentence each, in the order of the scene.
pub(super) fn notes(scene: &Scene, known: &Vocabulary) -> Vec<String> {
    let scene = &scene.about_origin();
    let fall = fall(scene, known);
    scene
        .cloths
        .iter()
        .flat_map(|cloth| {
            [
                rounding(cloth),
                load(cloth, scene),
                holders(cloth, scene),
                spacing_and_place(cloth)
                    .and_then(|[_, far]| substep(&format!("cloths.{}", cloth.id), far, fall?)),
                slivers(cloth),
                bend_springs(cloth),
                undamped(cloth),
            ]
        })
        .flatten()
        .chain(scene.strands.iter().filter_map(|strands| {
            // They are built only where their substeps may be too short somewhere.
            let fall = fall.filter(|[_, way]| hides(FARTHEST, *way))?;
            substep(&format!("strands.{}", strands.id), reach(strands, scene)?.max(strands.length), fall)
        }))
        .collect()
}

/// Stiffness that springs against bending may add along the threads, as a share of what the sheet is said to have.
const ADDED: f32 = 0.1;

/// Springs to next neighbours but one bear the pull along the threads, too: two of them at each place of a thread, of twice its step,
/// add 4 k to the stiffness of the sheet.
fn bend_springs(cloth: &Cloth) -> Option<String> {
    let (material, grid) = (&cloth.material, matches!(cloth.shape, Shape::Grid { .. }));
    let (asked, added) = (material.sheet.stretch, 4.0 / material.compliance.bend);
    (grid && asked > 0.0 && material.bending() == Bending::SkipOne && added > ADDED * asked).then(|| {
        format!(
            "cloths.{}: material.sheet.stretch is {asked} N/m, and springs against bending add 4 / compliance.bend = {added:.0} N/m along the \
             threads; set sheet.bend, which makes hinges, or a larger compliance.bend",
            cloth.id
        )
    })
}

/// `sheet.damping` is that of springs whose stiffness the sheet gives: where there are none it has nothing to act on.
fn undamped(cloth: &Cloth) -> Option<String> {
    let (membrane, sheet) = (cloth.material.membrane, &cloth.material.sheet);
    let why = if !membrane.has_springs() {
        format!("membrane {membrane:?} has no springs")
    } else if sheet.stretch <= 0.0 && sheet.shear <= 0.0 {
        "sheet.stretch and sheet.shear are 0".into()
    } else {
        return None;
    };
    (sheet.damping > 0.0).then(|| {
        format!(
            "cloths.{}: material.sheet.damping is that of springs, by the stiffness that `sheet` gives them, and {why}: it does nothing",
            cloth.id
        )
    })
}

/// Corners of a mesh's triangles [m], at rest.
fn triangles(cloth: &Cloth) -> impl Iterator<Item = [Vec3; 3]> {
    let surface = match &cloth.shape {
        Shape::Mesh { surface: Some(Ok(surface)), scale, .. } => Some((surface, *scale)),
        _ => None,
    };
    let corner = |(surface, scale): (&crate::obj::Surface, f32), i: u32| {
        Vec3::from(surface.positions[i as usize]) * scale
    };
    surface.into_iter().flat_map(move |(surface, scale)| {
        surface.triangles.iter().map(move |corners| corners.map(|i| corner((surface, scale), i)))
    })
}

/// Distance between its nearest particles, and of the farthest one from the scene's origin along an axis [m].
fn spacing_and_place(cloth: &Cloth) -> Option<[f32; 2]> {
    let (spacing, reach) = match &cloth.shape {
        Shape::Grid { width, height, .. } => {
            let grid = Grid::of(&cloth.shape)?;
            (grid.dx.min(grid.dy), 0.5 * width.max(*height))
        }
        Shape::Disc { radius, rings } => (radius / (*rings).max(1) as f32, *radius),
        Shape::Mesh { .. } => triangles(cloth).fold((f32::MAX, 0.0), |(least, far), [a, b, c]| {
            let edges = a.distance(b).min(b.distance(c)).min(c.distance(a));
            (least.min(edges), [a, b, c].iter().fold(far, |far: f32, x| far.max(x.abs().max_element())))
        }),
    };
    Some([spacing, reach + Vec3::from(cloth.at).abs().max_element()])
}

/// Last place of a number in single precision.
fn last_place(number: f32) -> f32 {
    number.next_up() - number
}

/// Rows that hardly are longer than the rounding of their ends.
fn rounding(cloth: &Cloth) -> Option<String> {
    let [spacing, far] = spacing_and_place(cloth)?;
    let share = last_place(far) / spacing;
    (share * ROUNDINGS > 1.0).then(|| {
        format!(
            "cloths.{}: particles {spacing:.2e} m apart lie {far:.0} m from the middle of all cloths, where a position is rounded \
             to {:.1e} m: strains are wrong by up to {:.1} %; bring the cloths closer together",
            cloth.id,
            last_place(far),
            100.0 * share
        )
    })
}

/// Threads so hard that what hangs on them stretches them by less than positions show. Rigid ones have no force of positions.
fn load(cloth: &Cloth, scene: &Scene) -> Option<String> {
    let [spacing, far] = spacing_and_place(cloth)?;
    let area = area(cloth);
    let (sheet, threads) = (cloth.material.sheet.stretch, cloth.material.compliance.structural);
    // The weight of a square of its area, borne along one side.
    let pull = spacing * Vec3::from(scene.gravity).length() * cloth.material.density * area.sqrt();
    let gives = if sheet > 0.0 { pull / sheet } else { threads * pull };
    ((sheet > 0.0 || threads > 0.0) && pull > 0.0 && gives < last_place(far)).then(|| {
        format!(
            "cloths.{}: its weight, some {pull:.1e} N on each thread, stretches one by {gives:.1e} m, and {far:.1} m from the \
             middle of all cloths a position is rounded to {:.1e} m: solvers that work out forces from positions \
             (`implicit_newton`, `projective_dynamics`, `vbd`) show rounding as stress there; softer or rigid threads are truer",
            cloth.id,
            last_place(far)
        )
    })
}

/// At rest [m2].
fn area(cloth: &Cloth) -> f32 {
    match &cloth.shape {
        Shape::Grid { width, height, .. } => width * height,
        Shape::Disc { radius, .. } => std::f32::consts::PI * radius * radius,
        Shape::Mesh { .. } => triangles(cloth).map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum(),
    }
}

/// What holds cloth and gives way by less than positions show, even if all of it hung there.
fn holders(cloth: &Cloth, scene: &Scene) -> Option<String> {
    let [_, far] = spacing_and_place(cloth)?;
    let weight = area(cloth) * cloth.material.density * Vec3::from(scene.gravity).length();
    let tethers = cloth.tethers.as_ref().map_or(0.0, |tethers| tethers.compliance);
    let rounded = |compliance: f32| compliance > 0.0 && weight > 0.0 && compliance * weight < last_place(far);
    let found = [("pin_compliance", cloth.pin_compliance), ("tethers.compliance", tethers)];
    let (field, compliance) = found.into_iter().find(|(_, compliance)| rounded(*compliance))?;
    Some(format!(
        "cloths.{}: {field} is {compliance:e} m/N, which all of its weight ({weight:.1e} N) moves by less than a position is rounded to: \
         its energy and force are rounding; 0 is rigid, and says so",
        cloth.id
    ))
}

/// Length of a substep [s] and how far gravity moves a particle in it [m]; of as many as the scene says, or else its solver.
fn fall(scene: &Scene, known: &Vocabulary) -> Option<[f32; 2]> {
    let own = known.solvers.iter().find(|solver| solver.name == scene.solver.name);
    let usual = own.and_then(|solver| solver.params.iter().find(|param| param.name == "substeps"));
    let substeps = match scene.solver.params.get("substeps") {
        Some(Value::Number(substeps)) => *substeps,
        _ if scene.strands.is_empty() => usual?.default,
        _ => usual?.with_strands,
    };
    let (h, gravity) = (scene.step / substeps.max(1.0) as f32, Vec3::from(scene.gravity).length());
    (gravity > 0.0).then_some([h, gravity * h * h])
}

/// Whether a way [m] is hidden by the rounding of a position `far` from the scene's origin [m].
fn hides(far: f32, way: f32) -> bool {
    last_place(far) / way > HIDDEN
}

/// Substeps so short that gravity moves a particle by less than its rounding, `far` from the scene's origin [m]. `path`: of the cloth
/// or the strands.
fn substep(path: &str, far: f32, [h, way]: [f32; 2]) -> Option<String> {
    hides(far, way).then(|| {
        format!(
            "{path}: in a substep of {h:.1e} s gravity moves a particle by {way:.1e} m, and {far:.1} m from the scene's origin a \
             position is rounded to {:.1e} m: stiff constraints turn that into noise, friction is off, and under some \
             solvers swings are too fast; fewer substeps are truer",
            last_place(far)
        )
    })
}

/// How far the first strand of a list goes from the scene's origin [m].
fn reach(strands: &Strands, scene: &Scene) -> Option<f32> {
    let (seat, first) = (frame(scene, strands.seat(scene), 0.0), build(strands, scene).into_iter().next()?);
    let places = [0, strands.particles - 1].map(|particle| first.place(strands.held(), particle));
    Some(places.into_iter().map(|place| placed(seat, place).length()).fold(0.0, f32::max))
}

/// Triangles so thin that the angle at their hinges is a matter of rounding.
fn slivers(cloth: &Cloth) -> Option<String> {
    if cloth.material.sheet.bend <= 0.0 || cloth.material.bending() == Bending::SkipOne {
        return None;
    }
    let thin = |[a, b, c]: &[Vec3; 3]| {
        let longest = a.distance_squared(*b).max(b.distance_squared(*c)).max(c.distance_squared(*a));
        (*b - *a).cross(*c - *a).length() / longest
    };
    let all = triangles(cloth).map(|corners| (thin(&corners), corners));
    let mut slivers: Vec<_> = all.filter(|(thin, _)| *thin < SLIVER).collect();
    slivers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let &(thinnest, [at, ..]) = slivers.first()?;
    Some(format!(
        "cloths.{}: {} triangles are slivers, less than {SLIVER} as high as long, the worst {:.1e}, at {at} m of the file: \
         the angle at their edges is a matter of rounding, so hinges there are held back and hardly resist; remesh, or choose \
         `bending: SkipOne`",
        cloth.id,
        slivers.len(),
        thinnest
    ))
}
