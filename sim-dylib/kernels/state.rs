//! The columns that all solvers share. Add a line to a table and save: the running cloth keeps every other column.
//!
//! `state` survives steps and reloads, `scratch` is undefined at the start of a step; `= copy(other)` starts with another
//! column's values, else they are zeros. `: model` tables have the columns that a scene gives as well ([`sim_api::model`]).
//! Scratch columns of one module have a file of their own under `state/` (`Columns of particle`), named in `with`.

pub mod columns;
pub mod contact;
pub mod gas;
pub mod implicit;
pub mod kept;
mod layers;
mod levels;
mod solids;
pub mod springs;
pub mod tear;

use sim_api::{TableDesc, TableView, columns};

pub use layers::*;
pub use levels::*;
pub use solids::*;

columns! {
    pub struct Particle in particle: model {
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
        /// Velocity before contact and velocity pass of the last substep [m/s]; w: `vbd` left it in contact (1) or not (0).
        state predicted: [f32; 4],
        /// Where inertia, gravity and wind alone take the particle in this substep [m]; contact moves it as it moves
        /// `previous`; w as in `position`.
        scratch inertial: [f32; 4],
        /// Change of the velocity over the last frame by its length [m/s2]; w is 0. Written at the end of a step
        /// (`outcome.rs`); until then the velocity at its start.
        scratch acceleration: [f32; 4],
        /// Sum of the two principal stresses of the cloth [N/m], tension is positive. Written at the end of a step.
        scratch stress: f32,
        /// What Jacobi iterations add up [m]; w is the particle's share of the sum.
        scratch correction: [f32; 4],
        /// What the last place of the position has lost of corrections so far [m]; w is 0.
        scratch lost: [f32; 4],
        /// Stiffness of inertia and of rows on this particle alone, m/h² + ... [N/m]; 0: it is not free.
        scratch own_stiffness: f32,
    } with {
        columns: crate::state::columns,
        implicit: crate::state::implicit,
        springs: crate::state::springs,
        contact: crate::state::contact,
        gas: crate::state::gas,
        tear: crate::state::tear,
    }
}

columns! {
    pub struct Distance in distance: model {
        /// Stiffness that a solver with a matrix gives to the row [N/m].
        scratch used: f32,
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
    } with {
        multipliers: crate::state::kept::distance,
    }
}

columns! {
    pub struct Triangle in triangle: model {
        /// Stiffness that a solver with a matrix gives to the squares of the row's deformation gradient [N m].
        scratch used: f32,
    } with {
        multipliers: crate::state::kept::triangle,
    }
}

columns! {
    pub struct Hinge in hinge: model {
    } with {
        multipliers: crate::state::kept::hinge,
    }
}

columns! {
    pub struct Tether in tether: model {
        /// Position of the pinned particle in this substep [m]; w is unused. Written on the GPU path alone.
        scratch anchor_position: [f32; 4],
    } with {
        multipliers: crate::state::kept::tether,
    }
}

columns! {
    pub struct Attachment in attachment: model {
    } with {
        multipliers: crate::state::kept::attachment,
    }
}

columns! {
    pub struct Balloon in balloon: model {
        /// Share that has leaked away.
        state leaked: f32,
        /// Lagrange multiplier of the substep [Pa s2].
        scratch lambda: f32,
        /// Stiffness in use where the gas is a force [Pa/m3].
        scratch stiffness: f32,
    }
}

columns! {
    pub struct Piece in piece: model {
    }
}

columns! {
    pub struct Strand in strand: model {
        /// Above 0 while an iteration of its solve may still change something (`strands/newton.rs`).
        scratch unsettled: u32,
        /// How much heavier what bears its root and its tip is along the strand than across it, as a share of the latter; for solvers that
        /// take both (`strands/mounts.rs`).
        scratch root_heavier: f32,
        scratch tip_heavier: f32,
    }
}

columns! {
    pub struct Segment in segment: model {
        /// Angular velocity of the frame [rad/s], world space; w is 0. 0 after solvers whose frames have no inertia.
        state spin: [f32; 4],
        /// Share of its weight that its rods bore in the last substep, 0 to 1: what vertex block descent starts with.
        state borne: f32,
        /// What an implicit solve says of the surface that the particle meets: force along it that would hold the particle there
        /// [N]; w: what presses the particle against it [N], 0: not known.
        state traction: [f32; 4],
        /// Lagrange multiplier along the segment, where a solver has one [N s2]; it pulls below 0.
        scratch pull: f32,
        /// Mass per volume of strands around the particle [kg/m3]. Written at the start of a step where there is a grid.
        scratch density: f32,
    }
}

columns! {
    pub struct Root in root: model {
        /// Sum of mass times way that the strand gave to its root in the substep [kg m]; w is unused.
        scratch pull: [f32; 4],
        /// What its triangle took it along by since it was held in the substep [m]; w is unused.
        scratch carried: [f32; 4],
    }
}

columns! {
    pub struct Mount in mount: model {
        /// Sum of mass times way that the strand gave to the body in the substep [kg m], and its moment about the body's centre
        /// [kg m2]; w is unused.
        scratch pull: [f32; 4],
        scratch turn: [f32; 4],
    }
}

columns! {
    pub struct Bearer in bearer: model {
    }
}

columns! {
    pub struct Borne in borne: model {
    }
}

columns! {
    pub struct StrandGrid in strand_grid: model {
    }
}

columns! {
    /// Four rows per cell of a grid: mass, then momentum along x, y, z (`strands/grid.rs`).
    pub struct StrandCell in strand_cell {
        /// Whole numbers of units, so that a sum has the same bits in any order.
        scratch sum: u32,
    }
}

columns! {
    /// Room for the systems of strands that are solved at a time (`strands/newton.rs`).
    pub struct StrandSystem in strand_system {
        /// Numbers of the nodes, eight strands side by side.
        scratch value: f32,
    }
}

columns! {
    pub struct Stride in stride: model {
    }
}

columns! {
    pub struct Vertex in vertex: model {
        /// What the last place of its particle's position has lost of moves so far [m]; w is 0.
        scratch lost: [f32; 4],
    }
}

columns! {
    pub struct Incident in incident: model {
        /// Of a distance row: stiffness in use [N/m], 0 where padded. Written by a solver at the start of its step.
        scratch stiffness: f32,
    }
}

columns! {
    pub struct Thread in thread: model {
        /// 1 once it is broken, else 0.
        state broken: u32,
        /// Strain by its limit, above 1 it may break; 0 of a broken one. Written at the end of a step.
        scratch load: f32,
    }
}

/// All tables: their schema, the struct of them, and how it is bound.
macro_rules! tables {
    ($($field:ident: $table:ident,)*) => {
        /// All columns by their names, for the host: `col::distance::rest`.
        pub mod col {
            $(pub use super::$field;)*
        }

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
    piece: Piece,
    coarse: Coarse,
    coarse_node: CoarseNode,
    follower: Follower,
    strand: Strand,
    segment: Segment,
    strand_system: StrandSystem,
    strand_grid: StrandGrid,
    strand_cell: StrandCell,
    root: Root,
    mount: Mount,
    bearer: Bearer,
    borne: Borne,
    stride: Stride,
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
