//! The columns that all solvers share. Add a line to a table and save: the running cloth keeps every other column.
//!
//! `state` survives steps and reloads, `scratch` is undefined at the start of a step, `given` is the host's and read
//! only. `= scene` starts with the scene's values, `= copy(other)` with another column's, else with zeros.

mod layers;
mod solids;

use sim_api::{TableDesc, TableView, columns};

pub use layers::{Batch, Crossing, Edge, Face, Layer, Node, Pair, Point};
pub use solids::{Collider, SolidCell, SolidFace, SolidNode, SolidVertex};

columns! {
    /// One row per particle, in scene order.
    pub struct Particle in "particle" {
        /// Position [m], world space; w is the effective inverse mass [1/kg], 0 while pinned or held.
        state position: [f32; 4] = scene,
        /// Velocity [m/s], world space; w is 0.
        state velocity: [f32; 4] = scene,
        /// Mass [kg] from the scene; a pin does not change it.
        given mass: f32,
        /// Area of cloth at rest that the particle stands for [m2]; the areas of a cloth add up to its own.
        given area: f32,
        /// Factor on the coefficients of friction of what it touches, dimensionless.
        given friction: f32,
        /// Unit normal; w is the particle's share of the cloth's area [m2]. Written at the start of a step.
        scratch normal: [f32; 4],
        /// Velocity of the air there [m/s]; w is unused. Written at the start of a step.
        scratch air: [f32; 4],
        /// Position at the start of the substep [m]; w is unused.
        scratch previous: [f32; 4],
        /// Force [N] for solvers that add up forces; w is unused.
        scratch force: [f32; 4],
        /// Velocities of the stages of an integrator with several evaluations [m/s]; w is 0.
        scratch stage_velocity: [f32; 4],
        /// Their accelerations [m/s2]; w is 0.
        scratch stage_acceleration: [f32; 4],
        /// Velocity before contact and velocity pass of the last substep [m/s]; w is unused.
        state predicted: [f32; 4],
        /// Where inertia, gravity and wind alone take the particle in this substep [m]; contact moves it as it moves
        /// `previous`; w as in `position`.
        scratch inertial: [f32; 4],
        /// The last iterate and the one before it, of accelerated iterations [m]; w as in `position`.
        scratch iterate: [f32; 4],
        scratch iterate_before: [f32; 4],
        /// Change of the velocity over the last frame by its length [m/s2]; w is 0. Written at the end of a step
        /// (`outcome.rs`); until then the velocity at its start.
        scratch acceleration: [f32; 4],
        /// Sum of the two principal stresses of the cloth [N/m], tension is positive. Written at the end of a step.
        scratch stress: f32,
        /// What is left of an implicit step's equation [N]: inertia and forces out of balance, here or an iteration
        /// before; w is 0.
        scratch residual: [f32; 4],
        /// Correction of the positions that an implicit step looks for [m]; w is 0.
        scratch delta: [f32; 4],
        /// Direction in which a solver looks for the next positions, or the iterate before the last [m]; w is 0.
        scratch search: [f32; 4],
        /// The matrix times the direction [N]; w is 0.
        scratch image: [f32; 4],
        /// xx, yy, zz of the particle's block on the diagonal of the matrix, later of its inverse [N/m].
        scratch diagonal: [f32; 4],
        /// yz, zx, xy of the same.
        scratch off_diagonal: [f32; 4],
        /// What Jacobi iterations add up [m]; w is the particle's share of the sum.
        scratch correction: [f32; 4],
        /// Change of the volume inside its cloth with its position [m2]; w is 0. Only balloons have it filled.
        scratch volume_gradient: [f32; 4],
        /// Stiffness of inertia and of rows on this particle alone, m/h² + ... [N/m]; 0: it is not free.
        scratch own_stiffness: f32,
        /// Contact of this substep: unit normal, w is the depth that was corrected [m] (0: no contact).
        scratch contact: [f32; 4],
        /// Velocity of the collider at the contact [m/s]; w is the index of the collider.
        scratch contact_velocity: [f32; 4],
        /// Rest of what contact found in this substep [m]: way off the surface of a particle that the solver pulled away
        /// again, and how deep inertia alone would have led behind it.
        scratch contact_ways: [f32; 2],
        /// What the last contact moved the particle by, less what counts as no motion [m]; w: the look (round times
        /// colliders, plus collider) that did. After the velocity pass the impulse of that pass [N s].
        scratch contact_push: [f32; 4],
        /// Position at the start of the substep, whatever contact did to `previous` [m]; w is unused.
        scratch swept: [f32; 4],
        /// Plane that holds the particle while a solver iterates: unit normal, and in w its height along that [m].
        scratch plane: [f32; 4],
        /// Sum of the depths that the plane took back [m], and its collider; -1: there is no plane.
        scratch plane_depth: [f32; 2],
        /// Contact inside an implicit step: unit normal; w: the most that friction bears [N], as the last round found it.
        scratch touch: [f32; 4],
        /// Way of the surface there in the substep [m]; w: the depth [m], 0 where nothing touches.
        scratch touch_way: [f32; 4],
        /// What the springs of contact moved the particle by in the substep [m], and in w the collider that they are of. For
        /// bodies with a mass.
        scratch touch_push: [f32; 4],
        /// xx, yy, zz of what contact adds to the particle's block of the matrix [N/m].
        scratch touch_diagonal: [f32; 4],
        /// yz, zx, xy of the same.
        scratch touch_off_diagonal: [f32; 4],
        /// The largest load of its threads of those above 1. Written where cloth can tear.
        scratch load: f32,
    }
}

