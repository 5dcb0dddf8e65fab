//! Hot code that goes wrong late, and again and again: also in the process that goes on, as long as that runs the same code. It
//! is refused or taken back in the end, the program lives, and the next good save runs.

use std::{
    fs,
    process::Command,
    time::{Duration, Instant},
};

use tests::{
    edit_copy::EditCopy,
    left_out, long, places,
    process::{Running, zombies},
    stillness::{self, Stillness},
    survival::{Row, Rows},
};
use weft_proof::soak::{AGAIN, Edit, Outcome};

const FLAG: &str = "scenes/flag.ron";
const TEXTURE: &str = "scenes/textures/tartan.png";
/// The longest that one may take until its code runs no more.
const LIMIT: Duration = Duration::from_mins(2);

/// Takes memory until there is none: for a program whose address space is bounded, not for a soak.
const HOARD: Edit = Edit {
    name: "memory that is never given back, again and again",
    to: "    if sim.frame.time > 3.0 { std::mem::forget(std::hint::black_box(vec![1_u8; 1 << 28])); }\n    \
         let iterations = sim.count(&ITERATIONS);\n    let damping",
    outcome: Outcome::Restarted,
    // An allocation that fails, or, where the machine has less, the watchdog.
    says: "restarted after ",
    ..AGAIN[0]
};

/// Saves the edit, waits until its code is given up, and saves the good file again.
fn save(copy: &EditCopy, program: &mut Running, edit: &Edit) -> Row {
    let before = copy.read(edit.file);
    program.seen();
    copy.write(edit.file, &edit.apply(&before).unwrap_or_else(|| panic!("{}", edit.misfit())));
    let mut row = Row::alive();
    let (stillness, mut crashes) = (Stillness::watch(program.id()), Vec::new());
    let (mut crashed, end, mut came) = (None, Instant::now() + LIMIT, false);
    loop {
        let line =
            program.0.wait(end.saturating_duration_since(Instant::now()), |line| Some(line.to_string()));
        let Some(line) = line else {
            if program.alive() {
                row.wrong("it waits, and does not say for what");
            } else {
                row.dies(program);
            }
            copy.write(edit.file, &before);
            return row;
        };
        if line.starts_with("weft: ") && line.contains("; starting again") {
            crashed = Some(Instant::now());
        } else if line.starts_with("[rescue] restarted after ") {
            came |= edit.outcome == Outcome::Restarted && line.contains(edit.says);
            crashes.extend(crashed.map(|crashed| (crashed, Instant::now())));
            row.restarted(crashed.take(), &line);
            // Those of the edits before count, too.
            if line.contains("three crashes in a row: paused") {
                break;
            }
        } else if line.starts_with("[rollback] ") {
            came |= edit.outcome == Outcome::RolledBack && line.contains(edit.says);
            row.rolled_back(&line);
            break;
        } else if line.starts_with("[reload] refused: ") && line.contains("crashed") {
            row.said(&line);
            break;
        }
    }
    row.stood_still(stillness::longest(&stillness.gaps(), &crashes));
    row.count_zombies(zombies(program.id()));
    if !came {
        row.wrong(&format!("it did not say `{}`", edit.says));
    }
    copy.write(edit.file, &before);
    if program.0.wait(LIMIT, |line| edit.settled(line)).is_none() {
        row.wrong("the good file did not come back");
    }
    if !program.alive() {
        row.dies(program);
    }
    row
}

fn all(program: &mut Running, copy: &EditCopy, edits: &[Edit], condition: &str, rows: &mut Rows) {
    for edit in edits {
        let row = save(copy, program, edit);
        rows.add(edit.name, "100 steps after its swap", condition, row, &["yes"]);
    }
}

#[test]
fn late_faults_that_come_again_end_nothing() {
    if left_out("late_faults_that_come_again_end_nothing", "a copy of the tree to edit, and cargo") {
        return;
    }
    let (copy, mut rows) = (EditCopy::fresh(), Rows::default());
    if long() {
        let mut program = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
        program.wait_for(&["[first step] generation 1"]);
        all(&mut program, &copy, AGAIN, "everything there", &mut rows);
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 8000000; exec \"$0\" \"$@\""]).arg(places::weft());
        command.args(["run", FLAG, "--watch"]).current_dir(&copy.root);
        let mut program = Running::start(command);
        program.wait_for(&["[first step] generation 1"]);
        all(&mut program, &copy, &[HOARD], "8 GB of address space", &mut rows);
    }
    // Of the ordinary run: those that are not noticed in a step.
    let some: Vec<Edit> = AGAIN.iter().filter(|edit| long() || edit.name.contains("heap")).copied().collect();
    let mut program = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
    program.wait_for(&["[first step] generation 1"]);
    fs::remove_file(copy.root.join(TEXTURE)).expect("the flag's texture");
    all(&mut program, &copy, &some, "texture gone", &mut rows);
    copy.restore();
    rows.keep("survival_edits.csv");
}
