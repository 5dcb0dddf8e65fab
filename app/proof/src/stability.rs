//! `weft stability`: everything that can be said about the largest step at one state, as a text.

use std::fmt::Write;
use weft_core::{command::CommandError, state::col, statistics};
use weft_engine::{
    elastic::{self, Limit, System},
    stability::{
        Damping, Dynamics, Explicit, Lanczos, Motion, Search, amplification, dampers, relaxation,
        spectral_radius,
    },
};
use weft_session::{Options, Session};

pub struct StabilityOptions {
    pub session: Options,
    /// Frames before the state is looked at.
    pub frames: u64,
}

const SCHEMES: [&str; 5] = ["symplectic_euler", "velocity_verlet", "rk4", "explicit_euler", "taylor2"];
const KINDS: [&str; 3] = ["structural", "shear", "bend"];

/// Runs the scene for some frames and looks at the state.
pub fn report(options: StabilityOptions) -> Result<String, CommandError> {
    let mut session = Session::open(options.session)?;
    for _ in 0..options.frames {
        session.step().map_err(|error| format!("frame {}: {error}", session.run().frame))?;
    }
    Ok(of(&session)?)
}

/// At the present state of a session.
pub fn of(session: &Session) -> Result<String, String> {
    let (state, air, dt) = (&session.run().state, session.scene().air_damping, session.scene().step);
    let explicit = Explicit::of(session.run(), dt);
    let running = explicit.is_some();
    let explicit = explicit.unwrap_or_else(|| Explicit::standard(session.run(), dt));
    let system = System::of(state, Limit::WithoutRigid)?;
    let capped = System::of(state, explicit.limit())?;
    elastic::check(&capped)?;

    let mut text = String::new();
    let rigid = rigid_rows(session);
    head(&mut text, session, &system, &explicit, running);
    kinds(&mut text, session, explicit.limit());
    let left_out = if rigid > 0 { ", rigid constraints left out" } else { "" };
    if elastic::check(&system).is_ok() {
        let damping = dampers(state, air, Limit::WithoutRigid);
        frequencies(&mut text, &format!("true stiffness{left_out}"), &system, &damping, explicit.h)?;
    }
    if rigid > 0 {
        let _ = writeln!(
            text,
            "\n{rigid} rows have compliance 0: they are infinitely stiff, no explicit step is stable with them (dt_max 0)."
        );
    }
    if explicit.cap > 0.0 {
        let damping = dampers(state, air, explicit.limit());
        let title = format!("as the explicit solver takes it, stability_cap {}", explicit.cap);
        frequencies(&mut text, &title, &capped, &damping, explicit.h)?;
    }
    implicit(&mut text, session, explicit.h)?;
    Ok(text)
}

fn rigid_rows(session: &Session) -> usize {
    session.run().state.get(col::distance::compliance).iter().filter(|c| **c == 0.0).count()
}

fn head(text: &mut String, session: &Session, system: &System, explicit: &Explicit, running: bool) {
    let free = system.free_particles.len();
    let masses: Vec<f64> = system.free_particles.iter().map(|&i| system.mass[i as usize]).collect();
    let [least, most] = [statistics::least, statistics::largest].map(|of| of(masses.iter().copied()));
    let solver =
        if running { format!("explicit, {}", explicit.scheme) } else { session.run().solver.clone() };
    let _ = writeln!(
        text,
        "{}, frame {} ({:.2} s)",
        session.setup().title(),
        session.run().frame,
        session.run().time
    );
    let _ = writeln!(text, "particles    {} ({free} free), {least:.3e} to {most:.3e} kg", system.x.len());
    let _ = writeln!(text, "substep      {:.4} ms ({solver})", explicit.h * 1e3);
}

