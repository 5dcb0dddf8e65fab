//! Light on hair, through it and past it, as a picture shows it: curtains of straight hair, one lamp, nothing else.

use glam::{Quat, Vec3};
use tests::left_out;
use weft_draw::{
    Background, Camera, Light, Picture, Quality, ShaderSources, Shape, Solid, StrandLook, StrandsView,
    offscreen::Offscreen,
};
use weft_scene::strands::build::Guide;

const NEEDS: &str = "OpenGL without a window (libegl1, libgl1-mesa-dri)";
const PARTICLES: u32 = 4;
const EDGE: u32 = 96;
const BROWN: [f32; 3] = [0.10, 0.042, 0.016];
const LOOK: StrandLook = StrandLook {
    root: BROWN,
    tip: BROWN,
    children: 6,
    spread: 0.003,
    clump: 0.0,
    interpolation: 0.0,
    width: 0.0008,
    lobes: true,
    wet: 0.0,
};

/// 20 x 20 cm of straight hair.
#[derive(Clone, Copy)]
struct Curtain {
    strands: u32,
    look: StrandLook,
    /// [m]
    center: Vec3,
    /// From one strand to the next.
    side: Vec3,
}

const CURTAIN: Curtain = Curtain { strands: 60, look: LOOK, center: Vec3::ZERO, side: Vec3::X };

impl Curtain {
    fn positions(&self) -> Vec<[f32; 4]> {
        let place = |i: u32| {
            let (strand, along) = (i / PARTICLES, (i % PARTICLES) as f32 / (PARTICLES - 1) as f32);
            let beside = self.side * (strand as f32 / (self.strands - 1) as f32 - 0.5);
            (self.center + 0.2 * (beside + Vec3::Y * (0.5 - along))).extend(1.0).to_array()
        };
        (0..self.strands * PARTICLES).map(place).collect()
    }

    fn guides(&self) -> Vec<Guide> {
        let aside = self.side.to_array();
        let guide =
            |strand| Guide { span: [strand * PARTICLES, 1, PARTICLES], closed: false, held: true, aside };
        (0..self.strands).map(guide).collect()
    }
}

fn offscreen() -> Offscreen {
    Offscreen::new(&ShaderSources::built_in()).unwrap_or_else(|why| panic!("{why}"))
}

/// The mean of each channel of a picture of 15 x 15 cm around the origin, the eye so far above it [rad].
fn seen(
    offscreen: &mut Offscreen,
    curtains: &[Curtain],
    solids: &[Solid],
    direction: Vec3,
    pitch: f32,
) -> [f32; 3] {
    let made: Vec<_> = curtains.iter().map(|curtain| (curtain.positions(), curtain.guides())).collect();
    // A number for each topology.
    let id = |curtain: &Curtain, i: usize| u64::from(curtain.strands) * 10 + i as u64;
    let views =
        curtains.iter().zip(&made).enumerate().map(|(i, (curtain, (positions, guides)))| StrandsView {
            id: id(curtain, i),
            positions,
            guides,
            neighbors: &[],
            painted: None,
            cuts: &[],
            pieces: 0,
            turn: Quat::IDENTITY,
            look: curtain.look,
            shading: None,
        });
    let picture = Picture {
        camera: Camera { target: Vec3::ZERO, distance: 1.0, yaw: 0.0, pitch, fov_y: 0.15 },
        light: Light { direction, color: [1.0; 3], intensity: 1.0, ambient: 0.0, rim: 0.0 },
        cloths: &[],
        strands: &views.collect::<Vec<_>>(),
        solids,
        lines: None,
        ground: None,
        background: Background { horizon: [0.0; 3], zenith: [0.0; 3] },
    };
    let pixels = offscreen.render(&picture, EDGE, EDGE);
    let mean = |channel| {
        let values = pixels.iter().skip(channel).step_by(4);
        values.map(|value| f32::from(*value)).sum::<f32>() / (EDGE * EDGE) as f32
    };
    [0, 1, 2].map(mean)
}

/// The way that light goes from a lamp before the curtain, behind it, and beside it.
const BEFORE: Vec3 = Vec3::NEG_Z;
const BEHIND: Vec3 = Vec3::Z;
const BESIDE: Vec3 = Vec3::NEG_X;

fn alone(offscreen: &mut Offscreen, look: StrandLook, direction: Vec3, pitch: f32) -> [f32; 3] {
    seen(offscreen, &[Curtain { look, ..CURTAIN }], &[], direction, pitch)
}

