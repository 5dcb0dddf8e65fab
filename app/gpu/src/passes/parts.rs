//! Parts of `passes.ron`: what several lists have in common is written once and put into each.

use std::collections::BTreeMap;

use super::{Condition, Node, Passes};
use weft_core::suggest;

impl Passes {
    /// The same with `Part`, `Each` and `When` written out.
    pub(super) fn with_parts(mut self) -> Result<Self, String> {
        for list in &mut self.lists {
            let mut writer = Writer { parts: &self.parts, open: Vec::new() };
            let written = writer.out(&list.passes, &[]);
            list.passes = written.map_err(|why| format!("{}: {why}", list.name))?;
        }
        Ok(self)
    }
}

struct Writer<'a> {
    parts: &'a BTreeMap<String, Vec<Node>>,
    /// Parts that are being written out.
    open: Vec<&'a str>,
}

impl<'a> Writer<'a> {
    /// `all`: what must be there for every pass.
    fn out(&mut self, nodes: &'a [Node], all: &[Condition]) -> Result<Vec<Node>, String> {
        let mut made = Vec::new();
        for node in nodes {
            made.push(match node {
                Node::Pass { file, .. } if file.is_empty() => return Err("a pass without `file`".into()),
                Node::Pass { file, with, over, by, when } => Node::Pass {
                    file: file.clone(),
                    with: with.clone(),
                    over: over.clone(),
                    by: *by,
                    when: [all, when].concat(),
                },
                Node::Swap(..) if all.is_empty() => node.clone(),
                Node::Swap(a, b) => {
                    return Err(format!("Swap({a:?}, {b:?}) is always done: it cannot stand in a `When`"));
                }
                Node::Substeps(nodes) => Node::Substeps(self.out(nodes, all)?),
                Node::Iterations(nodes) => Node::Iterations(self.out(nodes, all)?),
                Node::FirstSubstep(nodes) => Node::FirstSubstep(self.out(nodes, all)?),
                Node::Colours(table, nodes) => Node::Colours(table.clone(), self.out(nodes, all)?),
                Node::Rounds { least, share, passes } => {
                    Node::Rounds { least: *least, share: *share, passes: self.out(passes, all)? }
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
                Node::Each { of, file, with } => {
                    for node in self.part(of)? {
                        made.push(
                            each(node, file, with, all).ok_or_else(|| {
                                format!("part `{of}`: `Each` takes passes only, not {node:?}")
                            })?,
                        );
                    }
                    continue;
                }
            });
        }
        Ok(made)
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

/// A pass of a part with a file, more libraries, and what must be there.
fn each(node: &Node, file: &str, more: &[String], all: &[Condition]) -> Option<Node> {
    let Node::Pass { with, over, by, when, .. } = node else { return None };
    Some(Node::Pass {
        file: file.to_string(),
        with: [more, with].concat(),
        over: over.clone(),
        by: *by,
        when: [all, when].concat(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{PASSES, Sources};
    use super::*;

    fn read(parts: &str, passes: &str) -> Result<Vec<Node>, String> {
        let text = format!(
            r#"(columns: [], parts: {{{parts}}}, lists: [
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
    fn conditions_and_libraries_add_up() {
        let parts = r#""a": [Pass(with: ["model"], over: "particle", when: [Wind])]"#;
        let passes = read(parts, r#"When([Looked], [Each(of: "a", file: "one", with: ["base"])])"#).unwrap();
        let [Node::Pass { file, with, when, .. }] = &*passes else { panic!("{passes:?}") };
        assert_eq!((file.as_str(), with.join(" ").as_str()), ("one", "base model"));
        assert_eq!(*when, [Condition::Looked, Condition::Wind]);
    }

    #[test]
    fn mistakes_are_told() {
        for (parts, passes, says) in [
            (r#""before": []"#, r#"Part("befor")"#, "l: there is no part `befor`; did you mean `before`?"),
            (r#""a": [Part("b")], "b": [Part("a")]"#, r#"Part("a")"#, "part `a` holds itself"),
            (r#""a": [Pass(over: "particle")]"#, r#"Part("a")"#, "a pass without `file`"),
            (r#""a": [Swap("x", "y")]"#, r#"Each(of: "a", file: "f")"#, "`Each` takes passes only"),
            (r#""a": [Swap("x", "y")]"#, r#"When([Wind], [Part("a")])"#, "is always done"),
        ] {
            let why = read(parts, passes).unwrap_err();
            assert!(why.contains(says), "{why}");
        }
    }
}
