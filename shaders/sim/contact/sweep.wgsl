// Continuous detection: where a point on its way meets a collider, in the collider's own frame.
//
// Hart: Sphere Tracing, 1996; the constraint of Müller et al.: Position Based Dynamics, 2007, section 3.4.
//
// CPU twin: `collide::sweep::meet`, `collide::shape::cuboid`.

#ifdef meshes
#import <contact/meshes.wgsl>
#endif

// As far as this from a surface a particle touches it [m].
const SKIN: f32 = 2e-5;
// Steps of one walk.
const STEPS: u32 = 512u;
// Least step, as a share of the thickness.
const LEAST: f32 = 0.25;

// What a particle met: how it is to be moved to be outside [m], the outward normal, and how deep it was [m]; 0: nothing.
struct Met {
    out: vec3f,
    normal: vec3f,
    depth: f32,
    // Way of the surface there in this substep [m].
    way: vec3f,
}

// Outward unit normal of a collider in its own frame, and the distance from its surface in w [m], negative inside.
fn surface(kind: u32, size: vec4f, x: vec3f) -> vec4f {
    if kind == COLLIDER_PLANE {
        return vec4f(0.0, 1.0, 0.0, x.y);
    }
    if kind == COLLIDER_BOX {
        return cuboid(x, size.xyz);
    }
    let half_height = select(0.0, size.y, kind == COLLIDER_CAPSULE);
    let d = vec3f(x.x, x.y - clamp(x.y, -half_height, half_height), x.z);
    let l = sqrt(dot(d, d));
    // The normal at the very centre.
    let up = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), kind == COLLIDER_CAPSULE);
    return vec4f(select(up, d / l, l > 0.0), l - size.x);
}

// Of a box: outside to its nearest point, inside to the nearest face.
fn cuboid(x: vec3f, half: vec3f) -> vec4f {
    let side = select(vec3f(1.0), vec3f(-1.0), x < vec3f(0.0));
    let beyond = abs(x) - half;
    let way = max(beyond, vec3f(0.0));
    let l = sqrt(dot(way, way));
    if l > 0.0 {
        return vec4f(way * side / l, l);
    }
    if beyond.x >= beyond.y && beyond.x >= beyond.z {
        return vec4f(side.x, 0.0, 0.0, beyond.x);
    }
    if beyond.y >= beyond.z {
        return vec4f(0.0, side.y, 0.0, beyond.y);
    }
    return vec4f(0.0, 0.0, side.z, beyond.z);
}

fn nothing() -> Met {
    return Met(vec3f(0.0), vec3f(0.0), 0.0, vec3f(0.0));
}

// The nearest surface decides. gap: from the surface at the thickness [m].
fn at_rest(gap: f32, normal: vec3f) -> Met {
    if gap < 0.0 {
        return Met(normal * -gap, normal, -gap, vec3f(0.0));
    }
    return nothing();
}

// All kinds but meshes: they are convex.
fn meet(kind: u32, size: vec4f, start: vec3f, goal: vec3f, thickness: f32) -> Met {
    let way = goal - start;
    let length = sqrt(dot(way, way));
    let end = surface(kind, size, goal);
    let end_gap = end.w - thickness;
    if end_gap > length {
        return nothing();
    }
    if length <= thickness || kind == COLLIDER_PLANE || length == 0.0 {
        return at_rest(end_gap, end.xyz);
    }
    let direction = way / length;
    let begin = surface(kind, size, start);
    var gap = begin.w - thickness;
    if gap >= length {
        return nothing();
    }
    if gap < SKIN {
        if gap < -SKIN || dot(direction, begin.xyz) < 0.0 {
            // Less than 60 degrees on: along the surface, not through the body.
            if dot(begin.xyz, end.xyz) > 0.5 {
                return at_rest(end_gap, end.xyz);
            }
            let held = at_rest(dot(begin.xyz, goal - (start - begin.xyz * gap)), begin.xyz);
            if held.depth >= 0.01 * SKIN {
                return held;
            }
            if gap < -SKIN {
                return nothing();
            }
        }
        gap = SKIN;
    }
    var walked = gap;
    var last = 0.0;
    var least = max(LEAST * thickness, SKIN);
    for (var step = 0u; step < STEPS; step++) {
        if walked >= length {
            return at_rest(end_gap, end.xyz);
        }
        let at = start + direction * walked;
        let face = surface(kind, size, at);
        let left = face.w - thickness;
        if left < -SKIN && last > SKIN {
            // The least step led inside: the surface is half as far, or less.
            least = 0.5 * last;
            walked -= last - least;
            last = least;
            continue;
        }
        let before = dot(face.xyz, goal - (at - face.xyz * left));
        if left >= -SKIN && before >= 0.0 {
            // All of it lies behind this plane, and the rest of the way before it.
            return nothing();
        }
        if left < SKIN && dot(direction, face.xyz) < 0.0 {
            let met = at_rest(before, face.xyz);
            if met.depth > 0.0 {
                return met;
            }
        }
        last = max(left, least);
        walked += last;
    }
    let at = start + direction * min(walked, length);
    let face = surface(kind, size, at);
    return at_rest(dot(face.xyz, goal - (at - face.xyz * (face.w - thickness))), face.xyz);
}

// A point that goes from `start` to `goal` of the frame of collider c, whatever its kind.
fn meet_any(c: u32, start: vec3f, goal: vec3f, thickness: f32) -> Met {
    let kind = collider_kind[c];
#ifdef meshes
    if kind == COLLIDER_MESH {
        return meet_mesh(c, start, goal, thickness);
    }
#endif
    if kind >= COLLIDER_MESH {
        return nothing();
    }
    return meet(kind, collider_size[c], start, goal, thickness);
}
