//! A tolerant scanner: RON text → tree of byte spans, plus what is wrong with the brackets.
//!
//! It knows comments (`//`, nested `/* */`), strings, raw strings, characters, attributes, and groups
//! with or without a name, and nothing about types. It never fails: what is wrong stands beside the tree.

use std::ops::Range;

mod blame;
mod comments;
mod layout;
mod read;
mod scan;

pub use comments::{comments, line_before};
pub use layout::layout;
pub use read::read;

/// A value in the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// From the name or the bracket to the closing bracket.
    pub span: Range<usize>,
    /// None for a scalar.
    pub group: Option<Group>,
}

/// `Name(..)`, `(..)`, `[..]` or `{..}`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Empty when there is none.
    pub name: Range<usize>,
    /// The opening bracket.
    pub open: usize,
    /// The closing bracket, or where the text ends.
    pub close: usize,
    /// `[..]`
    pub is_list: bool,
    pub entries: Vec<Entry>,
}

/// An item of a list, a field, or a row of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// A field name, or a text without its quotes.
    pub key: Option<Range<usize>>,
    pub value: Node,
    /// The whole entry, its comma included.
    pub extent: Range<usize>,
}

/// A mistake in the brackets, quotes or commas.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError {
    pub span: Range<usize>,
    pub message: String,
    pub help: Option<String>,
}