/// Rows by kind, with the stiffness they have and the one the explicit solver gives them.
fn kinds(text: &mut String, session: &Session, limit: Limit) {
    let state = &session.run().state;
    let position = state.get(col::particle::position);
    let compliance = state.get(col::distance::compliance);
    let idx = state.get(col::distance::idx);
    let _ = writeln!(text, "\nrows             number   stiffness [N/m]          explicit solver [N/m]");
    for (kind, name) in (0..).zip(KINDS) {
        let of_kind = |row: &usize| state.get(col::distance::kind).get(*row) == Some(&kind);
        let rows: Vec<usize> = (0..idx.len()).filter(of_kind).collect();
        if rows.is_empty() {
            continue;
        }
        let stiffness = rows.iter().map(|&row| 1.0 / f64::from(compliance[row]));
        let taken = rows.iter().map(|&row| {
            let w = idx[row].map(|i| f64::from(position[i as usize][3]));
            limit.stiffness(compliance[row].into(), w[0].max(w[1]))
        });
        let _ = writeln!(text, "{name:12} {:10}   {:24} {}", rows.len(), range(stiffness), range(taken));
    }
    for name in ["triangle", "hinge", "tether", "attachment"] {
        // Triangles of model 0 are drawn only.
        let models = state.get(col::triangle::model);
        let rows = match name {
            "triangle" => models.iter().filter(|model| **model > 0).count(),
            _ => state.table(name).map_or(0, |table| table.rows),
        };
        if rows > 0 {
            let _ = writeln!(text, "{name:12} {rows:10}   as in its table");
        }
    }
}

fn range(values: impl Iterator<Item = f64>) -> String {
    let (least, most) = values.fold((f64::INFINITY, 0.0), |(l, m), v| (f64::min(l, v), f64::max(m, v)));
    let one = |value: f64| if value > 1e37 { "infinite".to_string() } else { format!("{value:.4e}") };
    if most - least <= 1e-6 * most || least == most {
        one(least)
    } else {
        format!("{} to {}", one(least), one(most))
    }
}

/// omega_max and what each scheme may do with it.
fn frequencies(
    text: &mut String,
    title: &str,
    system: &System,
    damping: &Damping,
    h: f64,
) -> Result<(), String> {
    let (mut lanczos, dynamics) = (Lanczos::default(), Dynamics::of(system, damping));
    let size = system.free_particles.len();
    let mut search = Search { lanczos: &mut lanczos, dynamics: &dynamics, size, tolerance: 1e-6, most: 300 };
    let stiffest = search.stiffest()?;
    let starts = search.starts(stiffest)?;
    let omega = stiffest.square.sqrt();
    let share = 100.0 * stiffest.bound / stiffest.square.max(f64::MIN_POSITIVE);
    let _ = writeln!(
        text,
        "\nomega_max    {omega:.6} rad/s ({title}; {} Lanczos steps, bound of {share:.1e} % of omega² added)",
        stiffest.steps
    );
    let _ = writeln!(text, "scheme             dt_max [ms]      h/dt_max    growth a second at h");
    for scheme in SCHEMES {
        let (dt_max, worst) = search.longest(scheme, &starts)?;
        let growth = |m: Motion| spectral_radius(amplification(scheme, m.square.sqrt(), m.damping, h));
        let decades = growth(worst).max(growth(stiffest)).log10() / h;
        let growth = if decades < 1e-9 {
            "none".to_string()
        } else if decades < 5.0 {
            format!("x {:.4}", 10.0_f64.powf(decades))
        } else {
            "blows up".to_string()
        };
        let _ = writeln!(text, "{scheme:18} {:11.4e}  {:12.4e}    {growth}", dt_max * 1e3, h / dt_max);
    }
    let springs = if damping.springs.is_empty() { "no spring dampers" } else { "dampers along springs" };
    let _ = writeln!(
        text,
        "air damping {} 1/s, {springs}; Verlet takes a' at x' and v + h a",
        damping.air as f32
    );
    Ok(())
}

/// Jacobi and Chebyshev on an implicit step of the same length.
fn implicit(text: &mut String, session: &Session, h: f64) -> Result<(), String> {
    let system = System::of(&session.run().state, Limit::Inertia { times: elastic::RIGID, h })?;
    let rates = relaxation(&system, h);
    let _ = writeln!(
        text,
        "\nimplicit step of {:.4} ms, rows no stiffer than {:.0e} m/h²:",
        h * 1e3,
        elastic::RIGID
    );
    let _ = write!(text, "Jacobi       spectral radius {:.6}", rates.jacobi);
    match (rates.chebyshev, rates.gain) {
        (Some(chebyshev), Some(gain)) => {
            let _ = write!(
                text,
                "\nChebyshev    spectral radius {chebyshev:.6}, {gain:.1} times fewer iterations"
            );
        }
        (Some(_), None) => {}
        (None, _) => {
            let _ = write!(text, ": it diverges, and so does Chebyshev on it; damp it or shorten the step");
        }
    }
    Ok(())
}
