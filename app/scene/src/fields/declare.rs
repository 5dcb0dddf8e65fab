//! A struct of a scene with all that is known of its fields, each declared once.

use super::Slot;
use crate::{Vec2, Vec3};

/// A type that a field of a scene may have.
pub(crate) trait InScene {
    fn slot(&mut self) -> Slot<'_>;
}

macro_rules! in_scene {
    ($($type:ty: $slot:ident),+) => {
        $(impl InScene for $type {
            fn slot(&mut self) -> Slot<'_> {
                Slot::$slot(self)
            }
        })+
    };
}
in_scene!(f32: Float, u32: Int, Vec2: Vec2, Vec3: Vec3, bool: Flag, String: Text);

/// The struct as it is read and written, its defaults, and `visit`, which hands its fields out with their rows. A field
/// is `name: Type = default, "unit", [least, most], Class, "doc"`, and `, slider`, `, log` or `, slider log`.
macro_rules! declare {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($field:ident: $type:ty = $default:expr, $unit:literal, [$min:expr, $max:expr], $class:ident, $doc:literal
                $(, $($shown:ident)+)?;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            $(#[doc = concat!($doc, " [", $unit, "]")] pub $field: $type,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),+ }
            }
        }

        impl $name {
            pub(crate) fn visit(&mut self, at: &mut $crate::fields::Visitor<'_>) {
                use $crate::fields::{Class, InScene, row};
                $(at.give(
                    stringify!($field),
                    self.$field.slot(),
                    row($unit, $min, $max, Class::$class, $doc)$($(.$shown())+)?,
                );)+
            }
        }
    };
}
pub(crate) use declare;
