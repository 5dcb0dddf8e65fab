// Self collision 4: sums of 1,024 cells become the first particle of each such part. One workgroup, 256 parts at a time, by
// scan.wgsl.

@group(0) @binding(0) var<storage, read_write> scan_sum: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
    let parts = arrayLength(&scan_sum);
    var base = 0u;
    for (var begin = 0u; begin < parts; begin += THREADS) {
        let part = begin + lane;
        var own = 0u;
        if part < parts {
            own = scan_sum[part];
        }
        let end = sum_up_to(lane, own);
        if part < parts {
            scan_sum[part] = base + end - own;
        }
        base += terms[THREADS - 1u];
        workgroupBarrier();
    }
}
