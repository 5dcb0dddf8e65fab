//! XPBD: extended position based dynamics, Gauss-Seidel or Jacobi, on all tables.
//!
//! Macklin, Müller, Chentanez: XPBD: Position-Based Simulation of Compliant Constrained Dynamics, 2016.
//! One iteration and many substeps is the efficient setting (Small Steps, 2019). Stiffness comes from the rows
//! alone: it does not depend on the number of iterations, because lambda is kept over them.
//!
//! Iterations do not converge to implicit Euler where gradients turn within a step: lambda is added up along what they were
//! under way (the paper drops the term in eq. 8 that would know). A strip of StVK triangles that falls in steps of 8 ms stops
//! 6 % of its length off, in steps of 2 ms 2 % (`weft validate --case V5`): more substeps mend it, more iterations do not.
//!
//! Strands are rods with frames (`kernels/strands/compliant.rs`), swept in one way whatever `order` is.

use sim_api::{Kind, ParamDesc, SolverDesc, Stiffness};

use super::Solver;
use crate::{
    coarse,
    collide::plane::{self, planes},
    constraints::{Tables, distance, multipliers},
    describe::{ALL_AND_FRAMES, ITERATIONS_USED, RESIDUAL},
    gas::gas,
    lanes::{Columns, Lanes, Point, Pull, Rows, RowsMut, V3, lost::Lost},
    momentum,
    projection::{self, Constraints, Count, Method, Models, PATCH, Projection, Residual, Sweep, Time},
    strands::{self, compliant},
    substep::{self, SUBSTEPS, Sim, Turn},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "xpbd",
        "Extended position based dynamics: compliance in m/N, coloured Gauss-Seidel.",
        &[SUBSTEPS, ITERATIONS, DAMPING, ORDER, OMEGA, coarse::SWEEPS],
    )
    .kind(Kind::Projection)
    .stiffness(Stiffness::Compliant)
    .takes(ALL_AND_FRAMES)
    .readings(&[RESIDUAL, ITERATIONS_USED]),
    step,
};

const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 1, 1000], "Sweeps over all constraints in each substep.");
const DAMPING: ParamDesc = ParamDesc::number(
    "damping",
    "s",
    [0.0, 0.0, 1.0],
    "Internal damping of every constraint as a time (eq. 26): it pulls with k (C + damping dC/dt). A rigid one then takes \
     its error back over this time.",
);
const ORDER: ParamDesc = ParamDesc::choice(
    "order",
    "coloured|jacobi|patch",
    "coloured: Gauss-Seidel, converges fastest. jacobi: all constraints at once, corrections weighted. patch: Gauss-Seidel \
     inside runs of 1,024 particles, Jacobi across them; not on the GPU path.",
);
const OMEGA: ParamDesc = ParamDesc::number(
    "omega",
    "",
    [0.1, 1.3, 2.0],
    "Relaxation weight where constraints run at once (orders jacobi and patch), over one that is \
     safe for constraints of any direction.",
)
.only("order=jacobi|patch");

#[derive(Clone, Copy)]
pub(super) struct Plan {
    iterations: usize,
    /// [s]
    damping: f32,
    order: Order,
    models: Models,
    /// Strands are swept as rods: what the sweeps over their distance rows and hinges do to them is not looked at.
    rods: bool,
    /// There is more than strands.
    cloth: bool,
    /// What positions lose of the sweeps is kept.
    keeps_lost: bool,
}

impl Plan {
    /// Sweeps by colours without damping, for a solver that has another way with strands.
    pub(super) fn sweeps(sim: &mut Sim, iterations: usize) -> Self {
        let keeps_lost = projection::keeps_lost(sim, iterations);
        let models = Models::of(&sim.par, &sim.state);
        Self {
            iterations,
            damping: 0.0,
            order: Order::Coloured,
            models,
            rods: false,
            cloth: true,
            keeps_lost,
        }
    }
}

#[derive(Clone, Copy)]
enum Order {
    Coloured,
    Jacobi,
    Patch,
}

