// For scenes without colliders from a mesh: nothing is met. A library after sweep.wgsl.

fn meet_mesh(c: u32, start: vec3f, goal: vec3f, thickness: f32) -> Met {
    return nothing();
}
