//! What a sweep crosses, and its file: `weft sweep gallery.sweep.ron`.

use std::path::{Path, PathBuf};

use ron::{extensions::Extensions, value::RawValue};
use serde::{Deserialize, Serialize};
use weft_core::{command::CommandError, suggest};
use weft_engine::generation::Generation;

use super::{
    axis,
    mistake::{Mistake, Part},
    plot::{self, Against},
};

/// Frames of a run, unless something else is asked for.
pub const FRAMES: u64 = 120;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepOptions {
    /// Relative to `folder`.
    pub scenes: Vec<PathBuf>,
    /// Empty: all.
    pub solvers: Vec<String>,
    /// A field or parameter with the values that it takes in turn; `resolution` and `seed` are axes of their own.
    pub axes: Vec<(String, Vec<String>)>,
    pub frames: u64,
    pub threads: usize,
    /// A run that takes longer ends as a row that says so [s].
    pub limit: Option<f64>,
    /// Runs that failed are run again.
    pub retry: bool,
    /// Rows go there, one after each run; those that are there already are not run again.
    pub out: PathBuf,
    /// Cost against error, .png or .svg.
    pub pareto: Option<PathBuf>,
    /// The error of that figure.
    pub against: Against,
    /// Where scenes are looked for; empty: the folder of the process.
    pub folder: PathBuf,
}

impl SweepOptions {
    /// What cannot be run or written is said before the work.
    pub fn check(&self) -> Result<(), Mistake> {
        let mistake =
            |part, given: &dyn std::fmt::Display, why| Mistake { part, given: given.to_string(), why };
        if let Some(path) = &self.pareto {
            plot::check(path).map_err(|why| mistake(Part::Pareto, &path.display(), why))?;
        }
        if self.out.extension().is_none_or(|end| end != "csv") {
            return Err(mistake(Part::Out, &self.out.display(), "the file name must end in .csv".into()));
        }
        if self.frames == 0 {
            return Err(mistake(Part::Frames, &0, "nothing would be timed; give 1 or more".into()));
        }
        let code = Generation::built_in();
        let known: Vec<&str> = code.solvers().iter().map(|solver| solver.name.as_str()).collect();
        let twice = || "it is there twice: a run is made once".to_string();
        if let Some(i) = (1..self.scenes.len()).find(|i| self.scenes[..*i].contains(&self.scenes[*i])) {
            return Err(mistake(Part::Scene(i), &self.scenes[i].display(), twice()));
        }
        for (i, scene) in self.scenes.iter().enumerate() {
            let path = self.folder.join(scene);
            if !path.is_file() {
                let what = suggest::no_file(&scene.to_string_lossy(), &path);
                return Err(mistake(Part::Scene(i), &what, suggest::missing(&path)));
            }
        }
        for (i, name) in self.solvers.iter().enumerate() {
            if self.solvers[..i].contains(name) {
                return Err(mistake(Part::Solver(i), name, twice()));
            }
            if !known.contains(&name.as_str()) {
                return Err(mistake(Part::Solver(i), name, suggest::unknown("solver", name, &known)));
            }
        }
        for (i, (axis, values)) in self.axes.iter().enumerate() {
            if self.axes[..i].iter().any(|(earlier, _)| earlier == axis) {
                let why = "it is given twice: write all of its values in one list".into();
                return Err(mistake(Part::Axis(i, None), axis, why));
            }
            if let Some(j) = (1..values.len()).find(|j| values[..*j].contains(&values[*j])) {
                return Err(mistake(Part::Axis(i, Some(j)), &format!("{axis}={}", values[j]), twice()));
            }
            let wanted = |(_, value): &(usize, &String)| *value != "default";
            for (j, value) in values.iter().enumerate().filter(wanted) {
                self.check_value(axis, value)
                    .map_err(|why| mistake(Part::Axis(i, Some(j)), &format!("{axis}={value}"), why))?;
            }
        }
        Ok(())
    }

