// A joint of two segments: what it does to both frames, each in its own axes.
//
// CPU twin: `joint::error`, `joint::Joint::new`.

#import <strand/rotation.wgsl>

struct Joint {
    // On the frame before and on the one behind [N m].
    torque_before: vec3f,
    torque_behind: vec3f,
    // Of its three angles by a turn of the frame: a column for each.
    before: mat3x3f,
    behind: mat3x3f,
}

// What is between two frames and the rest turn, the shorter way: half of the joint's angles, for small ones, and its cosine.
fn joint_error(before: vec4f, behind: vec4f, rest: vec4f) -> vec4f {
    let error = after(conjugate(after(before, rest)), behind);
    // q and -q are one rotation.
    return select(error, -error, error.w < 0.0);
}

// stiffness: against bending about e1 and e2 and against twist [N m].
fn joint_of(before: vec4f, behind: vec4f, rest: vec4f, stiffness: vec3f) -> Joint {
    let shorter = joint_error(before, behind, rest);
    let e = shorter.xyz;
    let w = shorter.w;
    let moment = e * stiffness * 2.0;
    let across = cross(e, moment);
    var joint: Joint;
    joint.torque_before = rotate(rest, moment * w + across);
    joint.torque_behind = across - moment * w;
    joint.behind = mat3x3f(vec3f(w, -e.z, e.y), vec3f(e.z, w, -e.x), vec3f(-e.y, e.x, w));
    joint.before = mat3x3f(
        rotate(rest, -vec3f(w, e.z, -e.y)),
        rotate(rest, -vec3f(-e.z, w, e.x)),
        rotate(rest, -vec3f(e.y, -e.x, w)),
    );
    return joint;
}
