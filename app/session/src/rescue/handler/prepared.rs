//! What the new process is given, prepared while all is well.

use std::{
    ffi::{OsStr, OsString, c_char},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::Path,
};

use super::apart::Apart;

/// Room for the records of all crashes [bytes].
pub(super) const RECORDS: usize = 8192;
/// Longest path of a scene [bytes].
pub(super) const PATH: usize = 4096;

/// What `execve` is given, all of it away from the heap; never freed.
#[derive(Clone, Copy)]
pub(super) struct Prepared {
    /// This one; a process that hot code forks has all of this as well, and is not to become a second program.
    pub process: libc::pid_t,
    pub program: *const c_char,
    pub arguments: *const *const c_char,
    pub environment: *const *const c_char,
    pub autosave: *const c_char,
    /// Path of the scene that runs.
    pub scene: *mut [u8; PATH],
    pub records: *mut [u8; RECORDS],
    /// Bytes of records of earlier crashes.
    pub used: usize,
    /// Those that the program was started with.
    pub limits: [libc::rlimit; LIMITS.len()],
}

/// Limits without which a new process may not come to its first line.
pub(super) const LIMITS: [Resource; 6] = [
    libc::RLIMIT_NOFILE,
    libc::RLIMIT_AS,
    libc::RLIMIT_DATA,
    libc::RLIMIT_STACK,
    libc::RLIMIT_FSIZE,
    libc::RLIMIT_CPU,
];

#[cfg(target_os = "linux")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_os = "linux"))]
type Resource = libc::c_int;

/// Everything that the next process is given, where no wild write of the hot code is likely to reach it.
pub(super) fn prepare(
    program: &OsStr,
    arguments: &[Vec<OsString>; 2],
    autosave: &Path,
    crashes: &[u8],
) -> std::io::Result<*mut Prepared> {
    let variable =
        |(name, value): (OsString, OsString)| [name.into_vec(), b"=".to_vec(), value.into_vec()].concat();
    let environment: Vec<Vec<u8>> = std::env::vars_os().map(variable).collect();
    let autosave = autosave.as_os_str();
    let given = arguments.iter().flatten().map(|text| text.len()).chain(environment.iter().map(Vec::len));
    let texts =
        given.chain([program.len(), autosave.len()]).map(|length| length + 1 + size_of::<*const c_char>());

    let mut written = Apart::new(PATH + RECORDS)?;
    let (scene, records) = (written.place(&[[0u8; PATH]]), written.place(&[[0u8; RECORDS]]));
    // SAFETY: placed just now.
    unsafe {
        (*scene)[0] = b'.';
        let text: &mut [u8; RECORDS] = &mut *records;
        text[..crashes.len()].copy_from_slice(crashes);
    }
    let mut sealed = Apart::new(texts.sum::<usize>() + 1024)?;
    let mut list = Vec::new();
    list.extend(arguments[0].iter().map(|text| sealed.text(text.as_bytes())));
    list.extend([sealed.text(b"--crashed"), records.cast_const().cast()]);
    list.extend([sealed.text(b"--running"), scene.cast_const().cast()]);
    list.extend(arguments[1].iter().map(|text| sealed.text(text.as_bytes())));
    let environment: Vec<_> = environment.iter().map(|variable| sealed.text(variable)).collect();
    let prepared = Prepared {
        process: std::process::id() as libc::pid_t,
        program: sealed.text(program.as_bytes()),
        arguments: sealed.list(&list),
        environment: sealed.list(&environment),
        autosave: sealed.text(autosave.as_bytes()),
        scene,
        records,
        used: crashes.len(),
        limits: LIMITS.map(|resource| {
            let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            // SAFETY: asks for numbers.
            unsafe { libc::getrlimit(resource, &raw mut limit) };
            limit
        }),
    };
    let prepared = sealed.place(&[prepared]);
    sealed.seal()?;
    Ok(prepared)
}
