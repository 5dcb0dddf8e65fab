// Strands that feel each other 3: friction, pressure, and how dense they are.
//
// CPU twin: `grid::Around::new`, `grid::Around::moved`, `grid::gradient`.

#import <strand/cells.wgsl>

// Cells that pressure may push a particle in a frame, at most.
const FARTHEST: f32 = 0.5;

// Of the weight of a corner, by the side of a cell.
fn gradient(share: vec3f, corner: u32) -> vec3f {
    let part = parts(share, corner);
    let sign = vec3f(side_of(corner)) * 2.0 - 1.0;
    return sign * vec3f(part.y * part.z, part.x * part.z, part.x * part.y);
}

@rows(64)
fn main(segment: u32) {
    let grid = segment_grid[segment];
    let i = particle_of(segment);
    let x = particle_position[i];
    segment_density[segment] = 0.0;
    if grid == NO_GRID || x.w == 0.0 {
        return;
    }
    let at = around(grid, x.xyz);
    let side = strand_grid_side[grid];
    let per_volume = strand_grid_unit[grid] / (side * side * side);
    var density = 0.0;
    var velocity = vec3f(0.0);
    var weights = 0.0;
    var push = vec3f(0.0);
    for (var corner = 0u; corner < 8u; corner++) {
        let row = numbers(grid, at.low, corner);
        let mass = f32(bitcast<i32>(strand_cell_sum[row]));
        if mass <= 0.0 {
            continue;
        }
        let momentum = vec3f(
            f32(bitcast<i32>(strand_cell_sum[row + 1u])),
            f32(bitcast<i32>(strand_cell_sum[row + 2u])),
            f32(bitcast<i32>(strand_cell_sum[row + 3u])),
        );
        let w = weight(at.share, corner);
        density += w * (mass * per_volume);
        velocity += momentum * (w * SPEED / mass);
        weights += w;
        let too_dense = max(mass * per_volume / strand_grid_density[grid] - 1.0, 0.0);
        push -= gradient(at.share, corner) * (strand_grid_pressure[grid] * too_dense / side);
    }
    segment_density[segment] = density;
    // As of an implicit step: never above 1, and what was asked for at 1/60 s.
    let rate = strand_grid_friction[grid] * (60.0 * frame.dt);
    let whole = 1.0 - strand_grid_friction[grid] + rate;
    let lost = select(0.0, rate / whole, whole > 0.0);
    let v = particle_velocity[i];
    push *= frame.dt;
    let speed = sqrt(dot(push, push));
    let most = FARTHEST * side / frame.dt;
    let held = select(1.0, most / speed, speed > most);
    particle_velocity[i] = vec4f(v.xyz + (velocity - v.xyz * weights) * lost + push * held, v.w);
}
