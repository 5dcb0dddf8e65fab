// The cells of a grid around a place, and what each has of it.
//
// CPU twin: `strands::grid::Grid::around`, `grid::weights`.

const NO_GRID: u32 = 0xffffffffu;

// Speed of a unit of momentum that has a unit of mass [m/s].
const SPEED: f32 = 32.0;

struct Around {
    // Of the first, by axes.
    low: vec3i,
    // From its centre to that of the next, 0..1.
    share: vec3f,
}

fn around(grid: u32, x: vec3f) -> Around {
    let at = x / strand_grid_side[grid] - 0.5;
    let low = floor(at);
    return Around(vec3i(low), at - low);
}

// Which of two cells a corner has, by axes.
fn side_of(corner: u32) -> vec3u {
    return vec3u(corner & 1u, (corner >> 1u) & 1u, corner >> 2u);
}

// Row of the first of the four numbers of a cell.
fn numbers(grid: u32, low: vec3i, corner: u32) -> u32 {
    let first = strand_grid_cells[grid][0];
    let count = strand_grid_cells[grid][1];
    let at = (bitcast<vec3u>(low) + side_of(corner)) & vec3u(count - 1u);
    return 4u * (first + (at.z * count + at.y) * count + at.x);
}

// What the corner has of the place, by axes.
fn parts(share: vec3f, corner: u32) -> vec3f {
    return select(1.0 - share, share, side_of(corner) == vec3u(1u));
}

fn weight(share: vec3f, corner: u32) -> f32 {
    let part = parts(share, corner);
    return part.x * part.y * part.z;
}

// Particle of a segment: those of strands lie behind all others.
fn particle_of(segment: u32) -> u32 {
    return strand_span[0][0] + segment;
}
