// Self collision 4: sums of 1,024 cells become the first particle of each such part. One workgroup, 256 parts at a
// time, by lib/scan.wgsl.

#import <lib/scan.wgsl>

@groups(256)
fn main(lane: u32) {
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
