//! `weft`: see `weft --help`.

fn main() -> std::process::ExitCode {
    match weft::cli::main() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            weft::say::warn(format_args!("{}", message.trim_end()));
            std::process::ExitCode::FAILURE
        }
    }
}
