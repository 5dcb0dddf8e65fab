//! The GPU path and what is wrong: every mistake in a pass, a list or a request is named, and the last good pass goes on.

use tests::{
    device::{self, Twins},
    fixture::{self, Fixture, with_solver},
    left_out,
};
use weft_gpu::Sources;
use weft_scene::Scene;

const COLLIDE: &str = "shaders/sim/contact/collide.wgsl";
const DISTANCE: &str = "shaders/sim/xpbd/distance.wgsl";
const FORCES: &str = "shaders/sim/lib/forces.wgsl";
const OUTCOME: &str = "shaders/sim/step/outcome.wgsl";
const PASSES: &str = "shaders/sim/passes.ron";
const PREDICT: &str = "shaders/sim/step/predict.wgsl";

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// Rest lengths that the two paths may be apart after 20 substeps.
const TOLERANCE: f64 = 1e-3;

fn scene(file: &str, solver: &str) -> Scene {
    with_solver(fixture::small(file, 20, 17), solver)
}

/// Saves a changed file; the error.
fn broken(twins: &mut Twins, file: &str, edits: &[(&str, &str)]) -> String {
    let mut text = Sources::built_in().text(file).unwrap().to_string();
    for (from, to) in edits {
        assert!(text.contains(from), "{file} has no `{from}`");
        text = text.replace(from, to);
    }
    let error = twins.gpu.edit(&twins.fixture.run, file, &text).unwrap_err();
    assert!(error.line.is_some(), "{error}");
    error.to_string()
}

/// A file, what is replaced in it, and a part of the message.
type Mistake = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const MISTAKES: [Mistake; 14] = [
    (PREDICT, &[("particle_previous", "particle_previus")], "did you mean `particle_previous`?"),
    (DISTANCE, &[("distance_rest[row]", "distance_rest[row].x")], "invalid field accessor `x`"),
    (DISTANCE, &[("let d = ", "distance_rest[row] = 1.0;\n    let d = ")], "`distance_rest` is given"),
    (OUTCOME, &[("let area = ", "link_rest[0] += 1.0;\n    let area = ")], "worked out by the host"),
    (PREDICT, &[("air_damping", "air_dampnig")], "did you mean `air_damping`?"),
    (PREDICT, &[("frame.gravity", "frame.air_damping")], "the type"),
    (PREDICT, &[("let free = ", "let free: f32 = ")], "bool"),
    (PREDICT, &[("<lib/forces.wgsl>", "<lib/force.wgsl>")], "did you mean `shaders/sim/lib/forces.wgsl`?"),
    (
        PREDICT,
        &[("@rows(128)", "@group(0) @binding(1) var<storage> x: array<f32>;\n@rows(128)")],
        "leave the line out",
    ),
    (PREDICT, &[("fn main(i: u32) {", "fn main(i: u32, j: u32) {")], "fn main(row: u32) {"),
    (
        PREDICT,
        &[("@rows(128)", "struct Push { x: f32 }\n@rows(128)")],
        "`Push` is declared in shaders/sim/lib/forces.wgsl:",
    ),
    (COLLIDE, &[("#ifdef bodies", "#ifdef bodis")], "did you mean `bodies`?"),
    (COLLIDE, &[("#endif", "")], "`#ifdef` without `#endif`"),
    (FORCES, &[("return v;", "return vv;")], "vv"),
];

#[test]
fn wrong_bindings_are_named_and_the_last_good_pass_goes_on() {
    if left_out("wrong_bindings_are_named_and_the_last_good_pass_goes_on", NEEDS) {
        return;
    }
    let scene = scene("hanging.ron", "xpbd");
    let mut twins = Twins::new(&scene, &[("substeps", 20.0)], 5, Some("xpbd_coloured"));
    for (file, edits, named) in MISTAKES {
        let error = broken(&mut twins, file, edits);
        println!("{error}");
        assert!(error.contains(named), "{error}");
        assert!(error.starts_with(&format!("{file}:")), "{error}");
    }
    let empty = twins.gpu.edit(&twins.fixture.run, PREDICT, "").unwrap_err();
    assert!(empty.to_string().contains("empty"), "{empty}");
    twins.frame();
    assert!(twins.apart() <= TOLERANCE, "a refused edit changed what runs");
}

#[test]
fn a_saved_file_takes_part_in_the_next_frame() {
    if left_out("a_saved_file_takes_part_in_the_next_frame", NEEDS) {
        return;
    }
    let mut twins = Twins::new(&scene("hanging.ron", "xpbd"), &[("substeps", 20.0)], 5, None);
    let text = Sources::built_in().text(FORCES).unwrap().to_string();
    let floating = text.replacen("gravity * h", "gravity * 0.0", 1);
    assert_eq!(twins.gpu.edit(&twins.fixture.run, FORCES, &floating).unwrap(), 1);
    twins.frame();
    assert!(twins.apart() > TOLERANCE, "gravity is still there");
}

