//! What goes to the device and comes back: columns, running scenes, an oscillator's period.

use std::f64::consts::TAU;
use tests::{
    device::{self},
    fixture::{self, Fixture, with_solver},
    left_out,
};

use weft_core::state::StateHash;
use weft_engine::run::StepError;
use weft_gpu::GpuOptions;
use weft_proof::validate::{closed_form, oscillator};
use weft_scene::Scene;
use weft_session::{Options, Session};

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

fn scene(file: &str, solver: &str) -> Scene {
    with_solver(fixture::small(file, 20, 17), solver)
}

#[test]
fn columns_go_there_and_back_bit_for_bit() {
    if left_out("columns_go_there_and_back_bit_for_bit", NEEDS) {
        return;
    }
    let mut fixture = Fixture::of(scene("hanging.ron", "xpbd"));
    // Bits that arithmetic would change: a NaN with a payload, a denormal, -0.
    for (i, row) in fixture.v_mut().iter_mut().enumerate() {
        *row = [f32::from_bits(0x7fc0_1234 + i as u32), f32::from_bits(1 + i as u32), -0.0, i as f32];
    }
    let gpu = device::on_device(&mut fixture, None).unwrap();
    let mut seen = 0;
    for table in &fixture.run.state.tables {
        for column in table.columns.iter().filter(|column| column.class != sim_api::Class::Scratch) {
            if let Some(bytes) = gpu.read(&table.name, &column.name).unwrap() {
                assert_eq!(bytes, column.bytes(), "{}.{}", table.name, column.name);
                seen += 1;
            }
        }
    }
    assert!(seen > 15, "{seen} columns");
}

#[test]
fn a_running_scene_changes_path_without_a_bit_lost() {
    if left_out("a_running_scene_changes_path_without_a_bit_lost", NEEDS) {
        return;
    }
    let scene = tests::places::scene("hanging.ron");
    let set = vec![("cloths.sheet.shape.columns".to_string(), "12".to_string())];
    let mut session = Session::open(Options { scene, threads: 1, set, ..Options::default() }).unwrap();
    let adapter = Some(device::adapter());
    for _ in 0..3 {
        session.step().unwrap();
    }
    session.use_gpu(&GpuOptions { adapter, ..GpuOptions::default() }).unwrap();
    let before = StateHash::of(&session.run().state);
    for column in ["position", "velocity"] {
        let there = session.gpu().unwrap().read("particle", column).unwrap().unwrap();
        let here = session.run().state.table("particle").unwrap().column(column).unwrap();
        assert_eq!(there, here.bytes(), "{column}");
    }
    for _ in 0..3 {
        session.step().unwrap();
    }
    assert_eq!(before, StateHash::of(&session.run().state), "the state follows when it is asked for");
    let there = session.gpu().unwrap().read("particle", "position").unwrap().unwrap();
    session.use_cpu().unwrap();
    assert_eq!(there, session.run().state.table("particle").unwrap().column("position").unwrap().bytes());
    assert_eq!(session.run().frame, 6);
    session.step().unwrap();
    assert!(session.gpu().is_none() && session.run().frame == 7);
}

/// A fixture that the device moves.
fn moved(mut fixture: Fixture) -> Fixture {
    let mut gpu = device::on_device(&mut fixture, None).unwrap_or_else(|why| panic!("{why}"));
    fixture.moved_by(Box::new(move |run, input| {
        gpu.step(run, input)?;
        gpu.fetch(run).map_err(StepError::Gpu)
    }))
}

#[test]
fn an_oscillator_keeps_period_and_amplitude() {
    if left_out("an_oscillator_keeps_period_and_amplitude", NEEDS) {
        return;
    }
    // V2 of the validation, as for the CPU.
    let omega = 1000_f64.sqrt();
    for substeps in [1, 5, 20] {
        let h = 1.0 / 60.0 / f64::from(substeps);
        let (kept, angle) = closed_form::implicit_euler(omega * h);
        let mut fixture = moved(oscillator::spring("xpbd", 0.5).cut(substeps as u32));
        let (amplitude, period) = oscillator::amplitude_and_period(&mut fixture).unwrap();
        println!("V2 xpbd {substeps} substeps: {amplitude:.5} of {:.5}, {period:.5} s", kept.powi(substeps));
        assert!((amplitude - kept.powi(substeps)).abs() < 1e-3, "{substeps}: {amplitude}");
        assert!((period * angle / (TAU * h) - 1.0).abs() < 1e-3, "{substeps}: {period}");
    }
    let h = 1.0 / 240.0;
    let (modulus, angle) = closed_form::explicit("symplectic_euler", omega * h).unwrap();
    let fixture = oscillator::spring("explicit", 0.1).cut(4).set("stability_cap", 0.0);
    let (amplitude, period) = oscillator::amplitude_and_period(&mut moved(fixture)).unwrap();
    println!("V2 explicit: {amplitude:.5} of {:.5}, {period:.5} s", modulus.powi(4));
    assert!((amplitude - modulus.powi(4)).abs() < 1e-3, "{amplitude}");
    assert!((period * angle / (TAU * h) - 1.0).abs() < 1e-3, "{period}");
}
