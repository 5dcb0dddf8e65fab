// Strands at their lengths, before surfaces are looked for: what meets one on the way there is more than what inertia takes to it.
//
// CPU twin: `newton::lead`.

#import <strand/lead.wgsl>

@rows(64)
fn main(row: u32) {
    lead(row, strand_span[row], strand_span[0][0]);
}
