//! The columns that all solvers share. Add a line to a table and save: the running cloth keeps every other column.
//!
//! `state` survives steps and reloads, `scratch` is undefined at the start of a step, `given` is the host's and read
//! only. `= scene` starts with the scene's values, `= copy(other)` with another column's, else with zeros.

use sim_api::{TableDesc, TableView, columns};

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
        /// What contact moved the particle by, less what counts as no motion [m]; w: the look (round times colliders, plus
        /// collider) at which it last did. After the velocity pass the impulse that it got [N s].
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
    /// One row per collider. Poses are those of the end of the frame; `begin_*` those of its start.
    pub struct Collider in "collider" {
        /// 0 plane (solid below, local +y is the normal), 1 sphere, 2 capsule (axis local y), 3 box, 4 mesh.
        given kind: u32,
        /// Position [m]; w is 0. The host writes it before a step, the step those of bodies with a mass.
        state position: [f32; 4] = scene,
        /// Rotation, unit quaternion x y z w. Written as the position is.
        state rotation: [f32; 4] = scene,
        /// Position at the start of the frame [m]; w is 0.
        given begin_position: [f32; 4],
        /// Rotation at the start of the frame, unit quaternion x y z w.
        given begin_rotation: [f32; 4],
        /// Sphere: radius; capsule: radius, half height without its caps; box: half its edges; mesh: 1 if it is closed,
        /// radius of the ball around the local origin that holds it [m].
        given size: [f32; 4],
        /// Velocity [m/s]; w is 0. Of a body with a mass.
        state velocity: [f32; 4] = scene,
        /// Angular velocity [rad/s], world space; w is 0. Of a body with a mass.
        state spin: [f32; 4],
        /// Inverse mass [1/kg]; 0: moved by the scene or the hand only.
        given inverse_mass: f32,
        /// Inverse moments of inertia about the local axes [1/(kg m2)]; w is 0.
        given inverse_inertia: [f32; 4],
        /// Coefficients of static and of dynamic friction, restitution from 0 (dead) to 1, distance kept from the surface [m].
        given surface: [f32; 4],
        /// Of a mesh: first row in `solid_node`, and the one behind its last.
        given nodes: [u32; 2],
        /// Of a mesh: lowest corner of its grid, and in w the side of a cell [m].
        given grid_low: [f32; 4],
        /// Of a mesh: cells along x, y, z, and the first row in `solid_cell`.
        given grid_cells: [u32; 4],
        /// Pose at the start of the substep: position [m], w is unused, and rotation.
        scratch from_position: [f32; 4],
        scratch from_rotation: [f32; 4],
        /// Pose at its end.
        scratch to_position: [f32; 4],
        scratch to_rotation: [f32; 4],
    }
}

columns! {
    /// One row per vertex of the meshes of colliders, in the frame of the collider.
    pub struct SolidVertex in "solid_vertex" {
        /// Place [m]; w is 0.
        given position: [f32; 4],
        /// Sum of the normals of the faces around it, each times its angle there; w is 0.
        given normal: [f32; 4],
    }
}

columns! {
    /// One row per face of the meshes of colliders, counter-clockwise seen from outside.
    pub struct SolidFace in "solid_face" {
        /// Rows in `solid_vertex`.
        given corners: [u32; 3],
        /// Sum of the normals of the faces beside the edge from corner 0 to 1; w is 0.
        given edge0: [f32; 4],
        /// The same from corner 1 to 2.
        given edge1: [f32; 4],
        /// The same from corner 2 to 0.
        given edge2: [f32; 4],
    }
}

columns! {
    /// One row per box of the trees over those faces, a node before its children.
    pub struct SolidNode in "solid_node" {
        /// Lowest corner [m]; w is 0.
        given low: [f32; 4],
        /// Highest corner [m]; w is 0.
        given high: [f32; 4],
        /// The row behind its last descendant; first face and number of faces of a leaf, 0 and 0 of any other.
        given link: [u32; 3],
    }
}

columns! {
    /// One row per cell of the grids around those meshes, x fastest, then y.
    pub struct SolidCell in "solid_cell" {
        /// Signed distance of its centre from the surface [m].
        given distance: f32,
        /// The row in `solid_face` that is nearest to its centre.
        given face: u32,
    }
}