fn step(sim: &mut Sim) {
    let iterations = sim.count(&ITERATIONS);
    let damping = sim.param(&DAMPING);
    let order = match sim.choice(&ORDER) {
        "jacobi" => Order::Jacobi,
        "patch" => Order::Patch,
        _ => Order::Coloured,
    };
    let rods = !sim.state.strand.span.is_empty();
    let cloth = strands::beside_cloth(&sim.state.particle, &sim.state.segment);
    let keeps_lost = projection::keeps_lost(sim, iterations);
    let plan = Plan {
        iterations,
        damping,
        order,
        models: Models::of(&sim.par, &sim.state),
        rods,
        cloth,
        keeps_lost,
    };
    match order {
        Order::Coloured => {}
        Order::Jacobi => write_shares(sim, damping, u32::MAX),
        Order::Patch => write_shares(sim, damping, PATCH),
    }
    let pulls = matches!(order, Order::Coloured)
        && damping == 0.0
        && !rods
        && !keeps_lost
        && projection::only_lengths(&sim.state, plan.models);
    substep::run_in_columns(sim, pulls, |sim| solve(sim, plan));
    projection::write_forces(sim);
    projection::add_forces(sim);
    sim.frame.reading(ITERATIONS_USED, (iterations * sim.count(&SUBSTEPS)) as f32);
}

/// Puts what each particle allows its rows into w of `particle.correction`: omega over their number, at most 1.
///
/// A compliant row counts as the part W / (W + alpha~) of a rigid one, W the inverse masses of its ends. All rows together
/// then do at most omega times what one rigid row does, whatever their directions (Cauchy-Schwarz, row by row): iterations
/// converge below 2. A single iteration in each substep is a spring that acts where the particle is going to be, and
/// that is stable up to h2 k/m = 4/3: below it omega is safe for any cloth, above it only where rows at a particle pull
/// different ways. Measured on W: mean |stretch| at n = 64, 20 x 1, over frames 180 to 300: 0.072, 0.060, 0.059 and 0.042
/// at omega 1, 1.33, 1.5 and 2 (coloured: 0.013); NaN at 3, and on 1,024 x 1,024 particles, which crumple, at 2.
fn write_shares(sim: &mut Sim, damping: f32, patch: u32) {
    let (omega, h) = (sim.param(&OMEGA), sim.frame.dt / sim.count(&SUBSTEPS) as f32);
    projection::count_rows(
        &sim.par,
        &mut sim.state,
        patch,
        Count::Compliant { per_h2: 1.0 / (h * h), gamma: damping / h },
    );
    let particle = &mut sim.state.particle;
    for (row, x) in particle.correction.iter_mut().zip(&*particle.position) {
        // What does not move gives way to all.
        row[3] = if x[3] > 0.0 { (omega / row[3]).min(1.0) } else { 1.0 };
    }
}

pub(super) fn solve(sim: &mut Sim, plan: Plan) {
    plane::find(sim);
    // A single iteration begins at 0 and nobody reads what it ends at, but for the last one of the frame.
    let keeps_lambda = plan.iterations > 1 || sim.in_last_substep();
    let residual = Residual::start(sim, true);
    if plan.cloth {
        sweep(sim, plan, keeps_lambda);
    }
    if plan.rods {
        compliant::run(sim, compliant::Plan { iterations: plan.iterations, damping: plan.damping });
    }
    if let Some(residual) = residual {
        if plan.rods {
            strands::tell_pulls(sim);
        }
        residual.end(sim);
    }
    momentum::keep(sim, momentum::Of::Balloons);
}

/// All rows but those of rods.
fn sweep(sim: &mut Sim, plan: Plan, keeps_lambda: bool) {
    coarse::correct(sim, true);
    let turn = Turn::take(sim);
    let (par, tables, state) = (&sim.par, Tables::of(&sim.state), &mut sim.state);
    let mut planes = planes!(state);
    let time = Time { h: sim.h, damping: plan.damping, previous: state.particle.previous };
    let mut gas = gas!(state);
    gas.begin();
    let mut constraints = Constraints {
        method: Method::Compliant(time),
        models: plan.models,
        tables,
        multipliers: multipliers!(state),
        still: state.particle.inertial,
    };
    constraints.begin();
    let (position, correction) = (&mut *state.particle.position, &mut *state.particle.correction);
    let turn = turn.map(|turn| turn.in_air(state.particle.normal, state.particle.air));
    let mut columns = Columns::new(&mut state.particle.columns, &state.stride)
        .stay(sim.positions, turn.as_ref().map(|turn| turn as _));
    let mut lost = plan.keeps_lost.then(|| Lost::new(state.particle.lost, sim.h));
    // In the order `patch` two sweeps add to it.
    let grows = keeps_lambda && !matches!(plan.order, Order::Coloured);
    if grows {
        par.fill(&mut *constraints.multipliers.distance.lambda, 0.0);
    }
    let mut first = !grows;
    let mut each = |sweep: &mut Sweep| {
        let rows = &tables.distance;
        let lambda = &mut *constraints.multipliers.distance.lambda;
        let springs = Springs {
            rest: rows.rest,
            compliance: rows.compliance,
            lambda: keeps_lambda.then(|| Multipliers { rows: RowsMut::new(lambda), first }),
            per_h2: 1.0 / (time.h * time.h),
            time,
        };
        if time.damping > 0.0 {
            sweep.project::<Damped, 2>(rows.colors, rows.idx, &Damped(&springs));
        } else {
            sweep.pull(rows.colors, rows.idx, &springs);
        }
        first = false;
        constraints.project(sweep);
    };
    for _ in 0..plan.iterations {
        planes.hold(par, position);
        match plan.order {
            Order::Coloured => projection::coloured(par, position, &mut columns, &mut lost, &mut each),
            Order::Jacobi => projection::averaged(par, position, correction, &mut lost, &mut each),
            Order::Patch => projection::patches(par, position, correction, &mut lost, &mut each),
        }
        gas.project(par, position, 1.0 / (sim.h * sim.h));
    }
}

