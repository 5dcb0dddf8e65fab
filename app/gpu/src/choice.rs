//! Which list of passes runs a solver, and why one does not.

use std::fmt;

use sim_api::ParamDesc;
use weft_core::state::col;

use super::{
    batches, bodies,
    constants::MODELS,
    links::Adjacency,
    passes::{Condition, List, Passes},
    places::Places,
    solids::MESH,
};
use weft_engine::{left_out, run::Run};
use weft_scene::assemble;

/// Tables whose rows no solver's list of constraints has.
const NO_CONSTRAINTS: [&str; 12] = [
    "balloon",
    "coarse_node",
    "layer",
    "mount",
    "piece",
    "root",
    "segment",
    "strand",
    "strand_cell",
    "strand_grid",
    "strand_system",
    "thread",
];

/// Why no list of passes runs a solver as it is.
#[derive(Clone, Debug, PartialEq)]
pub enum NotOffered {
    /// The solver has none.
    Solver { solver: String, offered: Vec<String> },
    /// It has none of the name that was asked for.
    List { solver: String, wanted: String, lists: Vec<String> },
    /// Each needs what is not there: its name, and what.
    Needs(Vec<(String, Vec<String>)>),
    /// A pass of the list that would run binds more buffers than the adapter has places for.
    Places { list: String, file: String, binds: usize, allows: usize, adapter: String },
}

impl fmt::Display for NotOffered {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Solver { solver, offered } => {
                let offered = offered.join(", ");
                write!(f, "the solver {solver} is not offered on the GPU path; it has {offered}")
            }
            Self::List { solver, wanted, lists } => {
                write!(f, "{solver} has no list of passes `{wanted}`; it has {}", lists.join(", "))
            }
            Self::Needs(lists) => {
                let needs =
                    |(list, missing): &(String, Vec<String>)| format!("{list} needs {}", missing.join(", "));
                let lists: Vec<String> = lists.iter().map(needs).collect();
                write!(f, "the GPU path does not offer this: {}", lists.join("; "))
            }
            Self::Places { list, file, binds, allows, adapter } => write!(
                f,
                "{adapter} has {allows} places for buffers in a pass, and {file} of {list} binds {binds}: it takes an adapter \
                 with more, as with Vulkan (`weft adapters`)"
            ),
        }
    }
}

/// The conditions that hold for a state as long as its tables stay; looks at all rows. `tiled`: cloth may be swept in tiles.
pub fn lasting(run: &Run, neighbours: &Adjacency, tiled: bool) -> Vec<Condition> {
    let damped = run.state.get(col::distance::damping).iter().any(|&damping| damping != 0.0);
    let rows = |table: &str| run.state.table(table).map_or(0, |table| table.rows);
    let colliders = rows("collider") > 0;
    let all = [
        (Condition::Damping, damped),
        (Condition::Colliders, colliders),
        (Condition::Cloth, rows("particle") > rows("segment")),
        (Condition::Bodies, bodies::any(&run.state)),
        (Condition::Rings, batches::any_rings(&run.state)),
        (Condition::Repeats, neighbours.stencils.is_some()),
        (Condition::Tiles, tiled && neighbours.tiles.is_some()),
    ];
    let mut lasting: Vec<Condition> =
        all.into_iter().filter(|(_, holds)| *holds).map(|(condition, _)| condition).collect();
    let any = |table: &&str| rows(table) > 0;
    let tables = ["tether", "attachment"].into_iter().filter(any);
    lasting.extend(tables.map(|table| Condition::Rows(table.to_string())));
    for key in [col::triangle::model, col::hinge::model] {
        let (models, table) = (run.state.get(key), key.table);
        let seen = models.iter().fold(0_u32, |seen, &model| seen | 1 << model.min(31));
        let seen = MODELS.iter().filter(|(of, _, model)| *of == table && seen & 1 << model != 0);
        lasting.extend(seen.map(|(_, model, _)| Condition::Has(table.to_string(), (*model).to_string())));
    }
    let drawn = Condition::Has("triangle".to_string(), "drawn".to_string());
    let resists = |condition: &Condition| matches!(condition, Condition::Has(..) | Condition::Rows(_));
    if lasting.iter().any(|condition| resists(condition) && *condition != drawn) {
        lasting.push(Condition::Others);
    }
    if run.state.get(col::collider::kind).contains(&MESH) {
        lasting.push(Condition::Meshes);
    }
    let tables = NO_CONSTRAINTS.into_iter().filter(any);
    lasting.extend(tables.map(|table| Condition::Rows(table.to_string())));
    lasting
}

