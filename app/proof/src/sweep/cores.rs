//! Cores for processes that are timed side by side: one of each pair that shares its units first.

/// Cores that this process may use, in the order in which to take them.
#[cfg(target_os = "linux")]
pub(super) fn allowed() -> Vec<usize> {
    // SAFETY: the set is plain bits, and its size is given.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        let read = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set);
        if read != 0 {
            return any();
        }
        set
    };
    // SAFETY: the numbers are within the set.
    let all: Vec<usize> =
        (0..libc::CPU_SETSIZE as usize).filter(|&core| unsafe { libc::CPU_ISSET(core, &set) }).collect();
    let first = |core: &usize| {
        let file = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        let list = std::fs::read_to_string(file).unwrap_or_default();
        let first = list.split([',', '-']).next().and_then(|first| first.trim().parse().ok());
        first.is_none_or(|first: usize| first == *core || !all.contains(&first))
    };
    let (firsts, others): (Vec<usize>, Vec<usize>) = all.iter().copied().partition(first);
    firsts.into_iter().chain(others).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn allowed() -> Vec<usize> {
    any()
}

fn any() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, Into::into)).collect()
}

/// Keeps this process, and what it starts from here on, to some cores; to any if there are none in the list.
#[cfg(target_os = "linux")]
pub(super) fn pin(cores: &[usize]) -> Result<(), String> {
    if cores.is_empty() {
        return Ok(());
    }
    // SAFETY: the set is plain bits; a core beyond it is left out by the bound.
    let done = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for &core in cores.iter().filter(|&&core| core < libc::CPU_SETSIZE as usize) {
            libc::CPU_SET(core, &mut set);
        }
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set)
    };
    if done == 0 { Ok(()) } else { Err(format!("--cores {cores:?}: {}", std::io::Error::last_os_error())) }
}

/// Other systems place threads as they see fit.
#[cfg(not(target_os = "linux"))]
pub(super) fn pin(_cores: &[usize]) -> Result<(), String> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_those_of_this_process_each_once() {
        let mut cores = allowed();
        assert!(!cores.is_empty());
        let count = cores.len();
        cores.sort_unstable();
        cores.dedup();
        assert_eq!(cores.len(), count);
    }
}
