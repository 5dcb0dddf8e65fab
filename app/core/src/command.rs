//! Why a command did not do what was asked.

use std::fmt;

/// An error for whoever typed the command, and whether the command line itself is wrong, which is an exit code of its own.
#[derive(Clone, Debug, PartialEq)]
pub enum CommandError {
    /// An option has a value that it cannot have.
    Usage(String),
    /// Everything else: a file that cannot be read or written, a run that stopped.
    Other(String),
}

impl CommandError {
    /// Exit code of a wrong command line, as of the options that the reader of the command line refuses itself.
    pub const USAGE: u8 = 2;

    /// A wrong command line.
    pub fn usage(why: impl Into<String>) -> Self {
        Self::Usage(why.into())
    }

    /// The same with another text.
    #[must_use]
    pub fn map(self, text: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Usage(why) => Self::Usage(text(why)),
            Self::Other(why) => Self::Other(text(why)),
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (Self::Usage(why) | Self::Other(why)) = self;
        f.write_str(why)
    }
}

impl From<String> for CommandError {
    fn from(why: String) -> Self {
        Self::Other(why)
    }
}

impl From<&str> for CommandError {
    fn from(why: &str) -> Self {
        Self::Other(why.into())
    }
}

impl From<CommandError> for String {
    fn from(error: CommandError) -> Self {
        let (CommandError::Usage(why) | CommandError::Other(why)) = error;
        why
    }
}