#[test]
fn what_the_path_does_not_offer_is_refused_by_name() {
    if left_out("what_the_path_does_not_offer_is_refused_by_name", NEEDS) {
        return;
    }
    let refusal = |mut fixture: Fixture, passes: Option<&str>| {
        device::on_device(&mut fixture, passes).err().expect("a refusal")
    };
    let fixture = |solver: &str| Fixture::of(scene("hanging.ron", solver));
    let newton = refusal(fixture("implicit_newton"), None);
    assert!(
        newton.contains("implicit_newton is not offered on the GPU path; it has explicit, xpbd, pbd"),
        "{newton}"
    );
    let exact = refusal(fixture("implicit_jacobi").set("diagonal", 1.0), None);
    assert!(exact.contains("implicit_jacobi needs diagonal block"), "{exact}");
    assert!(refusal(fixture("vbd").set("rho", 0.5), None).contains("vbd needs rho 0"));
    let rk4 = refusal(fixture("explicit").set("integrator", 4.0), None);
    assert!(rk4.contains("explicit_fused needs integrator symplectic_euler"), "{rk4}");
    let damped = refusal(fixture("xpbd").set("damping", 0.1), None);
    assert!(damped.contains("xpbd_coloured needs damping 0"), "{damped}");
    assert!(refusal(fixture("xpbd"), Some("nothing")).contains("xpbd has no list of passes `nothing`"));
    let fused = refusal(fixture("xpbd").set("order", 1.0), Some("xpbd_fused"));
    assert!(fused.contains("xpbd_fused needs no colliders"), "{fused}");
    let hinged = refusal(Fixture::of(fixture::small("sail.ron", 9, 9)).set("order", 1.0), None);
    assert!(
        hinged.contains("xpbd_jacobi needs a scene without bending (table hinge), a scene without tethers"),
        "{hinged}"
    );
    let unknown = weft_gpu::Gpu::open(Some("no such adapter")).err().expect("a refusal");
    assert!(unknown.contains("there are"), "{unknown}");
}

#[test]
fn limits_of_an_adapter_are_told_in_numbers_or_kept() {
    if left_out("limits_of_an_adapter_are_told_in_numbers_or_kept", NEEDS) {
        return;
    }
    let mut fixture = Fixture::of(scene("hanging.ron", "xpbd"));
    let mut small = device::open();
    small.limits.max_storage_buffer_binding_size = 4096;
    let refusal = device::on(small, Sources::built_in(), &mut fixture, None).err().expect("a refusal");
    assert!(
        refusal.contains("this adapter binds at most") && refusal.contains("9 x 9 particles"),
        "{refusal}"
    );
    // What bounds the largest cloth: a binding, the device's memory, or the scene.
    let mut large = device::open();
    (large.limits.max_storage_buffer_binding_size, large.limits.max_buffer_size) = (48 * 1000, 1 << 40);
    large.memory = Some(1 << 30);
    assert_eq!(large.largest_grid(Some(1000)), (31, "the limit of one binding"));
    large.limits.max_storage_buffer_binding_size = 1 << 40;
    assert_eq!(large.largest_grid(Some(1000)), (1009, "the device's memory"));
    assert_eq!(large.largest_grid(None), (2048, "the most that a scene may have"));
    let mut few = device::open();
    few.limits.max_storage_buffers_per_shader_stage = 3;
    let refusal = device::on(few, Sources::built_in(), &mut fixture, None).err().expect("a refusal");
    assert!(refusal.contains("has 3 places for buffers in a pass, and shaders/sim/"), "{refusal}");
    // Few workgroups in a line: dispatches go over several lines.
    let large = with_solver(fixture::small("hanging.ron", 90, 70), "xpbd");
    for passes in ["xpbd_coloured", "xpbd_tiled_sweep"] {
        let mut twins = Twins::new(&large, &[("substeps", 20.0)], 0, Some(passes));
        let mut narrow = device::open();
        narrow.limits.max_compute_workgroups_per_dimension = 2;
        let wide = std::mem::replace(
            &mut twins.gpu,
            device::on(narrow, Sources::built_in(), &mut twins.fixture, Some(passes)).unwrap(),
        );
        assert!(wide.rows("tile") > 4 || passes == "xpbd_coloured", "several lines of tiles");
        twins.frame();
        assert!(twins.apart() <= TOLERANCE, "{passes}: {}", twins.apart());
    }
}

#[test]
fn mistakes_in_the_list_of_passes_are_named() {
    if left_out("mistakes_in_the_list_of_passes_are_named", NEEDS) {
        return;
    }
    let mut fixture = Fixture::of(scene("hanging.ron", "xpbd"));
    for (from, to, named) in [
        (
            r#"file: "step/predict""#,
            r#"file: "step/predikt""#,
            "did you mean `shaders/sim/step/predict.wgsl`?",
        ),
        (
            r#"file: "step/predict", over: "particle""#,
            r#"file: "step/predict", over: "particles""#,
            "no such table",
        ),
        (r#"Has("hinge", "dihedral")"#, r#"Has("hinge", "dihedrl")"#, "did you mean `dihedral`?"),
        ("Substeps([", "Substep([", "passes.ron:"),
        ("by: Colours", "by: Colors", "passes.ron:"),
        (r#"Part("before")"#, r#"Part("befor")"#, "there is no part `befor`; did you mean `before`?"),
    ] {
        let mut sources = Sources::built_in();
        let text = sources.text(PASSES).unwrap().to_string();
        assert!(text.contains(from), "passes.ron has no `{from}`");
        sources.set(PASSES, &text.replace(from, to));
        let error = device::on(device::open(), sources, &mut fixture, None).err().expect("a refusal");
        assert!(error.contains(named), "{error}");
    }
}

#[test]
fn every_file_of_the_folder_is_built_in() {
    let folder = tests::places::root().join("shaders/sim");
    assert_eq!(Sources::read(&folder).unwrap(), Sources::built_in());
}
