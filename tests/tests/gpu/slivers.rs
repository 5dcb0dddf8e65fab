//! Hinges of slivers throw nothing on the device, either (`weft validate --path gpu --case V25`).

use tests::left_out;

use crate::strand_numbers::{NEEDS, holds};

#[test]
fn slivers_throw_nothing() {
    if left_out("slivers_throw_nothing", NEEDS) {
        return;
    }
    let there = holds("V25", &["vbd", "xpbd"]);
    assert!(there.len() >= 2, "{there:?}");
}
