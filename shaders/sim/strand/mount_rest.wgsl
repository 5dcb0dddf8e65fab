// Ends are held again, at their bodies; `inertial` is where they come from, for their velocity.
//
// CPU twin: `roots::pull`.

#import <strand/mount.wgsl>

@rows(64)
fn main(row: u32) {
    put_mount(row, false);
    let before = body_before(mount_body[row]);
    let first = strand_span[strand_of_end(row)][0];
    if !is_tip_end(row) && is_stub(first - first_segment()) {
        particle_inertial[first] = vec4f(stub_of(row, before).place, 0.0);
    }
    particle_inertial[end_particle(row)] = vec4f(to_world(before, mount_place[row].xyz), 0.0);
}
