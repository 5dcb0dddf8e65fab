// Colliders of which some have a mass: contact/body_advance.wgsl says where all of them are in this substep, and
// contact/body_sums.wgsl wants to know what they gave.
//
// CPU twin: `collide::rigid::feel`.

#import <contact/pose.wgsl>

fn pose_before(c: u32, span: vec2f) -> Pose {
    return Pose(pose_row[POSE_ROWS * c].xyz, pose_row[POSE_ROWS * c + 1u]);
}

fn pose_after(c: u32, span: vec2f) -> Pose {
    return Pose(pose_row[POSE_ROWS * c + 2u].xyz, pose_row[POSE_ROWS * c + 3u]);
}

// What the particle got from colliders in this substep [N s]; w: the one that it touches deepest, -1: none.
fn note_push(i: u32, contact: Contact, impulse: vec3f) {
    if contact.depth > 0.0 {
        particle_contact_push[i] = vec4f(impulse, f32(contact.collider));
    } else {
        particle_contact_push[i] = vec4f(0.0, 0.0, 0.0, -1.0);
    }
}
