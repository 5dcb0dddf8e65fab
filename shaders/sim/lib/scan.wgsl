// Sums of what the threads of a workgroup have, each of all threads up to its own.
//
// Hillis and Steele: Data Parallel Algorithms, 1986.

var<workgroup> terms: array<u32, THREADS>;

// All threads of the workgroup call it; afterwards `terms` has the sums of all.
fn sum_up_to(lane: u32, own: u32) -> u32 {
    terms[lane] = own;
    workgroupBarrier();
    for (var stride = 1u; stride < THREADS; stride = stride << 1u) {
        var before = 0u;
        if lane >= stride {
            before = terms[lane - stride];
        }
        workgroupBarrier();
        terms[lane] += before;
        workgroupBarrier();
    }
    return terms[lane];
}
