//! A layout of tiles as the settings keep it, and back.
//!
//! `{"tiles": TILES, "closed": ["plots"]}`, where TILES is the name of a tile, `{"tabs": [TILES, ...], "front": 0}`, or a `row`
//! or `column`: `{"row": [[300, TILES], [980, TILES]]}`, each with its width or height [points].

use std::collections::HashMap;

use egui::Vec2;
use egui_tiles::{Container, Linear, LinearDir, Tabs, TileId, Tiles, Tree};
use serde_json::{Map, Value, json};
use weft_core::suggest;

use super::{super::tile::Tile, SIZE, along};

/// Parts of a row or a column that a file may ask for [points].
const BOUNDS: (f32, f32) = (16.0, 16_384.0);
/// As it is at first.
const DEFAULT: &str = r#"{ "closed": ["plots", "particle", "scenes"], "tiles": { "row": [
    [300, { "column": [
        [490, { "tabs": ["run", "scene", "states"] }],
        [230, { "tabs": ["times", "readings", "step"] }] ] }],
    [680, { "column": [[420, "picture"], [260, { "tabs": ["plots", "scenes"] }]] }],
    [300, "particle"] ] } }"#;

/// Tiles, and how large each is [points].
pub(super) type Laid = (Tree<Tile>, HashMap<TileId, Vec2>);

pub(super) fn default() -> Laid {
    let value = serde_json::from_str(DEFAULT).unwrap_or_default();
    read(&value).unwrap_or_else(|_| (Tree::new_tabs(id(), Tile::all().collect()), HashMap::new()))
}

fn id() -> egui::Id {
    egui::Id::unique("tiles")
}

/// Says which part of it is no layout.
pub(super) fn read(value: &Value) -> Result<Laid, String> {
    let mut reader = Reader { tiles: Tiles::default(), sizes: HashMap::new() };
    let tiles = value.get("tiles").ok_or("layout: `tiles` is missing")?;
    let root = reader.tiles(tiles, "layout.tiles")?.ok_or("layout.tiles: it is empty")?;
    let Reader { mut tiles, sizes } = reader;
    if tiles.find_pane(&Tile::Picture).is_none() {
        return Err("layout.tiles: the picture is missing".into());
    }
    let closed = value.get("closed").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_closed = |tile: Tile| closed.iter().any(|name| name.as_str() == Some(tile.name()));
    // Those that it does not name are closed, beside the others.
    let missing: Vec<Tile> =
        Tile::PANELS.iter().copied().filter(|tile| tiles.find_pane(tile).is_none()).collect();
    let root = with_tabs(&mut tiles, root);
    let root = if missing.is_empty() {
        root
    } else {
        let panes = missing.iter().map(|tile| tiles.insert_pane(*tile)).collect();
        let beside = tiles.insert_tab_tile(panes);
        tiles.insert_horizontal_tile(vec![beside, root])
    };
    for tile in Tile::PANELS.iter().filter(|tile| is_closed(**tile) || missing.contains(tile)) {
        let found = tiles.find_pane(tile);
        found.into_iter().for_each(|found| tiles.set_visible(found, false));
    }
    Ok((Tree::new(id(), root, tiles), sizes))
}

/// One so long along a row or a column.
fn sized(dir: LinearDir, length: f32) -> Vec2 {
    match dir {
        LinearDir::Horizontal => Vec2::new(length, SIZE),
        LinearDir::Vertical => Vec2::new(SIZE, length),
    }
}

/// A tile of its own has a bar with its tab.
fn with_tabs(tiles: &mut Tiles<Tile>, tile: TileId) -> TileId {
    if tiles.get_pane(&tile).is_some() { tiles.insert_tab_tile(vec![tile]) } else { tile }
}

struct Reader {
    tiles: Tiles<Tile>,
    sizes: HashMap<TileId, Vec2>,
}

impl Reader {
    /// `None`: a tile that there is elsewhere alone, or a container of such.
    fn tiles(&mut self, value: &Value, place: &str) -> Result<Option<TileId>, String> {
        if let Some(name) = value.as_str() {
            return self.tile(name, place);
        }
        let list = |key: &str| value.get(key).and_then(Value::as_array);
        if let Some(tabs) = list("tabs") {
            let front = value.get("front").and_then(Value::as_u64).unwrap_or(0);
            let (mut children, mut active) = (Vec::new(), None);
            for (i, tab) in tabs.iter().enumerate() {
                let tab = self.tiles(tab, &format!("{place}.tabs[{i}]"))?;
                active = tab.filter(|_| i as u64 <= front).or(active);
                children.extend(tab);
            }
            let mut tabs = Tabs::new(children);
            tabs.active = active.or(tabs.active);
            return Ok(
                (!tabs.children.is_empty()).then(|| self.tiles.insert_container(Container::Tabs(tabs)))
            );
        }
        for (key, dir) in [("row", LinearDir::Horizontal), ("column", LinearDir::Vertical)] {
            let Some(parts) = list(key) else { continue };
            let mut children = Vec::new();
            for (i, part) in parts.iter().enumerate() {
                let place = format!("{place}.{key}[{i}]");
                let size = part.get(0).and_then(Value::as_f64).ok_or_else(|| {
                    format!("{place}: a number and tiles are wanted, such as [300, \"run\"]")
                })?;
                let child = self.tiles(part.get(1).unwrap_or(&Value::Null), &place)?;
                if let Some(child) = child {
                    let child = with_tabs(&mut self.tiles, child);
                    let size = (size as f32).clamp(BOUNDS.0, BOUNDS.1);
                    self.sizes.insert(child, sized(dir, size));
                    children.push(child);
                }
            }
            return Ok((!children.is_empty())
                .then(|| self.tiles.insert_container(Container::Linear(Linear::new(dir, children)))));
        }
        Err(format!(
            "{place}: the name of a tile, or one of `row`, `column` and `tabs` with a list is wanted"
        ))
    }

