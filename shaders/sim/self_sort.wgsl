// Self collision 6: the particles of each cell by number, so that a run repeats bit for bit.
//
// By insertion: there are few. Shell's gaps keep a heap of a thousand in one cell from stopping everything.

struct Frame {
    first: u32,
    end: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> cell_count: array<u32>;
@group(0) @binding(2) var<storage, read> cell_end: array<u32>;
@group(0) @binding(3) var<storage, read> scan_sum: array<u32>;
@group(0) @binding(4) var<storage, read_write> crowd_particle: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = frame.first + id.y * frame.line + id.x;
    if row >= frame.end {
        return;
    }
    let count = cell_count[row];
    if count < 2u {
        return;
    }
    let start = scan_sum[row / 1024u] + cell_end[row] - count;
    var gap = 1u;
    for (; gap < count / 3u;) {
        gap = 3u * gap + 1u;
    }
    for (; gap > 0u; gap = gap / 3u) {
        for (var at = gap; at < count; at++) {
            let own = crowd_particle[start + at];
            var to = at;
            for (; to >= gap && crowd_particle[start + to - gap] > own;) {
                crowd_particle[start + to] = crowd_particle[start + to - gap];
                to -= gap;
            }
            crowd_particle[start + to] = own;
        }
    }
}
