//! What the main thread is inside of, for those who look at it from outside: the watchdog, and the signal handler
//! after a crash. Plain atomics: a handler may read nothing else.

pub mod fault;

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use crate::clock::Instant;

/// What may hang or crash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Phase {
    /// The host's own code.
    #[default]
    Host = 0,
    /// A step of the hot code.
    Step = 1,
    /// The driver compiles shaders.
    Build = 2,
    /// A picture.
    Draw = 3,
    /// A frame of the GPU path.
    Device = 4,
}

impl Phase {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Step => "step",
            Self::Build => "build",
            Self::Draw => "draw",
            Self::Device => "device",
        }
    }

    /// The phase of a name, as a record has it.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Host, Self::Step, Self::Build, Self::Draw, Self::Device]
            .into_iter()
            .find(|phase| phase.name() == name)
    }

    pub fn now() -> Self {
        match PHASE.load(Relaxed) {
            1 => Self::Step,
            2 => Self::Build,
            3 => Self::Draw,
            4 => Self::Device,
            _ => Self::Host,
        }
    }
}

/// A name of at most `N` bytes that a handler can read.
pub struct Name<const N: usize>([AtomicU8; N]);

impl<const N: usize> Name<N> {
    const fn new() -> Self {
        Self([const { AtomicU8::new(0) }; N])
    }

    fn set(&self, name: &str) {
        // Blanks and semicolons separate the fields of a report, and half a character is no text.
        let plain = |byte: u8| if matches!(byte, b' ' | b';') { b'_' } else { byte };
        let bytes = name[..name.floor_char_boundary(N)].bytes().map(plain).chain(std::iter::repeat(0));
        self.0.iter().zip(bytes).for_each(|(to, byte)| to.store(byte, Relaxed));
    }

    /// The bytes of the name.
    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.iter().map(|byte| byte.load(Relaxed)).take_while(|byte| *byte != 0)
    }
}

static PHASE: AtomicU32 = AtomicU32::new(0);
/// Counts phases, so that a long one is told from many short ones.
static COUNT: AtomicU64 = AtomicU64::new(0);
/// Longest time that this phase may take [ms]; 0: any.
static LIMIT: AtomicU64 = AtomicU64::new(0);
/// When it began [ms].
static BEGAN: AtomicU64 = AtomicU64::new(0);
/// Longest time that a step may take [ms].
static STEP_LIMIT: AtomicU64 = AtomicU64::new(0);
/// When the last shader was swapped in, or the driver was done with it [ms], plus one; 0: none was.
static SHADER_AT: AtomicU64 = AtomicU64::new(0);

pub static GENERATION: AtomicU32 = AtomicU32::new(0);
/// Of the library of that generation.
pub static HASH: AtomicU64 = AtomicU64::new(0);
pub static FRAME: AtomicU64 = AtomicU64::new(0);
pub static SOLVER: Name<32> = Name::new();
pub static SHADER: Name<96> = Name::new();

/// A shader is to blame for what is drawn this long after it was swapped in [ms].
const SHADER_BLAMED: u64 = 2000;

fn now_ms() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_millis() as u64
}

/// Ends its phase when it is dropped: the one around it goes on, with its own limit.
pub struct Inside {
    phase: Phase,
    limit: u64,
    began: u64,
}

impl Drop for Inside {
    fn drop(&mut self) {
        // What the driver compiled for long runs from now on.
        if Phase::now() == Phase::Build && shader_blamed() {
            SHADER_AT.store(now_ms() + 1, Relaxed);
        }
        COUNT.fetch_add(1, Relaxed);
        BEGAN.store(self.began, Relaxed);
        PHASE.store(self.phase as u32, Relaxed);
        LIMIT.store(self.limit, Relaxed);
    }
}

/// From now on until the result is dropped, the thread is in `phase`, for at most `limit`.
pub fn enter(phase: Phase, limit: Option<Duration>) -> Inside {
    let before = Inside { phase: Phase::now(), limit: LIMIT.load(Relaxed), began: BEGAN.load(Relaxed) };
    LIMIT.store(limit.map_or(0, |limit| limit.as_millis() as u64), Relaxed);
    BEGAN.store(now_ms(), Relaxed);
    COUNT.fetch_add(1, Relaxed);
    PHASE.store(phase as u32, Relaxed);
    fault::at(phase);
    before
}

/// As [`enter`], for host code inside of the present phase that takes long and comes to an end.
pub fn untimed() -> Inside {
    enter(Phase::now(), None)
}

/// This code runs from now on: what crashes may be its doing, also outside of a step.
pub fn code(generation: u32, hash: u64) {
    GENERATION.store(generation, Relaxed);
    HASH.store(hash, Relaxed);
}

/// As [`enter`], for a step of the hot code.
pub fn enter_step(generation: u32, hash: u64, solver: &str, frame: u64) -> Inside {
    code(generation, hash);
    FRAME.store(frame, Relaxed);
    SOLVER.set(solver);
    let limit = STEP_LIMIT.load(Relaxed);
    enter(Phase::Step, (limit > 0).then(|| Duration::from_millis(limit)))
}

/// As [`enter`], for a frame of the GPU path.
pub fn enter_device(frame: u64, limit: Duration) -> Inside {
    FRAME.store(frame, Relaxed);
    enter(Phase::Device, Some(limit))
}

/// Longest time that a step may take from now on.
pub fn limit_steps(limit: Duration) {
    STEP_LIMIT.store(limit.as_millis() as u64, Relaxed);
}

/// A shader is about to be swapped in.
pub fn shader(file: &str) {
    SHADER.set(file);
    SHADER_AT.store(now_ms() + 1, Relaxed);
}

/// Whether the last shader may be to blame for what happens in this phase.
pub fn shader_blamed() -> bool {
    let (at, began) = (SHADER_AT.load(Relaxed), BEGAN.load(Relaxed));
    matches!(Phase::now(), Phase::Build | Phase::Draw | Phase::Device)
        && at > 0
        && began.saturating_sub(at) < SHADER_BLAMED
}

/// How long the process ran well [ms]: up to now, or to where the present phase began.
pub fn well() -> u64 {
    if Phase::now() == Phase::Host { now_ms() } else { BEGAN.load(Relaxed) }
}

/// Which phase this is, and how long it may take [ms]; 0: any time.
pub fn current() -> (u64, u64) {
    (COUNT.load(Relaxed), if Phase::now() == Phase::Host { 0 } else { LIMIT.load(Relaxed) })
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    #[test]
    fn a_shader_that_was_compiled_for_long_is_to_blame_for_what_it_does_then() {
        let longer = Duration::from_millis(SHADER_BLAMED + 100);
        let blamed = || {
            let _inside = enter_device(1, Duration::ZERO);
            shader_blamed()
        };
        shader("slow.wgsl");
        {
            let _inside = enter(Phase::Build, None);
            sleep(longer);
        }
        assert!(blamed());
        sleep(longer);
        assert!(!blamed(), "it ran well meanwhile");
        // What is compiled later has nothing to do with it.
        drop(enter(Phase::Build, None));
        assert!(!blamed());
    }
}
