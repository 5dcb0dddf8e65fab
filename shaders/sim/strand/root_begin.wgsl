// At the start of a substep: roots go with their triangles, as heavy as these are.
//
// CPU twin: `roots::hold`.

#import <strand/root.wgsl>

@rows(64)
fn main(row: u32) {
    root_begin[row] = particle_position[borne_particle(row)];
    root_stub_begin[row] = particle_position[strand_span[root_strand[row]][0]];
    put_root(row, true);
}