columns! {
    /// One row per pair of particles: a spring of stiffness 1/compliance, or a distance constraint.
    pub struct Distance in "distance" {
        /// The two particles.
        given idx: [u32; 2],
        /// Rest length [m].
        given rest: f32,
        /// Compliance [m/N]; 0 is rigid.
        given compliance: f32,
        /// Damping along the spring [N s/m].
        given damping: f32,
        /// 0 structural, 1 shear, 2 bend (skip one).
        given kind: u32,
        /// Width of the strip of cloth that the row stands for [m]: width times rest is the strip's area.
        given width: f32,
        /// Index of the cloth in the scene.
        given object: u32,
        /// Stiffness that a solver with a matrix gives to the row [N/m].
        scratch used: f32,
        /// Lagrange multiplier of the substep [N s2].
        scratch lambda: f32,
        /// Force over width [N/m], tension is positive. Written at the end of a step (`outcome.rs`).
        scratch stress: f32,
        /// Stiffness that a force-based solver gives the row [N/m]: 1/compliance, held back where it must.
        scratch stiffness: f32,
        /// Rest length of the spring that such a solver sees [m]: with a damper beside it, between `rest` and the length at
        /// the start of the substep.
        scratch spring_rest: f32,
        /// The row's part of the matrix: sqrt(k along - k across) times the direction, and k across in w.
        scratch hessian: [f32; 4],
        /// Force along the row [N], tension is positive. Every solver writes it at the end of a step.
        state force: f32,
    }
}

columns! {
    /// One row per triangle, counter-clockwise seen from the front.
    pub struct Triangle in "triangle" {
        /// The three particles.
        given idx: [u32; 3],
        /// Index of the cloth in the scene.
        given object: u32,
        /// 0 drawn only, 1 StVK, 2 stable neo-Hookean, 3 keeps its area.
        given model: u32,
        /// Inverse of the edges x1 - x0, x2 - x0 in the plane of the rest shape, by columns [1/m].
        given inverse_rest: [f32; 4],
        /// At rest [m2].
        given area: f32,
        /// Lamé's mu of the sheet [N/m]; for model 3 the stiffness against a change of area [N/m].
        given mu: f32,
        /// Lamé's lambda of the sheet [N/m].
        given lame: f32,
        /// Lagrange multipliers of the substep, up to three [N s2 or as the constraint has it].
        scratch lambda: [f32; 4],
    }
}

columns! {
    /// One row per interior edge that resists bending: x0 and x1 are the edge, x2 and x3 the corners beside it.
    /// x0, x1, x2 are counter-clockwise seen from the front, and so are x1, x0, x3.
    pub struct Hinge in "hinge" {
        /// The four particles.
        given idx: [u32; 4],
        /// Index of the cloth in the scene.
        given object: u32,
        /// 0 quadratic (Bergou 2006, for a flat rest shape), 1 dihedral angle (discrete shells).
        given model: u32,
        /// |sum of weight x| is the bending angle of the quadratic model, for small angles [1/m].
        given weights: [f32; 4],
        /// Angle between the normals at rest [rad], positive where x2 and x3 lie in front (a valley).
        given rest_angle: f32,
        /// k of the energy k/2 (angle - rest)² [N m].
        given stiffness: f32,
        /// Stiffness that a solver with a matrix gives to the row [N m].
        scratch used: f32,
        /// Lagrange multipliers of the substep: three of the quadratic model, one of the angle.
        scratch lambda: [f32; 4],
    }
}

columns! {
    /// One row per long-range attachment: the particle stays within `rest` of a pinned one (Kim, Chentanez, Müller 2012).
    pub struct Tether in "tether" {
        /// The particle.
        given idx: u32,
        /// The pinned particle it is tied to. It does not feel the row.
        given anchor: u32,
        /// Longest distance [m].
        given rest: f32,
        /// Compliance [m/N]; 0 is rigid.
        given compliance: f32,
        /// Index of the cloth in the scene.
        given object: u32,
        /// Stiffness that a solver with a matrix gives to the row [N/m].
        scratch used: f32,
        /// Lagrange multiplier of the substep [N s2].
        scratch lambda: f32,
        /// Position of the pinned particle in this substep [m]; w is unused.
        scratch anchor_position: [f32; 4],
    }
}

