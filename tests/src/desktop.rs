//! The window of a child on the virtual display of `tests/run`: pointer and keys by xdotool, pixels from Xvfb's file.

use std::{
    ffi::{c_char, c_int, c_long, c_ulong, c_void},
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    picture::Picture,
    process::{Running, poll},
};

pub struct Desktop {
    pub program: Running,
    window: String,
    screen: PathBuf,
    /// Left, top, width and height [pixels].
    frame: [usize; 4],
}

impl Desktop {
    /// Starts `weft ARGUMENTS` and waits for its window.
    pub fn open(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(super::places::weft());
        command.args(arguments).current_dir(folder);
        Self::start(command)
    }

    /// The same by a command of one's own.
    pub fn start(command: Command) -> Self {
        let screen = std::env::var_os("WEFT_TESTS_SCREEN").expect("tests/run starts Xvfb with -fbdir");
        let mut program = Running::start(command);
        let (window, frame) = find(&mut program);
        Self { program, window, screen: screen.into(), frame }
    }

    /// Looks for the window anew: the program has opened another one.
    pub fn find_again(&mut self) {
        (self.window, self.frame) = find(&mut self.program);
    }

    /// Moves the window to a place on the screen [pixels].
    pub fn place(&mut self, x: usize, y: usize) {
        self.act(&["windowmove", &self.window, &x.to_string(), &y.to_string()]);
        self.frame = poll("the window to move", || geometry(&self.window).filter(|f| f[..2] == [x, y]));
    }

    /// Left, top, width and height [pixels].
    pub fn frame(&self) -> [usize; 4] {
        self.frame
    }

    pub fn size(&self) -> (usize, usize) {
        (self.frame[2], self.frame[3])
    }

    /// What the window shows.
    pub fn picture(&self) -> Picture {
        let [left, top, width, height] = self.frame;
        let screen = poll("the screen", || Picture::xwd(&self.screen));
        screen.part(left..(left + width).min(screen.width), top..(top + height).min(screen.height))
    }

    /// Moves the pointer to a place in the window.
    pub fn pointer(&self, x: usize, y: usize) {
        self.act(&["mousemove", "--window", &self.window, &x.to_string(), &y.to_string()]);
    }

    /// `mousedown 1`, `mouseup 1`.
    pub fn button(&self, what: &str, button: &str) {
        self.act(&[what, button]);
    }

    /// Gives the window the keyboard and presses a key by its X name.
    pub fn key(&self, key: &str) {
        self.act(&["windowfocus", &self.window]);
        self.act(&["key", key]);
    }

    /// Asks the window to close, as a window manager does.
    pub fn close(&self) {
        let window = self.window.trim().parse().expect("xdotool prints a number");
        close(window).unwrap_or_else(|e| panic!("{e}"));
    }

    #[expect(clippy::unused_self, reason = "there must be a window")]
    fn act(&self, arguments: &[&str]) {
        assert!(xdotool(arguments).is_some(), "xdotool {arguments:?}");
    }
}

/// The window of a program, and where it is.
fn find(program: &mut Running) -> (String, [usize; 4]) {
    let id = program.id().to_string();
    let window = poll("the window", || {
        assert!(program.alive(), "weft ended");
        let found = xdotool(&["search", "--onlyvisible", "--pid", &id])
            .or_else(|| xdotool(&["search", "--onlyvisible", "--name", "^Weft"]))?;
        found.lines().last().map(str::to_string)
    });
    let frame = poll("its place", || geometry(&window));
    (window, frame)
}

fn xdotool(arguments: &[&str]) -> Option<String> {
    let output = Command::new("xdotool").args(arguments).output().expect("xdotool is installed");
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn geometry(window: &str) -> Option<[usize; 4]> {
    let text = xdotool(&["getwindowgeometry", "--shell", window])?;
    let value =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')?.parse().ok());
    Some([value("X")?, value("Y")?, value("WIDTH")?, value("HEIGHT")?])
}

/// Sends `WM_DELETE_WINDOW`; Debian 12's xdotool has no word for it.
fn close(window: u64) -> Result<(), libloading::Error> {
    type Display = *mut c_void;
    // An `XClientMessageEvent` inside the 24 words of an `XEvent`.
    #[repr(C)]
    struct Message {
        kind: c_int,
        serial: c_ulong,
        send_event: c_int,
        display: Display,
        window: c_ulong,
        message_type: c_ulong,
        format: c_int,
        data: [c_long; 5],
        rest: [c_long; 12],
    }
    // SAFETY: the signatures are Xlib's; the event is as large as an XEvent and outlives the call.
    unsafe {
        let x11 = libloading::Library::new("libX11.so.6")?;
        let open = x11.get::<unsafe extern "C" fn(*const c_char) -> Display>(b"XOpenDisplay\0")?;
        let atom =
            x11.get::<unsafe extern "C" fn(Display, *const c_char, c_int) -> c_ulong>(b"XInternAtom\0")?;
        let send = x11.get::<unsafe extern "C" fn(Display, c_ulong, c_int, c_long, *mut Message) -> c_int>(
            b"XSendEvent\0",
        )?;
        let close = x11.get::<unsafe extern "C" fn(Display) -> c_int>(b"XCloseDisplay\0")?;
        let display = open(std::ptr::null());
        assert!(!display.is_null(), "the X server answers");
        let delete = atom(display, c"WM_DELETE_WINDOW".as_ptr(), 0);
        let mut message = Message {
            kind: 33,
            serial: 0,
            send_event: 1,
            display,
            window,
            message_type: atom(display, c"WM_PROTOCOLS".as_ptr(), 0),
            format: 32,
            data: [delete as c_long, 0, 0, 0, 0],
            rest: [0; 12],
        };
        assert!(send(display, window, 0, 0, &raw mut message) != 0, "XSendEvent");
        close(display);
    }
    Ok(())
}
