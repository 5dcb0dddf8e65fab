//! A sparse Cholesky factor, lent by the host: matrices stay there between steps, the hot code keeps nothing.
//!
//! The matrix is one scalar row for each particle, the same for x, y and z:
//! A = diag(d) + sum over rows r of k_r w_r w_rᵀ, where w_r has one weight for each corner of the row (two such of a triangle).

use std::{ffi::c_void, marker::PhantomData};

/// Squares k |sum of w x|² / 2 of one constraint table, as terms of a matrix.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Squares<'a> {
    idx: *const u32,
    corners: usize,
    rows: usize,
    /// Null: the weights of all rows are -1, +1. Of three corners: inverses of the rest edges, see [`Squares::triangles`].
    weights: *const [f32; 4],
    stiffness: *const f32,
    lifetime: PhantomData<&'a [f32]>,
}

// SAFETY: shared slices of plain numbers.
unsafe impl Sync for Squares<'_> {}

impl<'a> Squares<'a> {
    /// Differences x1 - x0, with `stiffness` [N/m].
    pub fn pairs(idx: &'a [[u32; 2]], stiffness: &'a [f32]) -> Self {
        Self::new(idx.as_flattened(), 2, std::ptr::null(), stiffness)
    }

    /// Weighted sums over four corners; `stiffness` times the weights' unit squared is [N/m].
    pub fn quads(idx: &'a [[u32; 4]], weights: &'a [[f32; 4]], stiffness: &'a [f32]) -> Self {
        assert_eq!(weights.len(), stiffness.len(), "columns of one table have the same number of rows");
        Self::new(idx.as_flattened(), 4, weights.as_ptr(), stiffness)
    }

    /// Both columns of the deformation gradient of triangles, F = [x1 - x0, x2 - x0] B with the inverse B of their rest edges
    /// by columns [1/m]; `stiffness` [N m].
    pub fn triangles(idx: &'a [[u32; 3]], inverse_rest: &'a [[f32; 4]], stiffness: &'a [f32]) -> Self {
        assert_eq!(inverse_rest.len(), stiffness.len(), "columns of one table have the same number of rows");
        Self::new(idx.as_flattened(), 3, inverse_rest.as_ptr(), stiffness)
    }

    fn new(idx: &'a [u32], corners: usize, weights: *const [f32; 4], stiffness: &'a [f32]) -> Self {
        assert_eq!(idx.len(), corners * stiffness.len(), "columns of one table have the same number of rows");
        let (idx, stiffness, rows) = (idx.as_ptr(), stiffness.as_ptr(), stiffness.len());
        Self { idx, corners, rows, weights, stiffness, lifetime: PhantomData }
    }

    /// The particles of all rows, one row after another.
    pub fn idx(&self) -> &'a [u32] {
        // SAFETY: `new` took a slice of this length.
        unsafe { std::slice::from_raw_parts(self.idx, self.corners * self.rows) }
    }

    /// Particles in a row.
    pub fn corners(&self) -> usize {
        self.corners
    }

    /// The weights w, by corners, of the sums that row `i` of the table squares: one, of a triangle two.
    pub fn sums(&self, i: usize) -> impl Iterator<Item = [f32; 4]> + use<> {
        let sums = match self.weights().map(|weights| weights[i]) {
            None => [Some([-1.0, 1.0, 0.0, 0.0]), None],
            Some([a, b, c, d]) if self.corners == 3 => {
                [Some([-(a + b), a, b, 0.0]), Some([-(c + d), c, d, 0.0])]
            }
            Some(weights) => [Some(weights), None],
        };
        sums.into_iter().flatten()
    }

    /// What stands for the weights in memory: a row for each row of the table, or `None` where all are -1, +1.
    pub fn weights(&self) -> Option<&'a [[f32; 4]]> {
        // SAFETY: `quads` and `triangles` took a slice of this length.
        (!self.weights.is_null()).then(|| unsafe { std::slice::from_raw_parts(self.weights, self.rows) })
    }

    pub fn stiffness(&self) -> &'a [f32] {
        // SAFETY: `new` took a slice of this length.
        unsafe { std::slice::from_raw_parts(self.stiffness, self.rows) }
    }
}

/// What became of a call for a factor.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Factored {
    /// The factor there is belongs to this very matrix.
    Kept = 0,
    /// The matrix is another one: it was factored.
    Made = 1,
    /// There is no factor. The host knows why and will not count this step: return without changing anything.
    Refused = 2,
}

/// The host's factorisation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FactorService {
    context: *mut c_void,
    /// `make(context, diagonal, particles, squares, count)`
    make: unsafe extern "C" fn(*mut c_void, *const f32, usize, *const Squares, usize) -> Factored,
    /// `solve(context, right-hand side, particles)`
    solve: unsafe extern "C" fn(*mut c_void, *mut [f32; 4], usize),
}

impl FactorService {
    /// # Safety
    /// Both functions may be called with this context and slices of any content, as long as the frame is used.
    pub unsafe fn new(
        context: *mut c_void,
        make: unsafe extern "C" fn(*mut c_void, *const f32, usize, *const Squares, usize) -> Factored,
        solve: unsafe extern "C" fn(*mut c_void, *mut [f32; 4], usize),
    ) -> Self {
        Self { context, make, solve }
    }

    /// Makes sure that the host has the factor of this matrix; the same matrix as before costs one pass over it.
    ///
    /// `diagonal` [N/m], one for each particle; 0 takes a particle out of the unknowns.
    pub fn make(&self, diagonal: &[f32], squares: &[Squares]) -> Factored {
        // SAFETY: the host vouches for the function and its context; the slices outlive the call.
        unsafe {
            (self.make)(self.context, diagonal.as_ptr(), diagonal.len(), squares.as_ptr(), squares.len())
        }
    }

    /// Replaces xyz of each row by the solution of A x = row, for the matrix of the last [`FactorService::make`];
    /// w becomes 0, and so do particles that are no unknowns. The same bits for every number of threads.
    pub fn solve(&self, rows: &mut [[f32; 4]]) {
        // SAFETY: as above.
        unsafe { (self.solve)(self.context, rows.as_mut_ptr(), rows.len()) }
    }
}

layout! {
    Squares<'static> { idx, corners, rows, weights, stiffness, lifetime }
    FactorService { context, make, solve }
}
