//! Whether there is room for the strands of a file, before a point of it is read.

use std::{io::Read, path::Path};

use super::{Fault, fault, hair};
use crate::{
    Roots, Strands, cost,
    obj::{MAX_BYTES, MAX_PARTICLES},
};
use weft_core::{files, memory};

/// Of the memory that is needed while a file is read, by its own size.
const COPIES: u64 = 3;

/// Refuses a `.hair` file whose head is broken, or says that the list would have too many particles, for a scene or for the memory.
/// The other format has no head.
pub(super) fn of_particles(path: &Path, strands: &Strands) -> Result<(), Fault> {
    let Roots::File { every, .. } = &strands.roots else { return Ok(()) };
    let Some(size) =
        files::size(path).filter(|_| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("hair")))
    else {
        return Ok(());
    };
    let mut first = Vec::new();
    let read = files::open(path).and_then(|file| file.take(hair::HEAD as u64).read_to_end(&mut first));
    if read.is_err() {
        // Who reads it says why.
        return Ok(());
    }
    let all = hair::head(&first, size)?.strands;
    let taken = u64::from(all).div_ceil(u64::from(*every).max(1));
    let particles = taken.saturating_mul(strands.particles.into());
    let needed = cost::of_particles(particles);
    let of_them = if *every > 1 { format!("{taken} of its {all}") } else { format!("its {all}") };
    let takes = format!(
        "{of_them} strands with {} particles each are {particles} particles, which take up to {} of memory",
        strands.particles,
        gigabytes(needed)
    );
    let fewer = u64::from(all).saturating_mul(strands.particles.into()).div_ceil(MAX_PARTICLES);
    if particles > MAX_PARTICLES {
        let help =
            format!("fewer `particles`, or `every: {fewer}` and more, which takes one strand of so many");
        return Err(fault(format!("{takes}; at most {MAX_PARTICLES} particles may be in a scene"), help));
    }
    let short = usize::try_from(needed).ok().and_then(memory::short_of);
    short.map_or(Ok(()), |free| {
        let help = "fewer `particles`, or a larger `every`, which takes one strand of so many; or end other programs";
        Err(fault(format!("{takes}, and {} are free", gigabytes(free as u64)), help))
    })
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.2} GB", bytes as f64 / 1e9)
}

/// Refuses a file that is too large; `free`: what the system still has [bytes].
pub(super) fn of_bytes(size: u64, free: Option<usize>) -> Result<(), Fault> {
    const HELP: &str = "export fewer strands, or end other programs";
    if size > MAX_BYTES {
        return Err(fault(
            format!("{size} bytes are too many"),
            format!("at most {MAX_BYTES}: export fewer strands"),
        ));
    }
    let needed = size.saturating_mul(COPIES);
    match free {
        Some(free) if needed > free as u64 => {
            let [needed, free] = [needed, free as u64].map(gigabytes);
            Err(fault(format!("reading it takes {needed}, and {free} of memory are free"), HELP))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_asked_for_before_a_file_is_read() {
        assert!(of_bytes(1 << 20, Some(1 << 30)).is_ok() && of_bytes(1 << 20, None).is_ok());
        let refused = of_bytes(500 << 20, Some(1 << 30)).expect_err("1.5 GB of 1.07");
        assert!(refused.message.contains("1.57 GB, and 1.07 GB of memory are free"), "{refused:?}");
        assert!(of_bytes(600 << 20, None).expect_err("a limit").message.contains("too many"));
    }
}
