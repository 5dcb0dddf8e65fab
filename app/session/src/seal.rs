//! A seal on code that a recording holds: native code from a file does what it likes with the rights of who runs it, so a
//! replay runs only what this user's own programs recorded, unless it is told to trust the file.
//!
//! The seal is `SipHash` of the code under a key of 16 random bytes, which lies in the user's folder for settings and is read
//! by that user alone. Rejected: a list of hashes of what was built here, which `cargo clean` or another tree would forget.

use std::{
    fs::File,
    hash::Hasher as _,
    io::{self, Read as _, Write as _},
    path::Path,
};

use siphasher::sip::SipHasher24;
use weft_core::files;

use crate::places;

const FILE: &str = "code.key";

/// The key of this user.
pub(crate) struct Key([u8; 16]);

impl Key {
    /// The one that is there; `None` where nothing is kept of this user, or the first recording is still to come.
    pub(crate) fn find() -> Option<Self> {
        Self::read(&places::user()?.join(FILE)).ok()
    }

    /// The same, or a new one.
    pub(crate) fn make() -> Option<Self> {
        Self::make_in(&places::user()?)
    }

    fn make_in(folder: &Path) -> Option<Self> {
        let file = folder.join(FILE);
        Self::read(&file).or_else(|_| Self::write(folder, &file)).ok()
    }

    fn read(file: &Path) -> io::Result<Self> {
        let mut key = [0; 16];
        // Another user's key would let that user's code in.
        if !weft_core::project::is_own(file) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        File::open(file)?.read_exact(&mut key)?;
        Ok(Self(key))
    }

    fn write(folder: &Path, file: &Path) -> io::Result<Self> {
        let mut key = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut key)?;
        std::fs::create_dir_all(folder)?;
        // Of two programs that make one, the second has no seal this time.
        files::create_private(file)?.write_all(&key)?;
        Ok(Self(key))
    }

    pub(crate) fn seal(&self, bytes: &[u8]) -> u64 {
        let mut hasher = SipHasher24::new_with_key(&self.0);
        hasher.write(bytes);
        hasher.finish()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_seals_bytes() {
        let folder = std::env::temp_dir().join(format!("weft-seal-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let key = Key::make_in(&folder).expect("a key");
        let again = Key::make_in(&folder).expect("the same");
        assert_eq!(key.0, again.0);
        assert_ne!(key.0, [0; 16]);
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &File::open(folder.join(FILE)).unwrap().metadata().unwrap().permissions(),
        );
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(key.seal(b"code"), again.seal(b"code"));
        assert_ne!(key.seal(b"code"), key.seal(b"cods"));
        let other = Key([7; 16]);
        assert_ne!(key.seal(b"code"), other.seal(b"code"));
        std::fs::remove_dir_all(&folder).expect("a folder");
    }
}
