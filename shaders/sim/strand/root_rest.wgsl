// Roots are held again, at their triangles; `inertial` is where they come from, for their velocity.
//
// CPU twin: `roots::pull`.

#import <strand/root.wgsl>

@rows(64)
fn main(row: u32) {
    put_root(row, false);
    particle_inertial[borne_particle(row)] = vec4f(root_begin[row].xyz, 0.0);
    particle_inertial[strand_span[root_strand[row]][0]] = vec4f(root_stub_begin[row].xyz, 0.0);
}
