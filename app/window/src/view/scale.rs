//! Numbers of the state as colours on the cloth: which column, in which palette, over which range.

use weft_core::clock::Instant;

use weft_core::state::State;
use weft_draw::Palette;
use weft_session::Session;

use super::{Quantity, ticks};

/// The range follows the numbers with this time constant [s], so that colours do not flicker.
const FOLLOW: f64 = 0.4;

/// Decades of a logarithmic scale.
const DECADES: f32 = 4.0;
/// Decimal places of a number beside the scale, at most.
const DIGITS: usize = 4;

/// Where the scale ends; it starts at 0, or where numbers are negative as far below it.
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
    /// By the logarithm of the size, over the last four decades.
    pub log: bool,
    /// Numbers were negative since this quantity is shown: 0 lies in the middle.
    signed: bool,
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
            log: false,
            signed: false,
            top: 0.0,
            made: None,
            values: Vec::new(),
            sorted: Vec::new(),
            rings: Vec::new(),
        }
    }

    /// The next quantity that says something of a state, and round again.
    pub fn next(&mut self, state: &State) {
        self.quantity = self.quantity.next(state);
    }

    /// The range that is used: numbers of things have no few that could be left out.
    fn used(&self) -> Range {
        match self.range {
            Range::Percentile(_) if self.quantity.is_count() => Range::Percentile(100.0),
            range => range,
        }
    }

    /// End of the scale, in the unit of what is shown. 0: every number is 0.
    pub fn top(&self) -> f32 {
        self.top
    }

    /// Place of each particle on the scale: 0 at its begin, 1 at its end and beyond it more. Empty while a texture shows.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Takes over the numbers of a state of the session's objects; an automatic range moves towards them, on the first call at once.
    pub fn update(&mut self, session: &Session, state: &State) {
        self.values = self.quantity.read(state);
        if self.quantity.is_smooth() {
            self.smooth(session);
        }
        let now = Instant::now();
        let since = self.made.filter(|(made, _)| *made == self.quantity);
        self.signed &= since.is_some();
        self.signed |= self.values.iter().any(|value| *value < 0.0);
        self.made = Some((self.quantity, now));
        let range = self.used();
        let target = match range {
            Range::Fixed(top) => top,
            Range::Percentile(percent) => {
                self.sorted.clear();
                self.sorted.extend(self.values.iter().map(|value| value.abs()));
                percentile(&mut self.sorted, percent)
            }
        };
        self.top = match (range, since) {
            (Range::Percentile(_), Some((_, at))) => {
                let share = 1.0 - (-(now - at).as_secs_f64() / FOLLOW).exp();
                self.top + (target - self.top) * share as f32
            }
            _ => target,
        };
        let mut values = std::mem::take(&mut self.values);
        values.iter_mut().for_each(|value| *value = self.place(*value));
        self.values = values;
    }

    /// Where a number lies on the scale: 0 at its begin, 1 at its end.
    fn place(&self, value: f32) -> f32 {
        if self.top <= 0.0 {
            0.0
        } else if self.log {
            ((value.abs() / self.top).max(1e-30).log10() / DECADES + 1.0).max(0.0)
        } else if self.signed {
            (0.5 + 0.5 * value / self.top).max(0.0)
        } else {
            value / self.top
        }
    }

    /// Where the scale begins, in the unit of what is shown.
    fn bottom(&self) -> f32 {
        match (self.log, self.signed) {
            (true, _) => self.top * 10.0_f32.powf(-DECADES),
            (false, true) => -self.top,
            (false, false) => 0.0,
        }
    }

    /// Round numbers beside the scale: place, 0 at its begin and 1 at its end, and text.
    pub fn marks(&self) -> Vec<(f32, String)> {
        let (step, digits) = ticks(self.top);
        if step <= 0.0 {
            return vec![(0.0, "0".into())];
        }
        if self.log {
            let last = self.top.log10().floor() as i32;
            let powers = (last - DECADES as i32..=last).map(|power| (10.0_f32.powi(power), power));
            let marks = powers.map(|(value, power)| (self.place(value), format!("1e{power}")));
            return marks.filter(|(place, _)| *place > 0.0).collect();
        }
        let count = (self.top / step * 1.0001) as i32;
        let numbers = if self.signed { -count..=count } else { 0..=count };
        numbers
            .map(|i| step * i as f32)
            .map(|value| (self.place(value), number(value + 0.0, digits)))
            .collect()
    }

    /// The unit in brackets, empty where there is none.
    pub fn unit(&self) -> String {
        let unit = self.quantity.unit;
        if unit.is_empty() { String::new() } else { format!("[{unit}]") }
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
        let end = match self.used() {
            Range::Fixed(_) => "fixed".to_string(),
            Range::Percentile(percent) => format!("{percent}th percentile"),
        };
        let bottom = self.bottom();
        let bottom = if bottom == 0.0 { "0".to_string() } else { format!("{bottom:.3e}") };
        let log = if self.log { ", logarithmic" } else { "" };
        format!("{} {bottom} to {top} ({end}{log}), {}", self.quantity.name, self.palette.name())
    }
}

/// As many decimal places as it takes, or the power of ten.
fn number(value: f32, digits: usize) -> String {
    if digits > DIGITS && value != 0.0 {
        format!("{value:.1e}")
    } else {
        format!("{value:.0$}", digits.min(DIGITS))
    }
}

/// By nearest rank; 0 without values. They come out in another order.
fn percentile(values: &mut [f32], percent: f32) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    let rank = (percent / 100.0 * values.len() as f32).ceil() as usize;
    let rank = rank.clamp(1, values.len()) - 1;
    *values.select_nth_unstable_by(rank, f32::total_cmp).1
}
