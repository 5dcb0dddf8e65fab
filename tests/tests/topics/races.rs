//! What would write a row from two threads is found before it runs: colours of other rows, colours that do not hold, and
//! particles that read their own colour.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sim::lanes::{
    self, Kernel, Lanes, Point, Rows, V3,
    lost::Lost,
    vertex::{self, Around, VertexKernel},
};
use sim_api::{Colors, Column, ColumnView, Par};

struct Nothing;

impl<const N: usize> Kernel<N> for Nothing {
    fn project<L: Lanes>(&self, _: &Rows<N>, _: [Point<L>; N]) -> [V3<L>; N] {
        [V3::zero(); N]
    }
}

fn view<T: Column>(rows: &[T]) -> ColumnView {
    ColumnView { data: rows.as_ptr().cast_mut().cast(), rows: rows.len(), element: T::ELEMENT }
}

/// What the panic of `work` says; empty if it ends well.
fn says(work: impl FnOnce()) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(work)) else { return String::new() };
    panic
        .downcast::<String>()
        .map_or_else(|panic| panic.downcast::<&str>().unwrap().to_string(), |text| *text)
}

/// Sweeps `rows` with the colours of the column `of`, which end at `ends`.
fn sweep<const N: usize, T: Column>(rows: &[[u32; N]], of: &[T], ends: &[u32], particles: usize) -> String {
    let of = view(of);
    // SAFETY: on one thread nothing can race.
    let colors = unsafe { Colors::new(ends, rows.len(), Some(&of), particles) };
    let mut position = vec![[0.0; 4]; particles];
    says(|| lanes::project(&Par::serial(), colors, rows, &mut position, &Nothing))
}

#[test]
fn colours_of_other_rows_are_refused() {
    let (rows, others) = ([[0_u32, 1], [2, 3]], [[0_u32, 1], [2, 3]]);
    assert_eq!(sweep(&rows, &rows, &[2], 4), "");
    let refused = "the colours are those of another table than the rows";
    assert_eq!(sweep(&rows, &others, &[2], 4), refused);
    // The same memory cut into other rows.
    let (singles, _) = rows.as_flattened().as_chunks::<1>();
    assert_eq!(sweep(singles, &rows, &[2], 4), refused);
}

#[test]
fn a_particle_that_is_twice_in_a_colour_is_found() {
    let far = 200_000;
    for (rows, particle) in
        [([[0_u32, 1], [1, 2]], 1), ([[7, 70_000], [far, 70_000]], 70_000), ([[9, far], [far, 8]], far)]
    {
        let text = format!("race: two rows of one colour have particle {particle}");
        assert_eq!(sweep(&rows, &rows, &[2], far as usize + 1), text);
        assert_eq!(sweep(&rows, &rows, &[1, 2], far as usize + 1), "", "a colour each");
        assert_eq!(sweep(&rows, &rows, &[], far as usize + 1), "", "one after the other");
    }
}

/// Reads the particle of the row of `other` that its own row stands at.
struct Reader;

impl VertexKernel for Reader {
    fn visit<L: Lanes>(&self, row: usize, x: Point<L>, around: &Around) -> V3<L> {
        // SAFETY: on one thread nothing can race.
        let other = unsafe { around.other::<L>(row) };
        other.x - x.x
    }
}

#[test]
fn a_particle_that_reads_its_own_colour_is_found() {
    let descend = |particles: &[u32], other: &[u32], ends: &[u32]| {
        let of = view(particles);
        // SAFETY: on one thread nothing can race.
        let colors = unsafe { Colors::new(ends, particles.len(), Some(&of), 64) };
        let (mut position, mut lost) = (vec![[0.0; 4]; 64], vec![[0.0; 4]; particles.len()]);
        let (graph, lost) = ((colors, particles, other), Lost::new(&mut lost, 0.01));
        says(|| vertex::descend(&Par::serial(), graph, &mut position, lost, &Reader))
    };
    let particles: Vec<u32> = (0..20).collect();
    let away: Vec<u32> = (40..60).collect();
    assert_eq!(descend(&particles, &away, &[20]), "");
    assert_eq!(descend(&particles, &particles, &[20]), "", "itself, as where a strip is padded");
    // In a group of lanes, and in the rows that are left over.
    for (at, read) in [(3, 17), (18, 2)] {
        let mut other = away.clone();
        other[at] = read;
        let text = format!("race: particle {read} is read by a particle of its own colour");
        assert_eq!(descend(&particles, &other, &[20]), text);
        assert_eq!(descend(&particles, &other, &[10, 20]), "", "it has another colour");
    }
    let mut twice = particles.clone();
    twice[5] = 4;
    assert!(descend(&twice, &away, &[20]).starts_with("race: a particle is twice in a colour"));
    let (mut position, mut lost) = (vec![[0.0; 4]; 64], vec![[0.0; 4]; 20]);
    // SAFETY: on one thread nothing can race.
    let colors = unsafe { Colors::new(&[20], 20, None, 64) };
    let (graph, lost) = ((colors, &particles[..], &away[..]), Lost::new(&mut lost, 0.01));
    let refused = says(|| vertex::descend(&Par::serial(), graph, &mut position, lost, &Reader));
    assert_eq!(refused, "the colours are those of other rows than `vertex.particle`");
}
