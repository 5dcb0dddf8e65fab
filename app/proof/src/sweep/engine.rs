//! Who runs the shards of a sweep: processes of this machine, a HyperQueue server's workers, or Slurm's nodes. None of them is
//! ours; what they are given is one command for each shard, which any of them may run again.

use std::{
    io::Read as _,
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use weft_core::{files, say};

use super::{
    SweepOptions, cores,
    shard::{self, PLAN, Shard},
};

/// From one look at the rows to the next.
const TICK: Duration = Duration::from_millis(200);
/// Shards that a cluster gets, at most: what Slurm's `MaxArraySize` allows where nobody changed it.
const SHARDS: usize = 1000;
/// Shards for each process of this machine, so that none waits long for the last.
const SHARDS_EACH: usize = 8;

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Processes of this machine, each on cores of its own
    Local,
    /// Workers of a HyperQueue server (`hq server start`, `hq worker start` on any machine)
    Hq,
    /// An array job of Slurm
    Slurm,
}

/// Where shards run, and how many there are.
#[derive(Clone, Debug)]
pub struct Engine {
    pub kind: Kind,
    /// Processes at a time, of `Local`; `None`: as many as cores allow.
    pub jobs: Option<usize>,
    /// `None`: by the number of runs.
    pub shards: Option<usize>,
}

impl Engine {
    /// Processes at a time, and the cores of each.
    fn lanes(&self, threads: usize) -> Vec<Vec<usize>> {
        let cores = cores::allowed();
        let each = if threads == 0 { cores.len() } else { threads };
        let lanes = self.jobs.unwrap_or(cores.len() / each).max(1);
        // More processes than cores: the system places them.
        let own =
            |lane: usize| cores.get(lane * each..(lane + 1) * each).map_or_else(Vec::new, <[usize]>::to_vec);
        (0..lanes).map(own).collect()
    }

    pub(super) fn shards(&self, runs: usize, threads: usize) -> usize {
        let wanted = self.shards.unwrap_or_else(|| match self.kind {
            Kind::Local => SHARDS_EACH * self.lanes(threads).len(),
            Kind::Hq | Kind::Slurm => SHARDS,
        });
        wanted.min(runs).max(1)
    }

    /// Runs all shards; `seen` is called now and then while they run. `Ok` does not say that all rows are there.
    pub(super) fn run(
        &self,
        options: &SweepOptions,
        shards: usize,
        seen: &mut dyn FnMut(),
    ) -> Result<(), String> {
        match self.kind {
            Kind::Local => self.local(options, shards, seen),
            Kind::Hq => wait(hq(options, shards)?, seen),
            Kind::Slurm => wait(slurm(options, shards)?, seen),
        }
    }

    fn local(&self, options: &SweepOptions, shards: usize, seen: &mut dyn FnMut()) -> Result<(), String> {
        let plan = shard::folder(&options.out).join(PLAN);
        let (next, busy, failed) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
        let lanes = self.lanes(options.threads);
        busy.store(lanes.len(), Ordering::Relaxed);
        thread::scope(|scope| {
            for cores in &lanes {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= shards {
                            break;
                        }
                        if let Err(why) = shard::run(&plan, options, Shard { index, of: shards }, cores)
                            && let Ok(mut failed) = failed.lock()
                        {
                            failed.push(why);
                        }
                    }
                    busy.fetch_sub(1, Ordering::Relaxed);
                });
            }
            while busy.load(Ordering::Relaxed) > 0 {
                thread::sleep(TICK);
                seen();
            }
        });
        failed.into_inner().unwrap_or_default().into_iter().next().map_or(Ok(()), Err)
    }

    /// What would be submitted.
    pub(super) fn text(&self, options: &SweepOptions, shards: usize) -> Result<String, String> {
        let folder = shard::folder(&options.out);
        Ok(match self.kind {
            Kind::Local => {
                format!("weft sweep {} --shard I/{shards}, for I from 0", folder.join(PLAN).display())
            }
            Kind::Hq => {
                let arguments = hq_arguments(options, shards)?;
                let words = ["hq"].into_iter().chain(arguments.iter().map(String::as_str));
                shlex::try_join(words).map_err(|why| why.to_string())?
            }
            Kind::Slurm => script(options, shards)?,
        })
    }
}

