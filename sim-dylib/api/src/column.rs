//! Tables of named, typed columns: the description both sides compare, and the typed view the hot code works on.

use crate::{Colors, List, Str};

/// What one row of a column holds. Values are `f32` or `u32`, one to four of them.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Element {
    F32 = 0,
    F32x2 = 1,
    F32x3 = 2,
    F32x4 = 3,
    U32 = 4,
    U32x2 = 5,
    U32x3 = 6,
    U32x4 = 7,
}

impl Element {
    /// Number of values in a row, 1 to 4.
    pub const fn lanes(self) -> usize {
        (self as usize & 3) + 1
    }

    /// Whether its values are numbers with a fraction.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F32x2 | Self::F32x3 | Self::F32x4)
    }

    /// Bytes of a row.
    pub const fn size(self) -> usize {
        self.lanes() * 4
    }
}

/// A Rust type that can be the row of a column.
///
/// # Safety
/// The type must have exactly the size of `ELEMENT`, alignment 4 and no invalid bit patterns.
pub unsafe trait Column: Copy + Send + Sync + 'static {
    const ELEMENT: Element;
}

macro_rules! column_types {
    ($($ty:ty => $element:ident),*) => {
        $(
            // SAFETY: arrays of f32/u32 have the element's size, alignment 4 and accept every bit pattern.
            unsafe impl Column for $ty {
                const ELEMENT: Element = Element::$element;
            }
        )*
    };
}
column_types!(
    f32 => F32, [f32; 2] => F32x2, [f32; 3] => F32x3, [f32; 4] => F32x4,
    u32 => U32, [u32; 2] => U32x2, [u32; 3] => U32x3, [u32; 4] => U32x4
);

/// How long a column's content lives.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Survives a step, a reload and a snapshot; restored after a panic.
    State = 0,
    /// Undefined at the start of a step (NaN in debug builds), never saved.
    Scratch = 1,
    /// Belongs to the host (masses, rest lengths, poses of colliders); the hot code reads it.
    Given = 2,
}

/// What a new column starts with.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    Zero = 0,
    /// The same rows of another column of the table with the same element, named by `ColumnDesc::source`.
    Copy = 1,
    /// Built by the host from the scene file (positions, rest lengths, masses …).
    Scene = 2,
}

/// One column as declared by the hot code.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ColumnDesc {
    pub name: Str,
    pub element: Element,
    pub class: Class,
    pub fill: Fill,
    /// For [`Fill::Copy`]: the column to copy from; empty otherwise.
    pub source: Str,
    /// What it is, with unit and space.
    pub doc: Str,
}

/// One table as declared by the hot code.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TableDesc {
    pub name: Str,
    pub columns: List<ColumnDesc>,
}

/// One bound column: `rows` values of `element` at `data`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ColumnView {
    pub data: *mut u8,
    pub rows: usize,
    pub element: Element,
}

/// One bound table: its columns in the order of the schema, and its colours.
#[repr(C)]
pub struct TableView {
    pub rows: usize,
    pub columns: *const ColumnView,
    pub column_count: usize,
    /// End row of each colour, ascending; colour `c` is `ends[c - 1]..ends[c]`.
    pub color_ends: *const u32,
    pub color_count: usize,
    /// Place of the column that the colours were checked for; behind the last column: there is none.
    pub colored: usize,
    /// Every value of that column is below this.
    pub colored_end: usize,
}

impl TableView {
    /// # Safety
    /// The host filled the view: pointers are valid for `'a` and no other view of these columns is in use.
    // Some hundreds of columns are bound once a step: in place they were the largest function of the hot code.
    #[inline(never)]
    pub unsafe fn column<'a, T: Column>(&self, index: usize) -> &'a mut [T] {
        assert!(index < self.column_count, "column {index} is not bound");
        // SAFETY: index is inside; the caller vouches for the array.
        let view = unsafe { *self.columns.add(index) };
        assert!(view.element == T::ELEMENT, "column {index} is bound as {:?}", view.element);
        // SAFETY: the caller vouches for the pointer, `Column` for the layout; data is 64-byte aligned.
        unsafe { std::slice::from_raw_parts_mut(view.data.cast::<T>(), view.rows) }
    }

    /// A column that is only read.
    ///
    /// # Safety
    /// As for [`TableView::column`].
    pub unsafe fn given<'a, T: Column>(&self, index: usize) -> &'a [T] {
        // SAFETY: vouched for by the caller.
        unsafe { self.column(index) }
    }

