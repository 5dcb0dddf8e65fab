//! "Where it began": from a NaN or a jump of energy back to the last sane frame, and the particles that left it first.

use glam::Vec3;
use weft_core::state::col;

use super::Session;
use weft_core::{energy, state::State};
use weft_engine::run::StepError;

use crate::history::Moment;

/// A particle is named if its acceleration is this many times the median one.
const LEAVES: f32 = 10.0;
/// Particles named at most.
const NAMED: usize = 12;

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct BlowUp {
    /// The last sane frame.
    pub frame: u64,
    /// Frame in which the run ended or now is.
    pub end: u64,
    /// Column that left first, such as `velocity`.
    pub column: &'static str,
    /// Particles that left first, the worst one in front.
    pub particles: Vec<usize>,
    /// All of it in words.
    pub text: String,
}

impl Session {
    /// Whether there is something to look for: a NaN, or an energy that jumped.
    pub fn has_blown_up(&self) -> bool {
        let not_finite = matches!(self.report.problems.step, Some(StepError::NotFinite { .. }));
        self.timeline.history.is_on() && (not_finite || self.timeline.alarm.is_some())
    }

    /// Goes to the last sane frame before the NaN or the jump, and names the particles that left it.
    pub fn show_where_it_began(&mut self) -> Result<(), String> {
        let failure = self.report.problems.step.clone();
        self.end_loop();
        self.keep_present();
        let (gravity, at) = (self.setup.scene.gravity, self.timeline.history.at());
        // An alarm may be long past, and the energy back on the ground.
        let alarm = self
            .timeline
            .alarm
            .filter(|_| failure.is_none())
            .and_then(|frame| self.timeline.history.find(frame));
        let shown = at.map_or(0, |at| at.min(alarm.unwrap_or(at)) + 1);
        let Some(last) = self.timeline.history.moments().take(shown).next_back() else {
            return Err("no frame is kept: history is off (--history MB)".into());
        };
        let (end, mass) = (last.frame, last.energy.mass);
        let energies: Vec<f64> =
            self.timeline.history.moments().take(shown).map(|moment| moment.energy.total(gravity)).collect();
        let found = energy::began(&energies, mass);
        if let Some(place) = found {
            self.timeline.history.fetch(place)?;
            self.timeline.history.fetch(place + 1)?;
        }
        let moments: Vec<&Moment> = self.timeline.history.moments().take(shown).collect();
        let began = match (found, &failure) {
            (Some(place), _) => {
                let (sane, next) = (moments[place], moments[place + 1]);
                let particles = leaving(sane, next, self.setup.scene.step);
                let rise = energies[place + 1] - energies[place];
                let text = format!(
                    "the energy began to leave after frame {}: {rise:.3e} J in the next step, {:.3e} J until frame {end}",
                    sane.frame,
                    energies[energies.len() - 1] - energies[place]
                );
                BlowUp { frame: sane.frame, end, column: "velocity", particles, text }
            }
            (None, Some(StepError::NotFinite { particle, column, .. })) => {
                let text = format!("frame {end} is sane, and the step after it made NaN at once");
                BlowUp { frame: end, end, column, particles: vec![*particle], text }
            }
            _ => return Err("the energy of the kept frames does not run away".into()),
        };
        let named = self.named(&began);
        let failure = failure.map_or_else(String::new, |failure| format!("\n{failure}"));
        self.go_to(began.frame)?;
        self.timeline.blow_up =
            Some(BlowUp { text: format!("{}\nfirst: {named}{failure}", began.text), ..began });
        self.timeline.alarm = None;
        Ok(())
    }

    /// Particles to mark in the picture.
    pub fn marked(&self) -> &[usize] {
        self.timeline.blow_up.as_ref().map_or(&[], |began| &began.particles)
    }

    /// `particle.velocity of 312 (sheet, row 4, column 12), 313 …`.
    fn named(&self, began: &BlowUp) -> String {
        let names = began.particles.iter().map(|&particle| {
            let object = self
                .setup
                .objects()
                .iter()
                .zip(&self.setup.scene.cloths)
                .find(|(o, _)| o.particles.contains(&particle));
            object.map_or_else(
                || particle.to_string(),
                |(object, cloth)| {
                    let own = particle - object.particles.start;
                    match cloth.shape {
                        weft_scene::Shape::Grid { columns, .. } if columns > 0 => {
                            let (row, column) = (own / columns as usize, own % columns as usize);
                            format!("{particle} ({}: row {row}, column {column})", object.id)
                        }
                        _ => format!("{particle} ({}: {own})", object.id),
                    }
                },
            )
        });
        format!("particle.{} of {}", began.column, names.collect::<Vec<_>>().join(", "))
    }
}

/// Particles whose velocity changes out of all proportion from one moment to the next, the worst in front: at least one.
fn leaving(sane: &Moment, next: &Moment, dt: f32) -> Vec<usize> {
    let velocity = |moment: &Moment| -> Vec<Vec3> {
        let rows = moment.state.rows::<[f32; 4]>("particle", "velocity");
        rows.map(|v| Vec3::new(v[0], v[1], v[2])).collect()
    };
    let changes = velocity(sane).into_iter().zip(velocity(next)).map(|(a, b)| (b - a).length() / dt);
    let worth = |a: f32| if a.is_finite() { a } else { f32::MAX };
    let changes: Vec<f32> = changes.map(worth).collect();
    let held = |particle: &usize| sane.holds.iter().any(|hold| hold.particle as usize == *particle);
    let mut order: Vec<usize> = (0..changes.len()).filter(|particle| !held(particle)).collect();
    order.sort_by(|a, b| changes[*b].total_cmp(&changes[*a]));
    let median = order.get(order.len() / 2).map_or(0.0, |middle| changes[*middle]);
    let count = order.iter().take_while(|particle| changes[**particle] > LEAVES * median).count();
    order.truncate(count.clamp(1, NAMED));
    order
}

/// Mean rest length of the threads [m], or the side of a particle's share of the cloth: the size of a mark.
pub fn spacing(state: &State) -> f32 {
    let kind = state.get(col::distance::kind);
    let rest = state.get(col::distance::rest).iter().zip(kind).filter(|(_, kind)| **kind == 0);
    let (sum, count) = rest.fold((0.0, 0), |(sum, count), (rest, _)| (sum + f64::from(*rest), count + 1));
    if count > 0 {
        return (sum / f64::from(count)) as f32;
    }
    let area = state.get(col::particle::area);
    (area.iter().sum::<f32>() / area.len().max(1) as f32).sqrt()
}