fn hq_arguments(options: &SweepOptions, shards: usize) -> Result<Vec<String>, String> {
    let cpus = if options.threads == 0 { "all".to_string() } else { options.threads.to_string() };
    let (array, log) = (format!("0-{}", shards - 1), shard::folder(&options.out).join("%{TASK_ID}.hq"));
    let task = worker(options, "$HQ_TASK_ID", shards)?;
    let words =
        ["submit", "--wait", "--name", "weft-sweep", "--array", &array, "--cpus", &cpus, "--pin", "taskset"];
    let log = ["--stdout", "none", "--stderr", &log.display().to_string()].map(ToString::to_string);
    let last = ["--", "sh", "-c", &task].map(ToString::to_string);
    Ok(words.iter().map(ToString::to_string).chain(log).chain(last).collect())
}

fn hq(options: &SweepOptions, shards: usize) -> Result<Child, String> {
    let missing = "HyperQueue's `hq` is not installed: https://github.com/It4innovations/hyperqueue/releases has it, one file";
    let asked = start(Command::new("hq").args(["server", "info"]), missing)?.wait();
    if !asked.is_ok_and(|status| status.success()) {
        return Err(
            "no HyperQueue server answers: `hq server start` here, and `hq worker start` on each machine"
                .into(),
        );
    }
    start(Command::new("hq").args(hq_arguments(options, shards)?), missing)
}

/// The command of a shard, for a shell.
fn worker(options: &SweepOptions, index: &str, shards: usize) -> Result<String, String> {
    let exe = std::env::current_exe().map_err(|why| format!("this program's file: {why}"))?;
    let plan = std::path::absolute(shard::folder(&options.out).join(PLAN)).map_err(|why| why.to_string())?;
    let words = [exe.to_string_lossy(), "sweep".into(), plan.to_string_lossy(), "--shard".into()];
    let words = shlex::try_join(words.iter().map(|word| &**word)).map_err(|why| why.to_string())?;
    // The index is the shell's to put in.
    Ok(format!("exec {words} {index}/{shards}"))
}

fn script(options: &SweepOptions, shards: usize) -> Result<String, String> {
    let folder = std::path::absolute(shard::folder(&options.out)).map_err(|why| why.to_string())?;
    let cpus = if options.threads == 0 {
        "#SBATCH --exclusive".to_string()
    } else {
        format!("#SBATCH --cpus-per-task={}", options.threads)
    };
    Ok(format!(
        "#!/bin/sh\n#SBATCH --job-name=weft-sweep\n#SBATCH --array=0-{}\n{cpus}\n#SBATCH --requeue\n\
         #SBATCH --output={}/%a.slurm\n{}\n",
        shards - 1,
        folder.display(),
        worker(options, "$SLURM_ARRAY_TASK_ID", shards)?
    ))
}

fn slurm(options: &SweepOptions, shards: usize) -> Result<Child, String> {
    let file = shard::folder(&options.out).join("sweep.sbatch");
    files::write(&file, script(options, shards)?).map_err(|why| format!("{}: {why}", file.display()))?;
    let mut command = Command::new("sbatch");
    command.arg("--wait").arg(&file);
    start(
        &mut command,
        "Slurm's `sbatch` is not installed (Debian: apt install slurm-client); --print writes the script for a machine that has it",
    )
}

/// Starts what submits a job and waits for it.
fn start(command: &mut Command, missing: &str) -> Result<Child, String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().map_err(|why| match why.kind() {
        std::io::ErrorKind::NotFound => missing.to_string(),
        _ => format!("{}: {why}", command.get_program().display()),
    })
}

fn wait(mut child: Child, seen: &mut dyn FnMut()) -> Result<(), String> {
    let mut errors = child.stderr.take();
    let said = thread::spawn(move || {
        let mut text = String::new();
        errors.as_mut().map(|errors| errors.read_to_string(&mut text));
        text
    });
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|why| why.to_string())? {
            break status;
        }
        thread::sleep(TICK);
        seen();
    };
    let said = said.join().unwrap_or_default();
    if status.success() {
        return Ok(());
    }
    // What was run is kept: the sweep says what is missing.
    say::warn(format_args!("{}", said.trim_end()));
    Err(said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("the job failed").to_string())
}