/// The distance rows.
#[derive(Clone, Copy)]
struct Springs<'a> {
    rest: &'a [f32],
    compliance: &'a [f32],
    /// `None`: it is 0 before the only iteration, and nobody reads what it is then.
    lambda: Option<Multipliers<'a>>,
    /// 1/h² [1/s2]
    per_h2: f32,
    time: Time<'a>,
}

/// Lambda of the rows in this substep.
#[derive(Clone, Copy)]
struct Multipliers<'a> {
    rows: RowsMut<'a>,
    /// It is 0, and what the column holds is old.
    first: bool,
}

impl Multipliers<'_> {
    #[inline(always)]
    fn load<L: Lanes>(&self, rows: &Rows<2>) -> L {
        if self.first { L::from_f32(0.0) } else { self.rows.load(rows) }
    }
}

impl Springs<'_> {
    /// Scales of [`distance::pull`]; lambda grows by `share` of what it would.
    #[inline(always)]
    fn scales<L: Lanes>(&self, rows: &Rows<2>, of: [L; 2], square: L, w: [L; 2], share: L) -> [L; 2] {
        let [rest, alpha] = of;
        let Some(column) = self.lambda else { return distance::pull(square, w, rest, alpha, None).0 };
        let lambda: L = column.load(rows);
        let (scales, change) = distance::pull(square, w, rest, alpha, Some(lambda));
        column.rows.store(rows, lambda + change * share);
        scales
    }
}

impl Projection<2> for Springs<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2], share: L) -> [V3<L>; 2] {
        let d = b.x - a.x;
        let [s0, s1] = Springs::scales(self, rows, self.read(rows), d.dot(d), [a.w, b.w], share);
        [d * -s0, d * s1]
    }
}

impl Pull for Springs<'_> {
    /// Rest length, and alpha~.
    type Of<L: Lanes> = [L; 2];

    #[inline(always)]
    fn read<L: Lanes>(&self, rows: &Rows<2>) -> [L; 2] {
        [rows.load(self.rest), rows.load::<L>(self.compliance) * L::from_f32(self.per_h2)]
    }

    #[inline(always)]
    fn scales<L: Lanes>(&self, rows: &Rows<2>, of: [L; 2], square: L, w: [L; 2]) -> [L; 2] {
        Springs::scales(self, rows, of, square, w, L::from_f32(1.0))
    }
}

/// The same, damped: apart, so that the sweep that everything waits for stays lean.
struct Damped<'a>(&'a Springs<'a>);

impl Projection<2> for Damped<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<2>, x: [Point<L>; 2], share: L) -> [V3<L>; 2] {
        let (table, [a, b]) = (self.0, x);
        let past = table.time.past(rows, &x);
        let (rest, compliance) = (rows.load(table.rest), rows.load::<L>(table.compliance));
        let lambda: L = match table.lambda {
            Some(lambda) => lambda.load(rows),
            None => L::from_f32(0.0),
        };
        let alpha = compliance * L::from_f32(table.per_h2);
        let way = (past.way[1] - past.way[0], past.gamma);
        let (da, db, change) = distance::project_damped((a.x, a.w), (b.x, b.w), rest, alpha, lambda, way);
        if let Some(column) = table.lambda {
            column.rows.store(rows, lambda + change * share);
        }
        [da, db]
    }
}
