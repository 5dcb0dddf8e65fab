// The sum of what the threads of a workgroup have.
//
// Always in the same order, so that a run repeats bit for bit. THREADS: those of the workgroup, a power of two.

var<workgroup> terms: array<vec4f, THREADS>;

// All threads of the workgroup call it, and all get the sum.
fn sum_up(lane: u32, own: vec4f) -> vec4f {
    terms[lane] = own;
    workgroupBarrier();
    for (var stride = THREADS / 2u; stride > 0u; stride = stride >> 1u) {
        if lane < stride {
            terms[lane] += terms[lane + stride];
        }
        workgroupBarrier();
    }
    return terms[0];
}
