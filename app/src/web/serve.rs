//! A server of a folder for this machine alone: one request a connection, one thread each.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use weft_core::say;

/// Bytes of a request's head, and how long it is waited for.
const LONGEST_HEAD: u64 = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves these files of a folder until the program ends.
pub(super) fn serve(folder: &Path, files: &[PathBuf], port: u16) -> Result<(), String> {
    let cannot = |error: io::Error| {
        format!("cannot serve at 127.0.0.1:{port}: {error}; --port chooses another, 0 any that is free")
    };
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(cannot)?;
    say::say(format_args!("http://{}/ (Ctrl-C ends it)", listener.local_addr().map_err(cannot)?));
    let page = Arc::new(Page { folder: folder.to_path_buf(), files: files.to_vec() });
    for client in listener.incoming().flatten() {
        let page = Arc::clone(&page);
        // Who went away needs no answer.
        thread::spawn(move || page.answer(&client));
    }
    Ok(())
}

struct Page {
    folder: PathBuf,
    files: Vec<PathBuf>,
}

impl Page {
    fn answer(&self, mut client: &TcpStream) -> io::Result<()> {
        client.set_read_timeout(Some(PATIENCE))?;
        let mut lines = BufReader::new(client.take(LONGEST_HEAD)).lines();
        let request = lines.next().transpose()?.unwrap_or_default();
        // What else is asked for changes nothing, but has to be read.
        lines.map_while(Result::ok).take_while(|line| !line.is_empty()).for_each(drop);
        let mut words = request.split(' ');
        let (method, url) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (status, kind, content) = match method {
            "GET" | "HEAD" => self.file(url),
            _ => ("405 Method Not Allowed", "text/plain", b"only GET\n".to_vec()),
        };
        // The page is isolated: it may share memory with its workers, and its clock is finer.
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-cache\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n\r\n",
            content.len()
        );
        client.write_all(head.as_bytes())?;
        if method != "HEAD" {
            client.write_all(&content)?;
        }
        client.flush()
    }

    /// Only what belongs to the page, so that no path leads out of its folder.
    fn file(&self, url: &str) -> (&'static str, &'static str, Vec<u8>) {
        let path = url.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
        let path = Path::new(if path.is_empty() { "index.html" } else { path });
        let known = self.files.iter().find(|file| *file == path);
        match known.and_then(|file| std::fs::read(self.folder.join(file)).ok()) {
            Some(content) => ("200 OK", kind(path), content),
            None => ("404 Not Found", "text/plain", b"no such file\n".to_vec()),
        }
    }
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|end| end.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_page_is_served() {
        let folder = std::env::temp_dir().join(format!("weft-serve-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("index.html"), "page").expect("written");
        std::fs::write(folder.join("other.txt"), "not of the page").expect("written");
        let page = Page { folder: folder.clone(), files: vec!["index.html".into()] };
        assert_eq!(page.file("/"), ("200 OK", "text/html; charset=utf-8", b"page".to_vec()));
        assert_eq!(page.file("/index.html?x#y").0, "200 OK");
        for url in ["/other.txt", "/../Cargo.toml", "//etc/passwd", "x"] {
            assert_eq!(page.file(url).0, "404 Not Found", "{url}");
        }
        let _ = std::fs::remove_dir_all(folder);
    }
}
