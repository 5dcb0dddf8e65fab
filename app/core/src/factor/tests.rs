//! Against `faer`, and against the matrix itself.

use faer::{
    Mat,
    sparse::{SparseColMat, Triplet},
};
use sim_api::{Factored, Par, Squares};

use super::Factorizations;

/// Rows of a cloth of n x m particles: structural, shear, skip one.
fn cloth(n: u32, m: u32) -> (Vec<[u32; 2]>, Vec<f32>) {
    let (mut idx, mut k) = (Vec::new(), Vec::new());
    for (dx, dy, stiffness) in [(1, 0, 2e4), (0, 1, 2e4), (1, 1, 1e3), (-1, 1, 1e3), (2, 0, 1.0), (0, 2, 1.0)]
    {
        for i in 0..n * m {
            let (x, y) = (i % n, i / n + dy);
            if let Some(x) = x.checked_add_signed(dx).filter(|&x| x < n && y < m) {
                idx.push([i, y * n + x]);
                k.push(stiffness);
            }
        }
    }
    (idx, k)
}

fn rhs(count: usize) -> Vec<[f32; 4]> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 16_777_216.0 - 0.5
    };
    (0..count).map(|_| [next(), next(), next(), 7.0]).collect()
}

/// The matrix in f64 for faer, and its solution.
fn reference(diagonal: &[f32], squares: &[Squares], rows: &[[f32; 4]]) -> Mat<f64> {
    let mut triplets = Vec::new();
    for (i, &d) in diagonal.iter().enumerate() {
        triplets.push(Triplet::new(i, i, if d > 0.0 { f64::from(d) } else { 1.0 }));
    }
    for table in squares {
        for (r, row) in table.idx().chunks_exact(table.corners()).enumerate() {
            let corners = || row.iter().enumerate().filter(|(_, a)| diagonal[**a as usize] > 0.0);
            for weights in table.sums(r) {
                for ((i, &a), (j, &b)) in corners().flat_map(|a| corners().map(move |b| (a, b))) {
                    let value =
                        f64::from(table.stiffness()[r]) * f64::from(weights[i]) * f64::from(weights[j]);
                    triplets.push(Triplet::new(a as usize, b as usize, value));
                }
            }
        }
    }
    let n = diagonal.len();
    let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, &triplets).expect("a matrix");
    let mut solution = Mat::from_fn(n, 3, |i, j| if diagonal[i] > 0.0 { f64::from(rows[i][j]) } else { 0.0 });
    let llt = matrix.sp_cholesky(faer::Side::Lower).expect("positive definite");
    faer::linalg::solvers::Solve::solve_in_place(&llt, solution.as_mut());
    solution
}

/// Largest difference to the reference, by the largest value of it.
fn error(diagonal: &[f32], squares: &[Squares]) -> f64 {
    let mut factor = Factorizations::default();
    assert_eq!(factor.make(&Par::serial(), diagonal, squares), Ok(Factored::Made));
    let mut rows = rhs(diagonal.len());
    let expected = reference(diagonal, squares, &rows);
    factor.solve(&Par::serial(), &mut rows).unwrap();
    let (mut off, mut scale) = (0.0_f64, 0.0_f64);
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row[3], 0.0);
        for (j, &x) in row[..3].iter().enumerate() {
            off = off.max((f64::from(x) - expected[(i, j)]).abs());
            scale = scale.max(expected[(i, j)].abs());
        }
    }
    off / scale
}

#[test]
fn solutions_are_those_of_the_reference() {
    for (n, m) in [(1, 1), (2, 3), (9, 1), (23, 37), (64, 50)] {
        let (idx, k) = cloth(n, m);
        let mut diagonal = vec![36.0; (n * m) as usize];
        if n > 2 {
            (diagonal[0], diagonal[n as usize - 1]) = (0.0, 0.0);
        }
        let hinge: Vec<[u32; 4]> = (0..(n * m).saturating_sub(3)).map(|i| [i, i + 1, i + 2, i + 3]).collect();
        let weights = vec![[0.5, 1.0, -2.0, 0.5]; hinge.len()];
        let stiffness = vec![3.0; hinge.len()];
        let triangle: Vec<[u32; 3]> = hinge.iter().map(|[a, b, c, _]| [*a, *b, *c]).collect();
        let edges = vec![[2.0, 0.5, -0.5, 3.0]; triangle.len()];
        let squares = [
            Squares::pairs(&idx, &k),
            Squares::quads(&hinge, &weights, &stiffness),
            Squares::triangles(&triangle, &edges, &stiffness),
        ];
        let off = error(&diagonal, &squares);
        assert!(off < 2e-4, "{n} x {m}: {off}");
    }
}

