//! What a constraint is made of: the columns that a scene gives to the constraint tables, and a row of them.

use sim_api::{Colors, Column, Key, Mapped, model::col};

use crate::{
    lanes::{Lanes, Real, Rows, RowsMut, V3},
    state,
};

/// Whoever has columns: the host's state.
pub trait Source {
    fn column<T: Column>(&self, key: Key<T>) -> &[T];
}

/// The columns of one table.
macro_rules! table {
    ($Name:ident $table:ident { $($table_doc:tt)* } {
        $($(#[doc = $doc:literal])* $class:ident $column:ident: $ty:ty $(= $fill:ident)?,)*
    }) => {
        $($table_doc)*
        #[derive(Clone, Copy)]
        pub struct $Name<'a> {
            /// Which rows may run at the same time; none where the host looks at them.
            pub colors: Colors<'a>,
            $($(#[doc = $doc])* pub $column: &'a [$ty],)*
        }

        impl<'a> $Name<'a> {
            fn of(view: &state::$Name<'a>) -> Self {
                Self { colors: view.colors, $($column: view.$column),* }
            }

            fn read(source: &'a impl Source) -> Self {
                Self { colors: Colors::none(), $($column: source.column(col::$table::$column)),* }
            }
        }
    };
}

macro_rules! tables {
    ($($table:ident: $Name:ident,)*) => {
        $(sim_api::model! { $table => [table] { $Name $table } })*

        /// What a scene gives to the constraint tables.
        #[derive(Clone, Copy)]
        pub struct Tables<'a> {
            $(pub $table: $Name<'a>,)*
        }

        impl<'a> Tables<'a> {
            /// Those of a step.
            pub fn of(state: &state::State<'a>) -> Self {
                Self { $($table: $Name::of(&state.$table)),* }
            }

            /// Those of the host.
            pub fn read(source: &'a impl Source) -> Self {
                Self { $($table: $Name::read(source)),* }
            }
        }
    };
}

tables! {
    distance: Distance,
    triangle: Triangle,
    hinge: Hinge,
    tether: Tether,
    attachment: Attachment,
}

/// The particles of rows, by N.
pub(super) trait Corners<const N: usize> {
    fn corners(&self) -> &[[u32; N]];
}

impl<const N: usize> Corners<N> for [[u32; N]] {
    #[inline(always)]
    fn corners(&self) -> &[[u32; N]] {
        self
    }
}

impl Corners<1> for [u32] {
    #[inline(always)]
    fn corners(&self) -> &[[u32; 1]] {
        self.as_chunks().0
    }
}

/// The row that a constraint is made of, or a lane of rows.
pub trait Load<R: Real> {
    fn one(&self, column: &[f32]) -> R;

    fn four(&self, column: &[[f32; 4]]) -> [R; 4];

    /// Where a particle is that is no corner of the row [m]; `particles` has one for each row.
    fn place(&self, particles: &[u32]) -> V3<R>;
}

/// Rows in lanes.
pub struct Group<'a, const N: usize> {
    pub rows: &'a Rows<'a, N>,
    /// Positions of particles that nothing moves meanwhile [m].
    pub still: &'a [[f32; 4]],
}

impl<L: Lanes, const N: usize> Load<L> for Group<'_, N> {
    #[inline(always)]
    fn one(&self, column: &[f32]) -> L {
        self.rows.load(column)
    }

    #[inline(always)]
    fn four(&self, column: &[[f32; 4]]) -> [L; 4] {
        self.rows.load4(column)
    }

    #[inline(always)]
    fn place(&self, particles: &[u32]) -> V3<L> {
        self.rows.look_up(self.still, particles)
    }
}

/// One row, in any precision.
#[derive(Clone, Copy)]
pub struct Single<'a> {
    pub row: usize,
    /// Positions of all particles [m].
    pub still: &'a [[f32; 4]],
}

impl<R: Real> Load<R> for Single<'_> {
    #[inline(always)]
    fn one(&self, column: &[f32]) -> R {
        R::from_f32(column[self.row])
    }

    #[inline(always)]
    fn four(&self, column: &[[f32; 4]]) -> [R; 4] {
        column[self.row].mapped(R::from_f32)
    }

    #[inline(always)]
    fn place(&self, particles: &[u32]) -> V3<R> {
        V3::from_row(self.still[particles[self.row] as usize].mapped(R::from_f32))
    }
}

/// What a column of multipliers holds in a row: one, or up to three and something unused.
pub trait Multiplier: Column + Default {
    fn load<L: Lanes, const N: usize>(column: &RowsMut<Self>, rows: &Rows<N>) -> [L; 4];

    fn store<L: Lanes, const N: usize>(column: &RowsMut<Self>, rows: &Rows<N>, lambda: [L; 4]);

    /// The only one, or the first of several.
    fn first(self) -> f32;
}

impl Multiplier for f32 {
    #[inline(always)]
    fn load<L: Lanes, const N: usize>(column: &RowsMut<Self>, rows: &Rows<N>) -> [L; 4] {
        let none = L::from_f32(0.0);
        [column.load(rows), none, none, none]
    }

    #[inline(always)]
    fn store<L: Lanes, const N: usize>(column: &RowsMut<Self>, rows: &Rows<N>, lambda: [L; 4]) {
        column.store(rows, lambda[0]);
    }

    fn first(self) -> f32 {
        self
    }
}

impl Multiplier for [f32; 4] {
    #[inline(always)]
    fn load<L: Lanes, const N: usize>(column: &RowsMut<Self>, rows: &Rows<N>) -> [L; 4] {
        column.load4(rows)
    }

    #[inline(always)]
    fn store<L: Lanes, const N: usize>(column: &RowsMut<Self>, rows: &Rows<N>, lambda: [L; 4]) {
        column.store4(rows, lambda);
    }

    fn first(self) -> f32 {
        self[0]
    }
}
