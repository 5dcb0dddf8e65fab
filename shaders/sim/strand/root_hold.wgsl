// Before strands are solved: roots go to where cloth was moved meanwhile.
//
// CPU twin: `roots::hold`.

#import <strand/root.wgsl>

@rows(64)
fn main(row: u32) {
    put_root(row, true);
}