columns! {
    /// One row per particle if some cloth of the scene collides with cloth, else none.
    pub struct Layer in "layer" {
        /// Distance kept from other cloth [m]; between two sheets their mean counts. 0: the particle's cloth meets none.
        given thickness: f32,
        /// Coefficients of friction of cloth on cloth, static and dynamic; between two sheets their mean counts.
        given friction_static: f32,
        given friction_dynamic: f32,
        /// Position at the start of the scene [m]; w is unused.
        given start: [f32; 4],
        /// Position at the end of the last substep [m], where no two sheets cross; w as in `particle.position`.
        scratch sound: [f32; 4],
        /// Position at the last broad phase [m]; w: how far from there it may go before the next [m].
        scratch seen: [f32; 4],
        /// Position at the last detection [m]; w as in `particle.position`.
        scratch met: [f32; 4],
        /// Its way since the last detection and in this substep, less the mean of all [m].
        scratch way: [f32; 2],
        /// Place in the order of slabs (`self_collision/slabs.rs`).
        scratch slab: u32,
        /// While cloth passes through cloth: bit 0 the particle is where it does, bit 1 it is on the wrong side.
        scratch flag: u32,
        /// A particle that leads to the first of its part (`sheet`: of all that its edges join), and how many particles
        /// the part of such a first one has.
        scratch part: u32,
        scratch part_size: u32,
        scratch sheet: u32,
        scratch sheet_size: u32,
    }
}

columns! {
    /// One row per triangle of cloth that collides with cloth, in the order of `node`.
    pub struct Face in "face" {
        /// The three particles.
        given corners: [u32; 3],
        /// Corners of its box [m], with thickness and margins; w is 0.
        scratch lower: [f32; 4],
        scratch upper: [f32; 4],
    }
}

columns! {
    /// One row per edge of these triangles, in the order of `node`.
    pub struct Edge in "edge" {
        /// The two particles.
        given ends: [u32; 2],
        /// Rows of `face` on both sides; `u32::MAX`: none.
        given faces: [u32; 2],
        /// Corners of its box [m], with thickness and margins; w is 0.
        scratch lower: [f32; 4],
        scratch upper: [f32; 4],
        /// 1 while it pierces a triangle, else 0.
        scratch cut: u32,
    }
}

columns! {
    /// One row per particle of these triangles, in the order of `node`.
    pub struct Point in "point" {
        given particle: u32,
        /// Corners of its box [m], with thickness and margins; w is 0.
        scratch lower: [f32; 4],
        scratch upper: [f32; 4],
    }
}

columns! {
    /// One row per node of the tree of boxes, parents before children (`self_collision/tree.rs`).
    pub struct Node in "node" {
        /// The next node that is not below this one.
        given skip: u32,
        /// First and number of a leaf's rows of `face`; the number is 0 above the leaves.
        given faces: [u32; 2],
        /// The same of `edge` and `point`: those that belong to this leaf.
        given edges: [u32; 2],
        given points: [u32; 2],
        /// Corners of the box [m], with thickness and margins; w is 0.
        scratch lower: [f32; 4],
        scratch upper: [f32; 4],
    }
}

columns! {
    /// One row per 32 nodes: their part of the list of pairs.
    pub struct Batch in "batch" {
        /// First row of `pair`.
        scratch first: u32,
        /// Pairs that the last broad phase found: the next shares out the room by it.
        state found: u32,
        /// Row 0: checksum of positions in which nothing crosses; 0: not known (`self_collision.rs`).
        state sound: u32,
        /// Those in the list, those that are near, rows that touch, rows that pass through.
        scratch listed: u32,
        scratch near: u32,
        scratch touching: u32,
        scratch failed: u32,
        /// The least that a pair which is not near is apart, less its relative way in the substep [m].
        scratch spare: f32,
        /// First row of `crossing`, rows in use, and crossings without room.
        scratch first_crossing: u32,
        scratch crossings: u32,
        scratch crossings_lost: u32,
    }
}

columns! {
    /// Room for edges that pierce a triangle.
    pub struct Crossing in "crossing" {
        /// Rows of `edge` and `face`.
        scratch edge: u32,
        scratch face: u32,
    }
}

