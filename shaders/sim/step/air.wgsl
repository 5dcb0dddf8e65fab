// Velocity of the air at each particle [m/s]: the mean plus gusts that travel with it and swing sideways. Once a frame.
//
// CPU twin: `forces::update_air`, `forces::Gusts::velocity`.

// A smooth wave of period 1 between -1 and 1.
fn wave(turns: f32) -> f32 {
    let t = turns - floor(turns) - 0.5;
    return -16.0 * t * (0.5 - abs(t));
}

@rows(128)
fn main(i: u32) {
    let x = particle_position[i].xyz;
    let mean = frame.wind_velocity;
    let speed = sqrt(dot(mean, mean));
    let along = mean / max(speed, 1.1754944e-38);
    let per_length = 1.0 / frame.wind_gust_length;
    let aside = vec3f(-along.z, 0.3, along.x) * (0.6 * speed * frame.wind_gust);
    let phase = dot(x, along * per_length) - speed * frame.time * per_length;
    let height = x.y * per_length;
    let swing = wave(phase + 0.23 * height) + 0.5 * wave(2.3 * phase - 0.41 * height + 0.37);
    let surge = wave(0.19 * phase + 0.5);
    particle_air[i] = vec4f(mean * (1.0 + 0.5 * frame.wind_gust * surge) + aside * swing, 0.0);
}