#[test]
fn pieces_and_lone_particles_are_solved_too() {
    // Two cloths, 5,000 particles without rows, and a particle that a row names twice.
    let (mut idx, mut k) = cloth(20, 20);
    let (other, stiffness) = cloth(31, 11);
    idx.extend(other.iter().map(|row| row.map(|i| i + 400)));
    k.extend(stiffness);
    let (mut hinge, weights) = (vec![[3, 4, 5, 6], [7, 8, 9, 7]], vec![[1.0, -1.0, -1.0, 1.0]; 2]);
    hinge.push([700, 700, 701, 702]);
    let weights = [weights, vec![[0.25, 0.5, -1.0, 0.25]]].concat();
    let squares = [Squares::pairs(&idx, &k), Squares::quads(&hinge, &weights, &[2.0, 2.0, 2.0])];
    let mut off = error(&vec![1.0; 741 + 5000], &squares[..1]);
    assert!(off < 2e-4, "{off}");
    off = error(&vec![1.0; 741 + 5000], &squares);
    assert!(off < 2e-4, "with rows that name a particle twice: {off}");
}

#[test]
fn only_what_changed_is_done_again() {
    let (idx, mut k) = cloth(12, 9);
    let mut diagonal = vec![1.0; 108];
    let mut factor = Factorizations::default();
    let par = Par::serial();
    let counts = |factor: &Factorizations| (factor.analyses, factor.count);
    assert_eq!(factor.make(&par, &diagonal, &[Squares::pairs(&idx, &k)]), Ok(Factored::Made));
    assert_eq!(factor.make(&par, &diagonal, &[Squares::pairs(&idx, &k)]), Ok(Factored::Kept));
    assert_eq!(counts(&factor), (1, 1));
    k[5] *= 2.0;
    assert_eq!(factor.make(&par, &diagonal, &[Squares::pairs(&idx, &k)]), Ok(Factored::Made));
    diagonal[3] = 0.0;
    assert_eq!(factor.make(&par, &diagonal, &[Squares::pairs(&idx, &k)]), Ok(Factored::Made));
    assert_eq!(counts(&factor), (1, 3), "the pattern is the same");
    assert_eq!(factor.make(&par, &diagonal, &[Squares::pairs(&idx[1..], &k[1..])]), Ok(Factored::Made));
    assert_eq!(counts(&factor), (2, 4));
    factor.clear();
    assert!(factor.solve(&par, &mut rhs(108)).unwrap_err().contains("before `make`"));
}

#[test]
fn a_bad_matrix_is_refused_in_words_and_a_good_one_taken_after_it() {
    let (idx, k) = cloth(6, 6);
    let mut factor = Factorizations::default();
    let par = Par::serial();
    let mut refused = |diagonal: &[f32], k: &[f32]| {
        let result = factor.make(&par, diagonal, &[Squares::pairs(&idx, k)]);
        assert!(factor.solve(&par, &mut rhs(diagonal.len())).is_err() || result.is_ok());
        result.unwrap_err()
    };
    let (ones, mut bad) = (vec![1.0; 36], k.clone());
    bad[7] = f32::NAN;
    assert_eq!(
        refused(&ones, &bad),
        format!("the row between the particles {:?} has the stiffness NaN: check its compliance", idx[7])
    );
    assert_eq!(refused(&[f32::INFINITY; 36], &k), "the matrix has inf on the diagonal of particle 0");
    assert!(refused(&[1.0; 35], &k).contains("names particle 35 of 35"));
    assert_eq!(factor.make(&par, &ones, &[Squares::pairs(&idx, &k)]), Ok(Factored::Made));
    // A mass that is lost beside the stiffness.
    let lost = factor.make(&par, &[1e-30; 2], &[Squares::pairs(&[[0, 1]], &[1.0])]).unwrap_err();
    assert!(lost.contains("not positive definite at particle 1"), "{lost}");
}

#[test]
fn nested_dissection_leaves_little_more_than_minimum_degree() {
    let n = 64;
    let (idx, k) = cloth(n, n);
    let diagonal = vec![36.0; (n * n) as usize];
    let mut factor = Factorizations::default();
    factor.make(&Par::serial(), &diagonal, &[Squares::pairs(&idx, &k)]).unwrap();
    let mut triplets: Vec<Triplet<usize, usize, f64>> =
        (0..diagonal.len()).map(|i| Triplet::new(i, i, 1.0)).collect();
    triplets.extend(idx.iter().map(|row| Triplet::new(row[0] as usize, row[1] as usize, 1.0)));
    let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(diagonal.len(), diagonal.len(), &triplets);
    let symbolic = faer::sparse::linalg::cholesky::factorize_symbolic_cholesky(
        matrix.expect("a matrix").symbolic(),
        faer::Side::Upper,
        faer::sparse::linalg::cholesky::SymmetricOrdering::Amd,
        faer::sparse::linalg::cholesky::CholeskySymbolicParams::default(),
    );
    let (own, amd) = (factor.size(), symbolic.expect("a pattern").len_val());
    assert!(own as f64 <= 1.3 * amd as f64, "{own} against {amd}");
}
