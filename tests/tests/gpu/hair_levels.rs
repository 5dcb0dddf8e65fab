//! Fewer hairs are drawn from farther away, and as much hair: no step of the camera shows.

use glam::{Quat, Vec3};
use tests::left_out;
use weft_draw::{
    Background, Camera, Light, Picture, ShaderSources, StrandLook, StrandsView, offscreen::Offscreen,
};
use weft_scene::strands::build::Guide;

const NEEDS: &str = "OpenGL without a window (libegl1, libgl1-mesa-dri)";
const PARTICLES: u32 = 8;
const EDGE: u32 = 160;
const LOOK: StrandLook = StrandLook {
    root: [0.0; 3],
    tip: [0.0; 3],
    children: 9,
    spread: 0.006,
    clump: 0.0,
    interpolation: 0.0,
    width: 0.0004,
    lobes: true,
    wet: 0.0,
};

/// Share of the light behind it that hair takes, by the area of the picture.
fn covered(picture: &[u8], empty: &[u8]) -> f32 {
    let of = |pixel: &[u8]| -> f32 { pixel[..3].iter().map(|value| f32::from(*value)).sum() };
    let (pixels, behind) = (picture.chunks_exact(4), empty.chunks_exact(4));
    pixels.zip(behind).map(|(pixel, behind)| 1.0 - of(pixel) / of(behind)).sum::<f32>() / (EDGE * EDGE) as f32
}

#[test]
fn a_camera_that_moves_away_sees_the_same_hair() {
    if left_out("a_camera_that_moves_away_sees_the_same_hair", NEEDS) {
        return;
    }
    // Until one hair stands for all nine of its strand; until a strand stands for six.
    goes_away(13, 9, 9.2);
    goes_away(200, 1, 6.1);
    // And of a few all are drawn however far away.
    let few = look_from(13, 1, &[30.0]);
    assert_eq!(few[0].hairs_for_one, 1.0);
    assert!(few[0].covered > 0.001, "{} of the picture", few[0].covered);
}

/// The picture changes by no step, up to a distance [m].
fn goes_away(strands: u32, children: u32, most: f32) {
    let distances: Vec<f32> = std::iter::successors(Some(2.6), |distance| Some(distance * 1.03))
        .take_while(|distance| *distance < most)
        .collect();
    let seen = look_from(strands, children, &distances);
    for (distance, picture) in distances.iter().zip(&seen) {
        let hairs_for_one = picture.hairs_for_one;
        let wanted = if children > 1 { distance.min(children as f32) } else { *distance };
        assert!((hairs_for_one / wanted - 1.0).abs() < 1e-3, "{hairs_for_one} hairs for one at {distance} m");
    }
    // By the square of the distance: how much of the curtain is covered.
    let of = |(distance, picture): (&f32, &Seen)| (*distance, picture.covered * distance * distance);
    let seen: Vec<(f32, f32)> = distances.iter().zip(&seen).map(of).collect();
    let mut most: f32 = 0.0;
    for pair in seen.windows(2) {
        let [(from, before), (to, after)] = [pair[0], pair[1]];
        let jump = after / before - 1.0;
        most = most.max(jump.abs());
        assert!(jump.abs() < 0.035, "{strands} strands: from {from} to {to} m the hair changes by {jump}");
    }
    let [near, far] = [seen[0].1, seen[seen.len() - 1].1];
    println!("LEVELS {strands} x {children}: {near} near, {far} far, {most} in a step");
    assert!((far / near - 1.0).abs() < 0.15, "{strands} strands: {near} near, {far} far");
}

struct Seen {
    /// Share of the picture.
    covered: f32,
    hairs_for_one: f32,
}

/// A curtain as a camera sees it from these distances [m].
fn look_from(strands: u32, children: u32, distances: &[f32]) -> Vec<Seen> {
    let mut offscreen = Offscreen::new(&ShaderSources::built_in()).unwrap_or_else(|why| panic!("{why}"));
    // A curtain of 16 x 16 cm, straight, of hairs that are as wide as pixels from 1 m on.
    let positions: Vec<[f32; 4]> = (0..strands * PARTICLES)
        .map(|i| {
            let (strand, along) = (i / PARTICLES, (i % PARTICLES) as f32 / (PARTICLES - 1) as f32);
            [0.16 * (strand as f32 / (strands - 1) as f32 - 0.5), 0.16 * (0.5 - along), 0.0, 1.0]
        })
        .collect();
    let guides: Vec<Guide> = (0..strands)
        .map(|strand| Guide {
            span: [strand * PARTICLES, 1, PARTICLES],
            closed: false,
            held: true,
            aside: [1.0, 0.0, 0.0],
        })
        .collect();
    let curtain = StrandsView {
        id: 1,
        positions: &positions,
        guides: &guides,
        neighbors: &[],
        painted: None,
        cuts: &[],
        pieces: 0,
        turn: Quat::IDENTITY,
        look: StrandLook { children, ..LOOK },
        shading: None,
    };
    // Lists of strands say how far the scene is; without hair it is as far.
    let nothing = StrandsView { guides: &[], ..curtain };
    let camera =
        Camera { target: Vec3::ZERO, distance: 0.9, yaw: 0.0, pitch: 0.0, fov_y: 0.0004 * EDGE as f32 };
    let mut draw = |camera, strands| {
        let picture = Picture {
            camera,
            light: Light::default(),
            cloths: &[],
            strands: &[strands],
            solids: &[],
            lines: None,
            ground: None,
            background: Background { horizon: [0.8; 3], zenith: [0.8; 3] },
        };
        let pixels = offscreen.render(&picture, EDGE, EDGE);
        (pixels, offscreen.renderer.hairs_for_one())
    };
    let (empty, _) = draw(camera, nothing);
    let look = |distance: &f32| {
        let (pixels, hairs_for_one) = draw(Camera { distance: *distance, ..camera }, curtain);
        Seen { covered: covered(&pixels, &empty), hairs_for_one }
    };
    distances.iter().map(look).collect()
}
