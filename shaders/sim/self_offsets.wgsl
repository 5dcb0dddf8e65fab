// Self collision 4: sums of 1,024 cells become the first particle of each such part. One workgroup, 256 parts at a time.

@group(0) @binding(0) var<storage, read_write> scan_sum: array<u32>;

var<workgroup> terms: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
    let parts = arrayLength(&scan_sum);
    var base = 0u;
    for (var begin = 0u; begin < parts; begin += 256u) {
        let part = begin + lane;
        var own = 0u;
        if part < parts {
            own = scan_sum[part];
        }
        terms[lane] = own;
        workgroupBarrier();
        for (var stride = 1u; stride < 256u; stride = stride << 1u) {
            var before = 0u;
            if lane >= stride {
                before = terms[lane - stride];
            }
            workgroupBarrier();
            terms[lane] += before;
            workgroupBarrier();
        }
        if part < parts {
            scan_sum[part] = base + terms[lane] - own;
        }
        base += terms[255];
        workgroupBarrier();
    }
}
