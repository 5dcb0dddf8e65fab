// What several solvers keep of the particles of strands.

// Place from the origin of the strand [m]; w is the solver's own.
var<storage> segment_place: array<vec4f>;
