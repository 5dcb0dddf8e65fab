//! Crashes of the processes before this one, as they stand on its command line: `--crashed "RECORD;RECORD"`, the last
//! one newest. The dying process writes its record in a signal handler (`handler.rs`), this one reads it.

use std::{path::Path, time::Duration};

use weft_core::pulse::Phase;
use weft_gpu::passes::placed;

use crate::live::Banned;

/// A process that ran well for so long before it crashed begins a new series.
const WELL: Duration = Duration::from_secs(30);
/// So many in one series, whatever the time between them, and what is tried has to change.
const MANY: usize = 3;
/// Records that are handed on.
const KEPT: usize = 16;

/// One crash: `SIGSEGV at=1763696400123 well=5120 phase=step generation=5 hash=0123 frame=812 solver=xpbd`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crash {
    /// Name of the signal, `HANG`, `PANIC` of the main thread, `EXIT` or `MEMORY`.
    pub what: String,
    /// Since 1970 [ms].
    pub at: u64,
    /// How long the process ran before, up to what hung [ms].
    pub well: u64,
    /// What the main thread was inside of.
    pub phase: Phase,
    pub generation: u32,
    /// Of the library of that generation; 0: the built-in code.
    pub hash: u64,
    /// The frame that did not finish.
    pub frame: u64,
    pub solver: String,
    /// The shader to blame, if there is one.
    pub shader: Option<String>,
    /// The fault lay just beyond the stack.
    pub stack: bool,
    /// The allocator found its own data overwritten.
    pub heap: bool,
}

/// All of them, the newest last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crashes(pub Vec<Crash>);

impl Crash {
    fn parse(record: &str) -> Option<Self> {
        let mut parts = record.split_whitespace();
        let mut crash = Self { what: parts.next()?.to_string(), ..Self::default() };
        for (name, value) in parts.filter_map(|part| part.split_once('=')) {
            match name {
                "at" => crash.at = value.parse().ok()?,
                "well" => crash.well = value.parse().ok()?,
                "phase" => crash.phase = Phase::of_name(value).unwrap_or_default(),
                "generation" => crash.generation = value.parse().ok()?,
                "hash" => crash.hash = u64::from_str_radix(value, 16).ok()?,
                "frame" => crash.frame = value.parse().ok()?,
                "solver" => crash.solver = value.to_string(),
                "shader" => crash.shader = Some(value.to_string()),
                "stack" => crash.stack = value == "1",
                "heap" => crash.heap = value == "1",
                _ => {}
            }
        }
        Some(crash)
    }

    fn record(&self) -> String {
        let Self { what, at, well, phase, generation, hash, frame, solver, .. } = self;
        let phase = phase.name();
        let mut text = format!(
            "{what} at={at} well={well} phase={phase} generation={generation} hash={hash:x} frame={frame} solver={solver}"
        );
        self.shader.iter().for_each(|shader| text.push_str(&format!(" shader={shader}")));
        if self.stack {
            text.push_str(" stack=1");
        }
        if self.heap {
            text.push_str(" heap=1");
        }
        text
    }

    /// Whether it happened in a step.
    pub fn in_step(&self) -> bool {
        self.phase == Phase::Step
    }

    /// Whether the hot code did it. What overwrites the heap is found later, by whoever allocates next.
    pub fn by_code(&self) -> bool {
        self.in_step() || (self.heap && self.hash != 0)
    }

    /// Whether the program itself crashed, or the driver that draws for it. It may all the same be the hot code's doing: a
    /// write of its to anywhere, or a thread that it started.
    pub fn in_host(&self) -> bool {
        !self.by_code() && !self.in_device() && !self.holds_picture()
    }

    /// Whether the program was told to end a picture that took too long: a display that is off may hold it back.
    pub fn holds_picture(&self) -> bool {
        self.what == "HANG" && self.phase == Phase::Draw && self.shader.is_none()
    }

