//! `weft`: see `weft --help`.

use weft_core::command::CommandError;

fn main() -> std::process::ExitCode {
    // SAFETY: the first thing that the program does; it has no other thread yet.
    unsafe { weft_gpu::adapter::quiet_layers() };
    weft_core::files::tell_of_limits();
    #[cfg(unix)]
    weft_core::files::leave_nothing_pending();
    match weft::cli::main() {
        Ok(_) if weft_core::say::is_lost() => std::process::ExitCode::FAILURE,
        Ok(code) => code,
        Err(error) => {
            weft_core::say::warn(error.to_string().trim_end());
            match error {
                CommandError::Usage(_) => CommandError::USAGE.into(),
                CommandError::Other(_) => std::process::ExitCode::FAILURE,
            }
        }
    }
}
