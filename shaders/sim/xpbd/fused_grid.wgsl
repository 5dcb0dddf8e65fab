// A whole substep of XPBD with one Jacobi iteration on grids, a workgroup for a square of particles: follow the coarse
// nodes, project, velocity, and the next substep's prediction.
//
// The same as coarse/follow.wgsl and xpbd/fused.wgsl one after the other, but that positions after the coarse nodes stay
// in the workgroup, with a border as wide as springs reach. A thread has four particles, one below the other, and loads
// all that they need before anything is stored. Where there is none it takes the nearest: no row leads to such a cell.
// Layout: app/gpu/src/grids.rs.
//
// CPU twin: `substep::steps`, `coarse::correct`.

#import <constraints/distance.wgsl>
#import <coarse/coarse_move.wgsl>
#import <lib/stencils.wgsl>
#import <xpbd/fused_predict.wgsl>

// Particles of a thread.
const COLUMN: u32 = 4u;
// Cells of the border: above the core, there and below it, and all.
const BAND: u32 = GRID_REACH * GRID_PITCH;
const BANDS: u32 = 2u * BAND;
const BORDER: u32 = GRID_CELLS - GRID_SIDE * GRID_SIDE;

// Positions after the coarse nodes, and what each allows its rows.
var<workgroup> cells: array<vec4f, GRID_CELLS>;
var<workgroup> cell_shares: array<f32, GRID_CELLS>;

// A particle as it was predicted, and after the coarse nodes.
struct Own {
    i: u32,
    stencil: u32,
    share: f32,
    start: vec4f,
    x: vec4f,
    velocity: vec3f,
}

fn load_own(i: u32) -> Own {
    let start = particle_position[i];
    let x = start + coarse_move(i, start.w);
    return Own(i, particle_stencil[i], particle_share[i], start, x, particle_velocity[i].xyz);
}

fn keep(at: u32, x: vec4f, share: f32) {
    cells[at] = x;
    cell_shares[at] = share;
}

// The place of a cell of the border, column and row.
fn border_cell(k: u32) -> vec2u {
    let beside = (k - BANDS) % (2u * GRID_REACH);
    let row = GRID_REACH + (k - BANDS) / (2u * GRID_REACH);
    let side = vec2u(select(beside, beside + GRID_SIDE, beside >= GRID_REACH), row);
    let above = vec2u(k % GRID_PITCH, k / GRID_PITCH);
    let band = select(above + vec2u(0u, GRID_SIDE), above, k < BAND);
    return select(side, band, k < BANDS);
}

// A particle of the border.
struct Beside {
    at: u32,
    share: f32,
    x: vec4f,
}

// low and last: columns and rows of the tile that there are.
fn load_border(place: vec2u, low: vec2u, last: vec2u, span: vec4u) -> Beside {
    let there = clamp(place, low, last);
    let i = span.x + there.y * span.y + there.x;
    let start = particle_position[i];
    return Beside(place.y * GRID_PITCH + place.x, particle_share[i], start + coarse_move(i, start.w));
}

// What a row wants of a particle, but for its mass [m kg]; `to`: the cell of its other end.
fn wants(own: Own, to: u32, rest: f32, alpha: f32) -> vec3f {
    return project(own.x, cells[to], rest, alpha, 0.0).xyz * min(own.share, cell_shares[to]);
}

// The same of all its rows.
fn all_want(own: Own, at: u32) -> vec3f {
    let near = neighbours_of(own.stencil);
    var sum = vec3f(0.0);
    for (var row = near.x; row < near.y; row++) {
        let to = stencil_row[row];
        sum -= wants(own, at + stencil_step[row], bitcast<f32>(to.y), bitcast<f32>(to.z) * frame.per_h2);
    }
    return sum;
}

// First row of a stencil, and the first behind it.
fn neighbours_of(stencil: u32) -> vec2u {
    let first = stencil >> STENCIL_BITS;
    return vec2u(first, first + (stencil & ((1u << STENCIL_BITS) - 1u)));
}

fn finish(own: Own, sum: vec3f) {
    fused_predict(own.i, own.start, own.velocity, own.x.xyz - own.start.xyz + sum * own.x.w);
}

@groups(256)
fn main(tile: u32, lane: u32) {
    if tile >= frame.end {
        return;
    }
    let span = grid_tile_span[tile];
    let low = vec2u(span.z & 0xffffu, span.w & 0xffffu);
    let last = vec2u(span.z >> 16u, span.w >> 16u) - 1u;
    let place = vec2u(lane % GRID_SIDE, (lane / GRID_SIDE) * COLUMN) + GRID_REACH;
    let at = place.y * GRID_PITCH + place.x;
    // The first of the column, and steps to the others.
    let i = span.x + min(place.x, last.x);
    let a = load_own(i + min(place.y, last.y) * span.y);
    let b = load_own(i + min(place.y + 1u, last.y) * span.y);
    let c = load_own(i + min(place.y + 2u, last.y) * span.y);
    let d = load_own(i + min(place.y + 3u, last.y) * span.y);
    // A cell of the border for each thread, and for the first of them one of the rest.
    let e = load_border(border_cell(lane), low, last, span);
    var rest = e;
    if lane < BORDER - THREADS {
        rest = load_border(border_cell(lane + THREADS), low, last, span);
    }
    keep(at, a.x, a.share);
    keep(at + GRID_PITCH, b.x, b.share);
    keep(at + 2u * GRID_PITCH, c.x, c.share);
    keep(at + 3u * GRID_PITCH, d.x, d.share);
    keep(e.at, e.x, e.share);
    if lane < BORDER - THREADS {
        keep(rest.at, rest.x, rest.share);
    }
    workgroupBarrier();
    if place.x > last.x {
        return;
    }
    if place.y + COLUMN - 1u <= last.y && a.stencil == b.stencil && b.stencil == c.stencil && c.stencil == d.stencil {
        // Inside of the cloth: a row is read once for the four.
        var sums = mat4x3f();
        let near = neighbours_of(a.stencil);
        for (var row = near.x; row < near.y; row++) {
            let other = stencil_row[row];
            let rest = bitcast<f32>(other.y);
            let alpha = bitcast<f32>(other.z) * frame.per_h2;
            let to = at + stencil_step[row];
            sums -= mat4x3f(
                wants(a, to, rest, alpha),
                wants(b, to + GRID_PITCH, rest, alpha),
                wants(c, to + 2u * GRID_PITCH, rest, alpha),
                wants(d, to + 3u * GRID_PITCH, rest, alpha),
            );
        }
        finish(a, sums[0]);
        finish(b, sums[1]);
        finish(c, sums[2]);
        finish(d, sums[3]);
        return;
    }
    if place.y <= last.y {
        finish(a, all_want(a, at));
    }
    if place.y + 1u <= last.y {
        finish(b, all_want(b, at + GRID_PITCH));
    }
    if place.y + 2u <= last.y {
        finish(c, all_want(c, at + 2u * GRID_PITCH));
    }
    if place.y + 3u <= last.y {
        finish(d, all_want(d, at + 3u * GRID_PITCH));
    }
}
