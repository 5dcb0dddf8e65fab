//! Which code a resumed program runs.

use super::{Autosave, Crash, Crashes, Library};
use weft_gpu::GpuOptions;

#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The code to try, best first. The built-in code, which is number 0, is always the last.
    pub code: Vec<Library>,
    /// The GPU path, unless it failed too often.
    pub gpu: Option<GpuOptions>,
    /// Crashed too often: paused, and nothing is built before the next save.
    pub hold: bool,
    /// The program itself crashed too often: its state may be the reason, so that from before the last swap of code.
    pub older: bool,
    /// Shaders that hung or crashed the driver: the built-in ones draw instead.
    pub shaders: Vec<String>,
}

/// What ran goes on, unless it crashed: then the newest code that is known to be good and did not. A crash of the program
/// itself is held against the code at its second time; the third time in a row only the built-in code is left.
pub fn choose(saved: &Autosave, crashes: &Crashes) -> Choice {
    let shaders = crashes.shaders();
    let gpu = saved.gpu.clone().filter(|_| !crashes.many(Crash::in_device));
    let hold = crashes.many(|crash| crash.by_code() || crash.in_host());
    let older = hold && crashes.last().is_some_and(Crash::in_host);
    if hold {
        return Choice { code: vec![Library::default()], gpu, hold: true, older, shaders };
    }
    let banned = crashes.banned();
    let last = crashes.last().filter(|crash| crash.by_code());
    let fits = |library: &&Library| {
        library.number != 0
            && banned.iter().all(|banned| banned.hash != library.hash)
            && last.is_none_or(|crash| crash.generation != library.number)
    };
    let good = saved.good.iter().rev();
    // After a crash in the hot code, what was still on trial is not to be trusted either.
    let running = last.is_none().then_some(&saved.running);
    let mut code: Vec<Library> = running.into_iter().chain(good).filter(fits).cloned().collect();
    code.dedup();
    if running.is_some_and(|running| running.number == 0) {
        code.clear();
    }
    code.push(Library::default());
    Choice { code, gpu, hold, older, shaders }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_core::pulse::Phase;

    use weft_engine::run::{Params, RunImage};

    fn library(number: u32) -> Library {
        Library { number, hash: u64::from(number) * 11, file: format!("kept-{number}").into() }
    }

    fn saved(running: u32, good: &[u32]) -> Autosave {
        let run =
            RunImage { solver: "xpbd".into(), params: Params::new(), frame: 9, time: 0.1, state: Vec::new() };
        Autosave {
            process: 1,
            at: 0,
            folder: "/".into(),
            scene_path: "a.ron".into(),
            file: String::new(),
            scene: String::new(),
            overrides: Vec::new(),
            run,
            origin: [0.0; 3],
            gpu: None,
            drags: Vec::new(),
            paused: false,
            running: if running == 0 { Library::default() } else { library(running) },
            good: good.iter().map(|n| if *n == 0 { Library::default() } else { library(*n) }).collect(),
            done: 0,
            window: None,
            meshes: Vec::new(),
        }
    }

    #[test]
    fn three_failures_of_the_gpu_path_end_it() {
        let saved = Autosave { gpu: Some(GpuOptions::default()), ..saved(5, &[3, 5]) };
        let crashes = Crashes(vec![crash(5, Phase::Device), crash(5, Phase::Device)]);
        let again = choose(&saved, &crashes);
        assert_eq!((again.gpu.is_some(), again.code[0].number), (true, 5), "the hot code is not to blame");
        let crashes =
            Crashes(vec![crash(5, Phase::Device), crash(5, Phase::Device), crash(5, Phase::Device)]);
        let cpu = choose(&saved, &crashes);
        assert_eq!((cpu.gpu, cpu.hold, cpu.code[0].number), (None, false, 5));
    }

    fn crash(generation: u32, phase: Phase) -> Crash {
        let hash = u64::from(generation) * 11;
        Crash { what: "SIGSEGV".into(), at: super::super::now(), phase, generation, hash, ..Crash::default() }
    }

    fn numbers(saved: &Autosave, crashes: Vec<Crash>) -> Vec<u32> {
        choose(saved, &Crashes(crashes)).code.iter().map(|library| library.number).collect()
    }

    #[test]
    fn good_code_before_the_one_that_crashed() {
        assert_eq!(numbers(&saved(5, &[0, 2, 4]), vec![crash(5, Phase::Step)]), [4, 2, 0]);
        // It had passed its trial.
        assert_eq!(numbers(&saved(4, &[0, 2, 4]), vec![crash(4, Phase::Step)]), [2, 0]);
        // The autosave is from before the swap.
        assert_eq!(numbers(&saved(4, &[0, 2, 4]), vec![crash(5, Phase::Step)]), [4, 2, 0]);
        // The same library under another number.
        let again = Crash { hash: 44, ..crash(9, Phase::Step) };
        assert_eq!(numbers(&saved(4, &[0, 2, 4]), vec![again]), [2, 0]);
        assert_eq!(numbers(&saved(0, &[0]), vec![crash(0, Phase::Step)]), [0]);
    }

    #[test]
    fn a_crash_of_the_program_itself_is_held_against_the_code_at_its_second_time() {
        for phase in [Phase::Host, Phase::Draw, Phase::Build] {
            assert_eq!(numbers(&saved(5, &[0, 2, 4]), vec![crash(5, phase)]), [5, 4, 2, 0], "{phase:?}");
            let twice = vec![crash(5, phase), crash(5, phase)];
            assert_eq!(numbers(&saved(5, &[0, 2, 4, 5]), twice), [4, 2, 0], "{phase:?}");
            let thrice = Crashes(vec![crash(5, phase), crash(5, phase), crash(4, phase)]);
            let last = choose(&saved(4, &[0, 2, 4]), &thrice);
            assert_eq!((last.code, last.hold, last.older), (vec![Library::default()], true, true));
            assert!(!thrice.many(Crash::ends), "only crashes with the built-in code end the program");
        }
        let heap = Crash { heap: true, ..crash(5, Phase::Host) };
        assert_eq!(numbers(&saved(5, &[0, 2, 4, 5]), vec![heap]), [4, 2, 0]);
        assert_eq!(numbers(&saved(4, &[2, 4]), vec![]), [4, 2, 0]);
        assert_eq!(numbers(&saved(0, &[0]), vec![]), [0]);
    }

    #[test]
    fn the_third_quick_crash_stops_at_the_built_in_code() {
        let three: Vec<Crash> = (5..8).map(|number| crash(number, Phase::Step)).collect();
        let choice = choose(&saved(4, &[2, 4]), &Crashes(three));
        assert_eq!((choice.code, choice.hold, choice.older), (vec![Library::default()], true, false));
    }
}
