//! A number about a step that the hot code gives under a name. The panel, `expect`, JSON, CSV and `weft readings` show
//! it with the unit and the meaning that are declared here.

use crate::Str;

/// One reading. Values cross the door as `f32`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ReadingDesc {
    pub name: Str,
    /// SI unit, `"1"` for a dimensionless number.
    pub unit: Str,
    pub doc: Str,
    /// Anything above 0 is wrong: red in the panel, whatever is folded.
    pub must_be_0: bool,
}

impl ReadingDesc {
    pub const fn new(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self { name: Str::new(name), unit: Str::new(unit), doc: Str::new(doc), must_be_0: false }
    }

    /// A number of things.
    pub const fn count(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, "1", doc)
    }

    /// Of what must not happen at all.
    pub const fn must_be_0(self) -> Self {
        Self { must_be_0: true, ..self }
    }
}

impl AsRef<str> for ReadingDesc {
    fn as_ref(&self) -> &str {
        self.name.as_str()
    }
}

layout! { ReadingDesc { name, unit, doc } }
