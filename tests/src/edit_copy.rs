//! The one copy of the source tree that tests edit: `target/.../edit-copy`. Its own `target/hot` stays from test to
//! test and from run to run, so that the hot library is built from scratch once. Tests of other processes wait for it.

use std::{
    fmt::Write as _,
    fs::{self, File},
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use weft_proof::soak::tree::Tree;

use super::places;

const FLAG: &str = "scenes/flag.ron";

/// Only one test edits at a time.
static ALONE: Mutex<()> = Mutex::new(());

pub struct EditCopy {
    pub root: PathBuf,
    pub tree: Tree,
    _alone: (MutexGuard<'static, ()>, File),
}

impl EditCopy {
    /// The copy, brought in line with the tree.
    pub fn fresh() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let root = places::build().join("test-files/edit-copy");
        // `tests/run` takes it for the soak.
        let file = fs::create_dir_all(places::build().join("test-files"))
            .and_then(|()| File::create(root.with_extension("lock")))
            .and_then(|file| file.lock().map(|()| file));
        let file = file.unwrap_or_else(|e| panic!("{}: {e}", root.with_extension("lock").display()));
        let tree = copy(root.clone());
        // What programs of earlier tests left when they were killed.
        let _ = fs::remove_dir_all(root.join("target/hot/autosave"));
        Self { root, tree, _alone: (alone, file) }
    }

    /// Every file as in the tree; files that are not in the tree go, build products stay.
    pub fn restore(&self) {
        copy(self.root.clone());
    }

    pub fn read(&self, file: &str) -> String {
        self.tree.read(file).unwrap_or_else(|e| panic!("{e}"))
    }

    pub fn write(&self, file: &str, text: &str) {
        self.tree.write(file, text).unwrap_or_else(|e| panic!("{e}"));
    }

    /// Saves `file` with the first `from` replaced; returns the text before.
    pub fn edit(&self, file: &str, from: &str, to: &str) -> String {
        let before = self.read(file);
        assert!(before.contains(from), "{file} has no `{from}`");
        self.write(file, &before.replacen(from, to, 1));
        before
    }
}

/// With a flag that leaves the processor to the compiler and to other tests: a build of the tests takes as long for a substep as
/// three, and programs that are edited run all the time.
fn copy(root: PathBuf) -> Tree {
    let tree = Tree::copy(&places::root(), root).unwrap_or_else(|e| panic!("{e}"));
    let mut scene = tree.read(FLAG).unwrap_or_else(|e| panic!("{e}"));
    for (all, few) in
        [("\"substeps\": 68", "\"substeps\": 12"), ("columns: 72, rows: 48", "columns: 36, rows: 24")]
    {
        assert!(scene.contains(all), "{FLAG} has no `{all}`");
        scene = scene.replacen(all, few, 1);
    }
    tree.write(FLAG, &scene).unwrap_or_else(|e| panic!("{e}"));
    tree
}

/// A solver's file with one more function, whose length grows with `number`, and a call of it that changes no bit.
/// `line` is what the function of the solver's step begins with.
pub fn longer(before: &str, line: &str, number: usize) -> String {
    assert!(before.contains(line), "there is no `{line}`");
    let call = format!("{line}\n    if edit(sim.h) < 0.0 {{\n        return;\n    }}");
    let mut text = before.replacen(line, &call, 1);
    let _ = write!(
        text,
        "\n/// Edit {number}.\n#[inline(never)]\nfn edit(x: f32) -> f32 {{\n    let mut x = x;\n"
    );
    for part in 0..number * 2 {
        let _ = writeln!(text, "    x = (x * 1.0{part} + {number}.5).sqrt();");
    }
    text + "    x\n}\n"
}
