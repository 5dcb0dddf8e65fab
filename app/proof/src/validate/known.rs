//! The numbers that solvers are known to miss, and why. What they measured is in `known_failures.csv`.

/// Numbers that a solver is known to miss.
pub(super) struct Known {
    pub case: &'static str,
    pub solvers: &'static [&'static str],
    /// What the case says of the number, all of it; `quick` or `full` is always said.
    pub when: &'static [&'static str],
    pub why: &'static str,
}

/// In the order of the cases; the first that fits holds.
pub(super) const KNOWN: &[Known] = &[
    Known {
        case: "V2",
        solvers: &["implicit_jacobi"],
        when: &["1 to 8 iterations"],
        why: "a single iteration takes two thirds of its step, or stiff rows between free particles would gain energy",
    },
    Known {
        case: "V2",
        solvers: &["implicit_chebyshev"],
        when: &["1 to 8 iterations"],
        why: "the first few accelerated iterations swing about the solution",
    },
    Known {
        case: "V3",
        solvers: &["pbd_jacobi"],
        when: &["falling", "1e-8 m/N", "100 iterations"],
        why: "averaged iterations need some more than 100 for 20 links",
    },
    Known { case: "V3", solvers: &["baraff_witkin"], when: &["falling", "1e-8 m/N"], why: LINK_THAT_TURNS },
    Known {
        case: "V3",
        solvers: &["baraff_witkin"],
        when: &["falling", "1000 iterations"],
        why: LINK_THAT_TURNS,
    },
    Known {
        case: "V3",
        solvers: &["implicit_newton"],
        when: &["falling", "1e-8 m/N", "100 iterations"],
        why: FORCE_OF_POSITIONS,
    },
    Known {
        case: "V3",
        solvers: &["implicit_newton"],
        when: &["falling", "1e-8 m/N", "1000 iterations"],
        why: FORCE_OF_POSITIONS,
    },
    Known {
        case: "V3",
        solvers: &["projective_dynamics"],
        when: &["falling", "1e-8 m/N"],
        why: FORCE_OF_POSITIONS,
    },
    Known {
        case: "V3",
        solvers: &["implicit_jacobi", "implicit_chebyshev", "vbd"],
        when: &["falling", "1e-8 m/N"],
        why: "links of k h²/m = 28,000 need far more iterations, and f32 cannot show their stretch of 2 um",
    },
    Known { case: "V4", solvers: &["implicit_jacobi", "vbd"], when: &[], why: DRAG },
    // 32 x 32 particles are few enough for accelerated iterations.
    Known { case: "V4", solvers: &["implicit_chebyshev"], when: &["full"], why: DRAG },
    // On the smaller mesh it converges to 0.8 %.
    Known {
        case: "V5",
        solvers: &["xpbd"],
        when: &["1000 iterations", "full"],
        why: "more iterations stop at 5 % (at 2 % with steps of 2 ms): what a row pulls is added up along directions that turn \
              under way (eq. 11 of the paper leaves that out), where the implicit step has those at its end",
    },
    Known {
        case: "V5",
        solvers: &["baraff_witkin"],
        when: &["20 iterations", "full"],
        why: "20 iterations of conjugate gradients do not solve the system of 40 columns; more do: 0.7 %",
    },
    Known {
        case: "V5",
        solvers: &["xpbd", "implicit_jacobi", "implicit_chebyshev", "vbd"],
        when: &["20 iterations"],
        why: "20 iterations do not carry the clamp's hold over 40 columns: what is left undone lets the strip fall",
    },
    Known {
        case: "V9",
        solvers: &["implicit_jacobi"],
        when: &["cantilever_40"],
        why: "2,000 iterations a frame do not converge on hinges of 5 mm; accelerated ones do (implicit_chebyshev, 5,600)",
    },
    Known { case: "V10", solvers: &["xpbd", "explicit"], when: &["drape_wool"], why: FOLDS },
    Known { case: "V10", solvers: &["projective_dynamics"], when: &["drape_wool", "15 rings"], why: FOLDS },
    Known {
        case: "V12",
        solvers: &["pbd_jacobi", "pbd_sor"],
        when: &[],
        why: "one averaged iteration a substep moves a correction by one row only",
    },
    // The quick ones have 40 substeps there.
    Known {
        case: "V13",
        solvers: &["implicit_chebyshev"],
        when: &["apart", "1000 m up"],
        why: "positions 1000 m up are rounded by 0.06 mm, which pulls at its rows",
    },
    Known {
        case: "V13",
        solvers: &["baraff_witkin"],
        when: &["turning rod"],
        why: "one linear step loses 1 + k h²/m times as much",
    },
    Known { case: "V16", solvers: &["xpbd"], when: &["weight"], why: LIMP },
    Known { case: "V16", solvers: &["vbd"], when: &["heavy"], why: LIMP },
    Known {
        case: "V16",
        solvers: &["vbd"],
        when: &["chain"],
        why: "what 256 iterations leave undone over 32 links acts as inertia",
    },
    Known {
        case: "V16",
        solvers: &["follow_the_leader"],
        when: &["catenary"],
        why: "it keeps lengths from the root on: the last segment takes what is left",
    },
    Known {
        case: "V16",
        solvers: &["verlet"],
        when: &["catenary"],
        why: "what ten iterations leave of the lengths makes it longer",
    },
    Known { case: "V18", solvers: &["xpbd"], when: &["stable"], why: BENT_BY_TURNS },
    Known { case: "V18", solvers: &["vbd"], when: &["buckled on a device", "1"], why: SLOW_TO_LEAVE },
    Known { case: "V18", solvers: &["vbd"], when: &["buckled on a device", "2/3"], why: SLOW_TO_LEAVE },
    Known {
        case: "V19",
        solvers: &["projective_dynamics"],
        when: &["stretch", "on cloth"],
        why: "what its iterations leave of the way of the hem within a frame",
    },
    Known {
        case: "V19",
        solvers: &["projective_dynamics"],
        when: &["stretch", "another time"],
        why: "its iterations do not meet the next jerk before the last is over",
    },
    Known {
        case: "V19",
        solvers: &[
            "xpbd",
            "pbd_gauss_seidel",
            "pbd_jacobi",
            "pbd_sor",
            "implicit_jacobi",
            "implicit_chebyshev",
            "verlet",
            "vbd",
        ],
        when: &["stretch"],
        why: "the iterations of its defaults do not bring a jerk of the root along real hair within a frame",
    },
    Known { case: "V19", solvers: &["implicit_newton", "baraff_witkin"], when: &["shaken"], why: WHIP },
    Known { case: "V19", solvers: &["baraff_witkin"], when: &["another time"], why: WHIP },
    Known {
        case: "V19",
        solvers: &["implicit_jacobi"],
        when: &["thrown on a device"],
        why: "roundings of places elsewhere, which are more there: each table of an iteration moves particles by itself",
    },
    Known {
        case: "V19",
        solvers: &["explicit"],
        when: &["stretch"],
        why: "the cap on its stiffness makes springs of the segments",
    },
    Known {
        case: "V20",
        solvers: &["implicit_jacobi", "implicit_chebyshev"],
        when: &["alone"],
        why: "what its iterations leave of segments so stiff has a sum",
    },
    Known {
        case: "V20",
        solvers: &["vbd"],
        when: &["alone"],
        why: "2,400 substeps a second, each of which rounds all positions",
    },
    Known {
        case: "V20",
        solvers: &["implicit_chebyshev"],
        when: &["together"],
        why: "what accelerated iterations leave has a sum",
    },
    Known { case: "V22", solvers: &["xpbd", "vbd"], when: &["weight"], why: LIMP },
    Known { case: "V22", solvers: &["xpbd", "vbd"], when: &["curls"], why: LIMP },
    Known { case: "V20", solvers: &["follow_the_leader"], when: &["alone"], why: LED },
    Known { case: "V20", solvers: &["follow_the_leader"], when: &["together"], why: LED },
    Known {
        case: "V20",
        solvers: &["vbd"],
        when: &["on cloth"],
        why: "its sweeps do not bring all that a strand pulls to its root within a step",
    },
    Known { case: "V21", solvers: &["xpbd"], when: &[], why: BENT_BY_TURNS },
    Known {
        case: "V23",
        solvers: &["implicit_jacobi"],
        when: &["1.03"],
        why: "100 iterations do not carry the pull of so heavy ends over the support: it sticks",
    },
    Known {
        case: "V24",
        solvers: &["baraff_witkin"],
        when: &["pendulum"],
        why: "one linear step a substep makes the row longer as it turns, and takes it back along another direction",
    },
    Known {
        case: "V24",
        solvers: &["implicit_jacobi", "vbd"],
        when: &["chain", "its own iterations"],
        why: "what so few iterations leave undone over 20 rigid rows acts as inertia; 50 are right",
    },
    Known { case: "V26", solvers: &["xpbd", "vbd"], when: &[], why: LIMP },
    Known { case: "V27", solvers: &["xpbd", "verlet", "vbd"], when: &["1/60 s"], why: HEAVY },
    Known { case: "V27", solvers: &["xpbd", "verlet", "vbd"], when: &["pace", "1/240 s"], why: HEAVY },
    Known { case: "V27", solvers: &["verlet", "vbd"], when: &["decay", "1/240 s"], why: HEAVY },
    Known { case: "V27", solvers: &["vbd"], when: &["pace", "1/600 s"], why: HEAVY },
];

const HEAVY: &str = "what its iterations leave undone over 32 links acts as inertia";
const BENT_BY_TURNS: &str = "sweeps that are not done bend and twist by turns too much and too little";
const SLOW_TO_LEAVE: &str =
    "what 256 iterations leave undone acts as inertia: it leaves its plane, too slowly";
const LED: &str = "what hangs behind a particle is moved as if it weighed nothing";

const WHIP: &str =
    "a tip that cracks as a whip does turns too far in a tenth of a frame for a linear system or four";

const LIMP: &str = "sweeps over stiff segments do not bring the weight of a hair along it within a frame";

const LINK_THAT_TURNS: &str =
    "one linear step stretches a link that turns, and the link's stiffness makes a force of it";
const FORCE_OF_POSITIONS: &str = "a force that is worked out from positions: 200 N stretch a link by 2 um, the last place of a \
                                  position 20 m away in f32";
const FOLDS: &str = "soft wool rests in one of several numbers of folds, and which one depends on how much the solver damps the \
                     way there";
const DRAG: &str = "what 20 iterations leave undone over so many rows acts as drag";
