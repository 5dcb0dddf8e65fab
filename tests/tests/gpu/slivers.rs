//! Hinges of slivers throw nothing on the device, either (`tests::slivers`).

use tests::{
    device,
    fixture::{Fixture, vector},
    left_out, long,
    slivers::{FASTEST, sheet},
};
use weft_core::statistics::largest;
use weft_engine::run;

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";
const FRAMES: usize = 20;

#[test]
fn slivers_throw_nothing() {
    if left_out("slivers_throw_nothing", NEEDS) {
        return;
    }
    for (number, solver) in ["vbd", "implicit_chebyshev", "xpbd"].into_iter().enumerate() {
        // In the ordinary run each solver with one of both.
        for (model, bending) in ["Quadratic", "Dihedral"].into_iter().enumerate() {
            if !long() && model != number % 2 {
                continue;
            }
            let mut fixture = Fixture::of(sheet(solver, 1e-5, true, bending));
            let mut gpu = device::on_device(&mut fixture, None).unwrap_or_else(|why| panic!("{why}"));
            let mut fastest = 0.0;
            for frame in 0..FRAMES {
                gpu.step(&mut fixture.run, &run::input(&fixture.scene, &[]))
                    .unwrap_or_else(|why| panic!("{solver}, {bending}, frame {frame}: {why}"));
                gpu.fetch(&mut fixture.run).unwrap_or_else(|why| panic!("{why}"));
                let speeds = fixture.v().iter().map(|v| vector(*v).length());
                fastest = largest(speeds.chain([fastest]));
            }
            println!("{solver}, {bending}: {fastest:.2} m/s");
            assert!(fastest < FASTEST, "{solver}, {bending}: {fastest} m/s");
        }
    }
}