    /// Whether it is the end of a program that has no other code to try.
    pub fn ends(&self) -> bool {
        self.in_host() && self.generation == 0
    }

    fn may_be_by(&self, hash: u64) -> bool {
        self.in_host() && self.hash == hash && hash != 0 && self.shader.is_none()
    }

    /// Whether it happened in a frame of the GPU path.
    pub fn in_device(&self) -> bool {
        self.phase == Phase::Device
    }

    /// Whether its shader is one of the GPU path's.
    pub fn of_pass(&self) -> bool {
        self.in_device() || self.shader.as_ref().is_some_and(|shader| placed(Path::new(shader)).is_some())
    }

    /// What happened, in words: `SIGSEGV in solver xpbd of generation 5 at frame 812`.
    pub fn text(&self) -> String {
        let what = match self.what.as_str() {
            "HANG" if self.in_step() => "no step finished in time (an endless loop?)".to_string(),
            "HANG" if self.in_device() => "no frame of the GPU path in time".to_string(),
            "HANG" => "no frame drawn in time".to_string(),
            "PANIC" => "a panic".to_string(),
            "EXIT" => "an exit".to_string(),
            "MEMORY" => "the system was about to run out of memory".to_string(),
            what if self.heap && !self.stack => format!("{what} (the heap was overwritten)"),
            what if self.stack => format!("{what} (the stack overflowed)"),
            what => what.to_string(),
        };
        let code = if self.generation == 0 {
            "the built-in code".to_string()
        } else {
            format!("generation {}", self.generation)
        };
        let place = match (self.phase, &self.shader) {
            (Phase::Step, _) => format!("in solver {} of {code} ", self.solver),
            (Phase::Device, Some(shader)) => format!("with the new pass {shader} "),
            (Phase::Device, None) => "on the GPU path ".to_string(),
            (Phase::Draw, Some(shader)) => format!("while drawing with the new shader {shader} "),
            (Phase::Draw, None) => "while drawing ".to_string(),
            (Phase::Build, Some(shader)) => format!("while the driver compiled the new shader {shader} "),
            (Phase::Build, None) => "while the driver compiled shaders ".to_string(),
            (Phase::Host, _) if self.heap && self.hash != 0 => format!("after steps of {code} "),
            (Phase::Host, _) => "in the program itself ".to_string(),
        };
        format!("{what} {place}at frame {}", self.frame)
    }
}

impl Crashes {
    /// Reads the command line's list; records that make no sense are left out.
    pub fn parse(list: &str) -> Self {
        Self(list.split(';').filter_map(Crash::parse).collect())
    }

    /// The list for the next process, if there is one.
    pub fn list(&self) -> String {
        let first = self.0.len().saturating_sub(KEPT);
        self.0[first..].iter().map(Crash::record).collect::<Vec<_>>().join(";")
    }

    pub fn last(&self) -> Option<&Crash> {
        self.0.last()
    }

    /// Whether what `of` picks out has happened too often in a row for another try.
    pub fn many(&self, of: impl Fn(&Crash) -> bool) -> bool {
        let began = self.0.iter().rposition(|crash| crash.well >= WELL.as_millis() as u64).unwrap_or(0);
        self.0[began..].iter().filter(|crash| of(crash)).count() >= MANY
    }

    /// Libraries that are not to be run again, and why: those that crashed, and those under which the program crashed twice.
    pub fn banned(&self) -> Vec<Banned> {
        let mut banned = Vec::new();
        for (i, crash) in self.0.iter().enumerate().filter(|(_, crash)| crash.hash != 0) {
            let text = crash.text();
            let again = || self.0[..i].iter().any(|earlier| earlier.may_be_by(crash.hash));
            let why = if crash.by_code() {
                format!("this code crashed the program ({text}); save a fix")
            } else if crash.may_be_by(crash.hash) && again() {
                format!("the program crashed twice while this code was loaded ({text}); save a fix")
            } else {
                continue;
            };
            banned.push(Banned { hash: crash.hash, why });
        }
        banned
    }