#[test]
fn hair_before_the_lamp_glows_in_its_own_colour() {
    if left_out("hair_before_the_lamp_glows_in_its_own_colour", NEEDS) {
        return;
    }
    let mut offscreen = offscreen();
    let [before, behind, beside] = [BEFORE, BEHIND, BESIDE].map(|way| alone(&mut offscreen, LOOK, way, 0.0));
    println!("LIGHT before {before:.1?}, behind {behind:.1?}, beside {beside:.1?}");
    assert!(behind[0] > 1.3 * beside[0], "{behind:?} against the light, {beside:?} from the side");
    assert!(behind[0] / behind[2] > 1.2 * before[0] / before[2], "{behind:?} is no warmer than {before:?}");
    // Light is not made: of a white lamp at full height no channel of brown hair is white.
    assert!(before[0].max(behind[0]) < 200.0, "{before:?} {behind:?}");
    // White hair lets more through than black hair, which only shines.
    let of = |color| StrandLook { root: [color; 3], tip: [color; 3], ..LOOK };
    let [white, black] = [0.9, 0.0].map(|color| alone(&mut offscreen, of(color), BEHIND, 0.0));
    assert!(white[1] > 3.0 * black[1], "{white:?} through white hair, {black:?} through black");
}

#[test]
fn scales_turn_the_first_highlight_towards_the_tip() {
    if left_out("scales_turn_the_first_highlight_towards_the_tip", NEEDS) {
        return;
    }
    let mut offscreen = offscreen();
    let black = StrandLook { root: [0.0; 3], tip: [0.0; 3], ..LOOK };
    let yarn = StrandLook { lobes: false, ..black };
    for look in [black, yarn] {
        // From above half way to the lamp is above the normal: where a head is round, that is nearer to the tip.
        let [above, below] = [0.105, -0.105].map(|pitch| alone(&mut offscreen, look, BEFORE, pitch));
        println!("LIGHT from above {above:.1?}, from below {below:.1?}");
        assert!(above[1] > 1.1 * below[1], "{above:?} from above, {below:?} from below");
    }
}

/// A lamp from the left and the front; what it shines on at the origin, past a curtain that the picture does not show.
#[test]
fn hair_takes_light_from_hair_and_bodies_the_more_of_it_there_is() {
    if left_out("hair_takes_light_from_hair_and_bodies_the_more_of_it_there_is", NEEDS) {
        return;
    }
    let mut offscreen = offscreen();
    let lamp = Vec3::new(-1.0, 0.0, 1.0).normalize();
    let body = Solid {
        shape: Shape::Box { half: Vec3::new(0.15, 0.15, 0.02) },
        position: Vec3::new(0.0, 0.0, -0.02),
        rotation: Quat::IDENTITY,
        color: [0.5; 3],
        scalp: None,
        highlighted: false,
    };
    let before = |strands| Curtain {
        strands,
        center: 0.3 * lamp,
        side: Vec3::new(1.0, 0.0, 1.0).normalize(),
        ..CURTAIN
    };
    for (what, hair, solids) in [("a body", vec![], vec![body]), ("hair", vec![CURTAIN], vec![])] {
        let mut look = |above: &[Curtain]| {
            seen(&mut offscreen, &[hair.as_slice(), above].concat(), &solids, -lamp, 0.0)[0]
        };
        let [none, few, many, most] =
            [look(&[]), look(&[before(20)]), look(&[before(60)]), look(&[before(240)])];
        println!(
            "LIGHT on {what}: {none:.1}, {few:.1} under 20 strands, {many:.1} under 60, {most:.1} under 240"
        );
        assert!(none > 1.02 * few && few > 1.1 * many && many > 1.3 * most, "{none} {few} {many} {most}");
    }
}

#[test]
fn the_fast_level_does_without_light_through_hair() {
    if left_out("the_fast_level_does_without_light_through_hair", NEEDS) {
        return;
    }
    let mut offscreen = offscreen();
    let both = |offscreen: &mut Offscreen| {
        [true, false].map(|lobes| alone(offscreen, StrandLook { lobes, ..LOOK }, BEHIND, 0.0))
    };
    let [hair, yarn] = both(&mut offscreen);
    assert_ne!(hair, yarn);
    let (renderer, mut gl) = offscreen.parts();
    renderer.set_quality(&mut *gl, Quality::Fast);
    drop(gl);
    let [hair, yarn] = both(&mut offscreen);
    assert_eq!(hair, yarn);
}

#[test]
fn water_makes_yarn_darker_and_lets_it_gleam() {
    if left_out("water_makes_yarn_darker_and_lets_it_gleam", NEEDS) {
        return;
    }
    let mut offscreen = offscreen();
    let hemp = [0.35, 0.22, 0.10];
    let yarn = StrandLook { root: hemp, tip: hemp, lobes: false, ..LOOK };
    // The lamp shines from the eye: a film on what hangs straight down throws its light back to who stands before it, and nowhere else.
    let mut both =
        |pitch| [0.0, 1.0].map(|wet| alone(&mut offscreen, StrandLook { wet, ..yarn }, BEFORE, pitch)[1]);
    let ([dry, wet], [dry_from_above, wet_from_above]) = (both(0.0), both(0.6));
    println!("LIGHT dry {dry:.1}, wet {wet:.1}; from above {dry_from_above:.1} and {wet_from_above:.1}");
    assert!(wet_from_above < 0.9 * dry_from_above, "{wet_from_above} for {dry_from_above}");
    assert!(wet / wet_from_above > 1.2 * dry / dry_from_above, "{wet} for {dry}");
}
