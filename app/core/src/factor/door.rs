//! Factors for the hot code: what it calls through [`sim_api::FactorService`].

use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

use sim_api::{FactorService, Factored, Par, Squares};

use super::Factorizations;

/// Behind `FactorService::context`.
pub struct Context<'a> {
    factor: &'a mut Factorizations,
    par: Par,
    /// Why a factor was refused in this step.
    pub refusal: Option<String>,
}

impl<'a> Context<'a> {
    pub fn new(factor: &'a mut Factorizations, par: Par) -> Self {
        Self { factor, par, refusal: None }
    }

    /// What a frame lends to the hot code. It points to `self`, which must stay in place as long as the frame is used.
    pub fn service(&mut self) -> FactorService {
        // SAFETY: the functions are those below, and the context is what they expect.
        unsafe { FactorService::new((&raw mut *self).cast(), make, solve) }
    }
}

/// `FactorService::make`.
unsafe extern "C" fn make(
    context: *mut c_void,
    diagonal: *const f32,
    particles: usize,
    squares: *const Squares,
    count: usize,
) -> Factored {
    // SAFETY: the context is the one of this call; the slices are `FactorService::make`'s.
    let (context, diagonal, squares) = unsafe {
        (
            &mut *context.cast::<Context>(),
            std::slice::from_raw_parts(diagonal, particles),
            std::slice::from_raw_parts(squares, count),
        )
    };
    // The host's own work on a large matrix may take long, and it ends.
    let _untimed = crate::pulse::untimed();
    let made = within(|| context.factor.make(&context.par, diagonal, squares));
    made.unwrap_or_else(|why| {
        context.refusal = Some(why);
        Factored::Refused
    })
}

/// `FactorService::solve`.
unsafe extern "C" fn solve(context: *mut c_void, rows: *mut [f32; 4], particles: usize) {
    // SAFETY: as in `make`.
    let (context, rows) =
        unsafe { (&mut *context.cast::<Context>(), std::slice::from_raw_parts_mut(rows, particles)) };
    if let Err(why) = within(|| context.factor.solve(&context.par, rows)) {
        context.refusal = Some(why);
    }
}

/// A panic of the host's own work, as an error: nothing may unwind into the hot code.
fn within<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let panicked = |_| Err("the program's own factorisation panicked".to_string());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked)
}
