// Before threads are looked at: no particle has a loaded one, and none has broken in this frame.
//
// CPU twin: `tear::finish`.

// Bits of the largest load above 1 of a thread at a particle; 0: there is none.
var<storage> particle_most: array<u32>;
// Threads that have broken in this frame.
var<storage> torn_count: array<u32, 1>;

@rows(128)
fn main(i: u32) {
    particle_most[i] = 0u;
    if i == 0u {
        torn_count[0] = 0u;
    }
}
