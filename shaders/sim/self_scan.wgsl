// Self collision 3: the first particle of each cell, counted from the start of its 1,024 cells; a workgroup for each of them.
//
// 256 threads with four cells each, by scan.wgsl.

struct Frame {
    first: u32,
    line: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> cell_count: array<u32>;
@group(0) @binding(2) var<storage, read_write> cell_end: array<u32>;
@group(0) @binding(3) var<storage, read_write> scan_sum: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let part = frame.first + group.y * frame.line + group.x;
    let begin = part * 1024u + lane * 4u;
    var own = vec4u(0u);
    if part < arrayLength(&scan_sum) {
        own = vec4u(cell_count[begin], cell_count[begin + 1u], cell_count[begin + 2u], cell_count[begin + 3u]);
    }
    let sum = own.x + own.y + own.z + own.w;
    let end = sum_up_to(lane, sum);
    if part < arrayLength(&scan_sum) {
        let start = end - sum;
        cell_end[begin] = start;
        cell_end[begin + 1u] = start + own.x;
        cell_end[begin + 2u] = start + own.x + own.y;
        cell_end[begin + 3u] = start + own.x + own.y + own.z;
        if lane == THREADS - 1u {
            scan_sum[part] = end;
        }
    }
}