    /// What one scene or solver refuses is a row that says so; what all refuse is a mistake.
    fn check_value(&self, axis: &str, value: &str) -> Result<(), String> {
        if axis::is_own(axis) {
            axis::whole(axis, value)?;
        }
        if let Some(name) = axis.strip_prefix("solver.") {
            let name = name.strip_prefix("params.").unwrap_or(name);
            let code = Generation::built_in();
            let chosen =
                |name: &str| self.solvers.is_empty() || self.solvers.iter().any(|solver| solver == name);
            let mut chosen = code.solvers().iter().filter(|solver| chosen(solver.name.as_str()));
            let known = name == "name" || chosen.any(|solver| solver.param(name).is_some());
            return if known { Ok(()) } else { Err("no solver here has this parameter".into()) };
        }
        let mut why = Ok(());
        for scene in &self.scenes {
            // What is wrong with a scene that cannot be read, its runs say.
            let Some(mut scene) = weft_scene::peek(&self.folder.join(scene)) else { return Ok(()) };
            let taken = match axis {
                axis::SEED => Ok(()),
                axis::RESOLUTION => axis::resolution(&scene, 2).map(|_| ()),
                _ => weft_scene::set(&mut scene, axis, value).map_err(|why| match why.help {
                    Some(help) => format!("{} ({help})", why.message),
                    None => why.message,
                }),
            };
            match taken {
                Ok(()) => return Ok(()),
                refusal => why = refusal,
            }
        }
        why
    }
}

/// What a run is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub scene: PathBuf,
    pub solver: String,
    /// A value for each axis.
    pub set: Vec<(String, String)>,
}

/// A sweep as a file has it.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename = "Sweep")]
pub struct SweepFile {
    /// Relative to the file, or to `folder`.
    pub scenes: Vec<PathBuf>,
    #[serde(default)]
    pub solvers: Vec<String>,
    /// Values are those of a scene: numbers, vectors, names.
    #[serde(default)]
    pub set: Vec<(String, Vec<Box<RawValue>>)>,
    pub frames: Option<u64>,
    pub threads: Option<usize>,
    pub limit: Option<f64>,
    pub out: Option<PathBuf>,
    pub pareto: Option<PathBuf>,
    pub folder: Option<PathBuf>,
}

fn text_of(path: &Path) -> Result<String, String> {
    weft_core::text::read(path).map_err(|why| format!("{}: {why}", path.display()))
}

/// Shown where a file is none.
const EXAMPLE: &str = r#"(scenes: ["flag.ron"], set: [("wind.gust", [0, 0.5])], frames: 120)"#;

fn format() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

impl SweepFile {
    /// Whether a file is one rather than a scene: it lists `scenes`, or is named `*.sweep.ron`.
    pub fn is_one(path: &Path) -> bool {
        if path.to_string_lossy().ends_with(".sweep.ron") {
            return true;
        }
        let Ok(text) = weft_core::text::read(path) else { return false };
        let (tree, _) = weft_scene::tree::read(&text);
        let fields = tree.group.into_iter().flat_map(|group| group.entries);
        fields.filter_map(|entry| entry.key).any(|key| &text[key] == "scenes")
    }

