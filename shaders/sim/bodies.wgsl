// Colliders of which some have a mass: body_advance.wgsl says where all of them are in this substep, and body_sums.wgsl wants
// to know what they gave. A library after pose and collide; group 1 is its own.

// Of each collider: place and rotation at the start of the substep, and at its end.
@group(1) @binding(4) var<storage, read> pose_row: array<vec4f>;
// Impulse that the particle got from colliders in this substep [N s]; w: the one that it touches deepest, -1: none.
@group(1) @binding(5) var<storage, read_write> particle_contact_push: array<vec4f>;

fn pose_before(c: u32, span: vec2f) -> Pose {
    return Pose(pose_row[4u * c].xyz, pose_row[4u * c + 1u]);
}

fn pose_after(c: u32, span: vec2f) -> Pose {
    return Pose(pose_row[4u * c + 2u].xyz, pose_row[4u * c + 3u]);
}

fn note_push(i: u32, contact: Contact, impulse: vec3f) {
    if contact.depth > 0.0 {
        particle_contact_push[i] = vec4f(impulse, f32(contact.collider));
    } else {
        particle_contact_push[i] = vec4f(0.0, 0.0, 0.0, -1.0);
    }
}
