//! Numbers of the state as colours on the cloth: which column, in which palette, over which range.

use weft_core::clock::Instant;

use weft_core::state::State;
use weft_draw::Palette;
use weft_session::Session;

use super::Quantity;

/// The range follows the numbers with this time constant [s], so that colours do not flicker.
const FOLLOW: f64 = 0.4;

/// Where the scale ends; it starts at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// At this percentile of the particles, 0..=100.
    Percentile(f32),
    /// At this number, in the unit of what is shown.
    Fixed(f32),
}

/// Numbers on a scale, and how it is drawn.
#[derive(Clone, Debug)]
pub struct Scale {
    pub quantity: &'static Quantity,
    pub palette: Palette,
    pub range: Range,
    /// End of the scale, in the unit of what is shown.
    top: f32,
    /// What `top` was made for, and when.
    made: Option<(&'static Quantity, Instant)>,
    values: Vec<f32>,
    sorted: Vec<f32>,
    /// Sum over the triangles around a particle, and how many there are.
    rings: Vec<[f32; 2]>,
}

impl Default for Scale {
    fn default() -> Self {
        Self::new(Quantity::look(), Palette::default())
    }
}

impl Scale {
    pub fn new(quantity: &'static Quantity, palette: Palette) -> Self {
        Self {
            quantity,
            palette,
            range: Range::Percentile(95.0),
            top: 0.0,
            made: None,
            values: Vec::new(),
            sorted: Vec::new(),
            rings: Vec::new(),
        }
    }

    /// The next quantity, and round again.
    pub fn next(&mut self) {
        self.quantity = self.quantity.next();
    }

    /// End of the scale, in the unit of what is shown. 0: every number is 0.
    pub fn top(&self) -> f32 {
        self.top
    }

    /// Place of each particle on the scale: 0 at 0, 1 at its end and beyond it more. Empty while a texture shows.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Takes over the numbers of a state of the session's cloths; an automatic range moves towards them, on the first call at once.
    pub fn update(&mut self, session: &Session, state: &State) {
        self.values = self.quantity.read(state);
        if self.quantity.is_smooth() {
            self.smooth(session);
        }
        let now = Instant::now();
        let since = self.made.filter(|(made, _)| *made == self.quantity);
        self.made = Some((self.quantity, now));
        let target = match self.range {
            Range::Fixed(top) => top,
            Range::Percentile(percent) => percentile(&self.values, percent, &mut self.sorted),
        };
        self.top = match (self.range, since) {
            (Range::Percentile(_), Some((_, at))) => {
                let share = 1.0 - (-(now - at).as_secs_f64() / FOLLOW).exp();
                self.top + (target - self.top) * share as f32
            }
            _ => target,
        };
        let per_unit = if self.top > 0.0 { 1.0 / self.top } else { 0.0 };
        self.values.iter_mut().for_each(|value| *value *= per_unit);
    }

    /// One average over the triangles around each particle: how a solver's last sweep left the load to neighbouring rows
    /// shows the mesh, not the cloth.
    fn smooth(&mut self, session: &Session) {
        self.rings.clear();
        self.rings.resize(self.values.len(), [0.0; 2]);
        for object in session.objects() {
            let Some(values) = self.values.get(object.particles.clone()) else { continue };
            let rings = &mut self.rings[object.particles.clone()];
            for corners in &object.triangles {
                let corners = corners.map(|corner| corner as usize);
                let mean = corners.iter().map(|&corner| values[corner]).sum::<f32>() / 3.0;
                for corner in corners {
                    rings[corner] = [rings[corner][0] + mean, rings[corner][1] + 1.0];
                }
            }
        }
        for (value, [sum, count]) in self.values.iter_mut().zip(&self.rings).filter(|(_, ring)| ring[1] > 0.0)
        {
            *value = sum / count;
        }
    }

    /// What the scale says, as a line: `stress 0 to 12.30 N/m (95th percentile), viridis`.
    pub fn line(&self) -> String {
        let top = weft_session::readings::text(self.top.into(), self.quantity.unit);
        let end = match self.range {
            Range::Fixed(_) => "fixed".to_string(),
            Range::Percentile(percent) => format!("{percent}th percentile"),
        };
        format!("{} 0 to {top} ({end}), {}", self.quantity.name, self.palette.name())
    }
}

/// By nearest rank; 0 without values.
fn percentile(values: &[f32], percent: f32, sorted: &mut Vec<f32>) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    sorted.clear();
    sorted.extend_from_slice(values);
    let rank = (percent / 100.0 * values.len() as f32).ceil() as usize;
    *sorted.select_nth_unstable_by(rank.clamp(1, values.len()) - 1, f32::total_cmp).1
}
