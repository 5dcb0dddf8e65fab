//! The list of constraints. It is a macro, so that two read it: `constraints.rs` makes the modules and what solvers go through,
//! `state/kept.rs` the columns of their multipliers.

/// `module: Type` under the table whose rows it acts on, in the order in which solvers go through them. What runs last holds
/// best, so inner forces come first, from stiff to soft, then what must not be broken: the longest distance to a pin, and
/// the pins. Distance rows come before all; their sweep is written by hand.
///
/// Constraints of a table share its multipliers `lambda`, if each row is of one of them; `keeps name: f32` gives one a column of
/// its own in that table, as it needs beside the springs of `distance`.
#[doc(hidden)]
#[macro_export]
macro_rules! constraint_list {
    ($then:ident) => {
        $then! {
            distance: Distance[2] by compliance, lambda: f32 {
            }
            triangle: Triangle[3] by model, lambda: [f32; 4] {
                st_venant_kirchhoff: StVenantKirchhoff,
                neo_hookean: NeoHookean,
                area: Area,
            }
            hinge: Hinge[4] by model, lambda: [f32; 4] {
                quadratic_bend: QuadraticBend,
                curve_bend: CurveBend,
                hinge: Dihedral,
            }
            tether: Tether[1] by compliance, lambda: f32 {
                tether: Tether,
            }
            attachment: Attachment[1] by compliance, lambda: [f32; 4] {
                attachment: Attachment,
            }
        }
    };
}
