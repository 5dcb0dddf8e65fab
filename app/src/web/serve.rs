//! A server of a folder for this machine alone.

use std::path::{Path, PathBuf};

use tiny_http::{Header, Method, Response, Server};

use weft_core::say;

/// Serves these files of a folder until the program ends.
pub(super) fn serve(folder: &Path, files: &[PathBuf], port: u16) -> Result<(), String> {
    let server = Server::http(("127.0.0.1", port))
        .map_err(|error| format!("cannot serve at 127.0.0.1:{port}: {error}; --port chooses another"))?;
    let address = server.server_addr().to_ip().map_or_else(String::new, |address| address.to_string());
    say::say(format_args!("http://{address}/ (Ctrl-C ends it)"));
    for request in server.incoming_requests() {
        let url = request.url().to_string();
        let path = url.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
        let path = Path::new(if path.is_empty() { "index.html" } else { path });
        // Only what belongs to the page, so that no path leads out of its folder.
        let file =
            files.iter().find(|file| *file == path).and_then(|file| std::fs::read(folder.join(file)).ok());
        let answered = match (request.method(), file) {
            (Method::Get | Method::Head, Some(content)) => request
                .respond(headers(path).into_iter().fold(Response::from_data(content), Response::with_header)),
            (Method::Get | Method::Head, None) => {
                request.respond(Response::from_string("no such file").with_status_code(404))
            }
            _ => request.respond(Response::from_string("only GET").with_status_code(405)),
        };
        // Who went away needs no answer.
        drop(answered);
    }
    Ok(())
}

/// Types, and that the page is isolated: its clock is finer then.
fn headers(path: &Path) -> Vec<Header> {
    let kind = match path.extension().and_then(|end| end.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        _ => "text/plain; charset=utf-8",
    };
    let lines = [
        ("Content-Type", kind),
        ("Cache-Control", "no-cache"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Embedder-Policy", "require-corp"),
    ];
    lines.into_iter().filter_map(|(name, value)| Header::from_bytes(name, value).ok()).collect()
}
