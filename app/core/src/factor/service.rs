//! What a run keeps of its last matrix, and how much of it a call has to do again.

use sim_api::{Factored, Par, Squares};
use xxhash_rust::xxh3::Xxh3;

use crate::csr::Csr;

use super::{graph::graph, numeric, numeric::Values, solve, symbolic::Symbolic, tasks::Tasks};

/// More values than this are refused (4 GiB of them).
const MOST: usize = 1 << 30;

/// The factor of a run. The bytes of the input decide what is done again, so the hot code cannot get that wrong.
#[derive(Default)]
pub struct Factorizations {
    made: Option<Made>,
    /// Patterns analysed so far.
    pub analyses: u64,
    /// Matrices factored so far.
    pub count: u64,
}

struct Made {
    /// Hash of particles and rows.
    pattern: u64,
    /// Hash of diagonal, weights and stiffnesses; `None`: there is no factor.
    values: Option<u64>,
    graph: Csr,
    symbolic: Symbolic,
    tasks: Tasks,
    factor: Values,
    diagonal: Vec<f32>,
    stretches: Vec<[f32; 4]>,
}

impl Factorizations {
    /// Forgets the factor: the rows are others now.
    pub fn clear(&mut self) {
        self.made = None;
    }

    /// Values in the factor, 0 without one.
    pub fn size(&self) -> usize {
        self.made.as_ref().map_or(0, |made| made.symbolic.size())
    }

    /// Makes sure that the factor belongs to this matrix. An error says what is wrong with it.
    pub fn make(&mut self, par: &Par, diagonal: &[f32], squares: &[Squares]) -> Result<Factored, String> {
        let pattern = hash_pattern(diagonal.len(), squares);
        if self.made.as_ref().is_none_or(|made| made.pattern != pattern) {
            self.made = None;
            self.made = Some(Made::of(pattern, diagonal.len(), squares)?);
            self.analyses += 1;
        }
        let made = self.made.as_mut().ok_or("no pattern")?;
        let values = hash_values(diagonal, squares);
        if made.values == Some(values) {
            return Ok(Factored::Kept);
        }
        made.values = None;
        check(diagonal, squares)?;
        made.diagonal.copy_from_slice(diagonal);
        let pattern = (&made.symbolic, &made.tasks);
        numeric::factor(par, &made.graph, pattern, diagonal, squares, &mut made.factor).map_err(|particle| {
            format!(
                "the matrix is not positive definite at particle {particle}: its mass or the stiffness of a row \
                 there is too small or too large for the others"
            )
        })?;
        made.values = Some(values);
        self.count += 1;
        Ok(Factored::Made)
    }

    /// Solves in place. An error says what is wrong with the call.
    pub fn solve(&mut self, par: &Par, rows: &mut [[f32; 4]]) -> Result<(), String> {
        let made = self.made.as_mut().filter(|made| made.values.is_some());
        let made = made.ok_or("`solve` before `make`: there is no factor")?;
        if rows.len() != made.diagonal.len() {
            return Err(format!("`solve` with {} rows for {} particles", rows.len(), made.diagonal.len()));
        }
        let factor = (&made.symbolic, &made.tasks, &made.factor);
        solve::solve(par, factor, &made.diagonal, &mut made.stretches, rows);
        Ok(())
    }
}

impl Made {
    fn of(pattern: u64, particles: usize, squares: &[Squares]) -> Result<Self, String> {
        let outside = |&&particle: &&u32| particle as usize >= particles;
        if let Some(particle) = squares.iter().find_map(|table| table.idx().iter().find(outside)) {
            return Err(format!("a row of the matrix names particle {particle} of {particles}"));
        }
        let graph = graph(particles, squares);
        let symbolic = Symbolic::of(&graph);
        let memory = || format!("no memory for a factor of {} values: use a coarser cloth", symbolic.size());
        if symbolic.size() > MOST {
            return Err(memory());
        }
        let factor = Values::of(&symbolic).ok_or_else(memory)?;
        let tasks = Tasks::of(&symbolic);
        let stretches = vec![[0.0; 4]; tasks.rows];
        Ok(Self {
            pattern,
            values: None,
            diagonal: vec![0.0; particles],
            graph,
            symbolic,
            tasks,
            factor,
            stretches,
        })
    }
}

fn bytes<T: Copy>(values: &[T]) -> &[u8] {
    // SAFETY: only called with f32, u32 and arrays of them: no padding, and any byte is valid.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

fn hash_pattern(particles: usize, squares: &[Squares]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&particles.to_le_bytes());
    for table in squares {
        hasher.update(&table.corners().to_le_bytes());
        hasher.update(&table.stiffness().len().to_le_bytes());
        hasher.update(bytes(table.idx()));
    }
    hasher.digest()
}

fn hash_values(diagonal: &[f32], squares: &[Squares]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(bytes(diagonal));
    for table in squares {
        hasher.update(bytes(table.stiffness()));
        hasher.update(table.weights().map_or(&[], |weights| bytes(weights)));
    }
    hasher.digest()
}

fn check(diagonal: &[f32], squares: &[Squares]) -> Result<(), String> {
    let bad = |value: &f32| !value.is_finite() || *value < 0.0;
    if let Some(particle) = diagonal.iter().position(bad) {
        return Err(format!("the matrix has {} on the diagonal of particle {particle}", diagonal[particle]));
    }
    for table in squares {
        if let Some(row) = table.stiffness().iter().position(bad) {
            let particles = &table.idx()[row * table.corners()..][..table.corners()];
            return Err(format!(
                "the row between the particles {particles:?} has the stiffness {}: check its compliance",
                table.stiffness()[row]
            ));
        }
    }
    Ok(())
}