columns! {
    /// Room for pairs of vertex and triangle or edge and edge. `near`, `touch*` and `failed` have their own counts in
    /// `batch`.
    pub struct Pair in "pair" {
        /// Vertex and the three of the triangle, or the two of each edge.
        scratch corners: [u32; 4],
        /// 0 vertex and triangle, 1 edge and edge.
        scratch form: u32,
        /// Distance that the pair keeps [m].
        scratch limit: f32,
        /// Least distance when it was last looked at, and what all pairs may have lost until then [m].
        scratch clear: f32,
        /// Row of a pair that is near, and its distance when it was looked at [m].
        scratch near: u32,
        scratch looked: f32,
        /// Its distance less its relative way in this substep [m]: above 0 it cannot have passed through.
        scratch gap: f32,
        /// Corners of a row that touches.
        scratch touch: [u32; 4],
        /// Unit normal from the second primitive to the first; w: the distance to keep [m].
        scratch touch_normal: [f32; 4],
        /// The sum of weight x corner is the way from the second nearest point to the first.
        scratch touch_weight: [f32; 4],
        /// Weight x inverse mass of the corners [1/kg], 0 where a collider bears it.
        scratch touch_share: [f32; 4],
        /// Compliance and damping (alpha~ and gamma of XPBD, by the sum of inverse masses), 1/(1 + both), and 1 by that sum
        /// [kg].
        scratch touch_give: [f32; 4],
        /// Distance below which it gives way no more [m], coefficients of friction, static and dynamic; w is 0.
        scratch touch_least: [f32; 4],
        /// How far it was moved apart in this substep [m].
        scratch touch_taken: f32,
        /// Its class, and the rows of all classes one after the other (`self_collision/slabs.rs`).
        scratch touch_class: u32,
        scratch touch_order: u32,
        /// Row of a pair that passes through.
        scratch failed: u32,
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

/// The schema the host reconciles its columns with.
pub const TABLES: &[TableDesc] = &[
    Particle::TABLE,
    Distance::TABLE,
    Triangle::TABLE,
    Hinge::TABLE,
    Tether::TABLE,
    Attachment::TABLE,
    Balloon::TABLE,
    Strand::TABLE,
    Vertex::TABLE,
    Incident::TABLE,
    Collider::TABLE,
    SolidVertex::TABLE,
    SolidFace::TABLE,
    SolidNode::TABLE,
    SolidCell::TABLE,
    Layer::TABLE,
    Face::TABLE,
    Edge::TABLE,
    Point::TABLE,
    Node::TABLE,
    Batch::TABLE,
    Pair::TABLE,
    Crossing::TABLE,
    Thread::TABLE,
];

/// All tables, bound for one step.
pub struct State<'a> {
    pub particle: Particle<'a>,
    pub distance: Distance<'a>,
    pub triangle: Triangle<'a>,
    pub hinge: Hinge<'a>,
    pub tether: Tether<'a>,
    pub attachment: Attachment<'a>,
    pub balloon: Balloon<'a>,
    pub strand: Strand<'a>,
    pub vertex: Vertex<'a>,
    pub incident: Incident<'a>,
    pub collider: Collider<'a>,
    pub solid_vertex: SolidVertex<'a>,
    pub solid_face: SolidFace<'a>,
    pub solid_node: SolidNode<'a>,
    pub solid_cell: SolidCell<'a>,
    pub layer: Layer<'a>,
    pub face: Face<'a>,
    pub edge: Edge<'a>,
    pub point: Point<'a>,
    pub node: Node<'a>,
    pub batch: Batch<'a>,
    pub pair: Pair<'a>,
    pub crossing: Crossing<'a>,
    pub thread: Thread<'a>,
}

impl State<'_> {
    /// `None` if the host bound another number of tables.
    ///
    /// # Safety
    /// The host bound `tables` to [`TABLES`], and nothing else uses their columns.
    pub unsafe fn bind(tables: &[TableView]) -> Option<Self> {
        let [
            particle,
            distance,
            triangle,
            hinge,
            tether,
            attachment,
            balloon,
            strand,
            vertex,
            incident,
            collider,
            solid_vertex,
            solid_face,
            solid_node,
            solid_cell,
            layer,
            face,
            edge,
            point,
            node,
            batch,
            pair,
            crossing,
            thread,
        ] = tables
        else {
            return None;
        };
        // SAFETY: vouched for by the caller; each table is bound once.
        Some(unsafe {
            Self {
                particle: Particle::bind(particle),
                distance: Distance::bind(distance),
                triangle: Triangle::bind(triangle),
                hinge: Hinge::bind(hinge),
                tether: Tether::bind(tether),
                attachment: Attachment::bind(attachment),
                balloon: Balloon::bind(balloon),
                strand: Strand::bind(strand),
                vertex: Vertex::bind(vertex),
                incident: Incident::bind(incident),
                collider: Collider::bind(collider),
                solid_vertex: SolidVertex::bind(solid_vertex),
                solid_face: SolidFace::bind(solid_face),
                solid_node: SolidNode::bind(solid_node),
                solid_cell: SolidCell::bind(solid_cell),
                layer: Layer::bind(layer),
                face: Face::bind(face),
                edge: Edge::bind(edge),
                point: Point::bind(point),
                node: Node::bind(node),
                batch: Batch::bind(batch),
                pair: Pair::bind(pair),
                crossing: Crossing::bind(crossing),
                thread: Thread::bind(thread),
            }
        })
    }
}
