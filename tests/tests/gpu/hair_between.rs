//! Hair between strands: it fills the gap to a neighbour, is the strand itself at its first hair, and never spans a cut.

use glam::{Quat, Vec3};
use tests::left_out;
use weft_draw::{
    Background, Camera, Light, Picture, ShaderSources, StrandLook, StrandsView, offscreen::Offscreen,
};
use weft_scene::strands::{
    build::Guide,
    neighbors::{Corners, around},
};

const NEEDS: &str = "OpenGL without a window (libegl1, libgl1-mesa-dri)";
const PARTICLES: u32 = 5;
/// A picture of 20 x 20 cm.
const EDGE: usize = 128;
const SIZE: f32 = 0.2;
const LOOK: StrandLook = StrandLook {
    root: [0.0; 3],
    tip: [0.0; 3],
    children: 96,
    spread: 0.002,
    clump: 0.0,
    interpolation: 1.0,
    width: 0.001,
    lobes: true,
    wet: 0.0,
};

/// Columns of the picture between two places [m], as the share that hair covers.
fn covered(pixels: &[u8], from: f32, to: f32) -> f32 {
    let column = |x: f32| ((x / SIZE + 0.5) * EDGE as f32) as usize;
    let rows = pixels.chunks_exact(4 * EDGE).take(EDGE * 3 / 4);
    let dark: Vec<bool> = rows
        .flat_map(|row| row[4 * column(from)..4 * column(to)].chunks_exact(4))
        .map(|pixel| pixel[1] < 100)
        .collect();
    dark.iter().filter(|dark| **dark).count() as f32 / dark.len() as f32
}

/// Three straight strands, 6 cm from one to the next, seen from before.
struct Row {
    offscreen: Offscreen,
    positions: Vec<[f32; 4]>,
    guides: Vec<Guide>,
    pieces: u64,
}

impl Row {
    fn new() -> Self {
        let offscreen = Offscreen::new(&ShaderSources::built_in()).unwrap_or_else(|why| panic!("{why}"));
        let place =
            |i: u32| [0.06 * (i / PARTICLES) as f32 - 0.06, 0.1 - 0.05 * (i % PARTICLES) as f32, 0.0, 1.0];
        let guide = |strand| Guide {
            span: [strand * PARTICLES, 1, PARTICLES],
            closed: false,
            held: false,
            aside: [1.0, 0.0, 0.0],
        };
        let positions = (0..3 * PARTICLES).map(place).collect();
        Self { offscreen, positions, guides: (0..3).map(guide).collect(), pieces: 0 }
    }

    fn neighbors() -> Vec<Vec<Corners>> {
        let roots: Vec<Vec3> = (0..3).map(|i| Vec3::X * (0.06 * i as f32 - 0.06)).collect();
        around(&roots, &[Vec3::NEG_Y; 3])
    }

    /// So many strands instead, in a square seen from before, bent.
    fn with(self, strands: u32) -> (Self, Vec<Vec<Corners>>) {
        let root = |i: u32| {
            let side = f64::from(strands).sqrt() as u32;
            0.15 * Vec3::new(
                (i % side) as f32 / side as f32 - 0.5,
                0.5,
                (i / side) as f32 / side as f32 - 0.5,
            )
        };
        let place = |i: u32| {
            let down = (i % PARTICLES) as f32 / (PARTICLES - 1) as f32;
            (root(i / PARTICLES) + Vec3::new(0.02 * down * down, -0.12 * down, 0.0)).extend(1.0).to_array()
        };
        let positions = (0..strands * PARTICLES).map(place).collect();
        let guides = (0..strands).map(|i| Guide { span: [i * PARTICLES, 1, PARTICLES], ..self.guides[0] });
        let guides = guides.collect();
        let roots: Vec<Vec3> = (0..strands).map(root).collect();
        (Self { positions, guides, ..self }, around(&roots, &vec![Vec3::NEG_Y; strands as usize]))
    }

