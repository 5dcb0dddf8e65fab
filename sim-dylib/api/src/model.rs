//! The model: what a scene gives to the solvers, declared once.
//!
//! Each column has its type, unit and shape here and nowhere else. From the one declaration come
//! - the hot view: [`columns!`](crate::columns) takes a table's columns from here and adds those of the hot code,
//! - the host's builder of the table and its typed reader ([`Key`]),
//! - the list that a library's schema is checked against ([`TABLES`]),
//! - through the names, `table_column`, the bindings of the WGSL passes.
//!
//! `given` columns are the host's and read only, `state = scene` start with the scene's values. What only the hot code
//! uses is declared there (`sim-dylib/kernels/state.rs` and `state/`), so that a new column is one line and needs no restart.

pub use crate::{
    key::{Key, ModelTable},
    tables::{TABLES, col},
};

/// Tables of which a scene gives the number of rows alone.
pub const COUNTED: [&str; 5] = ["batch", "pair", "crossing", "strand_system", "strand_cell"];

/// `thread.kind` of a segment of a strand.
pub const THREAD_OF_STRAND: u32 = 2;

/// `node.faces` of a leaf that has segments of strands, and no triangles.
pub const LEAF_OF_STRANDS: [u32; 2] = [u32::MAX, 0];

/// `strand.seat` of one that a row of `root` holds.
pub const SEAT_ON_CLOTH: u32 = u32::MAX - 1;

/// Of numbers that a column holds: one declaration for the host, the hot code and the passes.
macro_rules! numbers {
    ($($(#[doc = $doc:literal])* pub enum $Name:ident { $($(#[doc = $of:literal])* $Variant:ident = $value:literal,)* })*) => {
        $(
            $(#[doc = $doc])*
            #[repr(u32)]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum $Name {
                $($(#[doc = $of])* $Variant = $value,)*
            }

            impl $Name {
                /// All of them with their names, in the order of their numbers.
                pub const ALL: &'static [(&'static str, Self)] = &[$((stringify!($Variant), Self::$Variant)),*];

                /// The one of a number that a column holds.
                #[inline(always)]
                pub const fn from_number(number: u32) -> Option<Self> {
                    match number {
                        $($value => Some(Self::$Variant),)*
                        _ => None,
                    }
                }
            }
        )*
    };
}

numbers! {
    /// What a distance row stands for in the cloth: `distance.kind`.
    pub enum DistanceKind {
        Structural = 0,
        Shear = 1,
        /// Skips one particle.
        Bend = 2,
    }

    /// Energy of a triangle: `triangle.model`.
    pub enum MembraneModel {
        /// No energy: the triangle is drawn, feels wind and collides.
        Drawn = 0,
        StVenantKirchhoff = 1,
        /// Stable neo-Hookean (Smith, de Goes, Kim 2018).
        NeoHookean = 2,
        /// Keeps its area.
        Area = 3,
    }

    /// Energy of a hinge: `hinge.model`.
    pub enum BendModel {
        /// Quadratic in the positions, for a flat rest shape (Bergou et al. 2006).
        Quadratic = 0,
        /// The dihedral angle (Grinspun et al. 2003, discrete shells).
        Dihedral = 1,
        /// The angle of two segments of a curve, 2 sin(angle / 2), whatever the direction that they bend in.
        Curve = 2,
    }

    /// Where the particles of the rows k of a stride lie, from those of its first row: `stride.pattern`.
    pub enum StridePattern {
        /// Anywhere.
        Scattered = 0,
        /// Both at + k.
        Adjacent = 1,
        /// Both at + 2 k, the second beside the first.
        Alternate = 2,
        /// Both at + 4 (k / 2) + k % 2, the second two behind the first; an even number of rows.
        Pairs = 3,
        /// No rows: particles, which go from a substep to the next before rows pull at them.
        Particles = 4,
    }

    /// Shape of a collider: `collider.kind`.
    pub enum ColliderKind {
        /// Solid below; local +y is the normal.
        Plane = 0,
        Sphere = 1,
        /// Its axis is local y.
        Capsule = 2,
        Box = 3,
        Mesh = 4,
    }

    /// The constraint table of a corner: `incident.table`.
    pub enum ConstraintTable {
        Distance = 0,
        Triangle = 1,
        Hinge = 2,
        Tether = 3,
        Attachment = 4,
        /// Fills a strip up; there is no row.
        Padding = 0xffff_ffff,
    }
}

impl StridePattern {
    /// Where the particles of row `k` lie from those of the first; of rows that lie anywhere nothing is known.
    #[inline(always)]
    pub const fn offset(self, k: usize) -> usize {
        match self {
            Self::Scattered => 0,
            Self::Adjacent | Self::Particles => k,
            Self::Alternate => 2 * k,
            Self::Pairs => 4 * (k / 2) + k % 2,
        }
    }
}
