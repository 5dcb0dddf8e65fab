// The strain of each thread by its limit, and the largest of those above 1 at each particle.
//
// Numbers above 0 have the order of their bits, and a maximum has no order, so a run repeats bit for bit.
//
// CPU twin: `tear::finish`.

// Limits from here on are never reached: only a cut breaks such a thread.
const ENDLESS: f32 = 1e30;

@rows(128)
fn main(i: u32) {
    var load = 0.0;
    if thread_broken[i] == 0u && thread_limit[i] < ENDLESS {
        let ends = thread_ends[i];
        let way = particle_position[ends.y].xyz - particle_position[ends.x].xyz;
        load = (sqrt(dot(way, way)) / thread_rest[i] - 1.0) / thread_limit[i];
        if load > 1.0 {
            atomicMax(&particle_most[ends.x], bitcast<u32>(load));
            atomicMax(&particle_most[ends.y], bitcast<u32>(load));
        }
    }
    thread_load[i] = load;
}
