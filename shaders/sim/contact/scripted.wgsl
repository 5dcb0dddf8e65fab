// Colliders that only the scene and the hand move: their poses are shares of the way that they go in the frame.
//
// CPU twin: `collide::scripted`.

#import <contact/pose.wgsl>

fn pose_at(c: u32, share: f32) -> Pose {
    let begin = Pose(collider_begin_position[c].xyz, collider_begin_rotation[c]);
    return between(begin, Pose(collider_position[c].xyz, collider_rotation[c]), share);
}

// At the start of the substep; span: its start and end as shares of the frame.
fn pose_before(c: u32, span: vec2f) -> Pose {
    return pose_at(c, span.x);
}

// At its end.
fn pose_after(c: u32, span: vec2f) -> Pose {
    return pose_at(c, span.y);
}

// What a particle got from colliders; none of them feels it.
fn note_push(i: u32, contact: Contact, impulse: vec3f) {}
