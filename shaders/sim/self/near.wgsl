// Self collision 7: the particles that each one meets in this substep, or nearly.
//
// ```text
// begin         where everybody is                                      before a substep
// clear … sort  particles by cell of a hashed grid, by number in each    a counting sort
// near          whom each meets, in 27 cells                             here
// project       out of each other, with Coulomb friction                 four sweeps of the two
// move          all at once
// ```
// The particle variant: particles keep `room` apart, their cloth's thickness or what closes the gaps between neighbours
// of a sheet, whichever is more (app/gpu/src/spatial_hash.rs); pairs that start closer keep that. Cells are twice as wide, so
// a pair that comes together in a substep by less than `room` is never missed. The CPU does otherwise: there triangles
// and edges meet (`self_collision`). Brute force over all pairs: tests/tests/gpu/contact.rs.

#import <self/cell.wgsl>
#import <self/pair.wgsl>

// Those that each has listed, and the distance that the two keep [m].
var<storage> near_other: array<u32>;
var<storage> near_limit: array<f32>;
// How many the lists had no room for.
var<storage> hash_lost: array<u32, 1>;

// Who is closer than this share of its distance is listed: sweeps may bring it closer.
const MARGIN: f32 = 1.2;

@rows(128)
fn main(i: u32) {
    let all = arrayLength(&layer_part);
    let slots = arrayLength(&near_other) / all;
    let cells = arrayLength(&cell_count);
    let room = layer_room[i];
    let x = particle_position[i].xyz;
    let before = layer_last_valid[i].xyz;
    let start = layer_start[i].xyz;
    let side = hash_side[0];
    let middle = place_of(x);
    var listed = 0u;
    var met = 0u;
    for (var step = 0; step < 27 && room > 0.0; step++) {
        let place = middle + vec3i(step % 3, step / 3 % 3, step / 9) - vec3i(1);
        let row = row_of(place, cells);
        let count = cell_count[row];
        let last = scan_sum[row / CELLS_A_PART] + cell_end[row];
        for (var at = last - count; at < last; at++) {
            let j = spatial_hash_particle[at];
            let other = particle_position[j].xyz;
            let now = x - other;
            let square = dot(now, now);
            let alone = layer_alone[i] != 0u && layer_alone[i] == layer_alone[j];
            if j == i || alone || square >= side * side {
                continue;
            }
            let most = 0.5 * (room + layer_room[j]);
            let begin = before - layer_last_valid[j].xyz;
            let way = now - begin;
            // Neither near now nor on the way. Another cell may have the same row.
            let beyond = max(sqrt(square) - most, 0.0);
            if square >= MARGIN * MARGIN * most * most && dot(way, way) < beyond * beyond
                || any(place_of(other) != place) {
                continue;
            }
            let apart = start - layer_start[j].xyz;
            let limit = min(most, sqrt(dot(apart, apart)));
            let touches = bound_of(begin, now, limit).w > 0.0;
            if touches || square < MARGIN * MARGIN * limit * limit {
                if listed < slots {
                    near_other[listed * all + i] = j;
                    near_limit[listed * all + i] = limit;
                    listed++;
                    met += select(0u, 1u, touches);
                } else {
                    atomicAdd(&hash_lost[0], 1u);
                }
            }
        }
    }
    layer_part[i] = listed;
    layer_part_size[i] = max(met, 1u);
}
