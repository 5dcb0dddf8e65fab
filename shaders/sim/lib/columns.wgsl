// Columns of the device alone that several solvers use.

// Where a pass puts what its particles become, for others still read what they were; then the two are swapped.
var<storage> particle_next_position: array<vec4f>;
var<storage> particle_next_velocity: array<vec4f>;

// Part of what its rows want that a particle takes in a Jacobi iteration.
var<storage> particle_share: array<f32>;
