//! The tables of the [`model`](crate::model): every column that a scene fills, or that is worked out from its rows.

use crate::key::ModelTable;

declare! { $
    /// One row per particle, in scene order.
    table particle {
        /// Position [m], world space less the scene's origin, as all places in tables; w is the effective inverse mass [1/kg], 0 while pinned or held.
        state position: [f32; 4] = scene,
        /// Velocity [m/s], world space; w is 0.
        state velocity: [f32; 4] = scene,
        /// Mass [kg] from the scene; a pin does not change it.
        given mass: f32,
        /// Area of cloth at rest that the particle stands for [m2]; the areas of a cloth add up to its own.
        given area: f32,
        /// Factor on the coefficients of friction of what it touches, dimensionless.
        given friction: f32,
    }

    /// One row per pair of particles: a spring of stiffness 1/compliance, or a distance constraint.
    table distance {
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
    }

    /// One row per triangle, counter-clockwise seen from the front.
    table triangle {
        /// The three particles.
        given idx: [u32; 3],
        /// Index of the cloth in the scene.
        given object: u32,
        /// 0 drawn only, 1 StVK, 2 stable neo-Hookean, 3 keeps its area.
        given model: u32,
        /// Inverse of the edges x1 - x0, x2 - x0 in the plane of the rest shape, by columns [1/m]; 0 where it is drawn only.
        given inverse_rest: [f32; 4],
        /// At rest [m2].
        given area: f32,
        /// Lamé's mu and lambda of the sheet [N/m]; for model 3 mu is the stiffness against a change of area.
        given mu: f32,
        given lame: f32,
    }

    /// One row per interior edge that resists bending: x0 and x1 are the edge, x2 and x3 the corners beside it; x0, x1, x2 are counter-clockwise.
    table hinge {
        /// The four particles; of a strand three that follow each other, and one without weight.
        given idx: [u32; 4],
        /// Index of the cloth in the scene.
        given object: u32,
        /// 0 quadratic (Bergou 2006, for a flat rest shape), 1 dihedral angle (discrete shells), 2 angle of two segments of a curve.
        given model: u32,
        /// |sum of weight x| is the bending angle of the quadratic model and of a curve, for small angles [1/m].
        given weights: [f32; 4],
        /// Angle between the normals at rest [rad], positive where x2 and x3 lie in front (a valley); of a curve |sum of weight x| at rest.
        given rest_angle: f32,
        /// k of the energy k/2 (angle - rest)² [N m].
        given stiffness: f32,
    }

    /// One row per long-range attachment: the particle stays within `rest` of a pinned one (Kim, Chentanez, Müller 2012).
    table tether {
        given idx: u32,
        /// The pinned particle it is tied to. It does not feel the row.
        given anchor: u32,
        /// Longest distance [m].
        given rest: f32,
        /// Compliance [m/N]; 0 is rigid.
        given compliance: f32,
        /// Index of the cloth in the scene.
        given object: u32,
    }

    /// One row per soft pin: a spring of rest length 0 between a particle and a fixed point.
    table attachment {
        given idx: u32,
        /// The point [m], world space; w is 0.
        given target: [f32; 4],
        /// Compliance [m/N]; 0 is rigid.
        given compliance: f32,
        /// Index of the cloth in the scene.
        given object: u32,
    }

    /// One row per cloth that is closed and holds gas (`gas.rs`).
    table balloon {
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
    }

    /// One row per cloth in one piece that no tether or soft pin pulls at: its solve changes none of its momentum (`momentum.rs`).
    table piece {
        /// Index of the cloth in the scene.
        given object: u32,
        /// First and number of its particles.
        given particles: [u32; 2],
        /// 1 if it holds gas, else 0.
        given closed: u32,
    }

    /// One row per pair of neighbouring coarse nodes (`coarse.rs`): a distance that may get shorter, and not longer.
    table coarse {
        /// The two particles.
        given idx: [u32; 2],
        /// Longest distance [m]: the way along the threads between them.
        given rest: f32,
        /// Compliance [m/N] of the cloth between them; 0 is rigid.
        given compliance: f32,
        /// Inverse mass [1/kg] of what follows the first particle, and of what follows the second.
        given inverse_mass0: f32,
        given inverse_mass1: f32,
        /// Index of the cloth in the scene.
        given object: u32,
    }

    /// One row per coarse node: a particle that the particles around it follow.
    table coarse_node {
        /// The particle.
        given particle: u32,
        /// Pinned particles that it stays in reach of; itself where there are fewer than four.
        given anchors: [u32; 4],
        /// Longest distance to each of them [m].
        given reach: [f32; 4],
    }

    /// One row per particle if the scene has coarse nodes, else none.
    table follower {
        /// Rows in `coarse_node`: the corners of the cell that the particle lies in.
        given nodes: [u32; 4],
        /// What it takes of their moves (bilinear); all 0 for a node itself, and for cloth without nodes.
        given weights: [f32; 4],
    }

    /// One row per strand: a rod in a row of particles, in strips of 32 strands: particle i of all of them, then i + 1.
    table strand {
        /// First particle, from one to the next, and number of particles; the root comes first.
        given span: [u32; 3],
        /// Index of the strands in the scene, behind all cloths.
        given object: u32,
        /// Colliders that hold its root and its tip; `u32::MAX`: none, `model::SEAT_ON_CLOTH`: a row of `root` says where.
        given seat: u32,
        given tip: u32,
        /// Frames of a clamped root and of a clamped tip in that of what holds them, unit quaternions x y z w.
        given root_rotation: [f32; 4],
        given tip_rotation: [f32; 4],
        /// Numbers of its particles at the root and at the tip that cloth, or a body with a mass, holds; `u32::MAX`: none.
        given borne: [u32; 2],
    }

    /// One row per end of a strand that a body with a mass holds (`strands/mounts.rs`).
    table mount {
        /// Twice the row of the strand, and 1 more for its tip.
        given end: u32,
        /// Row of the collider.
        given body: u32,
        /// Place of the held particle in its frame [m]; w is the share of the body's mass that this end feels.
        given place: [f32; 4],
        /// Four times the mass of its strand [kg]: of impulses across that, a body that is heavier at this end feels a share.
        given across: f32,
    }

    /// One row per strand that is held by a cloth: its root is a point of a triangle.
    table root {
        /// Row of `strand`.
        given strand: u32,
        /// The particles of the triangle.
        given corners: [u32; 3],
        /// What the place of the root takes of each, barycentric; the nearest one alone where the triangle is torn. The last is 0.
        given weights: [f32; 4],
        /// Sum of such weights over all roots at the same particle: of its mass, a root has the share weight / crowd.
        given crowd: [f32; 4],
    }

    /// One row per particle of cloth that is a corner of a row of `root`.
    table bearer {
        /// The particle.
        given particle: u32,
        /// First and number of its rows in `borne`.
        given borne: [u32; 2],
    }

    /// One row per corner of a row of `root`, those of a particle one after another.
    table borne {
        /// Row of `root`.
        given root: u32,
        /// Which of its corners.
        given corner: u32,
    }

    /// One row per particle of a strand, in their order behind all others: the segment that starts there (none at the last), and the joint before it.
    table segment {
        /// Material frame, unit quaternion x y z w: e3 lies along the segment.
        state rotation: [f32; 4] = scene,
        /// Rest length [m].
        given rest: f32,
        /// E A / l [N/m]; 0: a stub, held by its seat, or by what holds the tip; below 0: it is cut (`state/tearing/rods.rs`).
        given stretch: f32,
        /// E I / l of the joint, l the mean of its segments, half of one at a clamp [N m]; 0: none; below 0: one of them is cut.
        given bend: f32,
        /// G J / l of the joint [N m]; its sign is that of `bend`.
        given twist: f32,
        /// Rotation from the frame before to this one at rest, in the frame before; unit quaternion x y z w.
        given rest_turn: [f32; 4],
        /// Row of `strand_grid` through which its particle feels others; `u32::MAX`: none.
        given grid: u32,
        /// Index of the strands in the scene, behind all cloths.
        given object: u32,
    }

    /// One row per list of strands that feel each other: the grid of cells through which they do.
    table strand_grid {
        /// First cell, and cells along each axis, a power of two: beyond them the grid begins anew.
        given cells: [u32; 2],
        /// Side of a cell [m].
        given side: f32,
        /// Share of its velocity against what is around that a particle loses in 1/60 s.
        given friction: f32,
        /// How hard strands push apart that are denser than `density` [m2/s2].
        given pressure: f32,
        /// Mass per volume from which on they do [kg/m3].
        given density: f32,
        /// Mass per volume that takes away half of the wind [kg/m3]; 0: none does.
        given shelter: f32,
        /// Mass that counts as 1 in the sums of a cell [kg].
        given unit: f32,
    }

    /// One row per stride: rows of `distance` of one colour, as they lie in columns (`state/strides.rs`), in the order in which they run, by jobs (`state/wavefront.rs`).
    table stride {
        /// First row in `distance`, and number of rows, or particles of a pattern without rows; the particles of the first row.
        given rows: [u32; 2],
        given ends: [u32; 2],
        /// `model::StridePattern` of the others; where all are alike the first of enough rows with their values, else `u32::MAX`.
        given pattern: u32,
        given alike: u32,
    }

    /// One row per particle, sorted by colours of particles: no two of one colour share a row, in strips of 8 (`state/incidence.rs`), for `SolverDesc::by_particle`.
    table vertex {
        /// The particle.
        given particle: u32,
        /// First and number of its distance rows in `incident`; they lie 8 apart, padded to as many in all of a strip.
        given springs: [u32; 2],
        /// First and number of its rows of all other tables in `incident`, one after the other.
        given others: [u32; 2],
    }

    /// One row per corner of a row of a constraint table. Derived by the host with `vertex`.
    table incident {
        /// 0 distance, 1 triangle, 2 hinge, 3 tether, 4 attachment; `u32::MAX` pads a strip.
        given table: u32,
        /// Row in that table.
        given row: u32,
        /// The other particle of a distance row, itself where padded; for other tables the corner (0..N).
        given other: u32,
        /// Of a distance row: rest length [m].
        given rest: f32,
    }

    /// One row per edge of the surface of cloth that can tear, then per segment of strands that can, in scene order. What lies over a broken one is gone.
    table thread {
        given ends: [u32; 2],
        /// Rest length [m].
        given rest: f32,
        /// Strain above which it breaks; infinite: only a cut breaks it.
        given limit: f32,
        /// 0 a thread, 1 a diagonal of a grid, 2 a segment of a strand (`model::THREAD_OF_STRAND`).
        given kind: u32,
    }

    /// One row per collider. Poses are those of the end of the frame; `begin_*` those of its start.
    table collider {
        /// 0 plane (solid below, local +y is the normal), 1 sphere, 2 capsule (axis local y), 3 box, 4 mesh.
        given kind: u32,
        /// Position [m]; w is 0. The host writes it before a step, the step those of bodies with a mass.
        state position: [f32; 4] = scene,
        /// Rotation, unit quaternion x y z w. Written as the position is.
        state rotation: [f32; 4] = scene,
        /// The same at the start of the frame.
        given begin_position: [f32; 4],
        given begin_rotation: [f32; 4],
        /// Sphere: radius; capsule: radius, half height without caps; box: half edges; mesh: 1 if closed, radius around the origin [m].
        given size: [f32; 4],
        /// Velocity [m/s]; w is 0. Of a body with a mass.
        state velocity: [f32; 4] = scene,
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
    }

    /// One row per vertex of the meshes of colliders, in the frame of the collider.
    table solid_vertex {
        /// Place [m]; w is 0.
        given position: [f32; 4],
        /// Sum of the normals of the faces around it, each times its angle there; w is 0.
        given normal: [f32; 4],
    }

    /// One row per face of the meshes of colliders, counter-clockwise seen from outside.
    table solid_face {
        /// Rows in `solid_vertex`.
        given corners: [u32; 3],
        /// Sum of the normals of the faces beside the edge from corner 0 to 1; w is 0.
        given edge0: [f32; 4],
        /// The same from corner 1 to 2, and from 2 to 0.
        given edge1: [f32; 4],
        given edge2: [f32; 4],
    }

    /// One row per box of the trees over those faces, a node before its children.
    table solid_node {
        /// Lowest and highest corner [m]; w is 0.
        given low: [f32; 4],
        given high: [f32; 4],
        /// The row behind its last descendant; first face and number of faces of a leaf, 0 and 0 of any other.
        given link: [u32; 3],
    }

    /// One row per cell of the grids around those meshes, x fastest, then y.
    table solid_cell {
        /// Signed distance of its centre from the surface [m].
        given distance: f32,
        /// The row in `solid_face` that is nearest to its centre.
        given face: u32,
    }

    /// One row per particle if some cloth of the scene collides with cloth, else none.
    table layer {
        /// Distance kept from other cloth [m]; between two sheets their mean counts. 0: the particle's cloth meets none.
        given thickness: f32,
        /// Coefficients of friction of cloth on cloth, static and dynamic; between two sheets their mean counts.
        given friction_static: f32,
        given friction_dynamic: f32,
        /// 1: its cloth is taken apart where it passes through cloth that has a 1, too.
        given heals: u32,
        /// Strands with the same number do not meet each other; 0: it meets all.
        given alone: u32,
        /// Position at the start of the scene [m]; w is unused.
        given start: [f32; 4],
    }

    /// One row per triangle of cloth that collides with cloth, in the order of `node`.
    table face {
        given corners: [u32; 3],
    }

    /// One row per edge of these triangles, in the order of `node`.
    table edge {
        given ends: [u32; 2],
        /// Rows of `face` on both sides; `u32::MAX`: none, as of segments of strands.
        given faces: [u32; 2],
    }

    /// One row per particle of these triangles, in the order of `node`.
    table point {
        given particle: u32,
    }

    /// One row per node of the tree of boxes, parents before children (`self_collision/tree.rs`).
    table node {
        /// The next node that is not below this one.
        given skip: u32,
        /// First and number of a leaf's rows of `face`; the number is 0 above the leaves. `u32::MAX` and 0: a leaf of strands.
        given faces: [u32; 2],
        /// The same of `edge` and `point`: those that belong to this leaf.
        given edges: [u32; 2],
        given points: [u32; 2],
        /// What all strands below it have in `layer.alone`.
        given alone: u32,
    }
}