    /// # Safety
    /// As for [`TableView::column`]; the host checked the colours.
    pub unsafe fn colors<'a>(&self) -> Colors<'a> {
        // SAFETY: the caller vouches for the array.
        let ends = unsafe { std::slice::from_raw_parts(self.color_ends, self.color_count) };
        // SAFETY: as above.
        let columns = unsafe { std::slice::from_raw_parts(self.columns, self.column_count) };
        // SAFETY: the host checked the colours for this column.
        unsafe { Colors::new(ends, self.rows, columns.get(self.colored), self.colored_end) }
    }
}

layout! {
    ColumnDesc { name, element, class, fill, source, doc }
    TableDesc { name, columns }
    ColumnView { data, rows, element }
    TableView { rows, columns, column_count, color_ends, color_count, colored, colored_end }
}

/// The columns of a table, and behind them those of its groups.
pub const fn joined<const N: usize>(parts: &[&'static [ColumnDesc]]) -> [ColumnDesc; N] {
    const NONE: ColumnDesc = ColumnDesc {
        name: Str::new(""),
        element: Element::F32,
        class: Class::Scratch,
        fill: Fill::Zero,
        source: Str::new(""),
        doc: Str::new(""),
    };
    let mut all = [NONE; N];
    let (mut part, mut next) = (0, 0);
    while part < parts.len() {
        let mut column = 0;
        while column < parts[part].len() {
            all[next] = parts[part][column];
            (column, next) = (column + 1, next + 1);
        }
        part += 1;
    }
    all
}

/// Declares one table: its schema, its typed view, and the [`Key`](crate::Key)s of its columns.
///
/// ```ignore
/// columns! {
///     pub struct Particle in particle: model {
///         /// Temperature [K]. Starts at zero, survives steps and reloads.
///         state heat: f32,
///         /// Position at the start of the substep [m].
///         scratch previous: [f32; 4],
///     }
/// }
/// ```
/// `: model` puts the columns that a scene gives ([`model!`](crate::model)) before these; a table without them has its own
/// doc. After `=`: `zero` (the default), `scene`, or `copy(other_column)`.
///
/// Columns that one module alone works with are a group of the table, in a file of their own: `pub struct Columns of particle
/// { … }`. The table names the files behind its own columns, `with { implicit: crate::state::implicit }`; then they are
/// `particle.implicit.residual`.
#[macro_export]
macro_rules! columns {
    (
        $vis:vis struct $View:ident in $table:ident: model { $($own:tt)* }
        $(with { $($group:ident: $($path:ident)::+),* $(,)? })?
    ) => {
        $crate::model! { $table => [$crate::columns] {
            @with { $vis $View $table } { $($own)* } { $($($group: $($path)::+,)*)? }
        } }
    };
    (
        @with { $vis:vis $View:ident $table:ident } { $($own:tt)* } { $($group:ident: $($path:ident)::+,)* }
        { $($table_doc:tt)* } { $($model:tt)* }
    ) => {
        $crate::columns! {
            @table $($table_doc)* $vis struct $View in $table { $($model)* $($own)* } { $($group: $($path)::+,)* }
        }
        $crate::columns! {
            @keys $table $table { pub use $crate::model::col::$table::*; $(pub use $($path)::+::column::*;)* } { $($own)* }
        }
    };
    (
        @keys $module:ident $table:ident { $($others:tt)* } {
            $($(#[doc = $doc:literal])* $class:ident $column:ident : $ty:ty $(= $fill:ident $(($source:ident))?)?),* $(,)?
        }
    ) => {
        #[allow(unused_imports, reason = "a table may have columns of the scene alone")]
        #[allow(non_upper_case_globals, reason = "named as the columns are")]
        pub mod $module {
            $($others)*
            use $crate::Key;
            $($(#[doc = $doc])* pub const $column: Key<$ty> = Key::new(stringify!($table), stringify!($column));)*
        }
    };
    (
        @table
        $(#[doc = $table_doc:literal])*
        $vis:vis struct $View:ident in $table:ident { $($columns:tt)* } { $($group:ident: $($path:ident)::+,)* }
    ) => {
        $crate::columns! {
            @view [$(#[doc = $table_doc])*] $vis struct $View { $($columns)* } {
                $(pub $group: $($path)::+::Columns<'a>,)*
                /// Which rows may run at the same time.
                pub colors: $crate::Colors<'a>,
            } |view, index| {
                // SAFETY: vouched for by the caller; each column is taken once.
                $($group: unsafe { $($path)::+::Columns::bind_from(view, index) },)*
                // SAFETY: vouched for by the caller.
                colors: unsafe { view.colors() },
            }
        }

        impl<'a> $View<'a> {
            pub const TABLE: $crate::TableDesc = $crate::TableDesc {
                name: $crate::Str::new(stringify!($table)),
                columns: $crate::List::new(&const {
                    const COLUMNS: usize = $View::COLUMNS.len() $(+ $($path)::+::Columns::COLUMNS.len())*;
                    $crate::joined::<COLUMNS>(&[$View::COLUMNS $(, $($path)::+::Columns::COLUMNS)*])
                }),
            };

            /// # Safety
            /// `view` was filled by the host for exactly this table and lives for `'a`.
            pub unsafe fn bind(view: &$crate::TableView) -> Self {
                // SAFETY: vouched for by the caller.
                unsafe { Self::bind_from(view, &mut (0..)) }
            }
        }
    };
    (
        @view [$($doc_of_view:tt)*]
        $vis:vis struct $View:ident {
            $(
                $(#[doc = $doc:literal])*
                $class:ident $column:ident : $ty:ty $(= $fill:ident $(($source:ident))?)?
            ),* $(,)?
        } { $($more:tt)* } |$view:ident, $index:ident| { $($bind_more:tt)* }
    ) => {
        $($doc_of_view)*
        $vis struct $View<'a> {
            $($(#[doc = $doc])* pub $column: $crate::columns!(@type $class $ty),)*
            $($more)*
        }

        impl<'a> $View<'a> {
            /// Those that are declared here.
            pub const COLUMNS: &'static [$crate::ColumnDesc] = &[$($crate::ColumnDesc {
                name: $crate::Str::new(stringify!($column)),
                element: <$ty as $crate::Column>::ELEMENT,
                class: $crate::columns!(@class $class),
                fill: $crate::columns!(@fill $class $($fill)?),
                source: $crate::Str::new(concat!($($(stringify!($source))?)?)),
                doc: $crate::Str::new(concat!($($doc),*)),
            }),*];

            /// # Safety
            /// As for the table, and its columns from the next of `index` on are these.
            pub unsafe fn bind_from($view: &$crate::TableView, $index: &mut std::ops::RangeFrom<usize>) -> Self {
                Self {
                    // SAFETY: vouched for by the caller; each column is taken once.
                    $($column: unsafe {
                        $crate::columns!(@bind $class $view, $index.next().unwrap_or_default(), $ty)
                    },)*
                    $($bind_more)*
                }
            }
        }
    };
    (@class state) => { $crate::Class::State };
    (@class scratch) => { $crate::Class::Scratch };
    (@class given) => { $crate::Class::Given };
    (@type given $ty:ty) => { &'a [$ty] };
    (@type $class:ident $ty:ty) => { &'a mut [$ty] };
    (@bind given $view:ident, $index:expr, $ty:ty) => { $view.given::<$ty>($index) };
    (@bind $class:ident $view:ident, $index:expr, $ty:ty) => { $view.column::<$ty>($index) };
    (@fill given) => { $crate::Fill::Scene };
    (@fill $class:ident) => { $crate::Fill::Zero };
    (@fill $class:ident zero) => { $crate::Fill::Zero };
    (@fill $class:ident scene) => { $crate::Fill::Scene };
    (@fill $class:ident copy) => { $crate::Fill::Copy };
    ($(#[doc = $table_doc:literal])* $vis:vis struct $View:ident in $table:ident { $($own:tt)* }) => {
        $crate::columns! { @table $(#[doc = $table_doc])* $vis struct $View in $table { $($own)* } {} }
        $crate::columns! { @keys $table $table {} { $($own)* } }
    };
    ($(#[doc = $group_doc:literal])* $vis:vis struct Columns of $table:ident { $($own:tt)* }) => {
        $crate::columns! {
            @view [$(#[doc = $group_doc])*] $vis struct Columns { $($own)* } {} |view, index| {}
        }
        $crate::columns! { @keys column $table {} { $($own)* } }
    };
}
