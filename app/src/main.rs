//! `weft`: see `weft --help`.

fn main() -> std::process::ExitCode {
    // SAFETY: the first thing that the program does; it has no other thread yet.
    unsafe { weft_gpu::adapter::quiet_layers() };
    match weft::cli::main() {
        Ok(code) => code,
        Err(message) => {
            weft_core::say::warn(format_args!("{}", message.trim_end()));
            std::process::ExitCode::FAILURE
        }
    }
}
