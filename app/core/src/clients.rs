//! Clients of a port: one thread each, so many at once.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    sync::Arc,
    thread,
    time::Duration,
};

use crate::{clock::Instant, say};

/// Answers clients until the program ends, at most `most` at once.
pub fn answer(
    listener: &TcpListener,
    most: usize,
    answer: impl Fn(&TcpStream) -> io::Result<()> + Send + Sync + 'static,
) {
    let answer = Arc::new(answer);
    let mut told = false;
    for client in listener.incoming() {
        let taken = client.and_then(|client| {
            let answer = Arc::clone(&answer);
            // Two are this thread's, and one each client's.
            if Arc::strong_count(&answer) > most + 1 {
                return refuse(&client);
            }
            // Who went away needs no answer.
            thread::Builder::new().spawn(move || answer(&client)).map(drop)
        });
        // There is no room for it, or no descriptor, until others are gone.
        if let Err(error) = taken {
            if !told {
                say::warn(format_args!("a client was not answered: {error}"));
            }
            told = true;
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Tells a client that there are too many.
fn refuse(mut client: &TcpStream) -> io::Result<()> {
    client.set_nonblocking(true)?;
    let head = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 1\r\n\r\n";
    // Who went away needs no answer.
    let _ = client.write(head.as_bytes());
    Ok(())
}

/// Reads from a client until a moment, however little comes at a time.
pub struct Until<'a> {
    client: &'a TcpStream,
    begin: Instant,
    patience: Duration,
}

impl<'a> Until<'a> {
    /// For so long from now on.
    pub fn now(client: &'a TcpStream, patience: Duration) -> Self {
        Self { client, begin: Instant::now(), patience }
    }
}

impl Read for Until<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let left = self.patience.checked_sub(self.begin.elapsed()).ok_or(io::ErrorKind::TimedOut)?;
        self.client.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        self.client.read(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 8;
    const PATIENCE: Duration = Duration::from_secs(10);

    #[test]
    fn clients_that_say_nothing_keep_no_others_away_for_long() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            answer(&listener, MOST, |mut client| {
                Until::now(client, PATIENCE).read_exact(&mut [0; 4])?;
                client.write_all(b"answer")
            });
        });
        let asked = || {
            let mut client = TcpStream::connect(address).expect("it listens");
            client.set_read_timeout(Some(2 * PATIENCE)).expect("a time");
            // Who is refused may be gone before it has asked.
            let _ = client.write_all(b"what");
            let mut said = String::new();
            let _ = client.read_to_string(&mut said);
            said
        };
        assert_eq!(asked(), "answer");
        let connect = |_| TcpStream::connect(address).expect("it listens");
        let silent: Vec<TcpStream> = (0..MOST).map(connect).collect();
        // They have all been taken when this one is.
        assert_ne!(asked(), "answer");
        drop(silent);
        let answered = (0..100).any(|_| {
            thread::sleep(Duration::from_millis(20));
            asked() == "answer"
        });
        assert!(answered, "they are gone");
    }

    #[test]
    fn who_says_little_at_a_time_is_not_waited_for_any_longer() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let mut slow = TcpStream::connect(listener.local_addr().expect("an address")).expect("it listens");
        let (client, _) = listener.accept().expect("a client");
        thread::spawn(move || {
            while slow.write_all(b"x").is_ok() {
                thread::sleep(Duration::from_millis(20));
            }
        });
        let begin = Instant::now();
        let read = Until::now(&client, Duration::from_millis(200)).read_exact(&mut [0; 1000]);
        assert!(read.is_err() && begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    }
}
