//! Which list of passes runs a solver, and why one does not.

use sim_api::{ParamDesc, World};

use super::passes::{Condition, List, Passes};
use crate::{assemble, run::Run};

/// What conditions are asked of.
pub struct Situation<'a> {
    pub run: &'a Run,
    pub world: World,
    pub colliders: bool,
    pub holds: bool,
    pub damping: bool,
    pub repeats: bool,
    pub looked: bool,
}

impl<'a> Situation<'a> {
    pub fn of(run: &'a Run, world: World, holds: bool, [repeats, looked]: [bool; 2]) -> Self {
        let rows = |table: &str| run.state.table(table).map_or(0, |table| table.rows);
        let damping = run.state.column::<f32>("distance", "damping").iter().any(|&damping| damping != 0.0);
        Self { run, world, colliders: rows("collider") > 0, holds, damping, repeats, looked }
    }

    /// Parameters of the present solver.
    pub fn params(&self) -> &[ParamDesc] {
        let solver = self.run.generation.solver(&self.run.solver);
        let solver = solver.and_then(|solver| self.run.generation.solvers().get(solver));
        solver.map_or(&[], |solver| solver.params.as_slice())
    }

    /// `None` if it holds, else why it does not.
    pub fn unmet(&self, condition: &Condition) -> Option<String> {
        let number = |name: &str| self.run.param(name);
        match condition {
            Condition::Wind => (self.world.wind.coefficient <= 0.0).then(|| "wind".into()),
            Condition::Colliders => (!self.colliders).then(|| "colliders".into()),
            Condition::Holds => (!self.holds).then(|| "held particles".into()),
            Condition::Damping => (!self.damping).then(|| "dampers on springs".into()),
            Condition::Repeats => (!self.repeats).then(|| "cloth that repeats, such as a grid".into()),
            Condition::Looked => (!self.looked).then(|| "somebody who looks".into()),
            Condition::Not(inner) => match &**inner {
                inner if self.unmet(inner).is_some() => None,
                Condition::Wind => Some("no wind".into()),
                Condition::Colliders => Some("no colliders".into()),
                Condition::Holds => Some("no held particles".into()),
                Condition::Damping => Some("no dampers on springs".into()),
                inner => Some(format!("not {inner:?}")),
            },
            Condition::Choice(name, choice) => {
                let param = self.params().iter().find(|param| param.name.as_str() == name);
                let chosen = param.and_then(|param| assemble::choices(param).nth(number(name)? as usize));
                (chosen != Some(choice)).then(|| format!("{name} {choice}"))
            }
            Condition::Number(name, value) => {
                (number(name) != Some(*value)).then(|| format!("{name} {value}"))
            }
        }
    }

    /// Everything a list needs that is not there.
    fn missing(&self, list: &List) -> Vec<String> {
        let mut missing: Vec<String> = list.needs.iter().filter_map(|need| self.unmet(need)).collect();
        let present = [
            ("triangle", "membranes (table triangle)", self.triangles()),
            ("hinge", "bending (table hinge)", self.rows("hinge")),
            ("tether", "tethers (table tether)", self.rows("tether")),
            ("attachment", "soft pins (table attachment)", self.rows("attachment")),
        ];
        for (_, what, _) in
            present.iter().filter(|(table, _, rows)| *rows > 0 && !list.takes.iter().any(|t| t == table))
        {
            missing.push(format!("a scene without {what}"));
        }
        missing
    }

    fn rows(&self, table: &str) -> usize {
        self.run.state.table(table).map_or(0, |table| table.rows)
    }

    /// Triangles that resist; those of model 0 are drawn only.
    fn triangles(&self) -> usize {
        self.run.state.column::<u32>("triangle", "model").iter().filter(|model| **model != 0).count()
    }

    /// The first list that can run, or the one called `wanted`.
    pub fn choose<'l>(&self, passes: &'l Passes, wanted: Option<&str>) -> Result<&'l List, String> {
        let solver = self.run.solver.as_str();
        let lists: Vec<&List> = passes.lists.iter().filter(|list| list.solver == solver).collect();
        if lists.is_empty() {
            let mut solvers: Vec<&str> = passes.lists.iter().map(|list| list.solver.as_str()).collect();
            solvers.dedup();
            return Err(format!(
                "the solver {solver} is not offered on the GPU path; it has {}",
                solvers.join(", ")
            ));
        }
        let named = |list: &&&List| wanted.is_none_or(|wanted| list.name == wanted);
        if !lists.iter().any(|list| named(&list)) {
            let names: Vec<&str> = lists.iter().map(|list| list.name.as_str()).collect();
            let wanted = wanted.unwrap_or_default();
            return Err(format!("{solver} has no list of passes `{wanted}`; it has {}", names.join(", ")));
        }
        let mut refusals = Vec::new();
        for list in lists.iter().filter(|list| named(list)) {
            let missing = self.missing(list);
            if missing.is_empty() {
                return Ok(list);
            }
            refusals.push(format!("{} needs {}", list.name, missing.join(", ")));
        }
        Err(format!("the GPU path does not offer this: {}", refusals.join("; ")))
    }
}
