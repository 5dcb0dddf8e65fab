// 6 x 6 blocks of a strand's system as 3 x 3 ones: places first, then turns.
//
//   | A0  B0T         |      A = L LT, W = B L^-T, y = L^-1 r;  the next A -= W WT, r -= W y      from the root to the tip
//   | B0  A1  B1T     |      z = L^-T y - (L^-T WT) z of the next                                 and back
//
// Turns of a node and the place of the next are coupled, not its place and the next one's turns: B and W have one block of
// nothing.
//
// CPU twin: `block::Node::stiffen_along`, `block::Node::eliminate`, `block::Node::factor`, `block::Node::couple`, `block::back`.

struct Node {
    // The symmetric block: places; turns (rows) by places; turns.
    xx: mat3x3f,
    wx: mat3x3f,
    ww: mat3x3f,
    // Force [N] and torque [N m].
    rx: vec3f,
    rw: vec3f,
}

// k n nT, what stiffens a block along n alone.
fn along_only(k: f32, n: vec3f) -> mat3x3f {
    return mat3x3f(n * (k * n.x), n * (k * n.y), n * (k * n.z));
}

// What couples a node (columns) to the next (rows), or the same times L^-T: places by places, places by turns, turns by turns.
struct Coupling {
    xx: mat3x3f,
    xw: mat3x3f,
    ww: mat3x3f,
}

// What a node is moved and turned by [m, rad].
struct Step {
    step: vec3f,
    turn: vec3f,
}

// L^-T y, and L^-T WT: what it takes to come back from the next node.
struct Way {
    xx: mat3x3f,
    xw: mat3x3f,
    wx: mat3x3f,
    ww: mat3x3f,
    yx: vec3f,
    yw: vec3f,
}

// The blocks of L^-1 on its diagonal, and that of L below: turns by places.
struct Factors {
    root: mat3x3f,
    side: mat3x3f,
    other: mat3x3f,
}

// What taking out a node leaves for the next, and for the way back.
struct Factored {
    factors: Factors,
    w: Coupling,
    yx: vec3f,
    yw: vec3f,
    back: Way,
}

const ONE = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);

// Of a sum, by its largest term.
const ROUND_OFF = 1e-7;

fn diagonal(m: mat3x3f) -> vec3f {
    return vec3f(m[0].x, m[1].y, m[2].z);
}

// With a diagonal no smaller than the round-off of what that was.
fn no_less(m: mat3x3f, whole: mat3x3f) -> mat3x3f {
    let own = max(diagonal(m), diagonal(whole) * ROUND_OFF);
    return mat3x3f(vec3f(own.x, m[0].yz), vec3f(m[1].x, own.y, m[1].z), vec3f(m[2].xy, own.z));
}

// The inverse of the lower triangle L of a = L LT. Pivots below `least` are round-off.
fn inverse_root(a: mat3x3f, least: vec3f) -> mat3x3f {
    let i0 = 1.0 / sqrt(max(a[0].x, least.x));
    let l10 = a[0].y * i0;
    let l20 = a[0].z * i0;
    let i1 = 1.0 / sqrt(max(a[1].y - l10 * l10, least.y));
    let l21 = (a[1].z - l20 * l10) * i1;
    let i2 = 1.0 / sqrt(max(a[2].z - l20 * l20 - l21 * l21, least.z));
    let m10 = -l10 * i0 * i1;
    return mat3x3f(
        vec3f(i0, m10, -(l20 * i0 + l21 * m10) * i2),
        vec3f(0.0, i1, -l21 * i1 * i2),
        vec3f(0.0, 0.0, i2),
    );
}

fn factors_of(node: Node) -> Factors {
    let least_x = max(diagonal(node.xx) * ROUND_OFF, vec3f(1e-30));
    let least_w = max(diagonal(node.ww) * ROUND_OFF, vec3f(1e-30));
    let root = inverse_root(node.xx, least_x);
    let side = node.wx * transpose(root);
    return Factors(root, side, inverse_root(node.ww - side * transpose(side), least_w));
}

// Takes out a node from what was left of it by the one before.
fn factored(node: Node, coupling: Coupling) -> Factored {
    var out: Factored;
    out.factors = factors_of(node);
    let root_t = transpose(out.factors.root);
    let side_t = transpose(out.factors.side);
    let other_t = transpose(out.factors.other);
    out.yx = out.factors.root * node.rx;
    out.yw = out.factors.other * (node.rw - out.factors.side * out.yx);
    out.w.xx = coupling.xx * root_t;
    out.w.xw = (coupling.xw - out.w.xx * side_t) * other_t;
    out.w.ww = coupling.ww * other_t;
    out.back.wx = other_t * transpose(out.w.xw);
    out.back.ww = other_t * transpose(out.w.ww);
    out.back.xx = root_t * (transpose(out.w.xx) - side_t * out.back.wx);
    out.back.xw = root_t * (side_t * out.back.ww) * -1.0;
    out.back.yw = other_t * out.yw;
    out.back.yx = root_t * (out.yx - side_t * out.back.yw);
    return out;
}

// The node without what the one before takes part in.
fn eliminated(node: Node, before: Factored) -> Node {
    let w = before.w;
    var left = node;
    left.xx = no_less(node.xx - (w.xx * transpose(w.xx) + w.xw * transpose(w.xw)), node.xx);
    left.wx -= w.ww * transpose(w.xw);
    left.ww = no_less(node.ww - w.ww * transpose(w.ww), node.ww);
    left.rx -= w.xx * before.yx + w.xw * before.yw;
    left.rw -= w.ww * before.yw;
    return left;
}

// The step of the last node that is left.
fn solved(node: Node) -> Step {
    let factors = factors_of(node);
    let yx = factors.root * node.rx;
    let turn = transpose(factors.other) * (factors.other * (node.rw - factors.side * yx));
    return Step(transpose(factors.root) * (yx - transpose(factors.side) * turn), turn);
}

// The step of a node, of that of the next.
fn way_back(way: Way, next: Step) -> Step {
    return Step(way.yx - way.xx * next.step - way.xw * next.turn, way.yw - way.wx * next.step - way.ww * next.turn);
}

fn sum(a: Node, b: Node) -> Node {
    return Node(a.xx + b.xx, a.wx + b.wx, a.ww + b.ww, a.rx + b.rx, a.rw + b.rw);
}

// From the tip to the root, with turns before places: what is named a place is a turn, and the other way.
fn mirrored(node: Node) -> Node {
    return Node(node.ww, transpose(node.wx), node.xx, node.rw, node.rx);
}

// The nearer node is the next then.
fn mirrored_coupling(coupling: Coupling) -> Coupling {
    return Coupling(transpose(coupling.ww), transpose(coupling.xw), transpose(coupling.xx));
}

fn mirrored_step(step: Step) -> Step {
    return Step(step.turn, step.step);
}
