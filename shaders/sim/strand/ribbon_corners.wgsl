// Which places of strands a picture and the maps of its light show, and what joins them, as indices of their vertices: in the order that
// the host would have them in. The text of strand/ribbon.wgsl comes before this one.
//
// CPU twin: `segments::add`, `corners::Joined::of`.

// Of a segment's second end: it is a line.
const LINE: u32 = 0x80000000u;
// Share of a hair before which none ends, and from which on they do.
const LONG: f32 = 0.82;
const ENDS: f32 = 0.8;
// Segments between particles that are drawn as one there.
const SHORT: u32 = 2u;
// Halves of halves.
const DEPTH: u32 = 24u;
const NO_SEGMENT: f32 = -1.0;
const SCANNERS: u32 = 128u;

var<workgroup> sums: array<vec4u, SCANNERS>;

// A strand of a level.
struct Own {
    strand: u32,
    level: u32,
}

fn own(id: vec3u, groups: vec3u) -> Own {
    let i = id.y * groups.x * 64u + id.x;
    return Own(i % list.strands, i / list.strands);
}

// Places from one to another that are one segment, or two halves.
struct Halves {
    first: u32,
    last: u32,
    // Segments before it, and how far those of the first half are from one [m], or NO_SEGMENT.
    written: u32,
    before: f32,
    // Halves that are done.
    done: u32,
}

@compute @workgroup_size(64)
fn join(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let own = own(id, groups);
    if own.level >= list.different {
        return;
    }
    let level = list.levels[own.level];
    let guide = guides[own.strand];
    let begin = first_place(own.strand, guide);
    let slot = own.level * list.places + begin;
    let all = points(guide, list.parts) - 1u;
    // A quotient may be off by its rounding.
    let longest = u32(f32(all) / level.segments + 1e-4);
    let last = points(guide, 1u) - 1u;
    let order = f32((own.strand * 2406786955u) >> 8u) / 16777216.0;
    var written = 0u;
    var point = select(last, 0u, order < level.end);
    while point < last {
        let end = piece_end(guide, point);
        var halves: array<Halves, DEPTH>;
        var depth = 1u;
        halves[0] = Halves(list.parts * point, list.parts * end, written, 0.0, 0u);
        // How far the places of what was done last are from one segment.
        var off = 0.0;
        while depth > 0u {
            let at = depth - 1u;
            let now = halves[at];
            let count = now.last - now.first;
            let middle = now.first + count / 2u;
            if count < 2u {
                if count == 1u {
                    segments[slot + written] = 2u * (vec2u(begin) + vec2u(now.first, now.last));
                    written += 1u;
                }
                off = 0.0;
                depth -= 1u;
            } else if now.done == 0u {
                halves[at].done = 1u;
                halves[at].written = written;
                halves[depth] = Halves(now.first, middle, 0u, 0.0, 0u);
                depth += 1u;
            } else if now.done == 1u {
                halves[at].done = 2u;
                halves[at].before = off;
                halves[depth] = Halves(middle, now.last, 0u, 0.0, 0u);
                depth += 1u;
            } else {
                let most = select(longest, min(longest, SHORT * list.parts), now.last > u32(ENDS * f32(all)));
                let share = f32(middle - now.first) / f32(count);
                let straight = mix(place_at(begin, now.first), place_at(begin, now.last), share);
                let away = max(now.before, off) + distance(straight, place_at(begin, middle));
                let is_one = now.before != NO_SEGMENT && off != NO_SEGMENT && count <= most && away <= level.tolerance;
                off = select(NO_SEGMENT, away, is_one);
                if is_one {
                    written = now.written;
                    segments[slot + written] = 2u * (vec2u(begin) + vec2u(now.first, now.last));
                    written += 1u;
                }
                depth -= 1u;
            }
        }
        point = end + 1u;
    }
    var lines = 0u;
    for (var i = 0u; i < written && (level.flags & LINES) != 0u; i++) {
        let to = segments[slot + i].y;
        let is_point = (level.flags & POINTS) != 0u && vertices[VERTEX * to + GONE] > LONG;
        if !is_point {
            segments[slot + i].y = to | LINE;
            lines += 1u;
        }
    }
    counts[own.strand][2u * own.level] = 6u * (written - lines);
    counts[own.strand][2u * own.level + 1u] = 2u * lines;
    counts[own.strand][4u + own.level] = written;
}

fn corners_of(strand: u32) -> vec4u {
    let own = counts[strand];
    return select(vec4u(own[0], own[1], 0u, 0u), vec4u(own[0], own[1], own[2], own[3]), list.different > 1u);
}

// Where the corners of each strand begin: one workgroup, each thread some strands in a row.
@compute @workgroup_size(128)
fn scan(@builtin(local_invocation_index) lane: u32) {
    let each = (list.strands + SCANNERS - 1u) / SCANNERS;
    let first = min(lane * each, list.strands);
    let end = min(first + each, list.strands);
    var own = vec4u(0u);
    for (var strand = first; strand < end; strand++) {
        own += corners_of(strand);
    }
    sums[lane] = own;
    workgroupBarrier();
    for (var step = 1u; step < SCANNERS; step *= 2u) {
        let before = select(vec4u(0u), sums[max(lane, step) - step], lane >= step);
        workgroupBarrier();
        sums[lane] += before;
        workgroupBarrier();
    }
    var next = sums[lane] - own;
    for (var strand = first; strand < end; strand++) {
        let here = corners_of(strand);
        for (var i = 0u; i < 4u; i++) {
            counts[strand][i] = next[i];
        }
        next += here;
    }
    if lane < 4u {
        told.corners[lane] = sums[SCANNERS - 1u][lane];
    }
}

@compute @workgroup_size(64)
fn corner(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let own = own(id, groups);
    if own.level >= list.different {
        return;
    }
    let slot = own.level * list.places + first_place(own.strand, guides[own.strand]);
    let all = told.corners;
    let before = select(0u, all[0] + all[1], own.level > 0u);
    var ribbon = before + counts[own.strand][2u * own.level];
    var line = before + all[2u * own.level] + counts[own.strand][2u * own.level + 1u];
    for (var i = 0u; i < counts[own.strand][4u + own.level]; i++) {
        let a = segments[slot + i].x;
        let b = segments[slot + i].y & ~LINE;
        if (segments[slot + i].y & LINE) != 0u {
            corners[line] = a;
            corners[line + 1u] = b;
            line += 2u;
        } else {
            corners[ribbon] = a;
            corners[ribbon + 1u] = a + 1u;
            corners[ribbon + 2u] = b;
            corners[ribbon + 3u] = b;
            corners[ribbon + 4u] = a + 1u;
            corners[ribbon + 5u] = b + 1u;
            ribbon += 6u;
        }
    }
}