    /// Errors name file, line and column.
    pub fn read(path: &Path) -> Result<Self, String> {
        Self::parse(path, &text_of(path)?)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, String> {
        let mut file: Self = format().from_str(text).map_err(|error| {
            let at = error.span.start;
            format!("{}:{}:{}: {}; such a file reads {EXAMPLE}", path.display(), at.line, at.col, error.code)
        })?;
        let name = path.display();
        if file.scenes.is_empty() {
            return Err(format!("{name}: `scenes` is empty: list the scene files to run"));
        }
        if let Some(i) = file.set.iter().position(|(_, values)| values.is_empty()) {
            let why = "it has no value: nothing would be run".into();
            let mistake = Mistake { part: Part::Axis(i, None), given: file.set[i].0.clone(), why };
            return Err(mistake.in_file(path, text).into());
        }
        let own = path.parent().unwrap_or(Path::new(""));
        file.folder = Some(file.folder.map_or_else(|| own.to_path_buf(), |folder| own.join(folder)));
        Ok(file)
    }

    /// The values of `set` as `--set` takes them: a text in quotes is the text.
    pub fn axes(&self) -> Vec<(String, Vec<String>)> {
        let plain =
            |value: &RawValue| value.into_rust().unwrap_or_else(|_| value.trim().get_ron().to_string());
        let values = |values: &[Box<RawValue>]| values.iter().map(|value| plain(value)).collect();
        self.set.iter().map(|(axis, of)| (axis.clone(), values(of))).collect()
    }

    /// The same, with what it says checked: mistakes have their place in the file.
    pub fn checked(path: &Path) -> Result<SweepOptions, CommandError> {
        let text = text_of(path)?;
        let options = Self::parse(path, &text)?.options(path);
        options.check().map_err(|mistake| mistake.in_file(path, &text))?;
        Ok(options)
    }

    /// What it says; its table is in the folder of the process, named as the file, where the file names none.
    pub fn options(self, path: &Path) -> SweepOptions {
        SweepOptions {
            axes: self.axes(),
            scenes: self.scenes,
            solvers: self.solvers,
            frames: self.frames.unwrap_or(FRAMES),
            threads: self.threads.unwrap_or(1),
            limit: self.limit,
            retry: false,
            out: self
                .out
                .unwrap_or_else(|| PathBuf::from(path.file_name().unwrap_or_default()).with_extension("csv")),
            pareto: self.pareto,
            against: Against::default(),
            folder: self.folder.unwrap_or_default(),
        }
    }

    /// The file of a sweep that other processes, elsewhere, are to run; its paths are absolute, but for the scenes' names.
    pub fn text(options: &SweepOptions) -> Result<String, String> {
        let absolute =
            |path: &Path| std::path::absolute(path).map_err(|why| format!("{}: {why}", path.display()));
        let quoted = |value: &String| {
            let text = ron::to_string(value).map_err(|why| why.to_string())?;
            RawValue::from_boxed_ron(text.into()).map_err(|why| why.to_string())
        };
        let mut set = Vec::new();
        for (axis, values) in &options.axes {
            set.push((axis.clone(), values.iter().map(quoted).collect::<Result<_, String>>()?));
        }
        let here = if options.folder.as_os_str().is_empty() { Path::new(".") } else { &options.folder };
        let file = Self {
            scenes: options.scenes.clone(),
            solvers: options.solvers.clone(),
            set,
            frames: Some(options.frames),
            threads: Some(options.threads),
            limit: options.limit,
            out: Some(absolute(&options.out)?),
            pareto: None,
            folder: Some(absolute(here)?),
        };
        format().to_string_pretty(&file, ron::ser::PrettyConfig::default()).map_err(|why| why.to_string())
    }
}

/// All of them: the last axis turns fastest.
pub fn cells(options: &SweepOptions) -> Vec<Cell> {
    let names = || Generation::built_in().solvers().iter().map(|solver| solver.name.to_string()).collect();
    let solvers: Vec<String> = if options.solvers.is_empty() { names() } else { options.solvers.clone() };
    let mut cells: Vec<Cell> = Vec::new();
    for scene in &options.scenes {
        for solver in &solvers {
            cells.push(Cell { scene: scene.clone(), solver: solver.clone(), set: Vec::new() });
        }
    }
    for (path, values) in &options.axes {
        let with = |cell: &Cell, value: &String| {
            let mut cell = cell.clone();
            cell.set.push((path.clone(), value.clone()));
            cell
        };
        cells = cells.iter().flat_map(|cell| values.iter().map(move |value| with(cell, value))).collect();
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> SweepOptions {
        SweepOptions {
            scenes: vec!["a.ron".into(), "b.ron".into()],
            solvers: vec!["xpbd".into(), "vbd".into()],
            axes: vec![
                ("solver.substeps".into(), vec!["5".into(), "10".into()]),
                ("wind.velocity".into(), vec!["(0,0,0)".into(), "a \"b\"".into(), "2".into()]),
            ],
            frames: 1,
            threads: 1,
            limit: Some(2.5),
            ..SweepOptions::default()
        }
    }

    #[test]
    fn cells_are_all_combinations_in_order() {
        let cells = cells(&options());
        assert_eq!(cells.len(), 2 * 2 * 2 * 3);
        let set = |cell: &Cell| cell.set.iter().map(|set| set.1.clone()).collect::<Vec<_>>().join(" ");
        let first: Vec<String> = cells[..4].iter().map(set).collect();
        assert_eq!(first, ["5 (0,0,0)", "5 a \"b\"", "5 2", "10 (0,0,0)"]);
        assert_eq!(
            (cells[23].scene.display().to_string(), cells[6].solver.as_str()),
            ("b.ron".into(), "vbd")
        );
    }

    #[test]
    fn what_is_written_for_others_reads_back() {
        let options = SweepOptions { out: "x.csv".into(), ..options() };
        let text = SweepFile::text(&options).expect("it can be written");
        let file: SweepFile = format().from_str(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert_eq!(file.axes(), options.axes, "{text}");
        assert_eq!(
            (&file.scenes, &file.solvers, file.limit),
            (&options.scenes, &options.solvers, options.limit)
        );
        assert!(
            file.out.is_some_and(|out| out.is_absolute())
                && file.folder.is_some_and(|folder| folder.is_absolute())
        );
        let plain = r#"(scenes: ["a.ron"], set: [("solver.order", [coloured, "given"]), ("wind.velocity", [(1, 2, 3)])])"#;
        let file: SweepFile = format().from_str(plain).expect("good");
        assert_eq!(file.axes()[0].1, ["coloured", "given"]);
        assert_eq!(file.axes()[1].1, ["(1, 2, 3)"]);
    }
}
