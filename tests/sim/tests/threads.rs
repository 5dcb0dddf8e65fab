//! Every number of threads gives the same bits, on loops of several blocks. Under ThreadSanitizer (`tests/run tsan`) each pair
//! of jobs that would write one row shows as well.

use sim_tests::{Host, cloth, solvers};

/// More particles than four blocks of 1,024: the loops over particles, and over the rows of a colour, are cut.
const SIZE: [u32; 2] = [67, 63];

fn after(solver: &str, threads: usize) -> String {
    let mut host = Host::new(&cloth(SIZE[0], SIZE[1]), solver).threads(threads).shortened();
    host.step().unwrap_or_else(|e| panic!("{solver}: {e}"));
    host.hash()
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    if cfg!(miri) {
        return;
    }
    for solver in solvers() {
        let one = after(solver, 1);
        for threads in [2, 8] {
            assert_eq!(after(solver, threads), one, "{solver} on {threads} threads");
        }
    }
}
