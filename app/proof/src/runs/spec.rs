//! What a run is to be, as `--runs` and a scene's `runs` say it: `vbd:iterations=20,substeps=10@gpu`.

use std::fmt;

use weft_engine::generation::Generation;
use weft_scene::{Loaded, RunPath, Scene, Value};
use weft_session::{Options, readings};

/// A solver, its values, and the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    pub solver: String,
    pub set: Vec<(String, String)>,
    pub gpu: bool,
}

impl Spec {
    /// A list such as `xpbd,vbd:iterations=20,substeps=10,explicit@gpu`; `all` stands for every solver.
    pub fn list(text: &str) -> Result<Vec<Self>, String> {
        let mut specs: Vec<Self> = Vec::new();
        for part in text.split(',').map(str::trim) {
            match specs.last_mut() {
                // Between `NAME:` and the next name commas part the values of one run.
                Some(last) if part.contains('=') && !part.contains(':') => last.take(part)?,
                _ if part == "all" => {
                    let solvers = Generation::built_in();
                    let names = solvers.solvers().iter().map(|solver| solver.name.to_string());
                    specs.extend(names.map(|solver| Self { solver, set: Vec::new(), gpu: false }));
                }
                _ => specs.push(Self::one(part)?),
            }
        }
        Ok(specs)
    }

    /// The runs of the scene that a session is to be of, as it lists them; `None` where it lists none, or does not load: why
    /// is told when it is opened.
    pub fn of_scene(session: &Options) -> Option<Vec<Self>> {
        let mut scene = weft_scene::peek(&session.scene)?;
        let of_runs = session.set.iter().filter(|(path, _)| path.starts_with("runs"));
        of_runs.for_each(|(path, value)| _ = weft_scene::set(&mut scene, path, value));
        let specs = Some(Self::listed(&scene)).filter(|specs| !specs.is_empty())?;
        let known = readings::vocabulary(&Generation::built_in());
        weft_scene::load(&session.scene, &known).and_then(Loaded::strict).ok()?;
        Some(specs)
    }

    /// A scene's own solver and the runs that it lists; none where it lists none.
    fn listed(scene: &Scene) -> Vec<Self> {
        if scene.runs.is_empty() {
            return Vec::new();
        }
        let own = Self { solver: scene.solver.name.clone(), set: Vec::new(), gpu: false };
        let text = |value: &Value| match value {
            Value::Text(text) => text.clone(),
            value => value.to_string(),
        };
        let beside = scene.runs.iter().map(|run| Self {
            solver: run.name.clone(),
            set: run.params.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            gpu: run.path == RunPath::Gpu,
        });
        std::iter::once(own).chain(beside).collect()
    }

    fn one(text: &str) -> Result<Self, String> {
        let (solver, values) =
            text.split_once(':').map_or((text, None), |(name, values)| (name, Some(values)));
        let (name, on) = split_path(solver)?;
        if name.is_empty() || name.contains('=') {
            return Err(format!(
                "`{text}` names no solver: write SOLVER, SOLVER:PARAM=VALUE,... or SOLVER@gpu"
            ));
        }
        let mut spec = Self { solver: name.to_string(), set: Vec::new(), gpu: on == Some(true) };
        values.map_or(Ok(()), |values| spec.take(values))?;
        Ok(spec)
    }

    /// `PARAM=VALUE`, with the path at its end if it is said there.
    fn take(&mut self, text: &str) -> Result<(), String> {
        let (text, on) = split_path(text)?;
        if text.is_empty() {
            return Err(format!(
                "nothing stands behind `{}:`: write PARAM=VALUE, such as iterations=20",
                self.solver
            ));
        }
        let (name, value) = text
            .split_once('=')
            .filter(|(name, value)| !name.is_empty() && !value.is_empty())
            .ok_or_else(|| {
                format!("`{text}` is no value of `{}`: write PARAM=VALUE, such as iterations=20", self.solver)
            })?;
        self.set(name.trim(), value.trim());
        self.gpu = on.unwrap_or(self.gpu);
        Ok(())
    }

    /// Puts a value, the last one of a name counts.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.set.retain(|(known, _)| known != name);
        self.set.push((name.to_string(), value.to_string()));
    }

    /// The session of this run.
    pub(super) fn session(&self, common: &Options) -> Options {
        let values = self.set.iter().map(|(name, value)| (format!("solver.{name}"), value.clone()));
        Options {
            solver: Some(self.solver.clone()),
            set: common.set.iter().cloned().chain(values).collect(),
            ..common.clone()
        }
    }
}

/// The text before `@gpu` or `@cpu`, and which of them it was.
fn split_path(text: &str) -> Result<(&str, Option<bool>), String> {
    match text.split_once('@') {
        None => Ok((text, None)),
        Some((text, "gpu")) => Ok((text, Some(true))),
        Some((text, "cpu")) => Ok((text, Some(false))),
        Some((_, path)) => Err(format!("`@{path}`: there are the paths @cpu and @gpu")),
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.solver)?;
        for (i, (name, value)) in self.set.iter().enumerate() {
            write!(f, "{}{name}={value}", if i == 0 { ':' } else { ',' })?;
        }
        f.write_str(if self.gpu { "@gpu" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_written_alike() {
        let specs =
            Spec::list("xpbd, vbd:iterations=20,substeps=5@gpu,explicit@gpu,xpbd:omega=1.5").expect("good");
        let written: Vec<String> = specs.iter().map(ToString::to_string).collect();
        assert_eq!(written, ["xpbd", "vbd:iterations=20,substeps=5@gpu", "explicit@gpu", "xpbd:omega=1.5"]);
        assert_eq!(Spec::list(&written.join(",")).expect("good"), specs);
        let all = Spec::list("all").expect("good").len();
        assert!(all > 10 && all == Generation::built_in().solvers().len());
    }

    #[test]
    fn the_list_of_a_scene_reads_as_that_of_the_command_line() {
        let text = r#"(version: 1, solver: (name: "vbd"), runs: [
            (name: "xpbd", params: {"substeps": 20, "order": "jacobi"}), (name: "explicit", path: Gpu),
        ], cloths: [(id: "a", shape: Grid(columns: 4, rows: 4, width: 1, height: 1))])"#;
        let known = weft_scene::Vocabulary::default();
        let mut scene = weft_scene::parse_text("a.ron", text, None, &known).expect("good").scene;
        let specs = Spec::list("vbd,xpbd:order=jacobi,substeps=20,explicit@gpu").expect("good");
        assert_eq!(Spec::listed(&scene), specs);
        scene.runs.clear();
        assert_eq!(Spec::listed(&scene), []);
    }

    #[test]
    fn mistakes_name_their_part() {
        for (text, part) in [
            ("", "names no solver"),
            ("xpbd,,vbd", "names no solver"),
            ("iterations=3", "names no solver"),
            ("xpbd:", "nothing stands behind `xpbd:`"),
            ("xpbd:iterations", "`iterations` is no value of `xpbd`"),
            ("xpbd:=3", "`=3` is no value of `xpbd`"),
            ("vbd@tpu", "`@tpu`"),
        ] {
            let why = Spec::list(text).expect_err(text);
            assert!(why.contains(part), "{text}: {why}");
        }
    }
}
