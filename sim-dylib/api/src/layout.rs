//! Where the fields of all that crosses the door lie. The text of the contract says which fields there are; sizes and places
//! also depend on the types from outside of it.

/// Size, alignment and places of the fields of `repr(C)` types: a list for each file, where the fields are seen.
macro_rules! layout {
    ($($Type:ty { $($field:ident),* $(,)? })*) => {
        pub(crate) const LAYOUT: &[usize] = &[$(
            size_of::<$Type>(),
            align_of::<$Type>(),
            $(std::mem::offset_of!($Type, $field),)*
        )*];
    };
}

/// FNV-1a over the layouts of all files, from the hash of their texts on.
pub(crate) const fn with_layouts(sources: u64, layouts: &[&[usize]]) -> u64 {
    let (mut hash, mut list) = (sources, 0);
    while list < layouts.len() {
        let mut i = 0;
        while i < layouts[list].len() {
            hash = (hash ^ layouts[list][i] as u64).wrapping_mul(0x0100_0000_01b3);
            i += 1;
        }
        list += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::with_layouts;

    #[repr(C)]
    struct Two {
        a: u32,
        b: u64,
    }
    layout! { Two { a, b } }

    #[test]
    fn another_layout_is_another_hash() {
        assert_eq!(LAYOUT, [16, 8, 0, 8]);
        let hash = with_layouts(7, &[LAYOUT]);
        assert_ne!(hash, 7);
        assert_eq!(hash, with_layouts(7, &[&[16, 8], &[0, 8]]));
        for other in [[16, 8, 8, 0], [16, 4, 0, 8], [24, 8, 0, 8]] {
            assert_ne!(hash, with_layouts(7, &[&other]));
        }
    }
}
