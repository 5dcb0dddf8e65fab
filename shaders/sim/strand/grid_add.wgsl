// Strands that feel each other 2: mass and momentum of the cells, in whole numbers, whose sums have no order.
//
// CPU twin: `grid::Sums::add`, `grid::rounded`.

#import <strand/cells.wgsl>

// Speeds above it count as this [m/s].
const FASTEST: f32 = 60.0;

// The nearest whole number, halves away from 0.
fn rounded(x: vec4f) -> vec4i {
    return vec4i(x + select(vec4f(0.5), vec4f(-0.5), x < vec4f(0.0)));
}

@rows(64)
fn main(segment: u32) {
    let grid = segment_grid[segment];
    let i = particle_of(segment);
    let x = particle_position[i];
    if grid == NO_GRID || x.w == 0.0 {
        return;
    }
    let at = around(grid, x.xyz);
    let units = particle_mass[i] / strand_grid_unit[grid];
    let v = clamp(particle_velocity[i].xyz, vec3f(-FASTEST), vec3f(FASTEST));
    let whole = vec4f(units, v * (units / SPEED));
    var left = rounded(whole);
    for (var corner = 0u; corner < 8u; corner++) {
        var part = left;
        if corner < 7u {
            part = rounded(weight(at.share, corner) * whole);
        }
        left -= part;
        let row = numbers(grid, at.low, corner);
        for (var k = 0u; k < 4u; k++) {
            atomicAdd(&strand_cell_sum[row + k], bitcast<u32>(part[k]));
        }
    }
}
