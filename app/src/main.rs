//! `weft`: see `weft --help`.

fn main() -> std::process::ExitCode {
    match weft::cli::main() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{}", message.trim_end());
            std::process::ExitCode::FAILURE
        }
    }
}
