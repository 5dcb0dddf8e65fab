//! Names of columns that the compiler checks, and the macro that declares them.

use std::marker::PhantomData;

use crate::{Class, Element};

/// A column by table, name and type. A wrong name does not compile.
#[derive(Debug)]
pub struct Key<T> {
    pub table: &'static str,
    pub column: &'static str,
    row: PhantomData<fn() -> T>,
}

impl<T> Key<T> {
    pub const fn new(table: &'static str, column: &'static str) -> Self {
        Self { table, column, row: PhantomData }
    }
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

/// One table of the model.
#[derive(Clone, Copy, Debug)]
pub struct ModelTable {
    pub name: &'static str,
    /// Name, type and class of its columns.
    pub columns: &'static [(&'static str, Element, Class)],
}

/// Declares the tables of the model; called once, in `tables.rs`.
macro_rules! declare {
    ($d:tt $($(#[doc = $doc:literal])* table $table:ident {
        $($(#[doc = $of:literal])* $class:ident $column:ident: $ty:ty $(= $fill:ident)?,)*
    })*) => {
        /// All tables that a scene fills, or that are worked out from its rows (`vertex`, `incident`).
        pub const TABLES: &[ModelTable] = &[$(ModelTable {
            name: stringify!($table),
            columns: &[$((
                stringify!($column),
                <$ty as crate::Column>::ELEMENT,
                crate::columns!(@class $class),
            )),*],
        }),*];

        /// The columns by their names: `col::distance::rest`.
        pub mod col {
            $(
                $(#[doc = $doc])*
                #[allow(non_upper_case_globals, reason = "named as the columns are")]
                pub mod $table {
                    use crate::Key;
                    $($(#[doc = $of])* pub const $column: Key<$ty> = Key::new(stringify!($table), stringify!($column));)*
                }
            )*
        }

        /// Hands the declaration of a table to another macro: `model! { distance => [then] { arguments } }` becomes
        /// `then! { arguments { docs of the table } { its columns } }`.
        #[macro_export]
        macro_rules! model {
            $(
                ($table => [$d($d then:tt)*] { $d($d arguments:tt)* }) => {
                    $d($d then)* ! {
                        $d($d arguments)*
                        { $(#[doc = $doc])* }
                        { $($(#[doc = $of])* $class $column: $ty $(= $fill)?,)* }
                    }
                };
            )*
        }
    };
}
