// What several solvers know and keep of the particles of strands.

// Where inertia takes a particle, or where it is held [m]; w: inverse mass [1/kg].
fn inertial_place(i: u32) -> vec4f {
    let here = particle_position[i];
    return select(here, particle_inertial[i], here.w > 0.0);
}

// Place from the origin of the strand [m]; w is the solver's own.
var<storage> segment_place: array<vec4f>;
// Multiplier of the segment [N s2]; w: inverse moment of inertia of its frame [1/(kg m2)].
var<storage> segment_pulls: array<vec4f>;
