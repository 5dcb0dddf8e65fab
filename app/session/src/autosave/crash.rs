//! Crashes of the processes before this one, as they stand on its command line: `--crashed "RECORD;RECORD"`, the last
//! one newest. The dying process writes its record in a signal handler (`handler.rs`), this one reads it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use weft_core::pulse::Phase;

use crate::live::Banned;

/// Crashes within this time before now are of one series.
const QUICK: Duration = Duration::from_secs(30);
/// So many quick ones, and what is tried has to change.
const MANY: usize = 3;
/// Records that are handed on.
const KEPT: usize = 16;

/// One crash: `SIGSEGV at=1763696400123 phase=step generation=5 hash=0123 frame=812 solver=xpbd`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crash {
    /// Name of the signal, `HANG`, or `PANIC` of the main thread.
    pub what: String,
    /// Since 1970 [ms].
    pub at: u64,
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
                "phase" => crash.phase = Phase::of_name(value).unwrap_or_default(),
                "generation" => crash.generation = value.parse().ok()?,
                "hash" => crash.hash = u64::from_str_radix(value, 16).ok()?,
                "frame" => crash.frame = value.parse().ok()?,
                "solver" => crash.solver = value.to_string(),
                "shader" => crash.shader = Some(value.to_string()),
                "stack" => crash.stack = value == "1",
                _ => {}
            }
        }
        Some(crash)
    }

    fn record(&self) -> String {
        let Self { what, at, phase, generation, hash, frame, solver, .. } = self;
        let phase = phase.name();
        let mut text = format!(
            "{what} at={at} phase={phase} generation={generation} hash={hash:x} frame={frame} solver={solver}"
        );
        self.shader.iter().for_each(|shader| text.push_str(&format!(" shader={shader}")));
        if self.stack {
            text.push_str(" stack=1");
        }
        text
    }

    /// Whether the hot code did it.
    pub fn in_step(&self) -> bool {
        self.phase == Phase::Step
    }

    /// Whether the program itself did it, or the driver that draws for it: other hot code does not help.
    pub fn in_host(&self) -> bool {
        !self.in_step() && !self.in_device()
    }

    /// Whether it happened in a frame of the GPU path.
    pub fn in_device(&self) -> bool {
        self.phase == Phase::Device
    }

    /// What happened, in words: `SIGSEGV in solver xpbd of generation 5 at frame 812`.
    pub fn text(&self) -> String {
        let what = match self.what.as_str() {
            "HANG" if self.in_step() => "no step finished in time (an endless loop?)".to_string(),
            "HANG" if self.in_device() => "no frame of the GPU path in time".to_string(),
            "HANG" => "no frame drawn in time".to_string(),
            "PANIC" => "a panic".to_string(),
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
            (Phase::Draw | Phase::Build, Some(shader)) => {
                format!("while drawing with the new shader {shader} ")
            }
            (Phase::Draw | Phase::Build, None) => "while drawing ".to_string(),
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

    /// Whether what `of` picks out has happened too often for another try.
    pub fn many(&self, of: impl Fn(&Crash) -> bool) -> bool {
        let since = now().saturating_sub(QUICK.as_millis() as u64);
        self.0.iter().filter(|crash| crash.at >= since && of(crash)).count() >= MANY
    }

    /// Libraries that are not to be run again, and why.
    pub fn banned(&self) -> Vec<Banned> {
        let hot = self.0.iter().filter(|crash| crash.in_step() && crash.hash != 0);
        let why = |crash: &Crash| format!("this code crashed the program ({}); save a fix", crash.text());
        hot.map(|crash| Banned { hash: crash.hash, why: why(crash) }).collect()
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
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
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
            Crash { stack: true, ..crash("SIGSEGV", Phase::Step, u64::MAX, 1) },
        ]);
        assert_eq!(Crashes::parse(&list.list()), list);
        assert_eq!(list.banned().iter().map(|b| b.hash).collect::<Vec<_>>(), [0xabc, u64::MAX]);
        assert_eq!(list.shaders(), ["cloth.wgsl"]);
        assert_eq!(
            list.last().unwrap().text(),
            "SIGSEGV (the stack overflowed) in solver xpbd of generation 5 at frame 812"
        );
        assert_eq!(Crashes::parse("; ;nonsense at=x;"), Crashes::default());
    }

    #[test]
    fn three_quick_ones_are_many() {
        let mut list = Crashes((0..3).map(|i| crash("SIGABRT", Phase::Step, 1, 20 + 10 * i)).collect());
        assert!(!list.many(Crash::in_step), "two within 30 s");
        list.0.push(crash("SIGABRT", Phase::Step, 2, 1));
        assert!(list.many(Crash::in_step) && !list.many(Crash::in_host));
    }
}
