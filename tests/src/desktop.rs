//! The window of a child on the virtual display of `tests/run`: pointer and keys by xdotool, pixels from Xvfb's file.

use std::{
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
        let screen = std::env::var_os("WEFT_TESTS_SCREEN").expect("tests/run starts Xvfb with -fbdir");
        let mut program = Running::weft(folder, arguments);
        let id = program.id().to_string();
        let window = poll("the window", || {
            assert!(program.alive(), "weft ended:\n{}", program.seen().join("\n"));
            let found = xdotool(&["search", "--onlyvisible", "--pid", &id])
                .or_else(|| xdotool(&["search", "--onlyvisible", "--name", "^Weft"]))?;
            found.lines().last().map(str::to_string)
        });
        let frame = poll("its place", || geometry(&window));
        Self { program, window, screen: screen.into(), frame }
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
        self.act(&["windowclose", &self.window]);
    }

    #[expect(clippy::unused_self, reason = "there must be a window")]
    fn act(&self, arguments: &[&str]) {
        assert!(xdotool(arguments).is_some(), "xdotool {arguments:?}");
    }
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
