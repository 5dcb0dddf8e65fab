//! A server of a folder for this machine alone: one request a connection, one thread each.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    time::Duration,
};

use weft_core::{
    clients::{self, Until},
    say,
};

/// Bytes of a request's head, and how long it is waited for.
const LONGEST_HEAD: u64 = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(10);
/// Clients at once: several browsers with a few pages each. Every one of them has a file in memory.
const MOST: usize = 64;

/// Takes the port, before anything is built for it; 0: any that is free.
pub(super) fn listen(port: u16) -> Result<TcpListener, String> {
    TcpListener::bind(("127.0.0.1", port)).map_err(|error| {
        format!("cannot serve at 127.0.0.1:{port}: {error}; --port chooses another, 0 any that is free")
    })
}

/// Serves these files of a folder until the program ends.
pub(super) fn serve(folder: &Path, files: &[PathBuf], listener: &TcpListener) -> Result<(), String> {
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    say::say(format_args!("http://{address}/ (Ctrl-C ends it)"));
    let page = Page { folder: folder.to_path_buf(), files: files.to_vec() };
    clients::answer(listener, MOST, move |client| page.answer(client));
    Ok(())
}

struct Page {
    folder: PathBuf,
    files: Vec<PathBuf>,
}

impl Page {
    fn answer(&self, mut client: &TcpStream) -> io::Result<()> {
        client.set_write_timeout(Some(PATIENCE))?;
        let mut lines = BufReader::new(Until::now(client, PATIENCE).take(LONGEST_HEAD)).lines();
        let request = lines.next().transpose()?.unwrap_or_default();
        // All of it has to be read.
        let head: Vec<String> = lines
            .map_while(Result::ok)
            .take_while(|line| !line.is_empty())
            .map(|line| line.to_lowercase())
            .collect();
        let unpacks = head.iter().filter_map(|line| line.strip_prefix("accept-encoding:")).any(takes_gzip);
        let mut words = request.split(' ');
        let (method, url) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let Answer { status, kind, packed, content } = match method {
            "GET" | "HEAD" => self.file(url, unpacks),
            _ => Answer::no("405 Method Not Allowed", "only GET and HEAD\n"),
        };
        let packed = if packed { "Content-Encoding: gzip\r\n" } else { "" };
        // The page is isolated: it may share memory with its workers, and its clock is finer.
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-cache\r\n{packed}\
             Allow: GET, HEAD\r\nVary: Accept-Encoding\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n\r\n",
            content.len()
        );
        client.write_all(head.as_bytes())?;
        if method != "HEAD" {
            client.write_all(&content)?;
        }
        client.flush()
    }

    /// Only what belongs to the page, so that no path leads out of its folder; compressed, if the browser takes that.
    fn file(&self, url: &str, unpacks: bool) -> Answer {
        let path = url.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
        let path = Path::new(if path.is_empty() { "index.html" } else { path });
        let Some(file) = self.files.iter().find(|file| *file == path).map(|file| self.folder.join(file))
        else {
            return Answer::no("404 Not Found", "no such file\n");
        };
        let packed = if unpacks { std::fs::read(super::pack::beside(&file)).ok() } else { None };
        match packed.map(|content| (true, content)).or_else(|| Some((false, std::fs::read(file).ok()?))) {
            Some((packed, content)) => Answer { status: "200 OK", kind: kind(path), packed, content },
            None => Answer::no("404 Not Found", "the file is gone\n"),
        }
    }
}

/// Whether a list of encodings, in small letters, has gzip, and not to refuse it (`gzip;q=0`).
fn takes_gzip(list: &str) -> bool {
    list.split(',').any(|encoding| {
        let (name, weight) = encoding.split_once(';').unwrap_or((encoding, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
        name.trim() == "gzip" && weight.is_none_or(|weight| weight > 0.0)
    })
}

#[derive(Debug, PartialEq)]
struct Answer {
    status: &'static str,
    kind: &'static str,
    /// The content is gzip.
    packed: bool,
    content: Vec<u8>,
}

impl Answer {
    fn no(status: &'static str, why: &str) -> Self {
        Self { status, kind: "text/plain", packed: false, content: why.into() }
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
    fn gzip_is_for_those_who_take_it() {
        for (list, takes) in
            [(" gzip, br", true), ("br;q=1, gzip;q=0.5", true), ("gzip;q=0", false), ("xgzip, br", false)]
        {
            assert_eq!(takes_gzip(list), takes, "{list}");
        }
    }

    #[test]
    fn nothing_outside_of_the_page_is_served() {
        let folder = std::env::temp_dir().join(format!("weft-serve-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("index.html"), "page").expect("written");
        std::fs::write(folder.join("other.txt"), "not of the page").expect("written");
        let page = Page { folder: folder.clone(), files: vec!["index.html".into()] };
        std::fs::write(folder.join("index.html.gz"), "packed").expect("written");
        let answer = |packed: bool, content: &str| Answer {
            status: "200 OK",
            kind: "text/html; charset=utf-8",
            packed,
            content: content.into(),
        };
        assert_eq!(page.file("/", false), answer(false, "page"));
        assert_eq!(page.file("/index.html?x#y", true), answer(true, "packed"));
        for url in ["/other.txt", "/index.html.gz", "/../Cargo.toml", "//etc/passwd", "x"] {
            assert_eq!(page.file(url, true).status, "404 Not Found", "{url}");
        }
        let _ = std::fs::remove_dir_all(folder);
    }
}
