//! Runs side by side: `weft run --runs`, and all of them in one picture.

use std::path::{Path, PathBuf};

use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use weft_core::{command::CommandError, say};
use weft_draw::{Palette, offscreen::Offscreen, png};
use weft_proof::{
    letters,
    runs::{self, Outcome, RunsOptions},
};
use weft_session::Session;
use weft_window::view::{self, Overlays, Quantity, Range, Scale, View};

use crate::{
    outputs::{check_file, spare},
    shot::picture,
};

/// Height of the strip under each picture, and of the title over all of them [pixels].
const CAPTION: u32 = 44;
const TITLE: u32 = 40;
const FONT: &str = "sans-serif";

pub(crate) struct PosterOptions {
    pub runs: RunsOptions,
    pub json: bool,
    pub shot: Option<PathBuf>,
    /// The option that names it.
    pub option: &'static str,
    pub view: &'static Quantity,
    pub overlay: Overlays,
    pub palette: Palette,
    /// Width and height of the whole picture [pixels].
    pub size: (u32, u32),
}

/// Runs, prints the table, draws the picture. A run that stopped is an error after all that.
pub(crate) fn run(options: &PosterOptions) -> Result<(), CommandError> {
    if let Some(shot) = &options.shot {
        check_file(options.option, shot, "png")?;
        Layout::new(options.runs.specs.len(), options.size)?;
    }
    let may_begin =
        |session: &Session| options.shot.iter().try_for_each(|path| spare(options.option, path, session));
    let mut outcomes = runs::run(&options.runs, &may_begin)?;
    runs::print(&outcomes, options.json);
    if let Some(path) = &options.shot {
        draw(&mut outcomes, options, path)?;
        say::warn(format_args!("drew {}", path.display()));
    }
    let stopped: Vec<&str> =
        outcomes.iter().filter(|run| run.failure.is_some()).map(|run| run.name.as_str()).collect();
    if stopped.is_empty() {
        Ok(())
    } else {
        Err(format!("stopped before the last frame: {}", stopped.join(", ")).into())
    }
}

/// Columns and rows of a grid for so many pictures, near to the shape of the whole.
fn grid(count: usize, (width, height): (u32, u32)) -> (u32, u32) {
    // A cell is wider than high.
    let fits = |columns: &u32| {
        let rows = (count as u32).div_ceil(*columns);
        let aspect = (f64::from(width) / f64::from(*columns)) / (f64::from(height) / f64::from(rows));
        let empty = f64::from(columns * rows) / count as f64;
        (aspect / 1.3).ln().abs() + 2.0 * empty.ln()
    };
    let columns = (1..=count.max(1) as u32).min_by(|a, b| fits(a).total_cmp(&fits(b))).unwrap_or(1);
    (columns, (count.max(1) as u32).div_ceil(columns))
}

/// Where the pictures are.
struct Layout {
    columns: u32,
    /// Width of a picture, its height, and that with what stands under it [pixels].
    cell: u32,
    high: u32,
    under: u32,
}

impl Layout {
    /// # Errors
    /// Pictures that would be too small.
    fn new(count: usize, (width, height): (u32, u32)) -> Result<Self, CommandError> {
        let (columns, rows) = grid(count, (width, height.saturating_sub(TITLE)));
        let (cell, under) = (width / columns, height.saturating_sub(TITLE) / rows);
        let high = under.saturating_sub(CAPTION);
        if cell < 64 || high < 48 {
            return Err(CommandError::Usage(format!(
                "--size {width}x{height}: {count} pictures have no room there; try {}x{}",
                columns * 420,
                rows * 340 + TITLE
            )));
        }
        Ok(Self { columns, cell, high, under })
    }
}

fn draw(outcomes: &mut [Outcome], options: &PosterOptions, path: &Path) -> Result<(), CommandError> {
    let (width, height) = options.size;
    let Layout { columns, cell, high, under } = Layout::new(outcomes.len(), options.size)?;
    let Some(first) = outcomes.first() else { return Ok(()) };
    let title = title(first);
    let mut offscreen = Offscreen::new(&view::shaders(&first.session, &[]))?;
    let mut poster = vec![24_u8; (3 * width * height) as usize];
    let mut scale = Scale::new(options.view, options.palette);
    for (i, run) in outcomes.iter_mut().enumerate() {
        let (left, top) = (i as u32 % columns * cell, TITLE + i as u32 / columns * under);
        let mut view = View::default();
        (view.scale, view.overlays, view.run) = (scale.clone(), options.overlay, i as u64);
        let pixels = picture(&run.session, &mut view, &mut offscreen, (cell - 2, high))?;
        if i == 0 {
            // One scale for all.
            scale = view.scale.clone();
            scale.range = Range::Fixed(scale.top());
        }
        for (y, row) in pixels.chunks_exact(4 * (cell - 2) as usize).enumerate() {
            let at = 3 * ((top + y as u32) * width + left + 1) as usize;
            let line = row.chunks_exact(4).flat_map(|pixel| pixel[..3].iter().copied());
            poster[at..][..3 * (cell - 2) as usize].iter_mut().zip(line).for_each(|(to, from)| *to = from);
        }
    }
    let captions: Vec<[String; 2]> = outcomes.iter().map(runs::caption).collect();
    let area = letters::bitmap(&mut poster, (width, height))?;
    let error = |error: DrawingAreaErrorKind<_>| format!("the captions: {error}");
    let text = |size: u32, color: &RGBColor| (FONT, size).into_font().color(color);
    let grey = RGBColor(190, 190, 190);
    area.draw_text(&title, &text(19, &WHITE), (12, 11)).map_err(error)?;
    for (i, [name, numbers]) in captions.iter().enumerate() {
        let (left, top) = (i as u32 % columns * cell, TITLE + i as u32 / columns * under + high);
        let place = |down: i32| ((left + 10) as i32, top as i32 + down);
        area.draw_text(name, &text(17, &WHITE), place(4)).map_err(error)?;
        let numbers = cut(numbers, (cell - 16) / 6);
        area.draw_text(&numbers, &text(14, &grey), place(24)).map_err(error)?;
    }
    if !scale.quantity.is_look() {
        let line = text(14, &grey).pos(Pos::new(HPos::Right, VPos::Top));
        area.draw_text(&scale.line(), &line, (width as i32 - 12, 14)).map_err(error)?;
    }
    area.present().map_err(error)?;
    drop(area);
    Ok(png::save(path, &poster, (width, height))?)
}

fn title(run: &Outcome) -> String {
    let (particles, constraints) = run.session.sizes();
    let (scene, state) = (run.session.scene(), run.session.run());
    format!("{}    {:.2} s, {particles} particles, {constraints} constraints", scene.title, state.time)
}

/// So many letters, with dots where there are more.
fn cut(text: &str, letters: u32) -> String {
    if text.chars().count() <= letters as usize {
        return text.to_string();
    }
    let kept: String = text.chars().take(letters.saturating_sub(2) as usize).collect();
    format!("{}..", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_room_for_all_and_cells_that_are_no_strips() {
        for count in 1..30 {
            let (columns, rows) = grid(count, (1920, 1080));
            assert!((columns * rows) as usize >= count && ((columns - 1) * rows) < count as u32 * 2);
            let aspect = 1920.0 / f64::from(columns) / (1080.0 / f64::from(rows));
            assert!((0.5..=2.7).contains(&aspect), "{count}: {columns} x {rows}");
        }
    }
}
