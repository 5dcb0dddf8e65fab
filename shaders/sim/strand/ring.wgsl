// What closes a ring: its last node is coupled to the first, so that its system has an arrow's last row.
//
//   V = V L^-T,  the next V = -V WT,  A_last -= V VT,  r_last -= V y,  z -= L^-T VT z_last
//
// The node before the last has nothing but V. 12 more rows for each node keep L^-T VT.
//
// CPU twin: `newton::ring::Ring::join`, `newton::ring::Ring::take_out`, `newton::ring::less_the_last`.

#import <strand/block.wgsl>
#import <strand/way.wgsl>

// Rows: the last node; columns: another one. Places by places, places by turns, turns by places, turns by turns.
struct Across {
    xx: mat3x3f,
    xw: mat3x3f,
    wx: mat3x3f,
    ww: mat3x3f,
}

// What taking out a node leaves for the last one, and for the way back from it.
struct Crossed {
    last: Node,
    next: Across,
    back: Across,
}

// What couples the last node to the first, of the element between them.
fn closing(coupling: Coupling) -> Across {
    return Across(coupling.xx, mat3x3f(), transpose(coupling.xw), transpose(coupling.ww));
}

// `across`: what couples the last node to the one that was taken out.
fn crossed(last: Node, across: Across, taken: Factored) -> Crossed {
    let root_t = transpose(taken.factors.root);
    let side_t = transpose(taken.factors.side);
    let other_t = transpose(taken.factors.other);
    let w = taken.w;
    let yx = taken.yx;
    let yw = taken.yw;
    let xx = across.xx * root_t;
    let xw = (across.xw - xx * side_t) * other_t;
    let wx = across.wx * root_t;
    let ww = (across.ww - wx * side_t) * other_t;
    var out: Crossed;
    out.last = last;
    out.last.xx -= xx * transpose(xx) + xw * transpose(xw);
    out.last.wx -= wx * transpose(xx) + ww * transpose(xw);
    out.last.ww -= wx * transpose(wx) + ww * transpose(ww);
    out.last.rx -= xx * yx + xw * yw;
    out.last.rw -= wx * yx + ww * yw;
    let wxx_t = transpose(w.xx);
    let wxw_t = transpose(w.xw);
    let www_t = transpose(w.ww);
    out.next.xx = (xx * wxx_t + xw * wxw_t) * -1.0;
    out.next.xw = xw * www_t * -1.0;
    out.next.wx = (wx * wxx_t + ww * wxw_t) * -1.0;
    out.next.ww = ww * www_t * -1.0;
    // Rows: the node; columns: the last.
    out.back.wx = other_t * transpose(xw);
    out.back.ww = other_t * transpose(ww);
    out.back.xx = root_t * (transpose(xx) - side_t * out.back.wx);
    out.back.xw = root_t * (transpose(wx) - side_t * out.back.ww);
    return out;
}

fn keep_across(segment: u32, back: Across) {
    for (var i = 0u; i < 3u; i++) {
        keep(segment, 11u + i, back.xx[i], 0.0);
        keep(segment, 14u + i, back.xw[i], 0.0);
        keep(segment, 17u + i, back.wx[i], 0.0);
        keep(segment, 20u + i, back.ww[i], 0.0);
    }
}

fn across_at(segment: u32, first: u32) -> mat3x3f {
    return mat3x3f(kept(segment, first).xyz, kept(segment, first + 1u).xyz, kept(segment, first + 2u).xyz);
}

// What a node moves and turns by for the step of the last one.
fn with_the_last(segment: u32, last: Step) -> Step {
    let step = across_at(segment, 11u) * last.step + across_at(segment, 14u) * last.turn;
    let turn = across_at(segment, 17u) * last.step + across_at(segment, 20u) * last.turn;
    return Step(step, turn);
}
