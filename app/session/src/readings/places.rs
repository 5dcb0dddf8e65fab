//! Where the largest of a reading is, in words: which particle, or which strand.

use weft_core::state::col;

use super::{Input, motion, strand_shape, strands};

/// `None` where the reading has no meaning, or all are alike.
pub(super) type Place = fn(&Input) -> Option<String>;

const LISTS: [&[(&str, Place)]; 3] = [motion::PLACES, strands::PLACES, strand_shape::PLACES];

/// What says where a reading of this name is.
fn find(name: &str) -> Option<Place> {
    LISTS.iter().copied().flatten().find(|(known, _)| *known == name).map(|(_, place)| *place)
}

/// Whether a reading says where it is.
pub fn has_place(name: &str) -> bool {
    find(name).is_some()
}

/// Where a reading of this name is after the last step: `strand 12 of hair, segment 3`, `particle 40 of flag`.
pub fn place(name: &str, input: &Input) -> Option<String> {
    find(name)?(input)
}

/// A row of `strand`, counted from the first of its list: `strand 12 of hair`.
pub(super) fn strand(input: &Input, row: usize) -> Option<String> {
    let lists = input.state.get(col::strand::object);
    let list = *lists.get(row)?;
    let first = lists.iter().position(|other| *other == list)?;
    Some(format!("strand {} of {}", row - first, input.objects.get(list as usize)?.id))
}

/// A row of `particle`, counted from the first of its cloth, or along its strand.
pub(super) fn particle(input: &Input, row: usize) -> Option<String> {
    let on = |&[first, stride, count]: &[u32; 3]| {
        let along = u32::try_from(row).ok()?.checked_sub(first)?;
        (stride > 0 && along % stride == 0 && along / stride < count).then(|| along / stride)
    };
    let mut spans = input.state.get(col::strand::span).iter().enumerate();
    if let Some((found, along)) = spans.find_map(|(found, span)| Some((found, on(span)?))) {
        return Some(format!("{}, particle {along}", strand(input, found)?));
    }
    let object = input.objects.iter().find(|object| object.particles.contains(&row))?;
    Some(format!("particle {} of {}", row - object.particles.start, object.id))
}
