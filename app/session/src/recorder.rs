//! A recording as CSV: one row a frame, one row an event. An interrupted program loses at most the last second.

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use weft_core::clock::Instant;

use weft_core::{files, say};
use weft_engine::generation::Generation;
use weft_gpu::GpuRun;

use crate::{
    readings::{self, AnyReading},
    ring::{FrameTimes, Ring, STAGES},
    session::{Notice, Session},
};

const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// Writes frames and events to a file. Columns: `row` is `frame` or `event`; an event leaves the numbers empty and
/// puts its text in `event`. Every reading has its column, empty where it has no meaning; what else the solver gives
/// stands in `others` as `name=value name=value`, for solvers may change while a recording runs; so do the times of the GPU
/// path: `device_ms`, `readback_ms` and, of frames whose passes are timed, `pass.FILE_ms`.
pub struct Recorder {
    path: PathBuf,
    file: files::Writer,
    /// Those with a column, in its order.
    readings: Vec<&'static str>,
    /// Frame rows so far.
    pub frames: u64,
    last_flush: Instant,
}

impl Recorder {
    /// Creates the file, with a column for each reading of this code. The extension says the format; `.csv` is the one there is.
    pub fn create(path: &Path, code: &Generation) -> Result<Self, String> {
        let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        if extension != "csv" {
            return Err(format!(
                "cannot record to {}: the file name must end in .csv, not `.{extension}`",
                path.display()
            ));
        }
        let file = files::create(path).map_err(|e| format!("cannot create {}: {e}", path.display()))?;
        let mut recorder = Self {
            path: path.to_path_buf(),
            file,
            readings: readings::all(code).map(|reading| reading.name).collect(),
            frames: 0,
            last_flush: Instant::now(),
        };
        let stages = STAGES.map(|(_, name)| format!("{name}_ms")).join(",");
        let readings = recorder.readings.join(",");
        recorder.line(&format!(
            "row,frame,time_s,at_ms,wall_ms,{stages},particles,constraints,{readings},others,event"
        ))?;
        Ok(recorder)
    }

    /// A frame with the readings that the session took after it.
    pub fn frame(&mut self, session: &Session, times: &FrameTimes) -> Result<(), String> {
        let stages = times.stage_ms.map(|ms| format!("{ms:.4}")).join(",");
        let input = session.readings();
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.7e}"));
        let code = &session.run().generation;
        let value = |name: &&str| number(readings::find(code, name).and_then(|reading| reading.of(&input)));
        let values: Vec<String> = self.readings.iter().map(value).collect();
        // What newer code declares has no column.
        let newer = code.readings().map(AnyReading::from).filter(|new| !self.readings.contains(&new.name));
        let newer = newer.filter_map(|reading| Some((reading.name, reading.of(&input)?)));
        let others = newer.chain(readings::others(&input));
        let mut others: Vec<String> = others.map(|(name, value)| format!("{name}={value:.7e}")).collect();
        let device = session.gpu().into_iter().flat_map(GpuRun::times);
        others.extend(device.map(|(name, ms)| format!("{name}={ms:.4}")));
        let ((particles, constraints), run) = (session.sizes(), session.run());
        self.frames += 1;
        self.line(&format!(
            "frame,{},{:.6},{:.3},{:.4},{stages},{particles},{constraints},{},{},",
            run.frame,
            run.time,
            times.at_ms,
            times.wall_ms,
            values.join(","),
            others.join(" ")
        ))?;
        if self.last_flush.elapsed() >= FLUSH_EVERY { self.flush() } else { Ok(()) }
    }

    /// Something that happened before the next frame: a reload, a scene, a shader.
    pub fn event(&mut self, frame: u64, at_ms: f64, text: &str) -> Result<(), String> {
        let blanks = ",".repeat(STAGES.len() + self.readings.len() + 5);
        let quoted = text.replace('"', "\"\"").replace(['\n', '\r'], " ");
        self.line(&format!("event,{frame},,{at_ms:.3}{blanks}\"{quoted}\""))?;
        self.flush()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes out what is buffered.
    pub fn flush(&mut self) -> Result<(), String> {
        self.last_flush = Instant::now();
        self.file.flush().map_err(|e| format!("cannot write {}: {e}", self.path.display()))
    }

    fn line(&mut self, text: &str) -> Result<(), String> {
        writeln!(self.file, "{text}").map_err(|e| format!("cannot write {}: {e}", self.path.display()))
    }
}

/// Prints notices and writes them to the recording.
pub fn announce(
    session: &Session,
    ring: &Ring,
    recorder: Option<&mut Recorder>,
    notices: &[Notice],
) -> Result<(), String> {
    for notice in notices {
        say::say(format_args!("[{}] {}", notice.kind, notice.text));
    }
    let Some(recorder) = recorder else { return Ok(()) };
    for notice in notices {
        let text = format!("{}: {}", notice.kind, notice.text);
        recorder.event(session.run().frame, ring.elapsed_ms(Instant::now()), &text)?;
    }
    Ok(())
}
