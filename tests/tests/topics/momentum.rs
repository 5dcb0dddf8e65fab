//! Linear momentum of a free cloth whose particles are not alike: no force inside of it may change it. What changes over four
//! seconds, by the sum of m |v| at the start.

use tests::fixture::Fixture;
use weft_core::state::col;
use weft_proof::validate::{
    fixture::solvers,
    fixtures::{SOFT, shake, weightless},
};

/// Four seconds of what V13 allows in one.
const MOST: f64 = 4.0 * 5e-4;
/// Those whose iterations take the mean of what rows want: what two ends of a row get is divided by other numbers.
const AVERAGED: [(&str, f64); 2] = [("pbd_jacobi", 0.035), ("pbd_sor", 0.029)];

/// A shaken cloth of which every other column of particles is three times as heavy.
fn uneven(solver: &str) -> Fixture {
    let mut fixture = weightless(solver, 7, 5, SOFT);
    for i in (0..fixture.x().len()).filter(|i| i % 7 % 2 == 1) {
        fixture.run.state.get_mut(col::particle::mass)[i] *= 3.0;
        fixture.x_mut()[i][3] /= 3.0;
    }
    shake(&mut fixture, 0.5);
    fixture
}

fn drift(mut fixture: Fixture) -> f64 {
    let (before, scale) = (fixture.momentum(), fixture.momentum_scale());
    fixture.frames(240);
    let drift = (fixture.momentum() - before).length() / scale;
    println!("MOMENTUM {} {:?}: {drift:.2e}", fixture.run.solver, fixture.run.params);
    drift
}

#[test]
fn masses_of_one_to_three_keep_their_momentum() {
    let mut wrong = Vec::new();
    for solver in solvers() {
        let drift = drift(uneven(solver).converged());
        let averaged = AVERAGED.iter().find(|(name, _)| *name == solver);
        if !averaged.map_or(drift < MOST, |(_, known)| (drift / known - 1.0).abs() < 0.2) {
            wrong.push(format!("{solver}: {drift:.2e}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What conjugate gradients leave of the linear system has a sum, which is a force on the cloth as a whole: so much that its
/// centre is a centimetre off after four seconds at the default tolerance, and the less the smaller that is.
#[test]
fn momentum_is_kept_as_far_as_a_linear_step_is_solved() {
    let of = |tolerance| drift(uneven("baraff_witkin").set("tolerance", tolerance));
    let [default, tenth] = [1e-2, 1e-3].map(of);
    assert!((default / 3.5e-3 - 1.0).abs() < 0.2, "{default} at the default tolerance");
    assert!(tenth < 0.25 * default && tenth < MOST, "{tenth} at a tenth of it");
}
