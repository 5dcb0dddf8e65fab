// Self collision 7: the particles that each one meets in this substep, or nearly.
//
// ```text
// begin         where everybody is                                      before a substep
// clear … sort  particles by cell of a hashed grid, by number in each    a counting sort
// near          whom each meets, in 27 cells                             here
// project       out of each other, with Coulomb friction                 four sweeps of the two
// move          all at once
// ```
// Particles of cloth keep `room` apart, their cloth's thickness or what closes the gaps between neighbours of a sheet, whichever
// is more (app/gpu/src/spatial_hash.rs); of a strand it is the segment that begins there which keeps its thickness. Pairs that start
// closer keep that. Cells are so wide that a pair that comes together in a substep by less than half of `room` is never missed. The
// CPU does otherwise: there triangles and edges meet (`self_collision`). Brute force over all pairs: tests/tests/gpu/contact.rs.

#import <self/cell.wgsl>
#import <self/pair.wgsl>
#import <self/segment.wgsl>

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
#ifdef strand
    let ahead = layer_beside[i].x;
    let own_end = Ends(x, particle_position[ahead].xyz);
    let own_begin = Ends(before, layer_last_valid[ahead].xyz);
    let own_start = Ends(start, layer_start[ahead].xyz);
#endif
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
            var now = x - other;
            let alone = layer_alone[i] != 0u && layer_alone[i] == layer_alone[j];
            // Another cell may have the same row.
            if j == i || alone || dot(now, now) >= side * side || any(place_of(other) != place) {
                continue;
            }
            let most = 0.5 * (room + layer_room[j]);
            var begin = before - layer_last_valid[j].xyz;
            var apart = start - layer_start[j].xyz;
#ifdef strand
            let next = layer_beside[j].x;
            if next != j || ahead != i {
                let end_of_other = Ends(other, particle_position[next].xyz);
                let begin_of_other = Ends(layer_last_valid[j].xyz, layer_last_valid[next].xyz);
                let long = length(own_end.second - x) + length(end_of_other.second - other);
                let ways = way_of(own_begin, own_end) + way_of(begin_of_other, end_of_other);
                if length(now) > long + ways + MARGIN * most {
                    continue;
                }
                let meeting = meeting_of(j < i, own_begin, begin_of_other, own_end, end_of_other, most);
                now = meeting.now;
                begin = meeting.before;
                let start_of_other = Ends(layer_start[j].xyz, layer_start[next].xyz);
                apart = between(own_start, start_of_other, closest_of(own_start, start_of_other));
            }
#endif
            let square = dot(now, now);
            let way = now - begin;
            // Neither near now nor on the way.
            let beyond = max(sqrt(square) - most, 0.0);
            if square >= MARGIN * MARGIN * most * most && dot(way, way) < beyond * beyond {
                continue;
            }
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
    layer_part_size[i] = met;
}
