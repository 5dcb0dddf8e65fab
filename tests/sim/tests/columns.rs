//! Rows that lie in strides run in columns, with the bits of rows that are gathered.

use sim_tests::{Host, cloth, solvers, state::Blueprint};

const FRAMES: usize = if cfg!(miri) { 1 } else { 4 };

/// Without colliders positions stay in columns from substep to substep.
fn free(columns: u32, rows: u32) -> Blueprint {
    let mut blueprint = cloth(columns, rows);
    blueprint.tables.retain(|table| table.name != "collider");
    blueprint
}

fn after(mut host: Host) -> String {
    (0..FRAMES).for_each(|_| host.step().expect("a step"));
    host.hash()
}

fn strides(host: &Host) -> usize {
    host.state.table("stride").map_or(0, |table| table.rows)
}

#[test]
fn columns_have_the_bits_of_gathered_rows() {
    let (widths, solvers): (&[u32], &[&str]) = if cfg!(miri) {
        (&[21], &["xpbd"])
    } else {
        (&[20, 21, 32, 37, 64, 66, 71], &["xpbd", "pbd_gauss_seidel", "verlet"])
    };
    for &width in widths {
        for (blueprint, what) in [(free(width, 28), "free"), (cloth(width, 28), "on a ball")] {
            for solver in solvers {
                let host = Host::new(&blueprint, solver).shortened();
                assert!(strides(&host) > 0, "{width} wide has strides");
                // Miri looks for memory that is not a column's; comparing bits takes it a quarter of an hour.
                if cfg!(miri) {
                    after(host);
                    return;
                }
                let gathered = Host::new(&blueprint, solver).shortened().without_strides();
                assert_eq!(after(host), after(gathered), "{solver}, {width} wide, {what}");
            }
        }
    }
}

#[test]
fn threads_do_not_touch_the_bits() {
    if cfg!(miri) {
        return;
    }
    for (columns, rows) in [(90, 40), (33, 220)] {
        let blueprint = free(columns, rows);
        let host = || Host::new(&blueprint, "xpbd").shortened();
        let one = after(host());
        for threads in [2, 3] {
            assert_eq!(after(host().threads(threads)), one, "{columns} x {rows}, {threads} threads");
        }
        assert_eq!(after(host().without_strides()), one, "{columns} x {rows}");
    }
}

#[test]
fn no_solver_minds_strides() {
    if cfg!(miri) {
        return;
    }
    for solver in solvers() {
        let host = Host::new(&cloth(24, 28), solver).shortened();
        let gathered = Host::new(&cloth(24, 28), solver).shortened().without_strides();
        assert_eq!(after(host), after(gathered), "{solver}");
    }
}