/// Whether a condition may hold while those of [`lasting`] do.
pub fn may_hold(condition: &Condition, lasting: &[Condition]) -> bool {
    match condition {
        Condition::Damping
        | Condition::Colliders
        | Condition::Cloth
        | Condition::Meshes
        | Condition::Bodies
        | Condition::Rings
        | Condition::Repeats
        | Condition::Tiles
        | Condition::Has(..)
        | Condition::Rows(_)
        | Condition::Others => lasting.contains(condition),
        Condition::Not(inner) => !lasting.contains(inner),
        Condition::Wind
        | Condition::Holds
        | Condition::Diagnostics
        | Condition::Choice(..)
        | Condition::Number(..) => true,
    }
}

/// What conditions are asked of.
pub struct Situation<'a> {
    pub run: &'a Run,
    /// Of the conditions without parameters those that hold.
    pub present: Vec<Condition>,
    /// The adapter that it is to run on; `None`: any.
    pub(crate) places: Option<Places<'a>>,
}

impl<'a> Situation<'a> {
    /// On any adapter.
    pub fn new(run: &'a Run, present: Vec<Condition>) -> Self {
        Self { run, present, places: None }
    }

    /// Parameters of the present solver.
    pub fn params(&self) -> &'a [ParamDesc] {
        self.run.description().map_or(&[], |solver| solver.params.as_slice())
    }

    /// `None` if it holds, else why it does not.
    pub fn unmet(&self, condition: &Condition) -> Option<String> {
        let number = |name: &str| self.run.param(name);
        match condition {
            Condition::Not(inner) => self.unmet(inner).is_none().then(|| match &**inner {
                Condition::Number(name, value) => format!("{name} other than {value}"),
                Condition::Choice(name, choice) => format!("{name} other than {choice}"),
                Condition::Rows(table) if table == "strand" => "a scene without strands".to_string(),
                Condition::Rows(table) => format!("no rows in table {table}"),
                plain => format!("no {}", words(plain).unwrap_or("such rows")),
            }),
            Condition::Choice(name, choice) => {
                let param = self.run.description().and_then(|solver| solver.param(name));
                let chosen = param.and_then(|param| assemble::choices(param).nth(number(name)? as usize));
                (chosen != Some(choice)).then(|| format!("{name} {choice}"))
            }
            Condition::Number(name, value) => {
                (number(name) != Some(*value)).then(|| format!("{name} {value}"))
            }
            Condition::Has(table, model) => {
                (!self.present.contains(condition)).then(|| format!("rows of model {model} in table {table}"))
            }
            Condition::Rows(table) => {
                (!self.present.contains(condition)).then(|| format!("rows in table {table}"))
            }
            plain => (!self.present.contains(plain)).then(|| words(plain).unwrap_or_default().to_string()),
        }
    }

    /// What a list needs of colliders, holds and parameters and does not have.
    pub fn needs(&self, list: &List) -> Vec<String> {
        list.needs.iter().filter_map(|need| self.unmet(need)).collect()
    }

    /// Everything a list needs that is not there; looks at all rows of the state.
    fn missing(&self, list: &List) -> Vec<String> {
        let mut missing = self.needs(list);
        let present = [
            ("triangle", "membranes (table triangle)", self.triangles()),
            ("hinge", "bending (table hinge)", self.rows("hinge")),
            ("tether", "tethers (table tether)", self.rows("tether")),
            ("attachment", "soft pins (table attachment)", self.rows("attachment")),
            ("balloon", "balloons (table balloon)", self.rows("balloon")),
            ("layer", "self collision (table layer)", self.rows("layer")),
            ("coarse", "coarse constraints (table coarse), or 0 of the solver's `coarse`", self.coarse()),
        ];
        // What its solver leaves out on the host as well keeps no list from running.
        let left_out = |table: &str| {
            left_out::TABLES.iter().any(|(of, _)| *of == table)
                && self.run.description().is_some_and(|solver| solver.taken(table).is_none())
        };
        let taken = |table: &str| left_out(table) || list.takes.iter().any(|taken| taken == table);
        // Ends that pull at nothing have to go with their cloth or body all the same.
        for (table, what) in [("root", "on cloth"), ("mount", "on bodies with a mass")] {
            if self.rows(table) > 0 && !list.takes.iter().any(|taken| taken == table) {
                missing.push(format!("a scene without strands {what} (table {table})"));
            }
        }
        for (_, what, _) in present.iter().filter(|(table, _, rows)| *rows > 0 && !taken(table)) {
            missing.push(format!("a scene without {what}"));
        }
        missing
    }

    fn rows(&self, table: &str) -> usize {
        self.run.state.table(table).map_or(0, |table| table.rows)
    }

    /// Coarse constraints that the solver is to take.
    fn coarse(&self) -> usize {
        if self.run.param("coarse").is_some_and(|sweeps| sweeps > 0.0) { self.rows("coarse") } else { 0 }
    }

    /// Triangles that resist; those of model 0 are drawn only.
    fn triangles(&self) -> usize {
        self.run.state.get(col::triangle::model).iter().filter(|model| **model != 0).count()
    }

    /// The first list that can run, or the one called `wanted`.
    pub fn choose<'l>(&self, passes: &'l Passes, wanted: Option<&str>) -> Result<&'l List, NotOffered> {
        let solver = self.run.solver.as_str();
        let lists: Vec<&List> = passes.lists.iter().filter(|list| list.solver == solver).collect();
        if lists.is_empty() {
            let mut offered: Vec<String> = passes.lists.iter().map(|list| list.solver.clone()).collect();
            offered.dedup();
            return Err(NotOffered::Solver { solver: solver.to_string(), offered });
        }
        let named = |list: &&&List| wanted.is_none_or(|wanted| list.name == wanted);
        if !lists.iter().any(|list| named(&list)) {
            let lists = lists.iter().map(|list| list.name.clone()).collect();
            let wanted = wanted.unwrap_or_default().to_string();
            return Err(NotOffered::List { solver: solver.to_string(), wanted, lists });
        }
        let (mut refusals, mut narrow) = (Vec::new(), None);
        for list in lists.iter().filter(|list| named(list)) {
            let missing = self.missing(list);
            if missing.is_empty() {
                match self.places.as_ref().and_then(|places| places.too_few(list, self.params())) {
                    None => return Ok(list),
                    Some(refusal) => narrow = narrow.or(Some(refusal)),
                }
            } else {
                refusals.push((list.name.clone(), missing));
            }
        }
        Err(narrow.unwrap_or(NotOffered::Needs(refusals)))
    }
}

/// A condition without parameters.
fn words(condition: &Condition) -> Option<&'static str> {
    match condition {
        Condition::Wind => Some("wind"),
        Condition::Colliders => Some("colliders"),
        Condition::Cloth => Some("cloth"),
        Condition::Meshes => Some("colliders from a mesh"),
        Condition::Bodies => Some("bodies with a mass"),
        Condition::Rings => Some("closed strands"),
        Condition::Holds => Some("held particles"),
        Condition::Damping => Some("dampers on springs"),
        Condition::Tiles => Some("springs that fit into tiles of 1,936 particles"),
        Condition::Repeats => Some("cloth that repeats, such as a grid"),
        Condition::Diagnostics => Some("diagnostics"),
        Condition::Others => Some("membranes, bending, tethers or soft pins"),
        Condition::Has(..)
        | Condition::Rows(_)
        | Condition::Choice(..)
        | Condition::Number(..)
        | Condition::Not(_) => None,
    }
}
