//! Builders of the model's tables, one for each in [`sim_api::model`]: a scene fills their columns.

use super::TableRows;

macro_rules! builder {
    (
        $Rows:ident $table:ident { $($table_doc:tt)* }
        { $($(#[doc = $doc:literal])* $class:ident $column:ident: $ty:ty $(= $fill:ident)?,)* }
    ) => {
        $($table_doc)*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $Rows {
            $($(#[doc = $doc])* pub $column: Vec<$ty>,)*
        }

        impl $Rows {
            /// The table; columns without a row are left out.
            ///
            /// # Panics
            /// If the others are not of one length.
            pub fn table(self) -> TableRows {
                TableRows::new(stringify!($table), vec![$((stringify!($column), self.$column.into())),*])
            }
        }
    };
}

macro_rules! builders {
    ($($Rows:ident $table:ident,)*) => {
        $(sim_api::model! { $table => [builder] { $Rows $table } })*
    };
}

builders! {
    Particle particle,
    Distance distance,
    Triangle triangle,
    Hinge hinge,
    Tether tether,
    Attachment attachment,
    Balloon balloon,
    Piece piece,
    Coarse coarse,
    CoarseNode coarse_node,
    Follower follower,
    Strand strand,
    Segment segment,
    StrandGrid strand_grid,
    Root root,
    Mount mount,
    Bearer bearer,
    Borne borne,
    Stride stride,
    Vertex vertex,
    Incident incident,
    Yarn thread,
    Collider collider,
    SolidVertex solid_vertex,
    SolidFace solid_face,
    SolidNode solid_node,
    SolidCell solid_cell,
    Layer layer,
    Face face,
    Edge edge,
    Point point,
    Node node,
}
