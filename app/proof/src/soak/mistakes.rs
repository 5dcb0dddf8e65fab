//! Mistakes of a person who is in the middle of an edit: what the compiler has to say about them, and where.

use super::edits::{Edit, Outcome};

/// An edit that does not compile, and the place that the message must name.
#[derive(Clone, Copy, Debug)]
pub struct Mistake {
    pub edit: Edit,
    /// What the message points to: the first of these words at or after the edit, or else the last before it. Empty: the
    /// edit itself.
    pub at: &'static str,
}

impl Mistake {
    /// Line and column of that place, counted from 1, in bytes, when the edit is made in `before`.
    pub fn place(&self, before: &str) -> Option<(usize, usize)> {
        let text = self.edit.apply(before)?;
        let start = if self.edit.from.is_empty() { 0 } else { before.find(self.edit.from)? };
        let after = text.get(start..)?.find(self.at).map(|at| start + at);
        let at = after.or_else(|| text[..start].rfind(self.at))?;
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        Some((text[..at].matches('\n').count() + 1, at - line_start + 1))
    }
}

const XPBD: &str = "sim-dylib/src/solvers/xpbd.rs";
const STATE: &str = "sim-dylib/kernels/state.rs";
const DISTANCE: &str = "sim-dylib/kernels/constraints/distance.rs";
const LINE: &str = "let iterations = sim.count(&ITERATIONS);";

const fn mistake(name: &'static str, to: &'static str, at: &'static str, says: &'static str) -> Mistake {
    let edit = Edit { name, file: XPBD, from: LINE, to, outcome: Outcome::DoesNotCompile, says };
    Mistake { edit, at }
}

pub const MISTAKES: &[Mistake] = &[
    mistake(
        "another type",
        "let iterations: f32 = sim.count(&ITERATIONS);",
        "sim.count(",
        "mismatched types",
    ),
    mistake(
        "an unknown name",
        "let iterations = iteratoins;",
        "iteratoins",
        "cannot find value `iteratoins`",
    ),
    mistake(
        "an unknown method",
        "let iterations = sim.cuont(&ITERATIONS);",
        "cuont",
        "no method named `cuont`",
    ),
    mistake(
        "an argument too many",
        "let iterations = sim.count(&ITERATIONS, 1);",
        "count(",
        "this method takes 1 argument but 2 arguments were supplied",
    ),
    mistake(
        "an unknown field",
        "let iterations = sim.count(&ITERATIONS);\n    let hh = sim.hh;",
        "hh;",
        "no field `hh`",
    ),
    mistake(
        "a value that changes",
        "let iterations = sim.count(&ITERATIONS);\n    iterations += 1;",
        "iterations += 1",
        "cannot assign twice to immutable variable `iterations`",
    ),
    mistake(
        "a value that moved",
        "let iterations = sim.count(&ITERATIONS);\n    let rows = vec![1];\n    drop(rows);\n    let other = rows;",
        "rows;",
        "use of moved value: `rows`",
    ),
    mistake("no Rust", "let iterations = @;", "@", "expected expression, found `@`"),
    Mistake {
        edit: Edit {
            name: "an unknown type of a column",
            file: STATE,
            from: "state predicted: [f32; 4],",
            to: "state predicted: [f23; 4],",
            outcome: Outcome::DoesNotCompile,
            says: "cannot find type `f23`",
        },
        at: "f23",
    },
    Mistake {
        edit: Edit {
            name: "a result too few",
            file: DISTANCE,
            from: "(d * -(w0 * scale), d * (w1 * scale), scale * l)",
            to: "(d * -(w0 * scale), d * (w1 * scale))",
            outcome: Outcome::DoesNotCompile,
            says: "mismatched types",
        },
        at: "(d * -(w0",
    },
];
