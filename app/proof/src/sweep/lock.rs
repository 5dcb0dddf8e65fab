//! One sweep at a time writes a table. The table itself is replaced by renaming, which a lock on it would not outlive: a file beside it
//! is locked, says who writes, and goes with the sweep. What a killed one leaves is free, and taken over.

use std::{
    fs::{self, File, TryLockError},
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
};

use weft_core::{files::Pending, project::check_folder_of};

pub(super) struct Lock {
    path: PathBuf,
    /// Locked until it is closed.
    file: File,
    _pending: Pending,
}

impl Lock {
    /// An error names the process that writes the table.
    pub(super) fn of(table: &Path) -> Result<Self, String> {
        let mut name = table.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        check_folder_of(table).map_err(|why| format!("--out {}: {why}", table.display()))?;
        let fail = |why: std::io::Error| format!("{}: {why}", path.display());
        loop {
            let mut file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(fail)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut who = String::new();
                    let _ = file.take(80).read_to_string(&mut who);
                    return Err(format!(
                        "{}: {} writes this table: wait until it is done, or give --out another name",
                        table.display(),
                        if who.is_empty() { "another sweep" } else { who.trim() },
                    ));
                }
                Err(TryLockError::Error(why)) => return Err(fail(why)),
            }
            // Whoever had it may have removed it since it was opened.
            if !is(&file, &path) {
                continue;
            }
            file.set_len(0).map_err(fail)?;
            writeln!(file, "another sweep (process {})", std::process::id()).map_err(fail)?;
            let pending = Pending::quiet(&path);
            return Ok(Self { path, file, _pending: pending });
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Before it is unlocked, so that it is this one.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// Whether the name still leads to the file.
fn is(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let number = |data: fs::Metadata| (data.dev(), data.ino());
        let (open, named) = (file.metadata().map(number), fs::metadata(path).map(number));
        matches!((open, named), (Ok(open), Ok(named)) if open == named)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_a_table_and_what_a_killed_one_left_is_taken_over() {
        let folder = std::env::temp_dir().join(format!("weft-lock-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (table, beside) = (folder.join("a.csv"), folder.join("a.csv.lock"));
        fs::write(&beside, "another sweep (process 1)\n, of which much more is known")
            .expect("what was left");
        let mine = Lock::of(&table).expect("it is free");
        let why = Lock::of(&table).err().expect("it is taken");
        let who = format!("another sweep (process {}) writes this table", std::process::id());
        assert!(why.contains(&who) && why.contains("--out"), "{why}");
        Lock::of(&folder.join("b.csv")).expect("another table");
        drop(mine);
        assert!(!beside.exists(), "nothing is left");
        drop(Lock::of(&table).expect("free again"));
        fs::remove_dir_all(&folder).expect("a folder");
    }
}
