// What acts on every particle: gravity, air damping, wind.
//
// Wind is coefficient A (n . (u - v)) n, A the particle's share of the area; wind and drag are implicit in v, so no
// coefficient or step makes them unstable.
//
// CPU twin: `forces::Push::advance`, `forces::Push::taken`, `forces::force`.

// What a substep of h seconds does to a velocity, the same for all particles.
struct Push {
    // Velocity that gravity adds [m/s].
    fall: vec3f,
    // Share of the velocity that air damping leaves.
    keep: f32,
    // Wind's pressure per velocity, times h [N s2/m3].
    wind: f32,
    // h c: what air damping takes, by what it leaves.
    drag: f32,
}

fn push_of(h: f32, gravity: vec3f, air_damping: f32, wind_coefficient: f32) -> Push {
    return Push(gravity * h, 1.0 / (1.0 + h * air_damping), h * wind_coefficient, h * air_damping);
}

// Velocity after gravity, wind and air damping [m/s]. w: inverse mass [1/kg]; normal.w: area [m2]; air [m/s].
fn advance(push: Push, w: f32, before: vec3f, normal: vec4f, air: vec3f) -> vec3f {
    var v = before * push.keep + push.fall;
    if push.wind > 0.0 {
        let rate = push.wind * w * normal.w;
        v += normal.xyz * (dot(normal.xyz, air - v) * (rate / (1.0 + rate)));
    }
    return v;
}

// What air damping and wind took of a velocity that `advance` returned [m/s], told from that alone.
fn taken(push: Push, w: f32, after: vec3f, normal: vec4f, air: vec3f) -> vec3f {
    var sum = vec3f(0.0);
    if push.wind > 0.0 {
        sum -= normal.xyz * (dot(normal.xyz, air - after) * (push.wind * w * normal.w));
    }
    return sum + (after + sum - push.fall) * push.drag;
}

// What acts as a force [N], explicit in the velocity.
fn outer_force(
    gravity: vec3f, air_damping: f32, wind_coefficient: f32,
    mass: f32, v: vec3f, normal: vec4f, air: vec3f,
) -> vec3f {
    var force = gravity * mass - v * (air_damping * mass);
    if wind_coefficient > 0.0 {
        force += normal.xyz * (dot(normal.xyz, air - v) * wind_coefficient * normal.w);
    }
    return force;
}
