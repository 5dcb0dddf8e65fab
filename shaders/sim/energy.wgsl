// Energy of motion, and mass times place, after the frame: parts of the sums over all particles.
//
// Part k is (sum of m v²/2 [J], sum of m x [kg m]) of the particles k, k + parts, k + 2 parts, …; the host adds the parts up
// in double precision. It adds this pass to every list, and runs it while history is on: a jump of the energy is where a
// blow-up began. CPU twin: `Energy::of` in app/src/history/energy.rs.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> particle_position: array<vec4f>;
@group(0) @binding(2) var<storage, read> particle_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read> particle_mass: array<f32>;
@group(0) @binding(4) var<storage, read_write> energy_part: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let part = frame.first + id.y * frame.line + id.x;
    if part >= frame.end {
        return;
    }
    var sum = vec4f();
    for (var i = part; i < arrayLength(&particle_position); i += frame.end) {
        let v = particle_velocity[i].xyz;
        sum += particle_mass[i] * vec4f(0.5 * dot(v, v), particle_position[i].xyz);
    }
    energy_part[part] = sum;
}