    fn tile(&mut self, name: &str, place: &str) -> Result<Option<TileId>, String> {
        let Some(tile) = Tile::all().find(|tile| tile.name() == name) else {
            if cfg!(target_arch = "wasm32") {
                return Ok(None);
            }
            let near = suggest::nearest(name, Tile::all().map(Tile::name));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(format!("{place}: there is no tile `{name}`{near}"));
        };
        if self.tiles.find_pane(&tile).is_some() {
            return Err(format!("{place}: `{name}` is there twice"));
        }
        Ok(Some(self.tiles.insert_pane(tile)))
    }
}

pub(super) fn write(tree: &Tree<Tile>, sizes: &HashMap<TileId, Vec2>) -> Value {
    let tiles = tree.root().map_or(Value::Null, |root| part(tree, sizes, root));
    let is_closed =
        |tile: &Tile| tree.tiles.find_pane(tile).is_none_or(|found| !tree.tiles.is_visible(found));
    let closed: Vec<&str> = Tile::PANELS.iter().copied().filter(is_closed).map(Tile::name).collect();
    json!({ "tiles": tiles, "closed": closed })
}

fn part(tree: &Tree<Tile>, sizes: &HashMap<TileId, Vec2>, tile: TileId) -> Value {
    let list = |children: &[TileId]| -> Vec<Value> {
        children.iter().map(|child| part(tree, sizes, *child)).collect()
    };
    match tree.tiles.get(tile) {
        None => Value::Null,
        Some(egui_tiles::Tile::Pane(tile)) => tile.name().into(),
        Some(egui_tiles::Tile::Container(Container::Tabs(tabs))) => match tabs.children.as_slice() {
            // Every tile has tabs of its own.
            [alone] => part(tree, sizes, *alone),
            children => {
                let front = children.iter().position(|child| tabs.is_active(*child));
                json!({ "tabs": list(children), "front": front.unwrap_or(0) })
            }
        },
        Some(egui_tiles::Tile::Container(container)) => {
            let is_column =
                matches!(container, Container::Linear(linear) if linear.dir == LinearDir::Vertical);
            let (key, dir) =
                if is_column { ("column", LinearDir::Vertical) } else { ("row", LinearDir::Horizontal) };
            let sized = |child: &TileId| {
                let size = sizes.get(child).map_or(SIZE, |size| along(dir, *size));
                json!([size.round() as u32, part(tree, sizes, *child)])
            };
            let children: Vec<Value> = container.children().map(sized).collect();
            Value::Object(Map::from_iter([(key.to_string(), children.into())]))
        }
    }
}

/// What is in a tile.
pub(super) fn names(tiles: &Tiles<Tile>, tile: TileId) -> Vec<&'static str> {
    match tiles.get(tile) {
        Some(egui_tiles::Tile::Pane(tile)) => vec![tile.name()],
        Some(egui_tiles::Tile::Container(container)) => {
            container.children().flat_map(|child| names(tiles, *child)).collect()
        }
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Laid, String> {
        read(&serde_json::from_str(text).expect("JSON"))
    }

    #[test]
    fn the_default_is_a_layout_of_all_tiles_and_comes_back_as_it_was_written() {
        let (tree, sizes) = read_text(DEFAULT).expect("a layout");
        assert!(Tile::all().all(|tile| tree.tiles.find_pane(&tile).is_some()));
        let written = write(&tree, &sizes);
        let (again, sizes) = read(&written).expect("a layout");
        assert_eq!(write(&again, &sizes), written);
        let closed = |tile| !again.tiles.is_visible(again.tiles.find_pane(&tile).expect("a tile"));
        assert!(closed(Tile::Plots) && closed(Tile::Particle) && !closed(Tile::Run));
    }

    #[test]
    fn mistakes_say_where_they_are() {
        let why = |text: &str| read_text(text).map(|_| ()).expect_err("a mistake");
        assert!(why(r#"{"tiles": "run"}"#).contains("the picture is missing"));
        assert_eq!(
            why(r#"{"tiles": {"row": [[300, "plts"], [9, "picture"]]}}"#),
            "layout.tiles.row[0]: there is no tile `plts`; did you mean `plots`?"
        );
        assert_eq!(
            why(r#"{"tiles": {"tabs": ["picture", {"column": [[1, "run"], [1, "run"]]}]}}"#),
            "layout.tiles.tabs[1].column[1]: `run` is there twice"
        );
        assert!(why(r#"{"tiles": {"row": ["run"]}}"#).contains("layout.tiles.row[0]: a number and tiles"));
        assert!(why(r#"{"tiles": {"rows": []}}"#).contains("one of `row`, `column` and `tabs`"));
        assert!(why("{}").contains("`tiles` is missing"));
    }

    #[test]
    fn tiles_that_a_file_does_not_name_are_closed() {
        let (tree, _) =
            read_text(r#"{"tiles": {"row": [[300, "run"], [900, "picture"]]}}"#).expect("a layout");
        let is_open =
            |tile: &Tile| tree.tiles.find_pane(tile).is_some_and(|found| tree.tiles.is_visible(found));
        assert_eq!(Tile::all().filter(is_open).collect::<Vec<_>>(), [Tile::Picture, Tile::Run]);
        assert!(Tile::all().all(|tile| tree.tiles.find_pane(&tile).is_some()));
    }
}
