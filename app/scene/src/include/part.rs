//! A value of a file as a tree of its own, to be laid over another one.

use std::ops::Range;

use super::Source;

/// A place in a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct At {
    /// Its place in the list of files.
    pub file: usize,
    pub span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Part {
    pub at: At,
    pub shape: Shape,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// As it is written, or this text.
    Scalar(Option<String>),
    Group {
        /// Empty where it has none.
        name: At,
        open: At,
        entries: Vec<(Option<Key>, Part)>,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Key {
    pub name: String,
    /// It stands in quotes.
    pub quoted: bool,
    /// Without them.
    pub at: At,
}

impl Part {
    /// Values in it, itself included.
    pub(super) fn values(&self) -> usize {
        match &self.shape {
            Shape::Scalar(_) => 1,
            Shape::Group { entries, .. } => 1 + entries.iter().map(|(_, part)| part.values()).sum::<usize>(),
        }
    }

    /// The file that is included, with what is written beside it laid over.
    pub(super) fn under(self, own: Self, files: &[Source]) -> Result<Self, String> {
        if !self.is_fields(files) {
            return Err("what is included here must be `(field: value, …)`".into());
        }
        Ok(self.overlaid(own, files))
    }

    /// `(…)` with named fields only.
    fn is_fields(&self, files: &[Source]) -> bool {
        self.bracket(files) == Some("(") && self.keyed()
    }

    fn keyed(&self) -> bool {
        matches!(&self.shape, Shape::Group { entries, .. } if entries.iter().all(|(key, _)| key.is_some()))
    }

    fn bracket<'a>(&self, files: &'a [Source]) -> Option<&'a str> {
        let Shape::Group { open, .. } = &self.shape else { return None };
        files[open.file].text.get(open.span.clone())
    }

    fn name<'a>(&self, files: &'a [Source]) -> &'a str {
        let Shape::Group { name, .. } = &self.shape else { return "" };
        files[name.file].text.get(name.span.clone()).unwrap_or_default()
    }

    /// Fields of `over` count; what both have as groups of named fields is laid over in turn.
    fn overlaid(self, over: Self, files: &[Source]) -> Self {
        let (below, above) = (self.name(files), over.name(files));
        let fit = below.is_empty() || above.is_empty() || below == above;
        let both = self.keyed() && over.keyed() && self.bracket(files) == over.bracket(files);
        // A list has no keys; an empty one takes the place of a full one.
        if !fit || !both || self.bracket(files) == Some("[") {
            return over;
        }
        let named = if above.is_empty() { &self } else { &over };
        let Shape::Group { name, .. } = &named.shape else { return over };
        let name = name.clone();
        let (Shape::Group { entries: mut fields, .. }, Shape::Group { open, entries, .. }) =
            (self.shape, over.shape)
        else {
            return Self { at: over.at, shape: Shape::Scalar(None) };
        };
        let known = fields.len();
        for (key, part) in entries {
            let same = |(other, _): &&mut (Option<Key>, Self)| {
                other.as_ref().map(|key| &key.name) == key.as_ref().map(|key| &key.name)
            };
            match fields[..known].iter_mut().find(same) {
                Some((place, below)) => {
                    let empty = Self { at: below.at.clone(), shape: Shape::Scalar(None) };
                    *below = std::mem::replace(below, empty).overlaid(part, files);
                    *place = key;
                }
                None => fields.push((key, part)),
            }
        }
        Self { at: over.at, shape: Shape::Group { name, open, entries: fields } }
    }
}
