//! Memory that this process takes, and what the system still has to give (Linux, and a page in the browser; elsewhere nothing is
//! known).

use std::fs::read_to_string;

/// What any machine has [bytes]: asking takes the system a tenth of a millisecond.
pub const LITTLE: usize = 64 << 20;

/// What a page in the browser may have at most [bytes], as it is linked (`app/src/web.rs`).
pub const PAGE_MOST: usize = 2 << 30;

/// Memory that programs can still have [bytes]: of the machine, or of the container or the shell's limit if that is less. A page
/// keeps what it once had: that it uses again counts as taken.
pub fn free() -> Option<usize> {
    #[cfg(target_arch = "wasm32")]
    return Some(PAGE_MOST.saturating_sub(core::arch::wasm32::memory_size(0) << 16));
    #[cfg(not(target_arch = "wasm32"))]
    of_system()
}

#[cfg(not(target_arch = "wasm32"))]
fn of_system() -> Option<usize> {
    let machine = kilobytes("/proc/meminfo", "MemAvailable:")?;
    Some([container(), limit()].into_iter().flatten().fold(machine, usize::min))
}

/// What programs can still have, where that is less than `needed` [bytes]; not asked for little.
pub fn short_of(needed: usize) -> Option<usize> {
    (needed > LITTLE).then(free).flatten().filter(|free| needed > *free)
}

/// A line such as `MemAvailable:   1234 kB` [bytes].
fn kilobytes(file: &str, name: &str) -> Option<usize> {
    let text = read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

/// What a limit on the addresses of this process leaves it, as `ulimit -v` and queues of clusters set one.
fn limit() -> Option<usize> {
    let text = read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let most: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(most.saturating_sub(kilobytes("/proc/self/status", "VmSize:")?))
}

/// The same of a control group with a limit; files that it only caches count as free.
fn container() -> Option<usize> {
    let read = |name: &str| read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    let number = |name: &str| read(name)?.trim().parse::<usize>().ok();
    let (most, taken) = (number("memory.max")?, number("memory.current")?);
    let stat = read("memory.stat").unwrap_or_default();
    let cached = stat.lines().find_map(|line| line.strip_prefix("inactive_file "));
    Some((most + cached.and_then(|bytes| bytes.parse::<usize>().ok()).unwrap_or(0)).saturating_sub(taken))
}

/// Memory of this process that is in use [pages].
pub fn resident_pages() -> Option<usize> {
    resident("self")
}

/// The same of another process [bytes].
pub fn resident_of(process: u32) -> Option<usize> {
    Some(resident(&process.to_string())? * PAGE)
}

fn resident(process: &str) -> Option<usize> {
    read_to_string(format!("/proc/{process}/statm")).ok()?.split(' ').nth(1)?.parse().ok()
}

/// What most systems have [bytes].
const PAGE: usize = 4096;

/// All processes, each with the one that started it.
pub fn processes() -> Vec<[u32; 2]> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = |entry: std::fs::DirEntry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        Some([number, crate::child::stat(entry.path().to_str()?)?.get(1)?.parse().ok()?])
    };
    entries.filter_map(own).collect()
}

/// Gives the system back what the allocator keeps of memory that was freed; where it is not glibc's, it knows better.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: takes a lock of the allocator, and nothing that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}