    /// The shader to blame for the last crash.
    pub fn shaders(&self) -> Vec<String> {
        let mut shaders: Vec<String> = self.0.iter().filter_map(|crash| crash.shader.clone()).collect();
        shaders.sort();
        shaders.dedup();
        shaders
    }
}

/// Since 1970 [ms].
pub fn now() -> u64 {
    weft_core::clock::since_1970().as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crash(what: &str, phase: Phase, hash: u64, ago_s: u64) -> Crash {
        let at = now() - ago_s * 1000;
        let what = what.to_string();
        Crash { what, at, phase, hash, generation: 5, frame: 812, solver: "xpbd".into(), ..Crash::default() }
    }

    #[test]
    fn a_list_reads_back_equal() {
        let shader = Some("cloth.wgsl".to_string());
        let list = Crashes(vec![
            crash("SIGSEGV", Phase::Step, 0xabc, 3),
            Crash { shader, ..crash("HANG", Phase::Draw, 0xabc, 2) },
            Crash { stack: true, heap: true, well: 9, ..crash("SIGSEGV", Phase::Step, u64::MAX, 1) },
        ]);
        assert_eq!(Crashes::parse(&list.list()), list);
        assert_eq!(list.banned().iter().map(|b| b.hash).collect::<Vec<_>>(), [0xabc, u64::MAX]);
        assert_eq!(list.shaders(), ["cloth.wgsl"]);
        assert_eq!(
            list.last().unwrap().text(),
            "SIGSEGV (the stack overflowed) in solver xpbd of generation 5 at frame 812"
        );
        assert_eq!(Crashes::parse("; ;nonsense at=x;"), Crashes::default());
        let pass = |phase| Crash {
            shader: Some("shaders/sim/step/predict.wgsl".into()),
            ..crash("MEMORY", phase, 0, 1)
        };
        let says = pass(Phase::Build).text();
        assert!(
            says.contains("while the driver compiled the new shader shaders/sim/step/predict.wgsl"),
            "{says}"
        );
        assert!(pass(Phase::Build).of_pass() && pass(Phase::Device).of_pass() && !list.0[1].of_pass());
    }

    #[test]
    fn three_in_a_row_are_many_whatever_the_time_between_them() {
        let mut list = Crashes((0..3).map(|i| crash("HANG", Phase::Step, 1, 20 + 21 * i)).collect());
        assert!(list.many(Crash::in_step) && !list.many(Crash::in_host));
        list.0[1].well = 31_000;
        assert!(!list.many(Crash::in_step), "the second one ran well before");
        list.0.push(crash("SIGABRT", Phase::Step, 2, 1));
        assert!(list.many(Crash::in_step));
    }

    #[test]
    fn code_is_banned_at_its_first_crash_and_at_the_second_one_of_the_program() {
        let bans = |list: &[Crash]| -> Vec<u64> {
            Crashes(list.to_vec()).banned().iter().map(|banned| banned.hash).collect()
        };
        let host = |hash| crash("SIGSEGV", Phase::Host, hash, 1);
        let heap = Crash { heap: true, ..crash("SIGABRT", Phase::Draw, 7, 1) };
        let hang = crash("HANG", Phase::Draw, 7, 1);
        assert_eq!(bans(&[crash("EXIT", Phase::Step, 7, 1)]), [7]);
        assert_eq!(bans(std::slice::from_ref(&heap)), [7], "a heap that is overwritten");
        assert!(bans(&[host(7), host(8)]).is_empty() && bans(&[host(0), host(0)]).is_empty());
        assert_eq!(bans(&[host(7), host(8), crash("SIGSEGV", Phase::Draw, 7, 1)]), [7]);
        assert!(bans(&[hang.clone(), hang]).is_empty(), "a display that is off");
        let text = Crashes(vec![heap]).banned()[0].why.clone();
        assert!(text.contains("SIGABRT (the heap was overwritten) while drawing"), "{text}");
    }
}
