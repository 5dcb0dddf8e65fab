//! The list of cases, and which solvers each says anything about.

use sim_api::{Kind, SolverDesc};

use super::{
    Case, Miss, Trial, capstan, chain, chebyshev, crossed, curls, held_ends, incline, inextensible,
    invariants, iterations, jerked, loaded, oscillator, pace, plate, rings, rods, scenes, slivers,
    stable_step, strand_momentum, stvk, swings,
};

pub const CASES: &[Case] = &[
    Case {
        name: "V1",
        doc: "largest stable step of explicit integrators on 12 springs",
        applies: |solver| solver.kind == Kind::Explicit,
        omitted: "the others have no largest step",
        on_device: true,
        run: stable_step::run,
    },
    Case {
        name: "V2",
        doc: "oscillator: amplitude and period",
        applies: any,
        omitted: "",
        on_device: true,
        run: oscillator::run,
    },
    Case {
        name: "V3",
        doc: "force at the top of a chain",
        // Springs of 1e8 N/m have no explicit step worth taking.
        applies: any,
        omitted: "",
        on_device: false,
        run: chain::run,
    },
    Case {
        name: "V4",
        doc: "stiffness does not depend on iterations",
        applies: any,
        omitted: "it has no iterations",
        on_device: true,
        run: iterations::run,
    },
    Case {
        name: "V5",
        doc: "StVK cantilever against the oracle",
        applies: |solver| any(solver) && solver.kind != Kind::Explicit && solver.reads_compliance(),
        omitted: "PBD has shares of an error and no StVK stiffness; explicit integration would need some 10,000 steps a frame",
        on_device: false,
        run: stvk::run,
    },
    Case {
        name: "V7",
        doc: "Chebyshev acceleration of Jacobi iterations",
        applies: |solver| solver.gives(chebyshev::GIVEN_UP),
        omitted: "they do not accelerate Jacobi iterations",
        on_device: false,
        run: chebyshev::run,
    },
    Case {
        name: "V8",
        doc: "catenary: sag and tension",
        applies: any,
        omitted: "",
        on_device: true,
        run: scenes::catenary,
    },
    Case {
        name: "V9",
        doc: "fabric cantilever: heavy elastica",
        applies: any,
        omitted: "",
        on_device: false,
        run: scenes::cantilever,
    },
    Case {
        name: "V10",
        doc: "drape coefficient of the presets",
        applies: any,
        omitted: DRAPE,
        on_device: false,
        run: scenes::drape,
    },
    Case {
        name: "V12",
        doc: "inextensible cloth: stretch",
        applies: any,
        omitted: "",
        on_device: false,
        run: inextensible::run,
    },
    Case {
        name: "V13",
        doc: "momentum, free fall, rigid rotation",
        applies: any,
        omitted: "",
        on_device: true,
        run: invariants::run,
    },
    Case {
        name: "V15",
        doc: "contact: incline, bounce, fast particles, crossed sheets",
        applies: any,
        omitted: "",
        on_device: false,
        run: contact,
    },
    Case {
        name: "V16",
        doc: "strands with frames: heavy and swinging hair, hanging chain, curl",
        applies: framed,
        omitted: "they have no frames; how hair bends with them is in `tests/topics/strands.rs`",
        on_device: true,
        run: rods::run,
    },
    Case {
        name: "V17",
        doc: "balloon: its gas takes the volume that it wants",
        applies: any,
        omitted: "",
        on_device: false,
        run: scenes::balloon,
    },
    Case {
        name: "V18",
        doc: "twisted rings: Michell's limit",
        applies: |_| true,
        omitted: "",
        on_device: true,
        run: rings::run,
    },
    Case {
        name: "V19",
        doc: "strands whose roots jerk and jump: stretch in any frame",
        applies: |_| true,
        omitted: "",
        on_device: true,
        run: jerked::run,
    },
    Case {
        name: "V20",
        doc: "momentum of strands: alone, through their grid, on free cloth",
        applies: |_| true,
        omitted: "",
        on_device: true,
        run: strand_momentum::run,
    },
    Case {
        name: "V21",
        doc: "rods held at both ends: bending and twist are even, and the moment at the root",
        applies: |_| true,
        omitted: "",
        on_device: true,
        run: held_ends::run,
    },
    Case {
        name: "V22",
        doc: "strands: a weight at the tip, curls combed at rest, what follows its leader",
        applies: framed,
        omitted: "they have no frames; how hair bends with them is in `tests/topics/strands.rs`",
        on_device: true,
        run: loaded::run,
    },
    Case {
        name: "V23",
        doc: "belt over a round support: Euler's and Eytelwein's limit",
        applies: any,
        omitted: "",
        on_device: false,
        run: capstan::run,
    },
    Case {
        name: "V24",
        doc: "100 substeps: rigid pendulum and hanging chain",
        applies: any,
        omitted: "",
        on_device: false,
        run: swings::run,
    },
    Case {
        name: "V25",
        doc: "slivers: the fastest of what hangs on them",
        applies: any,
        omitted: "",
        on_device: true,
        run: slivers::run,
    },
    Case {
        name: "V26",
        doc: "curls: a helix under its weight, as a spring, and combed at rest",
        applies: |_| true,
        omitted: "",
        on_device: true,
        run: curls::run,
    },
    Case {
        name: "V27",
        doc: "strands: pace and decay of a hanging chain by the length of the step",
        applies: framed,
        omitted: "they have no frames; V24 has a hanging chain of theirs",
        on_device: true,
        run: pace::run,
    },
];

/// V15.
fn contact(trial: &mut Trial) -> Result<(), Miss> {
    incline::run(trial)?;
    plate::run(trial)?;
    crossed::run(trial)
}

const DRAPE: &str = "the scenes say so (`except`): the bending of PBD is no rigidity, what it does there is by chance; the \
                     others were not run to rest, which takes minutes for each";

/// Those for strands move cloth as others do.
fn any(solver: &SolverDesc) -> bool {
    !solver.for_strands
}

/// Whether strands are rods to it, or its only concern.
fn framed(solver: &SolverDesc) -> bool {
    solver.taken("segment").is_some()
}
