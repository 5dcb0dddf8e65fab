//! The columns that all solvers share. Add a line to a table and save: the running cloth keeps every other column.

use sim_api::{TableDesc, TableView, columns};

columns! {
    /// One row per particle, in scene order.
    pub struct Particle in "particle" {
        /// Position [m], world space; w is the effective inverse mass [1/kg], 0 while pinned or held.
        state position: [f32; 4] = scene,
        /// Velocity [m/s], world space; w is 0.
        state velocity: [f32; 4] = scene,
        /// Mass [kg] from the scene; a pin does not change it.
        state mass: f32 = scene,
        /// Unit normal; w is the particle's share of the cloth's area [m2]. Written at the start of a step.
        scratch normal: [f32; 4],
        /// Velocity of the air there [m/s]; w is unused. Written at the start of a step.
        scratch air: [f32; 4],
        /// Position at the start of the substep [m]; w is unused.
        scratch previous: [f32; 4],
        /// Force [N] for solvers that add up forces; w is unused.
        scratch force: [f32; 4],
        /// Velocity before contact and velocity pass [m/s]; w is unused.
        scratch predicted: [f32; 4],
        /// Contact of this substep: unit normal, w is the depth that was corrected [m] (0: no contact).
        scratch contact: [f32; 4],
        /// Velocity of the collider at the contact [m/s]; w is the index of the collider.
        scratch contact_velocity: [f32; 4],
    }
}

columns! {
    /// One row per pair of particles: a spring of stiffness 1/compliance, or a distance constraint.
    pub struct Distance in "distance" {
        /// The two particles.
        state idx: [u32; 2] = scene,
        /// Rest length [m].
        state rest: f32 = scene,
        /// Compliance [m/N]; 0 is rigid.
        state compliance: f32 = scene,
        /// Damping along the spring [N s/m].
        state damping: f32 = scene,
        /// 0 structural, 1 shear, 2 bend (skip one).
        state kind: u32 = scene,
        /// Index of the cloth in the scene.
        state object: u32 = scene,
        /// Lagrange multiplier of the substep [N s2].
        scratch lambda: f32,
        /// Force along the row [N], tension is positive. Every solver writes it at the end of a step.
        state force: f32,
    }
}

columns! {
    /// One row per triangle, counter-clockwise seen from the front.
    pub struct Triangle in "triangle" {
        /// The three particles.
        state idx: [u32; 3] = scene,
        /// Index of the cloth in the scene.
        state object: u32 = scene,
    }
}

columns! {
    /// One row per hair strand. Reserved: no scene makes rows yet.
    pub struct Strand in "strand" {
        /// First particle and number of particles.
        state span: [u32; 2] = scene,
    }
}

columns! {
    /// One row per collider. Poses are those of the end of the frame; `begin_*` those of its start.
    pub struct Collider in "collider" {
        /// 0 plane (solid below, local +y is the normal), 1 sphere, 2 capsule (axis local y).
        state kind: u32 = scene,
        /// Position [m]; w is 0.
        state position: [f32; 4] = scene,
        /// Rotation, unit quaternion x y z w.
        state rotation: [f32; 4] = scene,
        /// Position at the start of the frame [m]; w is 0.
        state begin_position: [f32; 4] = scene,
        /// Rotation at the start of the frame, unit quaternion x y z w.
        state begin_rotation: [f32; 4] = scene,
        /// x: radius [m], y: half height of a capsule without its caps [m].
        state size: [f32; 4] = scene,
        /// Velocity [m/s]; w is 0.
        state velocity: [f32; 4] = scene,
        /// Inverse mass [1/kg]; 0: moved by the scene or the hand only.
        state inverse_mass: f32 = scene,
        /// Coefficient of static friction.
        state friction_static: f32 = scene,
        /// Coefficient of dynamic friction.
        state friction_dynamic: f32 = scene,
        /// Restitution, 0 (dead) to 1.
        state restitution: f32 = scene,
        /// Distance kept from the surface [m].
        state thickness: f32 = scene,
    }
}

/// The schema the host reconciles its columns with.
pub const TABLES: &[TableDesc] =
    &[Particle::TABLE, Distance::TABLE, Triangle::TABLE, Strand::TABLE, Collider::TABLE];

/// All tables, bound for one step.
pub struct State<'a> {
    pub particle: Particle<'a>,
    pub distance: Distance<'a>,
    pub triangle: Triangle<'a>,
    pub strand: Strand<'a>,
    pub collider: Collider<'a>,
}

impl State<'_> {
    /// `None` if the host bound another number of tables.
    ///
    /// # Safety
    /// The host bound `tables` to [`TABLES`], and nothing else uses their columns.
    pub unsafe fn bind(tables: &[TableView]) -> Option<Self> {
        let [particle, distance, triangle, strand, collider] = tables else {
            return None;
        };
        // SAFETY: vouched for by the caller; each table is bound once.
        Some(unsafe {
            Self {
                particle: Particle::bind(particle),
                distance: Distance::bind(distance),
                triangle: Triangle::bind(triangle),
                strand: Strand::bind(strand),
                collider: Collider::bind(collider),
            }
        })
    }
}
