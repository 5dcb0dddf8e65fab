//! The sparse Cholesky factor of a matrix of blocks. A page factors nothing, and does without the library that does it.

use faer::{
    MatMut, Side,
    linalg::solvers::Solve,
    sparse::{
        Argsort, Pair, SparseColMat, SymbolicSparseColMat,
        linalg::solvers::{Llt, SymbolicLlt},
    },
};
use glam::DVec3;

use super::Blocks;

/// Sparse Cholesky (faer, supernodal, minimum-degree order). The symbolic part is done once for a pattern.
pub struct Factor {
    pattern: SymbolicSparseColMat<usize>,
    order: Argsort<usize>,
    symbolic: SymbolicLlt<usize>,
    numeric: Option<Llt<usize, f64>>,
}

impl Factor {
    pub fn new(matrix: &Blocks) -> Result<Self, String> {
        let mut entries = Vec::new();
        matrix.each_entry(|row, col, _| entries.push(Pair::new(row, col)));
        let size = 3 * matrix.diagonal.len();
        let fail = |what: &dyn std::fmt::Debug| {
            format!("the matrix of {size} unknowns cannot be factored: {what:?}")
        };
        let (pattern, order) =
            SymbolicSparseColMat::try_new_from_indices(size, size, &entries).map_err(|e| fail(&e))?;
        let symbolic = SymbolicLlt::try_new(pattern.as_ref(), Side::Lower).map_err(|e| fail(&e))?;
        Ok(Self { pattern, order, symbolic, numeric: None })
    }

    /// Factors a matrix of the same pattern; false if it is not positive definite.
    pub fn factor(&mut self, matrix: &Blocks) -> bool {
        let mut values = Vec::new();
        matrix.each_entry(|_, _, value| values.push(value));
        let built = SparseColMat::new_from_argsort(self.pattern.clone(), &self.order, &values);
        let built = built.ok().and_then(|matrix| {
            Llt::try_new_with_symbolic(self.symbolic.clone(), matrix.as_ref(), Side::Lower).ok()
        });
        self.numeric = built;
        self.numeric.is_some()
    }

    /// Solves in place with the last factor; false without one.
    pub fn solve(&self, b: &mut [DVec3]) -> bool {
        let Some(numeric) = &self.numeric else { return false };
        let mut flat: Vec<f64> = b.iter().flat_map(DVec3::to_array).collect();
        let rows = flat.len();
        numeric.solve_in_place(MatMut::from_column_major_slice_mut(&mut flat, rows, 1));
        for (row, values) in b.iter_mut().zip(flat.chunks_exact(3)) {
            *row = DVec3::from_slice(values);
        }
        flat.iter().all(|value| value.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::{super::matrix::tests::chain, *};

    #[test]
    fn the_factor_solves_what_times_multiplies() {
        let matrix = chain();
        let x = [DVec3::new(1.0, -2.0, 0.5), DVec3::new(0.3, 0.1, -4.0), DVec3::new(7.0, 0.0, 1.0)];
        let mut b = [DVec3::ZERO; 3];
        matrix.times(&x, &mut b);
        let mut factor = Factor::new(&matrix).expect("a pattern");
        assert!(factor.factor(&matrix) && factor.solve(&mut b));
        for (x, b) in x.iter().zip(b) {
            assert!((*x - b).length() < 1e-14 * x.length(), "{x} against {b}");
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        let mut matrix = chain();
        matrix.add(1, 1, DMat3::from_diagonal(DVec3::splat(-9.0)));
        let mut factor = Factor::new(&matrix).expect("a pattern");
        assert!(!factor.factor(&matrix));
        assert!(!factor.solve(&mut [DVec3::ZERO; 3]));
    }
}
