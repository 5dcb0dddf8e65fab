//! Parts of `passes.ron`: what several lists have in common is written once and put into each.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use serde::{
    Deserializer,
    de::{Error, MapAccess, Visitor},
};

use super::{super::constants::MODELS, Condition, Node, Passes};
use weft_core::suggest;

/// Nodes of a list with all its parts, at most: parts of parts of parts grow fast.
const MOST: usize = 10_000;

/// What [`Node::Rounds`] may ask for: as many iterations as a solver's parameter has at most.
const MOST_ROUNDS: u32 = 1000;

/// Reads parts by name; two of one name are an error.
pub(super) fn read_each_once<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, Vec<Node>>, D::Error> {
    struct Parts;
    impl<'de> Visitor<'de> for Parts {
        type Value = BTreeMap<String, Vec<Node>>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("parts by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut parts = BTreeMap::new();
            while let Some(name) = map.next_key::<String>()? {
                if parts.contains_key(&name) {
                    return Err(Error::custom(format!("two parts have the name `{name}`")));
                }
                parts.insert(name, map.next_value()?);
            }
            Ok(parts)
        }
    }
    from.deserialize_map(Parts)
}

impl Passes {
    /// The same with `Part`, `Each` and `When` written out.
    pub(super) fn with_parts(mut self) -> Result<Self, String> {
        let mut known = BTreeSet::new();
        let mut names = BTreeSet::new();
        for list in &mut self.lists {
            if !names.insert(list.name.clone()) {
                return Err(format!("two lists have the name `{}`", list.name));
            }
            let fixed = list.needs.iter().flat_map(Condition::features).chain(list.features.iter().cloned());
            let fixed: Vec<String> = fixed.collect();
            let (open, loops) = (Vec::new(), Vec::new());
            let mut writer = Writer { parts: &self.parts, open, loops, count: 0, fixed, known: &mut known };
            let written = writer.out(&list.passes, &[]);
            list.passes = written.map_err(|why| format!("{}: {why}", list.name))?;
        }
        let known = Arc::new(known);
        self.lists.iter_mut().for_each(|list| list.known = Arc::clone(&known));
        Ok(self)
    }
}

struct Writer<'a> {
    parts: &'a BTreeMap<String, Vec<Node>>,
    /// Parts that are being written out.
    open: Vec<&'a str>,
    /// Loops around the present node.
    loops: Vec<&'static str>,
    /// Nodes so far.
    count: usize,
    /// Features of all passes of the list.
    fixed: Vec<String>,
    /// Those of all passes of all lists.
    known: &'a mut BTreeSet<String>,
}

impl<'a> Writer<'a> {
    /// `all`: what must be there for every pass.
    fn out(&mut self, nodes: &'a [Node], all: &[Condition]) -> Result<Vec<Node>, String> {
        let mut made = Vec::new();
        for node in nodes {
            self.count += 1;
            if self.count > MOST {
                return Err(format!("with its parts it has more than {MOST} passes"));
            }
            made.push(match node {
                Node::Pass { file, .. } if file.is_empty() => return Err("a pass without `file`".into()),
                Node::Pass { file, .. } => self.pass(node, file, all)?,
                Node::Swap(..) if all.is_empty() => node.clone(),
                Node::Swap(a, b) => {
                    return Err(format!("Swap({a:?}, {b:?}) is always done: it cannot stand in a `When`"));
                }
                Node::Substeps(nodes) => Node::Substeps(self.inside("Substeps", nodes, all)?),
                Node::Iterations(nodes) => Node::Iterations(self.inside("Iterations", nodes, all)?),
                Node::FirstSubstep(nodes) => Node::FirstSubstep(self.out(nodes, all)?),
                Node::Colours(table, nodes) => Node::Colours(table.clone(), self.out(nodes, all)?),
                Node::Rounds { least, share, passes } => {
                    if *least > MOST_ROUNDS || !(0.0..=1.0).contains(share) {
                        let found = format!("Rounds(least: {least}, share: {share})");
                        return Err(format!(
                            "{found}: `least` is 0 to {MOST_ROUNDS}, `share` 0 to 1 of the iterations"
                        ));
                    }
                    let passes = self.inside("Rounds", passes, all)?;
                    Node::Rounds { least: *least, share: *share, passes }
                }
                Node::Count { each: 0, .. } => return Err("Count(each: 0): `each` is at least 1".into()),
                Node::Count { of, each, passes } => {
                    let passes = self.inside("Count", passes, all)?;
                    Node::Count { of: of.clone(), each: *each, passes }
                }
                Node::When(more, nodes) => {
                    made.extend(self.out(nodes, &[all, more].concat())?);
                    continue;
                }
                Node::Part(name) => {
                    let nodes = self.part(name)?;
                    self.open.push(name);
                    made.extend(self.out(nodes, all)?);
                    self.open.pop();
                    continue;
                }
                Node::Each { of, file } => {
                    for node in self.part(of)? {
                        made.push(self.pass(node, file, all).map_err(|why| format!("part `{of}`: {why}"))?);
                    }
                    continue;
                }
            });
        }
        Ok(made)
    }

    /// What is in a loop. One in itself would run for as many times again, for minutes where somebody did not mean it.
    fn inside(
        &mut self,
        name: &'static str,
        nodes: &'a [Node],
        all: &[Condition],
    ) -> Result<Vec<Node>, String> {
        if self.loops.contains(&name) {
            return Err(format!("`{name}` stands in `{name}`"));
        }
        self.loops.push(name);
        let made = self.out(nodes, all);
        self.loops.pop();
        made
    }

