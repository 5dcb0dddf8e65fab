//! Pause when a condition holds: an expression over the readings, such as `stretch_max > 0.2 || max_speed > 10`.

use evalexpr::{ContextWithMutableVariables, EvalexprError, HashMapContext, Node, Operator, Value};
use weft_core::suggest;

use super::{Notice, Session};
use crate::readings::{self, Input};

/// A condition and the readings in it.
pub struct Stop {
    text: String,
    tree: Node,
    names: Vec<String>,
}

/// Bytes of a condition: each of its brackets is a call of the reader's.
const LONGEST: usize = 1000;
/// Functions that take numbers, besides `math::…`.
const FUNCTIONS: [&str; 6] = ["min", "max", "if", "floor", "round", "ceil"];

/// What holds of frame and time besides the readings.
const OWN: [&str; 2] = ["frame", "time"];

impl Stop {
    /// Compiles a condition. Every name in it must be a reading of the code, a number that the solver gave, `frame` or
    /// `time` [s].
    pub fn new(text: &str, input: &Input) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("the condition has {} bytes, at most {LONGEST} are read", text.len()));
        }
        let tree = evalexpr::build_operator_tree(text).map_err(|why| match why {
            EvalexprError::AppendedToLeafNode => format!(
                "`{text}`: two values stand side by side without an operator between them; numbers have no units, such as max_speed > 0.5"
            ),
            why => format!("`{text}`: {why}"),
        })?;
        let known = |name: &str| FUNCTIONS.contains(&name) || name.starts_with("math::");
        if let Some(name) = tree.iter_function_identifiers().find(|name| !known(name)) {
            return Err(format!(
                "`{text}`: there is no function `{name}` here; there are {} and math::sin and its like",
                FUNCTIONS.join(", ")
            ));
        }
        let no_number =
            |node: &Node| matches!(node.operator(), Operator::Const { value: Value::Float(x) } if x.is_nan());
        if tree.iter().any(no_number) {
            return Err(format!("`{text}`: nan is no number: no comparison with it holds"));
        }
        let mut names: Vec<String> = tree.iter_variable_identifiers().map(str::to_string).collect();
        names.sort();
        names.dedup();
        let known: Vec<&str> = readings::all(input.code)
            .map(|reading| reading.name)
            .chain(input.given.keys().map(String::as_str))
            .chain(OWN)
            .collect();
        for name in &names {
            if !known.contains(&name.as_str()) {
                let near = suggest::nearest(name, known.iter().copied());
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                return Err(format!(
                    "`{text}`: there is no reading `{name}`{near} (`weft readings` lists them)"
                ));
            }
        }
        let stop = Self { text: text.to_string(), tree, names };
        // What is no condition at all is said now, and not at the first step.
        stop.holds(input, 0, 0.0).map(|_| stop)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Readings in it that have no value here, such as the volume of what encloses none.
    fn without_value(&self, input: &Input) -> Vec<&str> {
        let has = |name: &str| {
            OWN.contains(&name)
                || input.given.contains_key(name)
                || readings::find(input.code, name).and_then(|reading| reading.of(input)).is_some()
        };
        self.names.iter().map(String::as_str).filter(|name| !has(name)).collect()
    }

    /// The values of its names where it holds, as a line; `None` where it does not. A reading that has no meaning now is NaN:
    /// no comparison with it holds.
    fn holds(&self, input: &Input, frame: u64, time: f64) -> Result<Option<String>, String> {
        let mut context = HashMapContext::new();
        let mut values = Vec::new();
        for name in &self.names {
            let value = match name.as_str() {
                "frame" => frame as f64,
                "time" => time,
                _ => readings::find(input.code, name)
                    .and_then(|reading| reading.of(input))
                    .or_else(|| input.given.get(name).copied().map(f64::from))
                    .unwrap_or(f64::NAN),
            };
            let set = context.set_value(name.clone(), Value::Float(value));
            set.map_err(|why| format!("`{}`: {why}", self.text))?;
            values.push(format!("{name} = {value:.4}"));
        }
        match self.tree.eval_with_context(&context) {
            Ok(Value::Boolean(holds)) => Ok(holds.then(|| values.join(", "))),
            Ok(Value::Tuple(_)) => Err(format!(
                "`{}`: a comma stands between two values; numbers have a decimal point, such as stretch_max > 0.2",
                self.text
            )),
            Ok(other) => Err(format!(
                "`{}` is {other}, not true or false: write a condition, such as stretch_max > 0.2",
                self.text
            )),
            Err(EvalexprError::ExpectedNumberOrString { actual: Value::Boolean(_) }) => Err(format!(
                "`{}`: what compares is true or false, and cannot be compared again: write a > b && b > c",
                self.text
            )),
            Err(why) => Err(format!("`{}`: {why}", self.text)),
        }
    }
}

impl Session {
    /// Pauses after the step in which this holds; an empty text: never.
    pub fn set_stop(&mut self, text: &str) -> Result<(), String> {
        self.stop = None;
        if !text.trim().is_empty() {
            self.stop = Some(Stop::new(text.trim(), &self.readings())?);
        }
        Ok(())
    }

    /// What the session pauses at.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Why the condition may never hold: readings in it that have no value here.
    pub fn stop_without_value(&self) -> Option<String> {
        let names = self.stop.as_ref()?.without_value(&self.readings());
        (!names.is_empty()).then(|| format!("here there is no value of {}", names.join(", ")))
    }

    /// After a step: pauses if the condition holds, and says so. It is a new one after that.
    pub(super) fn check_stop(&mut self) -> Option<Notice> {
        self.stop.as_ref()?;
        self.measure();
        let (stop, run) = (self.stop.as_ref()?, self.run());
        match stop.holds(&self.readings(), run.frame, run.time) {
            Ok(None) => None,
            Ok(Some(values)) => {
                let text = format!("{} held in frame {}: {values}", stop.text, run.frame);
                self.paused = true;
                self.stop = None;
                Some(Notice::good("paused", text))
            }
            Err(why) => {
                self.stop = None;
                Some(Notice::bad("paused", why))
            }
        }
    }
}
