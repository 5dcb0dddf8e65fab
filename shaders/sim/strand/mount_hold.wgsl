// Before strands are solved: ends go with their bodies, as heavy as these are.
//
// CPU twin: `roots::hold`.

#import <strand/mount.wgsl>

@rows(64)
fn main(row: u32) {
    put_mount(row, true);
}