    /// A pass with a file, and what else must be there.
    fn pass(&mut self, node: &Node, file: &str, all: &[Condition]) -> Result<Node, String> {
        let Node::Pass { over, by, when, .. } = node else {
            return Err(format!("`Each` takes passes only, not {node:?}"));
        };
        let when = [all, when].concat();
        for condition in &when {
            let Condition::Has(table, model) = condition else { continue };
            let mut models = MODELS.iter().filter(|(of, ..)| of == table).map(|(_, model, _)| *model);
            if !models.clone().any(|known| known == model) {
                let near = suggest::nearest(model, models.by_ref());
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                return Err(format!("table `{table}` has no model `{model}`{near}"));
            }
        }
        let mut features = self.fixed.clone();
        features.extend(when.iter().flat_map(Condition::features));
        self.known.extend(features.iter().cloned());
        Ok(Node::Pass { file: file.to_string(), over: over.clone(), by: *by, when, features })
    }

    fn part(&self, name: &str) -> Result<&'a [Node], String> {
        let Some(nodes) = self.parts.get(name) else {
            let near = suggest::nearest(name, self.parts.keys().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(format!("there is no part `{name}`{near}"));
        };
        if self.open.contains(&name) {
            return Err(format!("part `{name}` holds itself"));
        }
        Ok(nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PASSES, Sources};
    use super::*;

    fn read(parts: &str, passes: &str) -> Result<Vec<Node>, String> {
        let text = format!(
            r#"(parts: {{{parts}}}, lists: [
                (name: "l", solver: "s", doc: "", takes: [], needs: [], passes: [{passes}])])"#
        );
        let mut sources = Sources::built_in();
        sources.set(PASSES, &text);
        let read = Passes::read(&sources).map_err(|error| error.to_string());
        read.map(|mut passes| passes.lists.remove(0).passes)
    }

    #[test]
    fn parts_stand_where_they_are_named() {
        let parts = r#""a": [Part("b"), Swap("x", "y")], "b": [Pass(file: "one", over: "particle")]"#;
        let passes = read(parts, r#"Substeps([Part("a")])"#).unwrap();
        let [Node::Substeps(nodes)] = &*passes else { panic!("{passes:?}") };
        assert!(matches!(&**nodes, [Node::Pass { .. }, Node::Swap(..)]), "{nodes:?}");
    }

    #[test]
    fn conditions_add_up_and_are_features() {
        let parts = r#""a": [Pass(over: "particle", when: [Not(Meshes), Has("triangle", "stvk")])]"#;
        let passes = read(parts, r#"When([Diagnostics], [Each(of: "a", file: "one")])"#).unwrap();
        let [Node::Pass { file, when, features, .. }] = &*passes else { panic!("{passes:?}") };
        assert_eq!((file.as_str(), when.len()), ("one", 3));
        assert_eq!(features.join(" "), "diagnostics triangle stvk");
    }

    #[test]
    fn mistakes_are_told() {
        for (parts, passes, says) in [
            (r#""before": []"#, r#"Part("befor")"#, "l: there is no part `befor`; did you mean `before`?"),
            (r#""a": [Part("b")], "b": [Part("a")]"#, r#"Part("a")"#, "part `a` holds itself"),
            (
                "",
                "Rounds(least: 20000000, share: 0.5, passes: [])",
                "l: Rounds(least: 20000000, share: 0.5): `least`",
            ),
            ("", "Rounds(least: 1, share: inf, passes: [])", "`share` 0 to 1"),
            (
                "",
                r#"]), (name: "l", solver: "s", doc: "", takes: [], needs: [], passes: ["#,
                "two lists have the name `l`",
            ),
            ("", r#"Count(of: "a", each: 0, passes: [])"#, "`each` is at least 1"),
            (r#""a": [Substeps([])]"#, r#"Substeps([Part("a")])"#, "`Substeps` stands in `Substeps`"),
            (
                r#""a": [Part("b"), Part("b")], "b": [Part("c"), Part("c")], "c": [Part("d"), Part("d")],
                   "d": [Part("e"), Part("e")], "e": [Part("f"), Part("f")], "f": [Part("g"), Part("g")],
                   "g": [Part("h"), Part("h")], "h": [Part("i"), Part("i")], "i": [Part("j"), Part("j")],
                   "j": [Part("k"), Part("k")], "k": [Part("l"), Part("l")], "l": [Part("m"), Part("m")],
                   "m": [Part("n"), Part("n")], "n": []"#,
                r#"Part("a")"#,
                "more than 10000 passes",
            ),
            (r#""a": [Pass(over: "particle")]"#, r#"Part("a")"#, "a pass without `file`"),
            (r#""a": [Swap("x", "y")]"#, r#"Each(of: "a", file: "f")"#, "`Each` takes passes only"),
            (r#""a": [Swap("x", "y")]"#, r#"When([Wind], [Part("a")])"#, "is always done"),
            (
                "",
                r#"Pass(file: "f", over: "particle", when: [Has("hinge", "dihedrl")])"#,
                "table `hinge` has no model `dihedrl`; did you mean `dihedral`?",
            ),
        ] {
            let why = read(parts, passes).unwrap_err();
            assert!(why.contains(says), "{why}");
        }
        let why = read(r#""a": [], "a": []"#, "").unwrap_err();
        assert!(
            why.starts_with("shaders/sim/passes.ron:1:") && why.contains("two parts have the name `a`"),
            "{why}"
        );
        for passes in [r#"When([Wind], [Part("befor")])"#, "Rounds(least: 1001, share: 0.5, passes: [])"] {
            let why = read("", passes).unwrap_err();
            assert!(why.starts_with("shaders/sim/passes.ron:2:"), "{why}");
        }
    }
}
