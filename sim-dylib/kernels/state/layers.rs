//! Tables of cloth that collides with cloth (`self_collision.rs`): what can touch, the tree over it, and pairs that are near.

use sim_api::columns;

columns! {
    pub struct Layer in layer: model {
        /// Position at the end of the last substep [m], where no two sheets cross; w as in `particle.position`.
        scratch last_valid: [f32; 4],
        /// Position at the last broad phase [m]; w: how far from there it may go before the next [m].
        scratch position_at_broad_phase: [f32; 4],
        /// Position at the last detection [m]; w as in `particle.position`.
        scratch position_at_narrow_phase: [f32; 4],
        /// Its way since the last detection and in this substep, less the mean of all [m].
        scratch displacement: [f32; 2],
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
    pub struct Face in face: model {
        /// Corners of its box [m], with thickness and margins; w is 0.
        scratch lower: [f32; 4],
        scratch upper: [f32; 4],
    }
}

columns! {
    pub struct Edge in edge: model {
        /// Corners of its box [m], with thickness and margins; w is 0.
        scratch lower: [f32; 4],
        scratch upper: [f32; 4],
        /// 1 while it pierces a triangle, else 0.
        scratch cut: u32,
    }
}

columns! {
    pub struct Point in point: model {
        /// Corners of its box [m], with thickness and margins; w is 0.
        scratch lower: [f32; 4],
        scratch upper: [f32; 4],
    }
}

columns! {
    pub struct Node in node: model {
        /// Corners of the box [m], with thickness and margins; w is 0.
        scratch lower: [f32; 4],
        scratch upper: [f32; 4],
    }
}

columns! {
    /// One row per 32 nodes: their part of the list of pairs.
    pub struct Batch in batch {
        /// First row of `pair`.
        scratch first: u32,
        /// Pairs that the last broad phase found: the next shares out the room by it.
        state found: u32,
        /// Row 0: checksum of positions in which nothing crosses; 0: not known (`self_collision.rs`).
        state sound: u32,
        /// Row 0: share of their widest that the margins have, for which the list had room (`self_collision/pairs.rs`).
        state margins: f32,
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
    pub struct Crossing in crossing {
        /// Rows of `edge` and `face`.
        scratch edge: u32,
        scratch face: u32,
    }
}

columns! {
    /// Room for pairs of vertex and triangle or edge and edge. `near`, `touch*` and `failed` have their own counts in
    /// `batch`.
    pub struct Pair in pair {
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
        scratch contact_softness: [f32; 4],
        /// Distance below which it gives way no more [m], coefficients of friction, static and dynamic; w is 0.
        scratch touch_least: [f32; 4],
        /// How far it was moved apart in this substep [m].
        scratch contact_lambda: f32,
        /// Its class, and the rows of all classes one after the other (`self_collision/slabs.rs`).
        scratch touch_class: u32,
        scratch touch_order: u32,
        /// Row of a pair that passes through.
        scratch failed: u32,
    }
}
