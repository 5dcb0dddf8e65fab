// Energy of motion, and mass times place, after the frame: parts of the sums over all particles.
//
// Part k is (sum of m v²/2 [J], sum of m x [kg m]) of the particles k, k + parts, k + 2 parts, …; the host adds the
// parts up in double precision. It adds this pass to every list, and runs it while history is on: a jump of the energy
// is where a blow-up began.
//
// CPU twin: `energy::Energy::of`.

var<storage> energy_part: array<vec4f>;

@rows(64)
fn main(part: u32) {
    var sum = vec4f();
    for (var i = part; i < arrayLength(&particle_position); i += frame.end) {
        let v = particle_velocity[i].xyz;
        sum += particle_mass[i] * vec4f(0.5 * dot(v, v), particle_position[i].xyz);
    }
    energy_part[part] = sum;
}