    fn draw(&mut self, look: StrandLook, neighbors: &[Vec<Corners>], cuts: &[bool]) -> Vec<u8> {
        self.pieces += 1;
        let strands = StrandsView {
            id: 1,
            positions: &self.positions,
            painted: None,
            guides: &self.guides,
            neighbors,
            cuts,
            pieces: self.pieces,
            turn: Quat::IDENTITY,
            look,
            shading: None,
        };
        let picture = Picture {
            camera: Camera { target: Vec3::ZERO, distance: 1.0, yaw: 0.0, pitch: 0.0, fov_y: SIZE },
            light: Light { intensity: 0.0, ambient: 0.0, rim: 0.0, ..Light::default() },
            cloths: &[],
            strands: &[strands],
            solids: &[],
            lines: None,
            ground: None,
            background: Background { horizon: [0.8; 3], zenith: [0.8; 3] },
        };
        self.offscreen.render(&picture, EDGE as u32, EDGE as u32)
    }
}

#[test]
fn hair_fills_the_gap_between_strands() {
    if left_out("hair_fills_the_gap_between_strands", NEEDS) {
        return;
    }
    let mut row = Row::new();
    let neighbors = Row::neighbors();
    let gaps = |pixels: &[u8]| [-0.045, 0.015].map(|from| covered(pixels, from, from + 0.03));
    let alone = gaps(&row.draw(LOOK, &[], &[]));
    assert_eq!(alone, [0.0; 2], "each strand has its hairs around itself");
    let filled = gaps(&row.draw(LOOK, &neighbors, &[]));
    println!("BETWEEN filled {filled:?}");
    assert!(filled.iter().all(|share| *share > 0.4), "{filled:?} of the gaps");
    let half = gaps(&row.draw(StrandLook { interpolation: 0.2, ..LOOK }, &neighbors, &[]));
    assert_eq!(half, [0.0; 2], "a fifth of the way is not as far as this");
    let yarn = gaps(&row.draw(StrandLook { lobes: false, ..LOOK }, &neighbors, &[]));
    assert_eq!(yarn, [0.0; 2], "yarn keeps together");
    // The last strand is cut in the middle.
    let cuts: Vec<bool> = (0..3 * PARTICLES).map(|i| i == 2 * PARTICLES + 2).collect();
    let [left, right] = gaps(&row.draw(LOOK, &neighbors, &cuts));
    assert!(left > 0.4 && right == 0.0, "{left} and {right} beside a strand that is cut");
}

#[test]
fn the_first_hair_of_a_strand_is_the_strand() {
    if left_out("the_first_hair_of_a_strand_is_the_strand", NEEDS) {
        return;
    }
    let mut row = Row::new();
    let neighbors = Row::neighbors();
    let look = StrandLook { children: 1, ..LOOK };
    let [alone, between] = [&[][..], &neighbors].map(|neighbors| row.draw(look, neighbors, &[]));
    assert!(covered(&alone, -0.09, 0.09) > 0.01);
    assert!(alone == between, "weights (1, 0, 0) are the strand");
}

#[test]
fn hair_that_all_threads_make_is_that_of_one() {
    if left_out("hair_that_all_threads_make_is_that_of_one", NEEDS) {
        return;
    }
    // Places for more rows of a map than one.
    let (mut row, neighbors) = Row::new().with(400);
    let look = StrandLook { children: 3, width: 0.0003, ..LOOK };
    let one = row.draw(look, &neighbors, &[]);
    assert!(covered(&one, -0.05, 0.05) > 0.1);
    // What no strand goes through makes a list a long one.
    row.positions.resize(1 << 16, row.positions[0]);
    let all = row.draw(look, &neighbors, &[]);
    assert!(one == all, "{} bytes differ", one.iter().zip(&all).filter(|(a, b)| a != b).count());
}