columns! {
    /// One row per soft pin: a spring of rest length 0 between a particle and a fixed point.
    pub struct Attachment in "attachment" {
        /// The particle.
        given idx: u32,
        /// The point [m], world space; w is 0.
        given target: [f32; 4],
        /// Compliance [m/N]; 0 is rigid.
        given compliance: f32,
        /// Index of the cloth in the scene.
        given object: u32,
        /// Stiffness that a solver with a matrix gives to the row [N/m].
        scratch used: f32,
        /// Lagrange multipliers of the substep [N s2]; w is unused.
        scratch lambda: [f32; 4],
    }
}

columns! {
    /// One row per cloth that is closed and holds gas (`gas.rs`).
    pub struct Balloon in "balloon" {
        /// Index of the cloth in the scene: its triangles are the surface.
        given object: u32,
        /// First and number of its particles.
        given particles: [u32; 2],
        /// Volume at rest [m3].
        given volume: f32,
        /// Volume that the gas takes where nothing holds it, by that at rest, before any has leaked.
        given pressure: f32,
        /// Relative change of the volume by a pressure [1/Pa]; 0: none changes it.
        given compliance: f32,
        /// Share of what is left that leaks away [1/s].
        given leak: f32,
        /// Share that has leaked away.
        state leaked: f32,
        /// Lagrange multiplier of the substep [Pa s2].
        scratch lambda: f32,
        /// Stiffness in use where the gas is a force [Pa/m3].
        scratch stiffness: f32,
    }
}

columns! {
    /// One row per hair strand. Reserved: no scene makes rows yet.
    pub struct Strand in "strand" {
        /// First particle and number of particles.
        given span: [u32; 2],
    }
}

columns! {
    /// One row per particle, sorted by colours of particles: no two of one colour share a row of any constraint table.
    /// Derived by the host (`app/src/state/incidence.rs`) in strips of 8, counted from the start of a colour.
    pub struct Vertex in "vertex" {
        /// The particle.
        given particle: u32,
        /// First and number of its distance rows in `incident`; they lie 8 apart, and the particles of a strip have
        /// the same number, padded.
        given springs: [u32; 2],
        /// First and number of its rows of all other tables in `incident`, one after the other.
        given others: [u32; 2],
    }
}

columns! {
    /// One row per corner of a row of a constraint table. Derived by the host.
    pub struct Incident in "incident" {
        /// 0 distance, 1 triangle, 2 hinge, 3 tether, 4 attachment; `u32::MAX` pads a strip.
        given table: u32,
        /// Row in that table.
        given row: u32,
        /// The other particle of a distance row, itself where padded; for other tables the corner (0..N).
        given other: u32,
        /// Of a distance row: rest length [m].
        given rest: f32,
        /// Of a distance row: compliance [m/N]; 0 is rigid.
        given compliance: f32,
        /// Of a distance row: stiffness in use [N/m], 0 where padded. Written by a solver at the start of its step.
        scratch stiffness: f32,
    }
}

columns! {
    /// One row per edge of the surface of cloth that can tear, in scene order. Rows of other tables that lie over a broken
    /// one are gone.
    pub struct Thread in "thread" {
        /// The two particles.
        given ends: [u32; 2],
        /// Rest length [m].
        given rest: f32,
        /// Strain above which it breaks; infinite: only a cut breaks it.
        given limit: f32,
        /// 0 a thread, 1 a diagonal of a grid.
        given kind: u32,
        /// 1 once it is broken, else 0.
        state broken: u32,
        /// Strain by its limit, above 1 it may break; 0 of a broken one. Written at the end of a step.
        scratch load: f32,
    }
}

/// All tables: their schema, the struct of them, and how it is bound.
macro_rules! tables {
    ($($field:ident: $table:ident,)*) => {
        /// The schema the host reconciles its columns with.
        pub const TABLES: &[TableDesc] = &[$($table::TABLE),*];

        /// All tables, bound for one step.
        pub struct State<'a> {
            $(pub $field: $table<'a>,)*
        }

        impl State<'_> {
            /// `None` if the host bound another number of tables.
            ///
            /// # Safety
            /// The host bound `tables` to [`TABLES`], and nothing else uses their columns.
            pub unsafe fn bind(tables: &[TableView]) -> Option<Self> {
                let [$($field),*] = tables else { return None };
                // SAFETY: vouched for by the caller; each table is bound once.
                Some(unsafe { Self { $($field: $table::bind($field)),* } })
            }
        }
    };
}

tables! {
    particle: Particle,
    distance: Distance,
    triangle: Triangle,
    hinge: Hinge,
    tether: Tether,
    attachment: Attachment,
    balloon: Balloon,
    strand: Strand,
    vertex: Vertex,
    incident: Incident,
    collider: Collider,
    solid_vertex: SolidVertex,
    solid_face: SolidFace,
    solid_node: SolidNode,
    solid_cell: SolidCell,
    layer: Layer,
    face: Face,
    edge: Edge,
    point: Point,
    node: Node,
    batch: Batch,
    pair: Pair,
    crossing: Crossing,
    thread: Thread,
}
