//! Columns of the multipliers that constraints keep, for each table those that `constraints/list.rs` names.

macro_rules! kept {
    ($(
        $table:ident: $Table:ident[$N:literal] by $by:ident, lambda: $Lambda:ty {
            $($module:ident: $Type:ident $(keeps $column:ident: $Own:ty)?,)*
        }
    )*) => {
        $(pub mod $table {
            sim_api::columns! {
                pub struct Columns of $table {
                    /// Lagrange multipliers of the substep, up to three [N s2 or as the constraint has it].
                    scratch lambda: $Lambda,
                    $($(
                        /// The same, of the constraint of that name.
                        scratch $column: $Own,
                    )?)*
                }
            }
        })*
    };
}

crate::constraint_list! { kept }
