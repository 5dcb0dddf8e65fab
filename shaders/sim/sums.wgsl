// The sum of what 256 threads have. A library without bindings.
//
// Always in the same order, so that a run repeats bit for bit.

const THREADS: u32 = 256u;

var<workgroup> terms: array<vec4f, 256>;

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
