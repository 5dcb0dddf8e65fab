// Which end of which strand a row of `mount` is.
//
// CPU twin: `mounts::End::of`.

#import <strand/seat.wgsl>
#import <strand/end.wgsl>

fn strand_of_end(row: u32) -> u32 {
    return mount_end[row] / 2u;
}

fn is_tip_end(row: u32) -> bool {
    return mount_end[row] % 2u == 1u;
}

// The number of the particle that the body holds. Tips are pinned.
fn end_number(row: u32) -> u32 {
    let span = strand_span[strand_of_end(row)];
    return select(select(0u, 1u, is_stub(span[0] - first_segment())), span[2] - 1u, is_tip_end(row));
}

// The particle beside it.
fn next_particle(row: u32) -> u32 {
    let span = strand_span[strand_of_end(row)];
    return span[0] + span[1] * select(min(end_number(row) + 1u, span[2] - 1u), span[2] - 2u, is_tip_end(row));
}

fn end_particle(row: u32) -> u32 {
    let span = strand_span[strand_of_end(row)];
    return span[0] + span[1] * end_number(row);
}
