// A thread above its limit breaks if it is the most loaded of those that meet at its ends; the host then takes the rows
// that lie over it out of all tables (app/gpu/src/run/torn.rs).
//
// CPU twin: `tear::finish`.

@rows(128)
fn main(i: u32) {
    let ends = thread_ends[i];
    let load = thread_load[i];
    if load > 1.0 && bitcast<u32>(load) >= max(particle_most[ends.x], particle_most[ends.y]) {
        thread_broken[i] = 1u;
        atomicAdd(&torn_count[0], 1u);
    }
}
